//! What the batches of a model lead to: its table, the materials, their textures (docs/formats/lookup.md#names).

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Exhausted, Path, Report};
use galvani_parkan::msh::Document;
use galvani_parkan::msh::lift::{Attire, Coat, LOST_TEXTURE, Row, material_rows};
use galvani_parkan::{mat0, texm, wear};

use crate::formats::resolve::{Fetched, Finder};
use crate::formats::{OpenOptions, Opened, Reference, Referring, Role, Site};

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
        let fetched = self.finder.file(named)?;
        let Some(table) = self.taken::<wear::Document>(named, fetched) else { return Ok(()) };
        let mut row = 0_u16;
        for reference in table.references("") {
            if reference.role == Role::Lightmap {
                self.attire.lightmaps.push(reference.name);
                continue;
            }
            let coat = if rows.contains(&row) { self.coat(&reference)? } else { None };
            self.attire.rows.push(Row { name: reference.name, coat });
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
        let fetched = self.finder.file(named)?;
        let flags = fetched.declared.map(|declared| declared.flags);
        let coat = self.taken::<mat0::Document>(named, fetched).map(|material| Coat { flags, material });
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
        let fetched = self.finder.file(&named)?;
        if let Some(texture) = self.taken::<texm::Document>(&named, fetched) {
            self.attire.textures.insert(key, texture);
        }
        Ok(())
    }

    /// What was found, if it is what it should be; else, and where only something else was, a finding with every place.
    fn taken<D: crate::formats::Document>(
        &mut self,
        named: &Reference,
        fetched: Fetched<Opened>,
    ) -> Option<D> {
        let Fetched { found, looked, .. } = fetched;
        let address =
            found.as_ref().filter(|(_, found)| found.is_fallback).map(|(_, found)| found.address.clone());
        let document = found.and_then(|(opened, _)| opened.into_document::<D>());
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
