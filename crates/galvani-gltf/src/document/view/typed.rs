//! Values as what they should be. What is something else is told, and counts as not being there.

use std::borrow::Cow;

use galvani_core::{Code, Path, Report};

use crate::document::check::{MEMBER_TWICE, MISSING_MEMBER, UNKNOWN_MEMBER, VALUE};
use crate::document::{Kind, Value};

/// Where flaws are told, if anybody wants to know.
#[derive(Debug)]
pub struct Told<'r> {
    report: Option<&'r mut Report>,
    /// Where the text begins in its file.
    base: usize,
}

impl<'r> Told<'r> {
    /// To nobody.
    pub(crate) fn nobody() -> Self {
        Told { report: None, base: 0 }
    }

    pub(crate) fn to(report: &'r mut Report, base: usize) -> Self {
        Told { report: Some(report), base }
    }

    /// Whether anybody listens.
    pub(crate) fn is_heard(&self) -> bool {
        self.report.is_some()
    }

    pub(crate) fn push(
        &mut self,
        code: &'static Code,
        path: Path,
        value: Value<'_>,
        said: impl FnOnce() -> String,
    ) {
        if let Some(report) = &mut self.report {
            let offset = self.base.saturating_add(value.range().start);
            report.push(code.at(path).offset(offset).saying(said()));
        }
    }

    /// Notes that a value is not what it should be.
    pub(crate) fn wrong(&mut self, path: Path, value: Value<'_>, wanted: &str) {
        self.push(&VALUE, path, value, || {
            let shown = String::from_utf8_lossy(value.raw());
            let shown: Cow<'_, str> =
                if shown.chars().count() <= MOST_SHOWN { shown } else { value.kind().word().into() };
            format!("{wanted} wanted, {shown} found")
        });
    }

    /// Puts what a member says in its place, or leaves that as it is.
    pub(crate) fn set<'a, T: Typed<'a>>(&mut self, slot: &mut T, value: Value<'a>, path: Path) {
        if let Some(read) = T::read(value, path, self) {
            *slot = read;
        }
    }

    pub(crate) fn missing(&mut self, path: Path, object: Value<'_>) {
        self.push(&MISSING_MEMBER, path, object, || MISSING_MEMBER.summary.to_owned());
    }

    pub(crate) fn unknown(&mut self, key: &str, path: Path, value: Value<'_>) {
        self.push(&UNKNOWN_MEMBER, path, value, || format!("`{}`", shortened(key)));
    }

    pub(crate) fn twice(&mut self, path: Path, value: Value<'_>) {
        self.push(&MEMBER_TWICE, path, value, || MEMBER_TWICE.summary.to_owned());
    }
}

/// Longest value that is shown as it stands.
const MOST_SHOWN: usize = 40;

/// As much of a name as is shown.
pub(crate) fn shortened(name: &str) -> String {
    let mut shown: String = name.chars().take(MOST_SHOWN).collect();
    if shown.len() < name.len() {
        shown.push('…');
    }
    shown
}

/// What a value can be taken for.
pub trait Typed<'a>: Sized {
    /// Takes it for that, or tells what it is instead.
    fn read(value: Value<'a>, path: Path, told: &mut Told<'_>) -> Option<Self>;
}

impl<'a, T: Typed<'a>> Typed<'a> for Option<T> {
    fn read(value: Value<'a>, path: Path, told: &mut Told<'_>) -> Option<Self> {
        T::read(value, path, told).map(Some)
    }
}

impl<'a, T: Typed<'a>> Typed<'a> for Vec<T> {
    /// Elements that are something else are left out.
    fn read(value: Value<'a>, path: Path, told: &mut Told<'_>) -> Option<Self> {
        if value.kind() != Kind::Array {
            told.wrong(path, value, "an array");
            return None;
        }
        let elements = value.elements().enumerate();
        Some(elements.filter_map(|(i, element)| T::read(element, path.index(i), told)).collect())
    }
}

impl<'a, T: Typed<'a> + Copy + Default, const N: usize> Typed<'a> for [T; N] {
    fn read(value: Value<'a>, path: Path, told: &mut Told<'_>) -> Option<Self> {
        let mut made = [T::default(); N];
        let mut elements = value.elements();
        let mut count = 0_usize;
        for (slot, element) in made.iter_mut().zip(&mut elements) {
            *slot = T::read(element, path, told)?;
            count = count.saturating_add(1);
        }
        if count < N || elements.next().is_some() || value.kind() != Kind::Array {
            told.wrong(path, value, &format!("an array of {N}"));
            return None;
        }
        Some(made)
    }
}

/// A value that one call tells.
macro_rules! plain {
    ($($type:ty, $how:expr, $wanted:literal;)*) => { $(
        impl<'a> Typed<'a> for $type {
            fn read(value: Value<'a>, path: Path, told: &mut Told<'_>) -> Option<Self> {
                let how: fn(Value<'a>) -> Option<$type> = $how;
                let found = how(value);
                if found.is_none() {
                    told.wrong(path, value, $wanted);
                }
                found
            }
        }
    )* };
}

plain! {
    usize, Value::index, "a whole number from 0 on";
    f32, Value::single, "a number";
    f64, Value::double, "a number";
    bool, Value::truth, "true or false";
    Cow<'a, str>, Value::text, "a string";
}

impl<'a> Typed<'a> for Value<'a> {
    fn read(value: Value<'a>, _path: Path, _told: &mut Told<'_>) -> Option<Self> {
        Some(value)
    }
}

/// Declares one of several, by the number or word that stands for each.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident by $how:ident, $wanted:literal { $( $(#[$of:meta])* $variant:ident = $value:literal; )* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $( $(#[$of])* $variant, )* }

        impl<'a> $crate::document::view::typed::Typed<'a> for $name {
            fn read(
                value: $crate::document::Value<'a>,
                path: galvani_core::Path,
                told: &mut $crate::document::view::typed::Told<'_>,
            ) -> Option<Self> {
                let found = match value.$how() {
                    $( Some(found) if found == $value => Some($name::$variant), )*
                    _ => None,
                };
                if found.is_none() {
                    told.wrong(path, value, $wanted);
                }
                found
            }
        }
    };
}

/// Declares what an object holds: each member with its name, type and what it is where the object does not say. A
/// `required` one must be there. A `bag` may hold anything else, too.
macro_rules! object {
    (@missing required $told:ident $path:ident $value:ident $seen:expr, $key:literal) => {
        if !$seen {
            $told.missing($path.field($key), $value);
        }
    };
    (@unknown bag $($rest:tt)*) => { {} };
    (@unknown object $told:ident $path:ident $key:ident $member:ident) => {
        $told.unknown(&$key, $path, $member)
    };
    ($(#[$doc:meta])* $form:ident $name:ident {
        $( $(#[$of:meta])* $field:ident $key:literal: $type:ty = $default:expr $(, $required:ident)?; )*
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name<'a> {
            $( $(#[$of])* pub $field: $type, )*
            /// What it carries for others.
            pub extras: Option<$crate::document::Value<'a>>,
        }

        impl Default for $name<'_> {
            fn default() -> Self {
                $name { $( $field: $default, )* extras: None }
            }
        }

        impl<'a> $crate::document::view::typed::Typed<'a> for $name<'a> {
            fn read(
                value: $crate::document::Value<'a>,
                path: galvani_core::Path,
                told: &mut $crate::document::view::typed::Told<'_>,
            ) -> Option<Self> {
                #[derive(Default)]
                #[allow(clippy::struct_excessive_bools, dead_code, reason = "one for each member")]
                struct Seen { $( $field: bool, )* extras: bool }
                if value.kind() != $crate::document::Kind::Object {
                    told.wrong(path, value, "an object");
                    return None;
                }
                let (mut made, mut seen) = ($name::default(), Seen::default());
                for (key, member) in value.members() {
                    match &*key {
                        $( $key => {
                            if std::mem::replace(&mut seen.$field, true) {
                                told.twice(path.field($key), member);
                            }
                            told.set(&mut made.$field, member, path.field($key));
                        } )*
                        "extras" => {
                            if std::mem::replace(&mut seen.extras, true) {
                                told.twice(path.field("extras"), member);
                            }
                            made.extras = Some(member);
                        }
                        other if other == "extensions" => {}
                        _ => object!(@unknown $form told path key member),
                    }
                }
                $( $( object!(@missing $required told path value seen.$field, $key); )? )*
                Some(made)
            }
        }
    };
}

pub(crate) use {choice, object};
