//! Where in the picture a finding is: the node that it is about.

use galvani::formats::Opened;
use galvani::mdx;
use galvani::parkan::msh::wire::Node;
use galvani::parkan::msh::{self, ModelView};

/// The node of a file, as the file counts, that a path leads into.
pub(crate) fn node(opened: &Opened, path: &str) -> Option<i64> {
    if let Some(document) = opened.downcast::<mdx::Document>() {
        let nodes = document.nodes();
        let holds =
            |own: &str| path.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let found = nodes.iter().find(|placed| holds(&placed.path.to_string()))?;
        return Some(found.node.fixed.object_id.get().into());
    }
    if let Some(document) = opened.downcast::<msh::Document>() {
        return number(path, "nodes").or_else(|| owner(&document.model(), number(path, "slots")?));
    }
    path.split('.').find_map(|step| number(step, "bones"))
}

/// The first node that shows a slot.
fn owner(model: &ModelView<'_>, slot: i64) -> Option<i64> {
    let shows = |node: &Node| node.slot_index.iter().any(|index| i64::from(index.get()) == slot);
    let node = model.nodes.as_ref()?.rows.iter().position(shows)?;
    i64::try_from(node).ok()
}

/// The number that stands behind a name at the beginning of a path.
fn number(path: &str, name: &str) -> Option<i64> {
    path.strip_prefix(name)?.strip_prefix('[')?.split_once(']')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_begins_with_a_list() {
        assert_eq!(number("nodes[12].parent", "nodes"), Some(12));
        assert_eq!(number("nodes[x]", "nodes"), None);
        assert_eq!(number("keys[3]", "nodes"), None);
    }
}
