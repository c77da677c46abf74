//! Options that only some formats have: declared once by the format, given by name or as the format's own type.
//!
//! The command line, its help and bindings take them from the one declaration that `settings!` takes.

use galvani_core::{Diagnostic, Path};

use super::RequestError;
use super::argument::{ArgumentKind, ArgumentValue};
use crate::codes;

/// An option of one ability of one format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
    /// What it may be.
    pub kind: ArgumentKind,
}

/// Options by name, of whichever formats.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings(Vec<(&'static str, ArgumentValue)>);

impl Settings {
    /// Options by their names and words, as a format declares them.
    pub fn from_words(declared: &[Setting], words: &[(&str, &str)]) -> Result<Self, RequestError> {
        let mut settings = Settings::default();
        for (name, word) in words {
            let Some(setting) = declared.iter().find(|setting| setting.name == *name) else {
                return Err(codes::NO_FLAG.at(Path::root()).saying(format!("`{name}`")).into());
            };
            let value = setting.kind.value(word).ok_or_else(|| {
                let found = format!("{name}: {} is wanted, `{word}` was given", setting.kind.wanted());
                codes::ARGUMENT.at(Path::root()).saying(found)
            })?;
            settings.set(setting.name, value);
        }
        Ok(settings)
    }

    /// Sets an option to a value, such as the bytes of a file that a word names. What takes any number takes it, too.
    pub fn set(&mut self, name: &'static str, value: ArgumentValue) {
        let known = self.0.iter_mut().find(|(other, _)| *other == name);
        match (known, value) {
            (Some((_, ArgumentValue::List(all))), ArgumentValue::List(more)) => all.extend(more),
            (Some((_, known)), value) => *known = value,
            (None, value) => self.0.push((name, value)),
        }
    }

    /// The value of an option that was set.
    pub fn get(&self, name: &str) -> Option<&ArgumentValue> {
        self.0.iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// Only those of its options that are among some.
    #[must_use]
    pub fn among(&self, some: &[Setting]) -> Settings {
        let is_meant = |name: &str| some.iter().any(|setting| setting.name == name);
        Settings(self.0.iter().filter(|(name, _)| is_meant(name)).cloned().collect())
    }

    /// Refuses options that a format does not have: nothing asked for is passed over in silence.
    pub(crate) fn only<E: From<Diagnostic>>(&self, known: &[Setting]) -> Result<(), E> {
        match self.0.iter().find(|(name, _)| known.iter().all(|setting| setting.name != *name)) {
            Some((name, _)) => Err(codes::NO_FLAG.at(Path::root()).saying(format!("`{name}`")).into()),
            None => Ok(()),
        }
    }
}

/// Declares a format's options: a type with a field for each, what it is unless somebody sets it, and what it means.
macro_rules! settings {
    (
        $(#[$doc:meta])*
        pub struct $type:ident { $(
            $(#[$field_doc:meta])*
            $field:ident $(as $name:literal)? : $value:ty = $default:expr, $help:literal;
        )* }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $type { $($(#[$field_doc])* pub $field: $value),* }

        impl Default for $type {
            fn default() -> Self {
                $type { $($field: $default),* }
            }
        }

        impl $type {
            /// Every option.
            pub const SETTINGS: &'static [$crate::formats::Setting] = &[$($crate::formats::Setting {
                name: $crate::formats::operation::operations!(@name $field $($name)?),
                help: $help,
                kind: <$value as $crate::formats::argument::Argument>::KIND,
            }),*];

            /// What was set; everything else as it is by default. Options of other formats are passed over.
            pub fn from_settings(settings: &$crate::formats::Settings) -> Self {
                let mut all = $type::default();
                $(
                    let name = $crate::formats::operation::operations!(@name $field $($name)?);
                    let value = settings.get(name);
                    if let Some(value) = value.and_then($crate::formats::argument::Argument::from_value) {
                        all.$field = value;
                    }
                )*
                all
            }
        }
    };
}
pub(crate) use settings;
