//! Compose files: what services of the project may reach, and what they are told to run.

use belay_model::{At, Effect, How, Verb};

use crate::effects::called::Called;
use crate::follow::language::is_shell;
use crate::follow::tasks::{OwnCode, Whose};
use crate::follow::yaml::{self, Yaml};
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::value::Val;
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Reads the compose file that services are started from. What services do inside their containers is theirs;
    /// what they reach of this machine counts.
    pub(crate) fn start_services(&mut self, called: &Called<'_>, state: &State) {
        let names: Vec<&str> = self
            .scene
            .knowledge
            .all_said("task-files", "compose")
            .collect();
        for manifest in self.manifests(&names, called, state) {
            let Some(file) = yaml::read(&manifest.text) else {
                continue;
            };
            for (_, service) in file.get("services").into_iter().flat_map(Yaml::entries) {
                self.service(service, called, state);
            }
        }
    }

    fn service(&mut self, service: &Yaml, called: &Called<'_>, state: &State) {
        let says = |key: &str, value: &str| service.get(key).and_then(Yaml::text) == Some(value);
        let shares = ["network_mode", "pid", "ipc", "userns_mode", "uts"];
        if says("privileged", "true")
            || says("pid", "host")
            || says("userns_mode", "host")
            || shares
                .iter()
                .any(|key| *key != "network_mode" && says(key, "host"))
            || service
                .get("cap_add")
                .into_iter()
                .flat_map(Yaml::items)
                .any(is_mighty)
        {
            self.emit(Effect::of(Verb::Escalate, ["host"]).spanning(called.span));
        }
        for mount in service.get("volumes").into_iter().flat_map(Yaml::items) {
            self.mount(mount, called, state);
        }
        for key in ["command", "entrypoint"] {
            if let Some(command) = service.get(key) {
                self.told(command, called, state);
            }
        }
    }

    /// A folder of this machine that a service may write to.
    fn mount(&mut self, mount: &Yaml, called: &Called<'_>, state: &State) {
        let source = match mount.text() {
            Some(text) => text.split_once(':').map(|(source, _)| source),
            None => mount.get("source").and_then(Yaml::text),
        };
        let Some(source) = source.filter(|it| it.starts_with(['/', '.', '~', '$'])) else {
            return;
        };
        let only_reads = mount.text().is_some_and(|it| it.ends_with(":ro"))
            || mount.get("read_only").and_then(Yaml::text) == Some("true");
        let home = self.scene.frame.home();
        let source = source.replace("${HOME}", home).replace("$HOME", home);
        let source = source
            .strip_prefix('~')
            .map_or(source.clone(), |rest| format!("{home}{rest}"));
        if source.ends_with("docker.sock") || source.ends_with("containerd.sock") || source == "/" {
            self.emit(Effect::of(Verb::Escalate, ["host"]).spanning(called.span));
            return;
        }
        if source.contains('$') {
            return;
        }
        let Some(path) = self.absolute(&source, state) else {
            return;
        };
        let frame = self.scene.frame;
        if frame
            .roots
            .iter()
            .any(|root| belay_places::Path::new(&path).is_within(root))
        {
            return;
        }
        let val = Val::known(path);
        if only_reads {
            self.read_place(&val, Touch::new(How::Plain, called.span), state);
        } else {
            self.write_place(&val, Touch::new(How::Tree, called.span), state);
        }
    }

    /// What a service is told to run happens in its container.
    fn told(&mut self, command: &Yaml, called: &Called<'_>, state: &State) {
        let words: Vec<String> = command
            .items()
            .iter()
            .filter_map(|it| it.text())
            .map(str::to_owned)
            .collect();
        let text = match (command.text(), words.as_slice()) {
            (Some(text), _) => text.to_owned(),
            (None, [shell, flag, text, ..])
                if is_shell(shell, self.scene.knowledge) && flag.ends_with('c') =>
            {
                text.clone()
            }
            (None, words) => words.join(" "),
        };
        let from = self.out.effects.len();
        let own = OwnCode {
            text: &text.replace("$$", "$"),
            span: called.span,
            whose: Whose::Project,
        };
        self.own_code(&own, &mut state.clone());
        for effect in self.out.effects.iter_mut().skip(from) {
            if effect.at == At::Here {
                effect.at = At::Elsewhere("composed".to_owned(), "started".to_owned());
            }
        }
    }
}

fn is_mighty(capability: &Yaml) -> bool {
    let name = capability
        .text()
        .unwrap_or_default()
        .trim_start_matches("CAP_");
    matches!(
        name,
        "ALL" | "SYS_ADMIN" | "SYS_MODULE" | "SYS_RAWIO" | "DAC_READ_SEARCH" | "SYS_BOOT"
    )
}
