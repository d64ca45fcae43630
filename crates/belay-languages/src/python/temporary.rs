//! Temporary files and folders, where the library makes them.

use super::apply::Call;
use super::tables::{self, Place};
use super::value::{Atom, Rest, Text, Value};
use super::walk::Walker;
use crate::Doing;

/// Variables that say where temporary files go.
const FOLDER_VARIABLES: [&str; 3] = ["TMPDIR", "TEMP", "TMP"];

impl Walker {
    /// Makes a temporary file or folder, and returns its path.
    pub(super) fn made_temporary(&mut self, call: &Call<'_>) -> Value {
        let spot = self.spot(call);
        let path = super::texts::as_text(&super::expressions::within(&spot.folder, &spot.name));
        if spot.elsewhere {
            for text in path.texts() {
                self.does(Doing::Write(super::apply::known(text.shown())));
            }
        }
        path
    }

    /// Makes a temporary file, and returns it, open.
    pub(super) fn temporary_file(&mut self, call: &Call<'_>) -> Value {
        let path = self.made_temporary(call);
        tables::object("temporary_file").map_or_else(Value::anything, |it| {
            Value::of(Atom::Object(it, path.into()))
        })
    }

    fn spot(&self, call: &Call<'_>) -> Spot {
        let first = place_of_suffix(call.member.name());
        let given = |at: u8, name: &'static str| {
            let value = call.arguments.get(Place::At(first + at, name));
            value.filter(|it| it.whole() != Some("None"))
        };
        let (suffix, prefix, folder) = (given(0, "suffix"), given(1, "prefix"), given(2, "dir"));
        // A slash in what stands around the name leads into another folder.
        let plain = |it: &Value| {
            let texts = it.texts();
            texts
                .iter()
                .all(|it| it.whole().is_some_and(|it| !it.contains('/')))
        };
        let stays = [&suffix, &prefix].into_iter().flatten().all(plain);
        let moved = |name: &&str| self.exports.iter().any(|(it, _)| it == name);
        let default = if FOLDER_VARIABLES.iter().any(moved) {
            Value::inert()
        } else {
            Value::text("/tmp")
        };
        let elsewhere = folder.is_some() || !stays || default == Value::inert();
        // Whatever it begins with, no such name was there before.
        let begins = prefix.as_ref().and_then(Value::whole);
        let begins = begins.filter(|it| !it.is_empty()).unwrap_or("tmp");
        let name = if stays {
            Text::begins(begins, Rest::Below)
        } else {
            Text::begins("", Rest::Anything)
        };
        Spot {
            folder: folder.unwrap_or(default),
            name: Value::of(Atom::Text(name)),
            elsewhere,
        }
    }
}

/// Where something temporary is made.
struct Spot {
    folder: Value,
    name: Value,
    /// Whether that may be outside the folder for temporary files.
    elsewhere: bool,
}

/// Returns where the suffix stands among the arguments; prefix and folder follow it.
fn place_of_suffix(maker: &str) -> u8 {
    match maker {
        "NamedTemporaryFile" | "TemporaryFile" => 4,
        "SpooledTemporaryFile" => 5,
        _ => 0,
    }
}
