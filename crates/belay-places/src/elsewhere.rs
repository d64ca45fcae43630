//! What is secret where nobody can look: on other machines and in containers.

use belay_model::{Effect, How, Place, Scope, Verb};

use crate::parts::Parts;
use crate::places::{Spot, secrets_below, secrets_matched};
use crate::sets::named;
use crate::{Frame, absolute};

/// Returns the scope of what is read elsewhere where its name alone says that it is not for everybody's eyes: where links
/// lead there, and which folders are projects, nobody knows.
#[must_use]
pub fn secret_elsewhere(read: &Effect, place: &Place, frame: &Frame<'_>) -> Option<Scope> {
    if read.verb != Verb::Read || read.how == How::Names {
        return None;
    }
    let path = absolute(place.known()?, frame.cwd, frame.home())?;
    let own = || named(&Parts::new(&path, frame)).next();
    let below = || {
        secrets_below(&Spot::of(&path, frame), frame)
            .into_iter()
            .next()
    };
    match place {
        Place::Exact(_) if read.how == How::Tree => own().filter(is_secret_scope).or_else(below),
        Place::Exact(_) => own().filter(is_secret_scope),
        Place::Under(_) => below(),
        Place::Pattern(_) => secrets_matched(read, &path, frame).into_iter().next(),
        Place::Unknown => None,
    }
}

const fn is_secret_scope(scope: &Scope) -> bool {
    matches!(scope, Scope::Credentials | Scope::Personal)
}

#[cfg(test)]
mod tests {
    use belay_model::{Nowhere, parse_effect};

    use super::*;

    #[test]
    fn a_name_says_that_it_is_secret() {
        let rows = [
            ("read /run/secrets/db", Some(Scope::Credentials)),
            ("read /root/.ssh/id_rsa", Some(Scope::Credentials)),
            ("read ~/.pgpass", Some(Scope::Credentials)),
            ("read /root/.ssh/*", Some(Scope::Credentials)),
            ("read /**/id_rsa", Some(Scope::Credentials)),
            ("read tree /root/.ssh", Some(Scope::Credentials)),
            ("read tree /root", Some(Scope::Credentials)),
            ("read /root/.bash_history", Some(Scope::Personal)),
            ("read names /run/secrets", None),
            ("read /root/.ssh/id_rsa.pub", None),
            ("read /app/package.json", None),
            ("read tree /app/src", None),
            ("read /**/*.log", None),
            ("write /run/secrets/db", None),
        ];
        for (effect, scope) in rows {
            let read = parse_effect(&format!("{effect} on container web")).expect(effect);
            let frame = Frame {
                cwd: "/work/app",
                home: Some("/home/me"),
                roots: &["/work/app".to_owned()],
                temps: &[],
                hosts: &[],
                gate: &[],
                protected: &[],
                world: &Nowhere,
            };
            let place = read.place().expect(effect);
            assert_eq!(secret_elsewhere(&read, place, &frame), scope, "{effect}");
        }
    }
}
