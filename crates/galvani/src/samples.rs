//! The files that ship with galvani: our own, made by our own code.

mod attire;
mod boat;
mod depot;
mod frog;
mod lantern;
mod polygons;
mod shapes;
mod skins;
mod walker;
#[cfg(feature = "gltf")]
mod windmill;

/// A file that ships with galvani.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Its path, with `/`.
    pub name: String,
    /// What it shows.
    pub about: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Every sample.
pub fn all() -> Vec<Sample> {
    let sample = |name: &str, about, bytes| Sample { name: name.to_owned(), about, bytes };
    let mut all = vec![
        sample("depot.rlb", "an NRes archive with an archive inside", depot::archive()),
        sample("walker.msh", "an MSH model: a walking machine with three states of damage", walker::model()),
        sample("walker.wea", "its material table: five rows", attire::table()),
        sample("material.lib", "an NRes archive with its materials", attire::materials()),
        sample("textures.lib", "an NRes archive with their textures", attire::textures()),
        sample("glass.mat0", "a material of Parkan: glass that glows", attire::glass()),
        sample(
            "stripes.texm",
            "a texture of Parkan: stripes of 16 colours, with two rectangles",
            attire::stripes(),
        ),
        sample("signs.rlb", "an RsLi archive: a note and a texture, packed in every way", attire::signs()),
        sample("frog.lgp", "an LGP archive: a frog of seventeen bones with a spear", frog::archive()),
        sample("lantern.mdx", "an MDX model of Warcraft III: a lantern that walks", lantern::warcraft()),
        sample("lantern-wow.mdx", "an MDX model of World of Warcraft: the same lantern", lantern::wow()),
        sample("lantern-text.mdl", "an MDL model: the lantern of Warcraft III as text", lantern::as_text()),
        sample("Textures/Lantern.blp", "a BLP texture as JPEG: the lantern's metal", skins::metal()),
        sample("Textures/LanternGlow.blp", "a BLP texture with a palette: the lantern's glow", skins::glow()),
        sample("Textures/Lantern.dds", "a DDS texture of BC1 blocks: the same metal", skins::blocks()),
    ];
    let files = frog::files().into_iter();
    all.extend(files.map(|(name, about, bytes)| sample(&format!("frog/{name}"), about, bytes)));
    #[cfg(feature = "gltf")]
    all.push(sample("windmill.glb", "a glTF model: a windmill with a flag and a door", windmill::model()));
    all.extend(boat::files().into_iter().map(|(name, about, bytes)| sample(name, about, bytes)));
    all
}
