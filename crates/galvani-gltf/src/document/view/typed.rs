//! Values as what they should be. What is something else is told, and counts as not being there.

use std::borrow::Cow;

use galvani_core::{Code, Path, Report};
use glam::Quat;

use crate::document::check::{MEMBER_TWICE, MISSING_MEMBER, UNKNOWN_MEMBER, VALUE};
use crate::document::json::Field;
use crate::document::{JsonKind, JsonValue};

/// Where a value stands: the steps that lead there, made into a path where something is told of it.
#[derive(Debug, Clone, Copy)]
pub enum JsonPlace<'p> {
    /// There.
    At(&'p Path),
    /// Under that name.
    Field(&'p JsonPlace<'p>, &'static str),
    /// In that row.
    Row(&'p JsonPlace<'p>, usize),
}

impl JsonPlace<'_> {
    /// The same in steps that can be kept.
    #[cold]
    pub(crate) fn path(&self) -> Path {
        match self {
            JsonPlace::At(path) => **path,
            JsonPlace::Field(above, name) => above.path().field(name),
            JsonPlace::Row(above, index) => above.path().index(*index),
        }
    }

    /// The part of that name.
    pub(crate) fn field(&self, name: &'static str) -> JsonPlace<'_> {
        JsonPlace::Field(self, name)
    }
}

/// Where flaws are told, if anybody wants to know.
#[derive(Debug)]
pub struct ReadFindings<'r> {
    report: Option<&'r mut Report>,
    /// Where the text begins in its file.
    base: usize,
}

impl<'r> ReadFindings<'r> {
    /// To nobody.
    pub(crate) fn nobody() -> Self {
        ReadFindings { report: None, base: 0 }
    }

    pub(crate) fn to(report: &'r mut Report, base: usize) -> Self {
        ReadFindings { report: Some(report), base }
    }

    /// Whether anybody listens.
    pub(crate) fn is_heard(&self) -> bool {
        self.report.is_some()
    }

    pub(crate) fn push(
        &mut self,
        code: &'static Code,
        place: &JsonPlace<'_>,
        value: JsonValue<'_>,
        said: impl FnOnce() -> String,
    ) {
        if let Some(report) = &mut self.report {
            let offset = self.base.saturating_add(value.range().start);
            report.push(code.at(place.path()).offset(offset).saying(said()));
        }
    }

    /// Notes that a value is not what it should be.
    pub(crate) fn wrong(&mut self, place: &JsonPlace<'_>, value: JsonValue<'_>, wanted: &str) {
        self.push(&VALUE, place, value, || {
            let shown = String::from_utf8_lossy(value.raw());
            let shown: Cow<'_, str> =
                if shown.chars().count() <= MOST_SHOWN { shown } else { value.kind().word().into() };
            format!("{wanted} wanted, {shown} found")
        });
    }

    /// Puts what a member says in its place, or leaves that as it is.
    #[inline]
    pub(crate) fn set<'a, T: Typed<'a>>(
        &mut self,
        slot: &mut T,
        value: JsonValue<'a>,
        place: &JsonPlace<'_>,
    ) {
        if let Some(read) = T::read(value, place, self) {
            *slot = read;
        }
    }

    pub(crate) fn missing(&mut self, place: &JsonPlace<'_>, object: JsonValue<'_>) {
        self.push(&MISSING_MEMBER, place, object, || MISSING_MEMBER.summary.to_owned());
    }

    pub(crate) fn unknown(&mut self, place: &JsonPlace<'_>, field: &Field<'_>) {
        self.push(&UNKNOWN_MEMBER, place, field.value, || format!("`{}`", shortened(&field.word())));
    }

    pub(crate) fn twice(&mut self, place: &JsonPlace<'_>, value: JsonValue<'_>) {
        self.push(&MEMBER_TWICE, place, value, || MEMBER_TWICE.summary.to_owned());
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
    fn read(value: JsonValue<'a>, place: &JsonPlace<'_>, told: &mut ReadFindings<'_>) -> Option<Self>;
}

impl<'a, T: Typed<'a>> Typed<'a> for Option<T> {
    fn read(value: JsonValue<'a>, place: &JsonPlace<'_>, told: &mut ReadFindings<'_>) -> Option<Self> {
        T::read(value, place, told).map(Some)
    }
}

impl<'a, T: Typed<'a>> Typed<'a> for Box<T> {
    fn read(value: JsonValue<'a>, place: &JsonPlace<'_>, told: &mut ReadFindings<'_>) -> Option<Self> {
        T::read(value, place, told).map(Box::new)
    }
}

impl<'a, T: Typed<'a>> Typed<'a> for Vec<T> {
    /// Elements that are something else are left out.
    fn read(value: JsonValue<'a>, place: &JsonPlace<'_>, told: &mut ReadFindings<'_>) -> Option<Self> {
        if value.kind() != JsonKind::Array {
            told.wrong(place, value, "an array");
            return None;
        }
        let elements = value.elements().enumerate();
        Some(elements.filter_map(|(i, element)| T::read(element, &JsonPlace::Row(place, i), told)).collect())
    }
}

impl<'a, T: Typed<'a> + Copy + Default, const N: usize> Typed<'a> for [T; N] {
    fn read(value: JsonValue<'a>, place: &JsonPlace<'_>, told: &mut ReadFindings<'_>) -> Option<Self> {
        let mut made = [T::default(); N];
        let mut elements = value.elements();
        let mut count = 0_usize;
        for (slot, element) in made.iter_mut().zip(&mut elements) {
            *slot = T::read(element, place, told)?;
            count = count.saturating_add(1);
        }
        if count < N || elements.next().is_some() || value.kind() != JsonKind::Array {
            told.wrong(place, value, &format!("an array of {N}"));
            return None;
        }
        Some(made)
    }
}

impl<'a> Typed<'a> for Quat {
    fn read(value: JsonValue<'a>, place: &JsonPlace<'_>, told: &mut ReadFindings<'_>) -> Option<Self> {
        Typed::read(value, place, told).map(Quat::from_array)
    }
}

/// A value that one call tells.
macro_rules! plain {
    ($($type:ty, $how:expr, $wanted:literal;)*) => { $(
        impl<'a> Typed<'a> for $type {
            #[inline]
            fn read(value: JsonValue<'a>, place: &JsonPlace<'_>, told: &mut ReadFindings<'_>) -> Option<Self> {
                let how: fn(JsonValue<'a>) -> Option<$type> = $how;
                let found = how(value);
                if found.is_none() {
                    told.wrong(place, value, $wanted);
                }
                found
            }
        }
    )* };
}

plain! {
    usize, JsonValue::index, "a whole number from 0 on";
    f32, JsonValue::single, "a number";
    f64, JsonValue::double, "a number";
    bool, JsonValue::truth, "true or false";
    Cow<'a, str>, JsonValue::text, "a string";
}

impl<'a> Typed<'a> for JsonValue<'a> {
    fn read(value: JsonValue<'a>, _place: &JsonPlace<'_>, _told: &mut ReadFindings<'_>) -> Option<Self> {
        Some(value)
    }
}

/// Declares one of several, by the number or word that stands for each.
macro_rules! choice {
    (@found index $value:ident) => { $value.index() };
    (@found text $value:ident) => { $value.letters() };
    (@is index $found:ident $wanted:literal) => { *$found == $wanted };
    (@is text $found:ident $wanted:literal) => { **$found == *$wanted.as_bytes() };
    ($(#[$doc:meta])* $name:ident by $how:ident, $wanted:literal { $( $(#[$of:meta])* $variant:ident = $value:literal; )* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $( $(#[$of])* $variant, )* }

        impl<'a> $crate::document::view::typed::Typed<'a> for $name {
            fn read(
                value: $crate::document::JsonValue<'a>,
                place: &$crate::document::view::typed::JsonPlace<'_>,
                told: &mut $crate::document::view::typed::ReadFindings<'_>,
            ) -> Option<Self> {
                let found = match &choice!(@found $how value) {
                    $( Some(found) if choice!(@is $how found $value) => Some($name::$variant), )*
                    _ => None,
                };
                if found.is_none() {
                    told.wrong(place, value, $wanted);
                }
                found
            }
        }
    };
}

/// Declares what an object holds: each member with its name, type and what it is where the object does not say. A
/// `required` one must be there. A `bag` may hold anything else, too.
macro_rules! object {
    (@missing required $told:ident $place:ident $value:ident $seen:expr, $key:literal) => {
        if !$seen {
            $told.missing(&$place.field($key), $value);
        }
    };
    (@unknown bag $($rest:tt)*) => { {} };
    (@unknown object $told:ident $place:ident $field:ident) => {
        $told.unknown($place, &$field)
    };
    ($(#[$doc:meta])* $form:ident $name:ident {
        $( $(#[$of:meta])* $field:ident $key:literal: $type:ty = $default:expr $(, $required:ident)?; )*
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name<'a> {
            $( $(#[$of])* pub $field: $type, )*
            /// What it carries for others.
            pub extras: Option<$crate::document::JsonValue<'a>>,
        }

        impl Default for $name<'_> {
            fn default() -> Self {
                $name { $( $field: $default, )* extras: None }
            }
        }

        impl<'a> $crate::document::view::typed::Typed<'a> for $name<'a> {
            fn read(
                value: $crate::document::JsonValue<'a>,
                place: &$crate::document::view::typed::JsonPlace<'_>,
                told: &mut $crate::document::view::typed::ReadFindings<'_>,
            ) -> Option<Self> {
                #[derive(Default)]
                #[allow(clippy::struct_excessive_bools, dead_code, reason = "one for each member")]
                struct Seen { $( $field: bool, )* extras: bool }
                if value.kind() != $crate::document::JsonKind::Object {
                    told.wrong(place, value, "an object");
                    return None;
                }
                let (mut made, mut seen) = ($name::default(), Seen::default());
                for field in value.fields() {
                    match (field.name, field.value) {
                        $( (name, member) if name == const { $crate::document::names::Name::known($key) } => {
                            let place = place.field($key);
                            if std::mem::replace(&mut seen.$field, true) {
                                told.twice(&place, member);
                            }
                            told.set(&mut made.$field, member, &place);
                        } )*
                        (name, member) if name == const { $crate::document::names::Name::known("extras") } => {
                            if std::mem::replace(&mut seen.extras, true) {
                                told.twice(&place.field("extras"), member);
                            }
                            made.extras = Some(member);
                        }
                        (name, _) if name == const { $crate::document::names::Name::known("extensions") } => {}
                        _ => object!(@unknown $form told place field),
                    }
                }
                $( $( object!(@missing $required told place value seen.$field, $key); )? )*
                Some(made)
            }
        }
    };
}

pub(crate) use {choice, object};
