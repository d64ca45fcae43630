//! The bill of materials: every package that is linked into `belay`, in CycloneDX's form, from `cargo metadata` alone.

use serde_json::{Value, json};

use super::{Goods, put};
use crate::Outcome;
use crate::metadata::Packages;

/// Writes `belay-VERSION.cdx.json`. It names no time and no machine, so the same lock file gives the same bytes.
pub fn write(goods: &Goods) -> Outcome {
    let packages = Packages::load()?;
    let linked = packages.linked(&["belay-cli"], &[]);
    let mut components: Vec<Value> = Vec::new();
    for id in &linked {
        let Some(it) = packages.all.get(id).filter(|it| it.name != "belay-cli") else {
            continue;
        };
        let purl = format!("pkg:cargo/{}@{}", it.name, it.version);
        let mut component = json!({
            "type": "library",
            "bom-ref": purl,
            "name": it.name,
            "version": it.version,
            "purl": purl,
        });
        if let Some(licence) = &it.licence {
            let expression = licence.replace('/', " OR ");
            component["licenses"] = json!([{ "expression": expression }]);
        }
        components.push(component);
    }
    components.sort_by_key(|it| it["bom-ref"].as_str().unwrap_or_default().to_owned());
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "application",
            "bom-ref": format!("pkg:cargo/belay-cli@{}", goods.version),
            "name": "belay",
            "version": goods.version,
            "purl": format!("pkg:cargo/belay-cli@{}", goods.version),
        } },
        "components": components,
    });
    let text = format!("{bill:#}\n");
    put(
        &goods.out.join(format!("belay-{}.cdx.json", goods.version)),
        text.as_bytes(),
    )
}
