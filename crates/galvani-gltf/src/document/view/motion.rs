//! Animations.

use std::borrow::Cow;

use super::List;
use super::data::NoExtensions;
use super::typed::{choice, object};

object! {
    /// A motion.
    object Animation {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// What moves, and by which sampler.
        channels "channels": List<'a, Channel<'a>> = List::default(), required;
        /// Values over time.
        samplers "samplers": List<'a, AnimationSampler<'a>> = List::default(), required;
        /// What extensions say.
        extensions "extensions": NoExtensions = NoExtensions;
    }
}

object! {
    /// Something that moves.
    object Channel {
        /// By which sampler of the animation.
        sampler "sampler": Option<usize> = None, required;
        /// What.
        target "target": Target<'a> = Target::default(), required;
        /// What extensions say.
        extensions "extensions": NoExtensions = NoExtensions;
    }
}

object! {
    /// What a channel moves.
    object Target {
        /// Which node.
        node "node": Option<usize> = None;
        /// What of it.
        path "path": Option<TargetPath> = None, required;
        /// What extensions say.
        extensions "extensions": TargetExtensions<'a> = TargetExtensions::default();
    }
}

object! {
    /// What extensions say of what a channel moves.
    bag TargetExtensions {
        /// Anything in the document.
        pointer "KHR_animation_pointer": Option<Box<Pointer<'a>>> = None;
    }
}

object! {
    /// Something in the document that moves.
    object Pointer {
        /// What.
        pointer "pointer": Cow<'a, str> = Cow::Borrowed(""), required;
    }
}

choice! {
    /// What of a node moves.
    TargetPath by text, "`translation`, `rotation`, `scale`, `weights` or `pointer`" {
        /// Its place.
        Translation = "translation";
        /// How it is turned.
        Rotation = "rotation";
        /// How large it is.
        Scale = "scale";
        /// How much of its morph targets is shown.
        Weights = "weights";
        /// What a pointer says.
        Pointer = "pointer";
    }
}

impl TargetPath {
    /// All of them.
    pub(crate) const ALL: [TargetPath; 5] = [
        TargetPath::Translation,
        TargetPath::Rotation,
        TargetPath::Scale,
        TargetPath::Weights,
        TargetPath::Pointer,
    ];

    /// A bit of its own, the lowest left free.
    pub(crate) fn bit(self) -> u8 {
        match self {
            TargetPath::Translation => 2,
            TargetPath::Rotation => 4,
            TargetPath::Scale => 8,
            TargetPath::Weights => 16,
            TargetPath::Pointer => 32,
        }
    }
}

object! {
    /// Values over time.
    object AnimationSampler {
        /// The list of times.
        input "input": Option<usize> = None, required;
        /// The list of values.
        output "output": Option<usize> = None, required;
        /// How values lie between two.
        interpolation "interpolation": Interpolation = Interpolation::Linear;
    }
}

choice! {
    /// How values lie between two.
    Interpolation by text, "`LINEAR`, `STEP` or `CUBICSPLINE`" {
        /// On a straight line.
        Linear = "LINEAR";
        /// The first, until the second comes.
        Step = "STEP";
        /// On a cubic, three values to each key.
        CubicSpline = "CUBICSPLINE";
    }
}
