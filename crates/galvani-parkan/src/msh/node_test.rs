//! The tests that the original documentation saw the engine do on nodes, by name.

use super::ModelView;

/// A test on a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeTest {
    /// Flag 0x40. Later findings: it throws no shadow.
    Flag40,
    /// Bit 8 of the high byte of the flags. Later findings: attached to a `central` part, it is hidden.
    HighByte8,
    /// The label contains `central`.
    Central,
}

impl NodeTest {
    /// Every test.
    pub const ALL: [NodeTest; 3] = [NodeTest::Flag40, NodeTest::HighByte8, NodeTest::Central];

    /// The word for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            NodeTest::Flag40 => "flag-0x40",
            NodeTest::HighByte8 => "high-byte-8",
            NodeTest::Central => "central",
        }
    }

    /// Whether a node passes; one that is not there passes nothing.
    pub fn holds(self, model: &ModelView<'_>, node: usize) -> bool {
        let flags = model.nodes.as_ref().and_then(|nodes| nodes.rows.get(node)).map(|node| node.flags.get());
        let Some([low, high]) = flags.map(u16::to_le_bytes) else { return false };
        match self {
            NodeTest::Flag40 => low & 0x40 != 0,
            NodeTest::HighByte8 => high & 8 != 0,
            NodeTest::Central => model.label(node).windows(b"central".len()).any(|word| word == b"central"),
        }
    }
}
