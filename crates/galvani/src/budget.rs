//! What each operation may take by default (docs/notes/strength.md#budgets).

use galvani_core::budget::{Allowance, Share};

/// Room that anything may take, however small its input is.
const ROOM: Share = Share { base: 64 << 20, per_byte: 4 };

/// Looking into the members of an archive: recognising each, reading and checking it, reading what lies beside it, on
/// each of the levels that games use. Members that do not overlap take half of that.
pub const LOOKING: Allowance = Allowance { memory: ROOM, work: Share { base: 1 << 20, per_byte: 8 } };

/// Copying members out of an archive, onto the disk or into memory; those that overlap are copied more than once.
pub const EXTRACTING: Allowance = Allowance { memory: ROOM, work: Share { base: 0, per_byte: 16 } };

/// Changing a file: what multiplies its content may make it so much larger.
pub const EDITING: Allowance = Allowance {
    memory: Share { base: 64 << 20, per_byte: 64 },
    work: Share { base: 1 << 28, per_byte: 1 << 10 },
};

/// Posing a model: a step is a node at a time. Poses are not held, so that only patience ends it.
pub const SAMPLING: Allowance = Allowance { memory: ROOM, work: Share { base: 1 << 32, per_byte: 1 << 10 } };
