//! A walking machine of our own: nineteen nodes, a walk, three states of damage and four levels of detail.

mod gait;
mod parts;

use galvani_parkan::msh::build::{COCKPIT_GROUP, KeyPlan, NodePlan, Plan, build};
use galvani_parkan::msh::write;

use super::shapes::Shape;
use gait::{LEGS, Leg};
use parts::{ARMOUR, BURNT, GLASS, Look};

/// Length of an unbroken barrel.
const BARREL: f32 = 1.5;

/// The model's bytes.
pub(super) fn model() -> Vec<u8> {
    build(&plan()).ok().and_then(|built| write(&built.document).ok()).unwrap_or_default()
}

/// The walker as a plan.
fn plan() -> Plan {
    let mut nodes = vec![node("base", None, vec![]), hull(), cabin(), turret(), gun(), antenna(), cockpit()];
    for (i, leg) in LEGS.iter().enumerate() {
        let hip = nodes.len();
        nodes.extend(limbs(leg, hip, i % 2 == 1));
    }
    Plan { name: b"walker".to_vec(), nodes, ..Plan::default() }
}

/// Places of the nodes that others hang on.
const BASE: usize = 0;
const HULL: usize = 1;
const CABIN: usize = 2;
const TURRET: usize = 3;

/// A node that shows nothing yet.
fn node(name: &str, parent: Option<usize>, track: Vec<KeyPlan>) -> NodePlan {
    NodePlan { name: name.as_bytes().to_vec(), parent, track, ..NodePlan::default() }
}

/// A pose that never changes.
fn fixed(position: [f32; 3]) -> Vec<KeyPlan> {
    vec![KeyPlan { position, ..KeyPlan::default() }]
}

/// Levels of detail, the cockpit aside.
const LOOKS: [Look; 4] = [Look::Near, Look::Middle, Look::Far, Look::Speck];

/// What has happened to the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Intact,
    Battered,
    Wreck,
}

/// A node that looks like this in each state and from each distance, as far as it is there at all.
fn showing(mut node: NodePlan, shape: impl Fn(State, Look) -> Option<Shape>) -> NodePlan {
    for (state, groups) in [State::Intact, State::Battered, State::Wreck].into_iter().zip(&mut node.slots) {
        for (look, slot) in LOOKS.into_iter().zip(groups) {
            *slot = shape(state, look).as_ref().map(Shape::plan);
        }
    }
    node
}

/// An armoured part: battered, its dents are seen from near; a wreck is burnt and crushed.
fn armoured(shape: impl Fn(Look) -> Shape) -> impl Fn(State, Look) -> Option<Shape> {
    move |state, look| {
        Some(match (state, look) {
            (State::Battered, Look::Near) => shape(Look::Worn).dented(0.06),
            (State::Intact | State::Battered, _) => shape(look),
            (State::Wreck, _) => {
                shape(Look::Middle).dented(0.16).repainted(ARMOUR, BURNT).repainted(GLASS, BURNT)
            }
        })
    }
}

fn hull() -> NodePlan {
    let mut hull = node("hull", Some(BASE), gait::hull());
    hull.label = b"central".to_vec();
    showing(hull, armoured(parts::hull))
}

fn cabin() -> NodePlan {
    showing(node("cabin", Some(HULL), fixed(parts::CABIN)), armoured(parts::cabin))
}

/// The turret withstands more than the rest.
fn turret() -> NodePlan {
    let armoured = armoured(parts::turret);
    showing(node("turret", Some(HULL), gait::turret(parts::TURRET)), |state, look| match state {
        State::Intact | State::Battered => armoured(State::Intact, look),
        State::Wreck => armoured(State::Wreck, look),
    })
}

/// A barrel breaks, then the other.
fn gun() -> NodePlan {
    showing(node("gun", Some(TURRET), gait::gun(parts::GUN)), |state, look| {
        Some(match state {
            State::Intact => parts::gun(look, [BARREL, BARREL]),
            State::Battered => parts::gun(Look::Middle, [BARREL, BARREL * 0.45]),
            State::Wreck => parts::gun(Look::Middle, [BARREL * 0.3, BARREL * 0.45]).repainted(ARMOUR, BURNT),
        })
    })
}

/// Bent, then gone.
fn antenna() -> NodePlan {
    showing(node("antenna", Some(HULL), gait::antenna(parts::ANTENNA)), |state, look| match state {
        State::Intact => Some(parts::antenna(look, 0.02)),
        State::Battered => Some(parts::antenna(look, 0.3)),
        State::Wreck => None,
    })
}

fn cockpit() -> NodePlan {
    let mut cockpit = node("cockpit", Some(CABIN), vec![]);
    cockpit.slots[0][COCKPIT_GROUP] = Some(parts::cockpit().plan());
    cockpit
}

/// Thigh, shin and foot. Legs of the right side break off, the others stay as they are.
fn limbs(leg: &Leg, hip: usize, breaks: bool) -> [NodePlan; 3] {
    let [thigh, shin, foot] = gait::leg(leg);
    let limb = |part: &str, parent: usize, track: Vec<KeyPlan>| {
        node(&format!("{}_{part}", leg.name), Some(parent), track)
    };
    let whole = |state: State| state != State::Wreck || !breaks;
    [
        showing(limb("thigh", HULL, thigh), |state, look| {
            Some(if whole(state) { parts::thigh(look) } else { parts::stump() })
        }),
        showing(limb("shin", hip, shin), |state, look| whole(state).then(|| parts::shin(look))),
        showing(limb("foot", hip + 1, foot), |state, look| {
            (whole(state) && look < Look::Far).then(|| parts::foot(look))
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_walker_is_the_one_we_make() {
        assert!(
            model() == include_bytes!("../../../../samples/walker.msh"),
            "`galvani samples samples` writes it"
        );
    }

    #[test]
    fn the_walker_is_built_without_a_finding() {
        let built = build(&plan()).unwrap();
        assert_eq!(built.report.findings(), []);
    }

    #[test]
    fn every_track_ends_as_it_begins() {
        for node in plan().nodes.iter().filter(|node| node.track.len() > 1) {
            let (first, last) = (node.track[0], node.track[node.track.len() - 1]);
            assert_eq!(KeyPlan { time: 0, ..last }, first, "{}", String::from_utf8_lossy(&node.name));
            assert_eq!(last.time, 32);
        }
    }

    #[test]
    fn what_is_further_away_has_fewer_triangles() {
        for state in 0..3 {
            let triangles = |detail: usize| -> usize {
                let shown = plan().nodes.into_iter().filter_map(|node| node.slots[state][detail].clone());
                shown.flat_map(|geometry| geometry.parts).map(|part| part.triangles.len()).sum()
            };
            let counts = [0, 1, 2, 3].map(triangles);
            assert!(counts.is_sorted_by(|near, far| near >= far), "{counts:?}");
            assert!(counts[0] > 2 * counts[3] || state == 2, "{counts:?}");
        }
    }
}
