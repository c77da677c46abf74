//! Which items of two lists are the same.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::Sides;
use crate::formats::{Comparable, List, NamedContent};

/// The items of a list, held or made when they are looked at.
#[derive(Clone, Copy)]
pub(super) enum Items<'v> {
    Held(&'v [Value]),
    Made(&'v List<'v>),
}

impl<'v> Items<'v> {
    /// Those of a value, if it is a list or the name of one.
    pub(super) fn in_value(value: &'v Value, side: &'v Comparable<'v>) -> Option<Self> {
        match value {
            Value::Array(items) => Some(Items::Held(items)),
            Value::String(name) => match side.named.get(name)? {
                NamedContent::List(list) => Some(Items::Made(list)),
                NamedContent::Bytes(_) | NamedContent::Records(_) => None,
            },
            _ => None,
        }
    }

    pub(super) fn len(self) -> usize {
        match self {
            Items::Held(items) => items.len(),
            Items::Made(list) => list.len,
        }
    }

    /// Null behind the last.
    pub(super) fn item(self, index: usize) -> Cow<'v, Value> {
        match self {
            Items::Held(items) => items.get(index).map_or(Cow::Owned(Value::Null), Cow::Borrowed),
            Items::Made(list) => Cow::Owned(list.item(index)),
        }
    }

    /// Whether each has a name.
    pub(super) fn have_names(self) -> bool {
        match self {
            Items::Held(items) => items.iter().all(|item| item.get("name").is_some()),
            Items::Made(list) => list.has_names || list.len == 0,
        }
    }
}

/// Which items of two lists are the same.
pub(super) struct Partners {
    /// For each of the first its partner in the second.
    pub(super) of_a: Vec<Option<usize>>,
    /// Which of the second have one.
    pub(super) taken: Vec<bool>,
}

/// What tells items from each other.
type ItemKey<'s> = (Cow<'s, [u8]>, &'s str);

impl Partners {
    /// By name; the rest by payload, as if renamed; in lists of one length the rest by place.
    pub(super) fn find(a: Items<'_>, b: Items<'_>, sides: Sides<'_>) -> Self {
        let mut partners = Partners { of_a: vec![None; a.len()], taken: vec![false; b.len()] };
        partners.match_up(&|i| name(&a.item(i)), &|j| name(&b.item(j)));
        partners.match_up(&|i| payload(&a.item(i), sides.0), &|j| payload(&b.item(j), sides.1));
        if a.len() == b.len() {
            for (i, (partner, taken)) in partners.of_a.iter_mut().zip(&mut partners.taken).enumerate() {
                if partner.is_none() && !*taken {
                    *partner = Some(i);
                    *taken = true;
                }
            }
        }
        partners
    }

    /// Pairs what is still alone on both sides and has the same key, in order.
    fn match_up<'s>(
        &mut self,
        a: &dyn Fn(usize) -> Option<ItemKey<'s>>,
        b: &dyn Fn(usize) -> Option<ItemKey<'s>>,
    ) {
        // Those of the second list in order of their keys, and of one key in order.
        let alone = self.taken.iter().enumerate().filter(|(_, taken)| !**taken);
        let mut free: Vec<(ItemKey<'_>, usize)> = alone.filter_map(|(j, _)| Some((b(j)?, j))).collect();
        free.sort_unstable();
        // How many of each key are taken, under the place of the first.
        let mut used: BTreeMap<usize, usize> = BTreeMap::new();
        for (i, partner) in self.of_a.iter_mut().enumerate().filter(|(_, partner)| partner.is_none()) {
            let Some(key) = a(i) else { continue };
            let first = free.partition_point(|(other, _)| *other < key);
            let count = used.get(&first).copied().unwrap_or(0);
            if let Some((other, j)) = free.get(first.saturating_add(count))
                && *other == key
            {
                *partner = Some(*j);
                self.taken.get_mut(*j).into_iter().for_each(|taken| *taken = true);
                used.insert(first, count.saturating_add(1));
            }
        }
    }
}

/// Name and type: a model's streams all have one name.
fn name<'s>(item: &Value) -> Option<ItemKey<'s>> {
    let kind = item.get("type").map(Value::to_string).unwrap_or_default();
    item.get("name").map(|name| (Cow::Owned(format!("{name} {kind}").into_bytes()), ""))
}

/// The bytes of an item's file, and what they are. Empty ones are all alike and say nothing.
fn payload<'s>(item: &Value, side: &'s Comparable<'_>) -> Option<ItemKey<'s>> {
    match side.named.get(item.get("payload")?.as_str()?)? {
        NamedContent::Bytes(bytes) => (!bytes.is_empty()).then_some((Cow::Borrowed(bytes), "")),
        NamedContent::Records(records) => Some((Cow::Borrowed(&records.bytes), records.kind.as_str())),
        NamedContent::List(_) => None,
    }
}
