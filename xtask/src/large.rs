//! A model that is larger than those that ship, made of nothing.

/// Geosets of it.
const GEOSETS: u16 = 10;

/// Vertices of each, nearly as many as indices can tell apart.
const VERTICES: u16 = 60_000;

/// A model of Warcraft III of 21 MB: many geosets on a single bone.
pub(crate) fn model() -> Vec<u8> {
    let mut file = b"MDLX".to_vec();
    chunk(&mut file, *b"VERS", &words(&[800]));
    chunk(&mut file, *b"MODL", &[0; 372]);
    let geosets: Vec<u8> = (0..GEOSETS).flat_map(geoset).collect();
    chunk(&mut file, *b"GEOS", &geosets);
    chunk(&mut file, *b"BONE", &bone());
    file
}

fn geoset(number: u16) -> Vec<u8> {
    let places = floats(VERTICES, |i| [f32::from(i % 251), f32::from(i / 251), f32::from(number)]);
    let corners: Vec<u8> = (0..VERTICES).flat_map(u16::to_le_bytes).collect();
    let mut all = Vec::new();
    list(&mut all, *b"VRTX", VERTICES, &places);
    let facing = |i: u16| f32::from(i % 97 + number).sin_cos();
    list(&mut all, *b"NRMS", VERTICES, &floats(VERTICES, |i| [facing(i).0, 0.0, facing(i).1]));
    list(&mut all, *b"PTYP", 1, &words(&[4]));
    list(&mut all, *b"PCNT", 1, &words(&[u32::from(VERTICES)]));
    list(&mut all, *b"PVTX", VERTICES, &corners);
    list(&mut all, *b"GNDX", VERTICES, &vec![0; VERTICES.into()]);
    list(&mut all, *b"MTGC", 1, &words(&[1]));
    list(&mut all, *b"MATS", 1, &words(&[0]));
    // Material and groups, bounds, and no bounds of sequences.
    all.extend(words(&[0; 11]));
    list(&mut all, *b"UVAS", 1, &[]);
    let across = |i: u16| f32::from(i % 83) / 83.0 + f32::from(number);
    list(&mut all, *b"UVBS", VERTICES, &floats(VERTICES, |i| [across(i), f32::from(i) * 1e-4]));
    with_length(&all)
}

fn bone() -> Vec<u8> {
    let mut node = b"bone".to_vec();
    node.resize(80, 0);
    // Its number, no parent, a bone; behind them the geoset that it moves, and none of its animations.
    node.extend(words(&[0, u32::MAX, 0x100]));
    [with_length(&node), words(&[0, u32::MAX])].concat()
}

fn chunk(file: &mut Vec<u8>, tag: [u8; 4], bytes: &[u8]) {
    file.extend(tag);
    file.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    file.extend(bytes);
}

fn list(geoset: &mut Vec<u8>, tag: [u8; 4], count: u16, bytes: &[u8]) {
    geoset.extend(tag);
    geoset.extend(u32::from(count).to_le_bytes());
    geoset.extend(bytes);
}

/// A record behind its length, which counts itself.
fn with_length(record: &[u8]) -> Vec<u8> {
    let len = u32::try_from(record.len().saturating_add(4)).unwrap_or(u32::MAX);
    [&len.to_le_bytes(), record].concat()
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn floats<const N: usize>(count: u16, row: impl Fn(u16) -> [f32; N]) -> Vec<u8> {
    (0..count).flat_map(|i| row(i).map(f32::to_le_bytes).concat()).collect()
}
