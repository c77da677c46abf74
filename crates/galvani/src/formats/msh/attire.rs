//! What the batches of a model lead to: its table, the materials, their textures (docs/formats/lookup.md#names).

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::budget::unless_exhausted;
use galvani_core::{Exhausted, Path, Read, ReadError, ReadOptions, Report};
use galvani_parkan::msh::Document;
use galvani_parkan::msh::lift::{Attire, Coat, LOST_TEXTURE, MaterialRow, material_rows};
use galvani_parkan::{mat0, texm, wear};

use crate::formats::resolve::{Fetched, Finder};
use crate::formats::{Declared, OpenOptions, Reference, Referring, Role, Site};

/// Everything that was found, and what was not.
pub(super) fn gathered(model: &Document, site: &Site<'_>) -> Result<(Attire, Report), Exhausted> {
    let options = OpenOptions::default();
    let mut gathering = Gathering {
        finder: Finder::new(site, &options),
        attire: Attire::default(),
        coats: BTreeMap::new(),
        lost: BTreeSet::new(),
        report: Report::default(),
    };
    if let Some(table) = model.references(site.name).first()
        && !site.name.is_empty()
    {
        gathering.table(table, &material_rows(&model.model()))?;
    }
    Ok((gathering.attire, gathering.report))
}

struct Gathering<'a> {
    finder: Finder<'a>,
    attire: Attire,
    /// Materials by their names in lower case.
    coats: BTreeMap<String, Option<Coat>>,
    /// What was missed already, by names in lower case.
    lost: BTreeSet<String>,
    report: Report,
}

impl Gathering<'_> {
    /// Takes the rows of a table; only those that batches name have materials.
    fn table(&mut self, named: &Reference, rows: &BTreeSet<u16>) -> Result<(), Exhausted> {
        let fetched = self.finder.bytes(named, |bytes, _| {
            readable(wear::row_count(bytes).map(|_| wear::read(bytes, &ReadOptions::default())))
        })?;
        let Some(table) = self.found_or_missed(named, fetched) else { return Ok(()) };
        let mut row = 0_u16;
        for reference in table.references("") {
            if reference.role == Role::Lightmap {
                self.attire.lightmaps.push(reference.name);
                continue;
            }
            let coat = if rows.contains(&row) { self.coat(&reference)? } else { None };
            self.attire.rows.push(MaterialRow { name: reference.name, coat });
            row = row.saturating_add(1);
        }
        Ok(())
    }

    /// A material, and with it its texture.
    fn coat(&mut self, named: &Reference) -> Result<Option<Coat>, Exhausted> {
        let key = named.name.to_lowercase();
        if let Some(known) = self.coats.get(&key) {
            return Ok(known.clone());
        }
        let fetched = self.finder.bytes(named, |bytes, declared| {
            let is_one = declared.is_some() || mat0::is_shaped(bytes);
            readable(is_one.then(|| material(bytes, declared)))
        })?;
        let flags = fetched.declared.map(|declared| declared.flags);
        let coat = self.found_or_missed(named, fetched).map(|material| Coat { flags, material });
        if let Some(coat) = &coat {
            self.texture(coat)?;
        }
        self.coats.insert(key, coat.clone());
        Ok(coat)
    }

    fn texture(&mut self, coat: &Coat) -> Result<(), Exhausted> {
        let name = coat.texture();
        let key = name.to_lowercase();
        let mut named = coat.material.references("").into_iter();
        let Some(named) = named.find(|reference| reference.name == name) else { return Ok(()) };
        if self.attire.textures.contains_key(&key) || self.lost.contains(&key) {
            return Ok(());
        }
        let fetched = self.finder.bytes(&named, |bytes, _| {
            let is_one = bytes.starts_with(&texm::MAGIC);
            readable(is_one.then(|| texm::read(bytes, &ReadOptions::default())))
        })?;
        if let Some(texture) = self.found_or_missed(&named, fetched) {
            self.attire.textures.insert(key, texture);
        }
        Ok(())
    }

    /// What was found; else, and where only something else was, a finding with every place.
    fn found_or_missed<D>(&mut self, named: &Reference, fetched: Fetched<D>) -> Option<D> {
        let Fetched { found, looked, .. } = fetched;
        let (document, found) = found.unzip();
        let address = found.filter(|found| found.is_fallback).map(|found| found.address);
        let instead = match (&document, address) {
            (Some(_), None) => return document,
            (Some(_), Some(address)) => format!("; `{address}` is taken in its place"),
            (None, _) => String::new(),
        };
        if self.lost.insert(named.name.to_lowercase()) {
            let said = format!("`{}` is none of {}{instead}", named.name, looked.join(", "));
            let path = Path::named("batches");
            self.report.push(LOST_TEXTURE.at(path).saying(said).apart());
        }
        document
    }
}

/// A material, of the version that its archive says.
fn material(bytes: &[u8], declared: Option<Declared>) -> Result<Read<mat0::Document>, ReadError> {
    let options = ReadOptions::default();
    match declared.filter(|declared| declared.type_id.to_le_bytes() == mat0::TYPE) {
        Some(Declared { version, .. }) => mat0::read_as(bytes, version, &options),
        None => mat0::read(bytes, &options),
    }
}

/// A document that is one and reads.
fn readable<D>(read: Option<Result<Read<D>, ReadError>>) -> Result<Option<D>, Exhausted> {
    let read = read.map(|read| unless_exhausted(read.map_err(|error| error.cause)));
    Ok(read.transpose()?.flatten().map(|read| read.document))
}
