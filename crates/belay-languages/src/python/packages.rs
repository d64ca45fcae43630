//! Calls of what packages of others hand out, where no table says what they do.

use super::arguments::Arguments;
use super::tables;
use super::value::{Atom, Text, Value};
use super::walk::Walker;
use crate::{Doing, Use};

impl Walker {
    /// Calls something of a package: its name says whether it acts.
    pub(super) fn call_package(&mut self, path: &str, arguments: &Arguments) -> Value {
        let name = path.rsplit('.').next().unwrap_or(path);
        let top = path.split('.').next().unwrap_or(path);
        let computes = tables::computes(top);
        let unclear = computes && (!tells_files(name, arguments) || tables::stands_apart(path));
        let how = if computes && !unclear && !tables::acts_beyond_values(name) {
            Use::Imported
        } else if tables::acts(name) || unclear && tables::is_known(top) {
            Use::Acted
        } else {
            Use::Called
        };
        self.uses(path, how);
        for value in arguments.each() {
            self.reaches_package(value);
        }
        let all = arguments.all();
        for text in all.texts() {
            self.handed_place(&text, computes);
        }
        Value::of(Atom::Package(format!("{top}.()").into())).labelled(&all.labels)
    }

    /// What looks like a file is at least read, and written where nobody asked whose the function is.
    fn handed_place(&mut self, text: &Text, computes: bool) {
        let known = text.known.as_str();
        if known.contains([' ', '\n', '<']) {
            return;
        }
        if known.contains("://") {
            if computes {
                self.does(Doing::Send(super::apply::known(text.shown())));
            }
            return;
        }
        if known.contains('/') {
            self.does(Doing::Read(text.shown()));
        }
        // Where the program stands elsewhere, a bare name is a file there.
        let moved = self.out.iter().any(|it| matches!(it, Doing::Folder(_)));
        let named = moved || known.contains(['/', '.']) || known.starts_with('~');
        if computes && named && known.parse::<f64>().is_err() {
            self.does(Doing::Write(super::apply::known(text.shown())));
        }
    }
}

/// Tells whether a function that turns values into something else (`to_netcdf`) says where it puts it.
fn tells_files(name: &str, arguments: &Arguments) -> bool {
    !name.starts_with("to_") || arguments.each().all(|it| it.whole().is_some())
}
