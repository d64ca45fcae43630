//! tree-sitter-bash, which most guards stand on.

use tree_sitter::{Parser, TreeCursor};

fn names(text: &str) -> Option<Vec<String>> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_bash::LANGUAGE.into())
        .unwrap();
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut names = Vec::new();
    gather(&mut tree.walk(), text, &mut names);
    Some(names)
}

fn gather(cursor: &mut TreeCursor<'_>, text: &str, names: &mut Vec<String>) {
    if cursor.node().kind() == "command_name" {
        let node = cursor.node();
        names.extend(text.get(node.byte_range()).map(str::to_owned));
    }
    if cursor.goto_first_child() {
        loop {
            gather(cursor, text, names);
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }
}

#[test]
fn every_command_tree_sitter_names_is_in_the_tree() {
    crate::names::compare("tree-sitter-bash", names);
}
