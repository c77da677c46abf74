//! Fields of two parts that do not have the same ones.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{OnePart, PartField, key_of};

/// A part's fields but for those in lists that only it has; they were told as a whole.
pub(super) struct Shared<'m, 's, 'p> {
    pub(super) part: OnePart<'s, 'p>,
    /// These lists.
    pub(super) alone: BTreeSet<&'m str>,
}

impl<'p> Shared<'_, '_, 'p> {
    pub(super) fn fields(&self) -> impl Iterator<Item = PartField<'p>> {
        self.part.fields().filter(|field| !self.is_alone(&field.path))
    }

    /// Whether a field stands in such a list.
    pub(super) fn is_alone(&self, field: &str) -> bool {
        let mut above = field.match_indices(['.', '[']).filter_map(|(end, _)| field.get(..end));
        !self.alone.is_empty() && above.any(|list| self.alone.contains(list))
    }
}

/// The same under the paths by which they are compared.
pub(super) struct Matched<'m, 's, 'p> {
    pub(super) shared: Shared<'m, 's, 'p>,
    /// Tracks that have more keys on one side than on the other: these are matched by their times, not by their places.
    pub(super) others: &'m BTreeSet<&'m str>,
}

impl<'p> Matched<'_, '_, 'p> {
    pub(super) fn fields(&self) -> impl Iterator<Item = PartField<'p>> {
        ByTime { from: self, fields: self.shared.fields(), next: None, key: VecDeque::new() }
    }

    /// Track and place of a key that goes by its time.
    fn timed<'f>(&self, field: &'f PartField<'_>) -> Option<(&'f str, &'f str)> {
        let (track, key, _) = key_of(&field.path)?;
        self.others.contains(track).then_some((track, key))
    }
}

/// Fields, the keys among them under their times.
struct ByTime<'f, 'm, 's, 'p, I> {
    from: &'f Matched<'m, 's, 'p>,
    fields: I,
    /// The field behind a key.
    next: Option<PartField<'p>>,
    /// What is left of a key.
    key: VecDeque<PartField<'p>>,
}

impl<'p, I: Iterator<Item = PartField<'p>>> Iterator for ByTime<'_, '_, '_, 'p, I> {
    type Item = PartField<'p>;

    fn next(&mut self) -> Option<PartField<'p>> {
        loop {
            if let Some(field) = self.key.pop_front() {
                return Some(field);
            }
            let field = self.next.take().or_else(|| self.fields.next())?;
            let Some((track, key)) = self.from.timed(&field) else { return Some(field) };
            let (track, key) = (track.to_owned(), key.to_owned());
            let mut whole = vec![field];
            for field in self.fields.by_ref() {
                if self.from.timed(&field) != Some((&track, &key)) {
                    self.next = Some(field);
                    break;
                }
                whole.push(field);
            }
            self.key = renamed(&track, whole);
        }
    }
}

/// A key under its time. One that has a value is told by it.
fn renamed<'p>(track: &str, key: Vec<PartField<'p>>) -> VecDeque<PartField<'p>> {
    let rest =
        |field: &PartField<'_>| key_of(&field.path).map(|(.., rest)| rest.to_owned()).unwrap_or_default();
    let time = key.iter().find(|field| rest(field) == "time").map(PartField::value);
    let has_value = key.iter().any(|field| rest(field) != "time");
    let Some(time) = time else { return VecDeque::new() };
    let name = |field: PartField<'p>| {
        let path = format!("{track}.keys[{time} ms].{}", rest(&field));
        PartField { path, ..field }
    };
    key.into_iter().filter(|field| !(has_value && rest(field) == "time")).map(name).collect()
}

/// Who is told of a field under its path: that of the first, that of the second.
type TellPair<'t> = dyn FnMut(&str, Option<&PartField<'_>>, Option<&PartField<'_>>) + 't;

/// Tells every field of both, those of the first in their order and then what only the second has. What stands in the same
/// order in both is not held.
pub(super) fn merge(a: &Matched<'_, '_, '_>, b: &Matched<'_, '_, '_>, tell: &mut TellPair<'_>) {
    let (of_a, of_b) = (Imprints::new(a), Imprints::new(b));
    // Fields of the second that were passed, by path.
    let mut passed = Passed::default();
    let mut ahead = b.fields();
    for old in a.fields() {
        let mut new = passed.take(&old.path);
        while new.is_none()
            && of_b.has(&old.path)
            && let Some(next) = ahead.next()
        {
            if next.path == old.path {
                new = Some(next);
            } else if of_a.has(&next.path) {
                passed.remember(next);
            }
        }
        tell(&old.path, Some(&old), new.as_ref());
    }
    ahead.filter(|next| of_a.has(&next.path)).for_each(|next| passed.remember(next));
    for new in b.fields() {
        if !of_a.has(&new.path) {
            tell(&new.path, None, Some(&new));
        } else if let Some(left) = passed.take(&new.path) {
            tell(&new.path, None, Some(&left));
        }
    }
}

/// Fields that were passed, of one path in order.
#[derive(Default)]
struct Passed<'p>(BTreeMap<String, VecDeque<PartField<'p>>>);

impl<'p> Passed<'p> {
    fn remember(&mut self, field: PartField<'p>) {
        self.0.entry(field.path.clone()).or_default().push_back(field);
    }

    fn take(&mut self, path: &str) -> Option<PartField<'p>> {
        let fields = self.0.get_mut(path)?;
        let field = fields.pop_front();
        if fields.is_empty() {
            self.0.remove(path);
        }
        field
    }
}

/// Enough of every path to see whether one may be among them; that two have one costs time and nothing else.
struct Imprints(Vec<u64>);

impl Imprints {
    fn new(fields: &Matched<'_, '_, '_>) -> Self {
        let mut imprints: Vec<u64> = fields.fields().map(|field| imprint(&field.path)).collect();
        imprints.sort_unstable();
        Imprints(imprints)
    }

    fn has(&self, path: &str) -> bool {
        self.0.binary_search(&imprint(path)).is_ok()
    }
}

fn imprint(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}
