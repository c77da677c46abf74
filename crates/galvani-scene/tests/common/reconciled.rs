//! Scenes after a trip on which pictures kept their names.

use galvani_core::{Diagnostic, Report};
use galvani_scene::Scene;
use galvani_scene::trip::{self, PicturePairs, PictureSeal, Tolerances};

pub(crate) fn reconcile(
    base: &Scene,
    found: &Scene,
    tolerances: Tolerances,
) -> Result<(Scene, Report), Box<Diagnostic>> {
    let named = |scene: &'_ Scene| scene.images.iter().map(|image| image.name.clone()).collect();
    let [went, came]: [Vec<String>; 2] = [base, found].map(named);
    let [went, came] = [&went, &came]
        .map(|names| names.iter().map(|name| (name.as_str(), None)).collect::<Vec<PictureSeal<'_>>>());
    trip::reconcile(base, found, &PicturePairs::new(&went, &came), tolerances)
}
