//! What bits are called (`docs/formats/msh-streams.md#nodes`).

/// Of nodes.
pub const NODE: &[(u32, &str)] = &[
    (0x1, "interior"),
    (0x4, "changes recursion (0x4)"),
    (0x10, "stops recursion"),
    (0x20, "cockpit"),
    (0x40, "no shadow"),
    (0x100, "drawn when dead"),
    (0x200, "fatal when lost"),
    (0x400, "life of its parent"),
    (0x800, "hides on central"),
];
