//! Runs the benchmarks and writes `docs/benchmarks.md`: goal, ratio and verdict from one run.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::large;
use crate::measure::{self, cost};
use crate::python;
use crate::root;

/// A claim: one benchmark's time as a multiple of another's, and the most it should be.
struct Goal {
    what: &'static str,
    case: &'static str,
    beside: &'static str,
    most: f64,
}

/// A claim in time: nanoseconds for each of the elements that a benchmark counts, and the most it should be.
struct Limit {
    what: &'static str,
    case: &'static str,
    most: f64,
}

/// A benchmark file, its groups, and what is claimed of each group.
struct Page {
    package: &'static str,
    bench: &'static str,
    groups: &'static [&'static str],
    goals: &'static [Goal],
    limits: &'static [Limit],
}

/// The goal of owned documents: a third of memcpy's speed. Buffers are there, as they are for memcpy.
const READ_AGAIN: Goal = Goal {
    what: "read into an owned document, buffers reused",
    case: "read into used buffers",
    beside: "memcpy",
    most: 3.0,
};

/// No goal of ours, but what a single file costs: fresh memory for every block, and a map of the file.
const READ_AFRESH: Goal =
    Goal { what: "read into a fresh document, with its map", case: "read", beside: "to_vec", most: 3.0 };

/// A pose put in its place, beside the same with `glam`: where keys are found is most of what is left.
const WHOLE: Goal =
    Goal { what: "sample a pose and put it in its place", case: "whole", beside: "glam whole", most: 0.33 };

const PAGES: &[Page] = &[
    Page {
        package: "galvani-scene",
        bench: "prepared",
        groups: &["pose dense sequential"],
        goals: &[Goal { what: "sample a pose", case: "local", beside: "glam local", most: 0.05 }, WHOLE],
        limits: &[],
    },
    Page {
        package: "galvani-scene",
        bench: "prepared",
        groups: &["pose dense random"],
        goals: &[Goal { what: "sample a pose", case: "local", beside: "glam local", most: 0.067 }, WHOLE],
        limits: &[],
    },
    Page {
        package: "galvani-scene",
        bench: "prepared",
        groups: &["pose sparse sequential"],
        goals: &[Goal { what: "sample a pose", case: "local", beside: "glam local", most: 0.111 }, WHOLE],
        limits: &[],
    },
    Page {
        package: "galvani-scene",
        bench: "prepared",
        groups: &["pose sparse random"],
        goals: &[
            Goal { what: "sample a pose", case: "local", beside: "glam local", most: 0.5 },
            Goal { most: 0.5, ..WHOLE },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-scene",
        bench: "prepared",
        groups: &["skin 10 000 vertices"],
        goals: &[
            // 0.7 of the speed at which memory can be copied.
            Goal { what: "bend vertices and normals", case: "bend", beside: "memory", most: 1.43 },
            Goal { what: "bend vertices and normals", case: "bend", beside: "glam", most: 1.0 },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-parkan",
        bench: "nres",
        groups: &["nres 23 KB", "nres 160 KB", "nres 1.6 MB"],
        goals: &[
            Goal { what: "open the directory", case: "open", beside: "memcpy", most: 0.5 },
            READ_AGAIN,
            READ_AFRESH,
            Goal { what: "check an owned document", case: "check", beside: "memcpy", most: 1.5 },
            Goal {
                what: "read and check, beside reading",
                case: "read and check",
                beside: "read",
                most: 1.6,
            },
            Goal { what: "write from the document", case: "write", beside: "to_vec", most: 3.0 },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-parkan",
        bench: "msh",
        groups: &["msh 23 KB", "msh 160 KB", "msh 1.6 MB"],
        goals: &[
            Goal {
                what: "range and attribute checks over borrowed bytes",
                case: "view, structure and ranges",
                beside: "memcpy",
                most: 1.5,
            },
            READ_AGAIN,
            READ_AFRESH,
            Goal { what: "write from the document", case: "write", beside: "to_vec", most: 3.0 },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-parkan",
        bench: "msh_sample",
        groups: &["msh sample sequential", "msh sample random"],
        goals: &[
            Goal { what: "pose a whole model, prepared", case: "player", beside: "node by node", most: 0.67 },
            Goal { what: "pose a whole model, prepared", case: "player", beside: "glam", most: 1.0 },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-ff7",
        bench: "pack",
        groups: &["ff7 pack typical"],
        goals: &[
            Goal { what: "decode", case: "decode", beside: "bit at a time", most: 0.143 },
            Goal { what: "decode", case: "decode", beside: "bitter", most: 0.5 },
            Goal { what: "encode", case: "encode", beside: "decode", most: 4.0 },
        ],
        limits: &[Limit { what: "decode a component", case: "decode", most: 3.0 }],
    },
    Page {
        package: "galvani-ff7",
        bench: "pack",
        groups: &["ff7 pack own", "ff7 pack busy", "ff7 pack raw", "ff7 pack quiet"],
        goals: &[Goal { what: "encode", case: "encode", beside: "decode", most: 4.0 }],
        limits: &[Limit { what: "decode a component", case: "decode", most: 4.5 }],
    },
    Page {
        package: "galvani-ff7",
        bench: "pose",
        groups: &["ff7 pose 1 bones", "ff7 pose 17 bones", "ff7 pose 50 bones"],
        goals: &[
            Goal { what: "pose a whole model", case: "pose", beside: "matrix by matrix", most: 0.5 },
            Goal { what: "pose a whole model", case: "pose", beside: "glam", most: 1.0 },
            Goal { what: "pose a whole model", case: "pose", beside: "glam affine", most: 1.0 },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-ff7",
        bench: "lgp",
        groups: &["lgp 160 KB", "lgp 1.6 MB", "lgp 20 MB"],
        goals: &[
            Goal { what: "open the archive", case: "open", beside: "memcpy", most: 0.5 },
            Goal { what: "extract every file by its name", case: "extract", beside: "memcpy", most: 1.5 },
            Goal { what: "read into an owned document", case: "read", beside: "memcpy", most: 3.0 },
            Goal { what: "read, beside a fresh copy of the file", case: "read", beside: "to_vec", most: 3.0 },
            Goal { what: "write from the document", case: "write", beside: "to_vec", most: 3.0 },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-ff7",
        bench: "tex",
        groups: &["tex 64 x 64", "tex 256 x 256", "tex 1024 x 1024"],
        goals: &[
            Goal { what: "read into an owned document", case: "read", beside: "to_vec", most: 3.0 },
            Goal {
                what: "decode a palette, beside copying the picture",
                case: "decode 8 bit",
                beside: "memcpy of the picture",
                most: 8.0,
            },
            Goal {
                what: "decode 16 bits, beside copying the picture",
                case: "decode 16 bit",
                beside: "memcpy of the picture",
                most: 40.0,
            },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-texture",
        bench: "texture",
        groups: &["texture 256 x 256", "texture 1024 x 1024"],
        goals: &[
            Goal {
                what: "decode a palette, beside a fresh copy of the picture",
                case: "palette",
                beside: "to_vec of the picture",
                most: 3.0,
            },
            Goal { what: "decode a palette", case: "palette", beside: "palette by wc3", most: 1.0 },
            Goal { what: "decode JPEG", case: "jpeg", beside: "jpeg by wc3", most: 1.0 },
            Goal { what: "decode BC1", case: "bc1", beside: "bc1 by image", most: 1.0 },
            Goal { what: "decode BC1", case: "bc1", beside: "bc1 by dds", most: 1.0 },
            Goal { what: "decode BC3", case: "bc3", beside: "bc3 by image", most: 1.0 },
            Goal { what: "decode BC3", case: "bc3", beside: "bc3 by dds", most: 1.0 },
            Goal { what: "decode BC7", case: "bc7", beside: "bc7 by bcdec_rs", most: 1.0 },
            Goal { what: "decode TGA", case: "tga", beside: "tga by image", most: 1.0 },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-render",
        bench: "pictures",
        groups: &["pictures of 2000 triangles"],
        goals: &[
            Goal {
                what: "draw 256 x 256 pixels on one core",
                case: "256 x 256 on one core",
                beside: "256 x 256 by f3d on one core",
                most: 1.0,
            },
            Goal {
                what: "draw 256 x 256 pixels on two cores",
                case: "256 x 256 on two cores",
                beside: "256 x 256 by f3d on two cores",
                most: 1.0,
            },
            Goal {
                what: "draw 512 x 512 pixels on one core",
                case: "512 x 512 on one core",
                beside: "512 x 512 by f3d on one core",
                most: 1.0,
            },
            Goal {
                what: "draw 512 x 512 pixels on two cores",
                case: "512 x 512 on two cores",
                beside: "512 x 512 by f3d on two cores",
                most: 1.0,
            },
            Goal {
                what: "draw 1024 x 1024 pixels on one core",
                case: "1024 x 1024 on one core",
                beside: "1024 x 1024 by f3d on one core",
                most: 1.0,
            },
            Goal {
                what: "draw 1024 x 1024 pixels on two cores",
                case: "1024 x 1024 on two cores",
                beside: "1024 x 1024 by f3d on two cores",
                most: 1.0,
            },
            Goal {
                what: "four times the pixels",
                case: "512 x 512 on one core",
                beside: "256 x 256 on one core",
                most: 4.4,
            },
            Goal {
                what: "four times the pixels",
                case: "1024 x 1024 on one core",
                beside: "512 x 512 on one core",
                most: 4.4,
            },
            Goal {
                what: "two cores, beside one",
                case: "256 x 256 on two cores",
                beside: "256 x 256 on one core",
                most: 0.6,
            },
        ],
        limits: &[Limit {
            what: "a thumbnail, 200 a second",
            case: "256 x 256 on two cores",
            most: 5_000_000.0,
        }],
    },
    Page {
        package: "galvani-render",
        bench: "pictures",
        groups: &["pictures of 256 x 256"],
        goals: &[
            Goal {
                what: "four times the triangles",
                case: "8000 triangles",
                beside: "2000 triangles",
                most: 4.4,
            },
            Goal {
                what: "four times the triangles",
                case: "32000 triangles",
                beside: "8000 triangles",
                most: 4.4,
            },
            Goal {
                what: "four times the triangles",
                case: "128000 triangles",
                beside: "32000 triangles",
                most: 4.4,
            },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-gltf",
        bench: "export",
        groups: &["glTF 20 bones, 4 clips", "glTF 60 bones, 20 clips"],
        goals: &[Goal { what: "write a .glb", case: "write", beside: "glTF-Transform", most: 0.067 }],
        limits: &[],
    },
    Page {
        package: "galvani-gltf",
        bench: "import",
        groups: &["glTF 20 bones, 4 clips, read", "glTF 60 bones, 20 clips, read"],
        goals: &[
            Goal {
                what: "make a scene of a .glb, beside lists of it",
                case: "import",
                beside: "gltf",
                most: 1.0,
            },
            Goal {
                what: "check a .glb and make a scene of it, beside lists of it",
                case: "check and import",
                beside: "gltf",
                most: 1.0,
            },
            Goal {
                what: "read and check a .glb, beside lists of it",
                case: "read and check",
                beside: "gltf",
                most: 1.0,
            },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-mdx",
        bench: "mdx_sample",
        groups: &["mdx sample linear sequential", "mdx sample hermite sequential"],
        goals: &[
            Goal { what: "sample every node", case: "nodes", beside: "wc3", most: 0.33 },
            Goal { what: "sample every node", case: "nodes", beside: "glam", most: 6.0 },
        ],
        limits: &[Limit { what: "sample a node and put it in its place", case: "pose", most: 150.0 }],
    },
    Page {
        package: "galvani-mdx",
        bench: "mdx_sample",
        groups: &["mdx sample linear random", "mdx sample hermite random"],
        goals: &[Goal { what: "sample every node", case: "nodes", beside: "wc3", most: 0.5 }],
        limits: &[Limit { what: "sample a node and put it in its place", case: "pose", most: 250.0 }],
    },
    Page {
        package: "galvani-mdx",
        bench: "mdx",
        groups: &["mdx 100 KB", "mdx 1 MB", "mdx 5 MB"],
        goals: &[
            Goal { what: "read and check", case: "read and check", beside: "wc3 read", most: 1.0 },
            Goal { what: "write from the document", case: "write", beside: "wc3 write", most: 1.0 },
        ],
        limits: &[],
    },
    Page {
        package: "galvani-mdx",
        bench: "mdl",
        groups: &["mdl of 100 KB", "mdl of 1 MB", "mdl of 5 MB"],
        goals: &[
            Goal { what: "read a text", case: "read", beside: "war3-model read", most: 0.1 },
            Goal { what: "write a text", case: "write", beside: "war3-model write", most: 0.1 },
        ],
        limits: &[],
    },
    Page {
        package: "galvani",
        bench: PYTHON,
        groups: &["10 000 poses of MDX", "10 000 poses of MSH"],
        goals: &[Goal { what: "sample in one call", case: "in Python", beside: "in Rust", most: 1.2 }],
        limits: &[],
    },
];

/// The benchmark that wants the wheel.
const PYTHON: &str = "python";

/// A page beside a crate that wants more than Rust to build: its benchmarks are a workspace of their own.
struct Peer {
    manifest: &'static str,
    /// The command without which it cannot be built.
    wants: &'static str,
    page: Page,
}

const PEERS: &[Peer] = &[Peer {
    manifest: "peers/whiteout/Cargo.toml",
    wants: "cmake",
    page: Page {
        package: "galvani-beside-whiteoutlib",
        bench: "mdx",
        groups: &[
            "mdx 100 KB beside whiteoutlib",
            "mdx 1 MB beside whiteoutlib",
            "mdx 5 MB beside whiteoutlib",
        ],
        goals: &[
            Goal { what: "read and check", case: "read and check", beside: "whiteoutlib read", most: 1.0 },
            Goal { what: "write from the document", case: "write", beside: "whiteoutlib write", most: 1.0 },
        ],
        limits: &[],
    },
}];

/// Cases over sizes that double, to show that time grows with the size and not faster.
const GROWTH: &[(&str, &[&str])] = &[
    ("msh doubled", &["view, structure and ranges", "read and check"]),
    ("doubled", &["extract namesakes", "find ARCHIVE-*", "reduce keys", "check overlapping entries"]),
];

/// The file of benchmarks that only shows how things grow.
const DOUBLED: Page = Page { package: "galvani", bench: "doubled", groups: &[], goals: &[], limits: &[] };

/// What doubling the size may cost: twice the time, and some for caches.
const MOST_GROWTH: f64 = 2.6;

const HEAD: &str = "<!-- Written by `cargo xtask bench`; do not edit. -->\n\n# Benchmarks\n\n\
    Times are criterion's medians of one run on one machine; only their ratios mean anything elsewhere.\n\
    `memcpy` copies the whole file into a buffer that is there already; `to_vec` copies it into fresh memory,\n\
    as a fresh document must. The goal for owned documents is a third of memcpy's speed with buffers reused;
\
    a fresh document is held to the same number beside `to_vec`. `node by node` samples each node as the engine
\
    does, `glam` is glam's slerp with cursors over the same keys (`glam local` finds dense keys by index, and rotations beside it are
\
    slerps too, within 1e-6 rad of double precision), `memory` copies as many bytes as vertices take and give, from and to
\
    where no cache holds them, and for battle models its chain of matrices from
\
    Euler angles in single precision, `glam affine` the same with three rows; `matrix by matrix` multiplies every
\
    step of the chain as a matrix of its own; `bit at a time` decodes as the format's first
\
    description does, `in Rust` are the same poses from the same call of the library, `bitter` is a general reader of bits, `wc3`, `whiteoutlib`, `image`, `dds` and `bcdec_rs` are crates, `glTF-Transform` writes glTF for JavaScript, `war3-model` reads and writes MDL there. A ratio is a
\
    multiple of the time of what stands beside it: smaller is faster. A goal in nanoseconds is for one element.
\
    A goal that was missed is called missed.
";

pub(crate) fn run(words: &[String]) -> Result<()> {
    let mut page = String::from(HEAD);
    // A page of the numbers that are there takes no time.
    let measures = !words.iter().any(|word| word == "--page");
    let kept = Kept::new(words.iter().filter(|word| !word.starts_with("--")))?;
    let mut measured = None;
    for part in PAGES {
        if kept.take(&mut page, part.bench, part.groups)? {
            continue;
        }
        // Several pages may share one run.
        if measures && measured.replace(part.bench) != Some(part.bench) {
            measure("Cargo.toml", part)?;
        }
        tables(&mut page, part)?;
    }
    for Peer { manifest, wants, page: part } in PEERS {
        if kept.take(&mut page, part.package, part.groups)? {
            continue;
        }
        if !is_there(wants) {
            println!("{} is not measured: there is no `{wants}`", part.package);
            for group in part.groups {
                writeln!(page, "\n## {group}\n\nNot measured: there was no `{wants}`.")?;
            }
            continue;
        }
        if measures {
            measure(manifest, part)?;
        }
        tables(&mut page, part)?;
    }
    let groups: Vec<&str> = GROWTH.iter().map(|(group, _)| *group).collect();
    if !kept.take(&mut page, DOUBLED.bench, &groups)? {
        if measures {
            measure("Cargo.toml", &DOUBLED)?;
        }
        for (group, cases) in GROWTH {
            growth(&mut page, group, cases)?;
        }
    }
    if !kept.take(&mut page, "converting", &[CONVERTING])? {
        converting(&mut page)?;
    }
    std::fs::write(root().join("docs/benchmarks.md"), page)?;
    Ok(())
}

/// What stays on the page where only some benchmarks are run.
struct Kept<'w> {
    /// Those that are run; all if none is named.
    wanted: Vec<&'w String>,
    /// The page as it is.
    page: String,
}

impl<'w> Kept<'w> {
    fn new(wanted: impl Iterator<Item = &'w String>) -> Result<Self> {
        let wanted: Vec<&String> = wanted.collect();
        let last = [DOUBLED.bench, "converting"].into_iter();
        let known: Vec<&str> = PAGES
            .iter()
            .map(|page| page.bench)
            .chain(PEERS.iter().map(|peer| peer.page.package))
            .chain(last)
            .collect();
        let unknown = wanted.iter().find(|word| !known.contains(&word.as_str()));
        ensure!(unknown.is_none(), "{unknown:?} is none of {known:?}");
        let page = std::fs::read_to_string(root().join("docs/benchmarks.md"))?;
        Ok(Kept { wanted, page })
    }

    /// Puts what the page has of these groups on the new one, if the benchmark is not run.
    fn take(&self, to: &mut String, bench: &str, groups: &[&str]) -> Result<bool> {
        if self.wanted.is_empty() || self.wanted.iter().any(|word| *word == bench) {
            return Ok(false);
        }
        let sections = || self.page.split("\n## ").skip(1);
        for group in groups {
            if let Some(section) = sections().find(|section| section.lines().next() == Some(group)) {
                write!(to, "\n## {}\n", section.trim_end())?;
            }
        }
        Ok(true)
    }
}

/// The group of a whole folder.
const CONVERTING: &str = "converting a folder";

/// Whether a command can be run.
fn is_there(command: &str) -> bool {
    Command::new(command).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// A table of goals and limits for each group.
fn tables(page: &mut String, part: &Page) -> Result<()> {
    for group in part.groups {
        writeln!(
            page,
            "\n## {group}\n\n| what | time | beside | ratio | goal | verdict |\n|---|---|---|---|---|---|"
        )?;
        for goal in part.goals {
            let (time, other) = (median(group, goal.case)?, median(group, goal.beside)?);
            let (ratio, most) = (time / other, goal.most);
            let verdict = if ratio <= most { "met" } else { "**missed**" };
            let shown = nanoseconds(time);
            writeln!(
                page,
                "| {} | {shown} | {} | {ratio:.2} | ≤ {most:.2} | {verdict} |",
                goal.what, goal.beside
            )?;
        }
        for limit in part.limits {
            let (time, most) = (median(group, limit.case)? / elements(group, limit.case)?, limit.most);
            let verdict = if time <= most { "met" } else { "**missed**" };
            writeln!(page, "| {} | {time:.2} ns | – | – | ≤ {most:.1} ns | {verdict} |", limit.what)?;
        }
    }
    Ok(())
}

/// Runs one file of benchmarks of a workspace.
fn measure(manifest: &str, Page { package, bench, .. }: &Page) -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    if *bench == PYTHON {
        command.env("GALVANI_PYTHON", python::with_wheel()?);
    }
    let status = command
        .args([
            "bench",
            "--locked",
            "--manifest-path",
            manifest,
            "--package",
            package,
            "--bench",
            bench,
            "--",
        ])
        // Long enough for ratios, short enough to be run often.
        .args(["--warm-up-time", "0.5", "--measurement-time", "1.5"])
        // One home for the numbers of every workspace.
        .env("CRITERION_HOME", criterion())
        .current_dir(root())
        .status()?;
    ensure!(status.success(), "{package} {bench} failed");
    Ok(())
}

/// A table of times over doubling sizes.
fn growth(page: &mut String, group: &str, cases: &[&str]) -> Result<()> {
    writeln!(page, "\n## {group}\n\nEach size is twice the one before; a ratio of 2 is linear.")?;
    for case in cases {
        let folder = criterion().join(group).join(case);
        let mut sizes: Vec<u32> = std::fs::read_dir(&folder)?
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.split(' ').next()?.parse().ok())
            .collect();
        sizes.sort_unstable();
        writeln!(page, "\n| {case} | time | ratio | goal | verdict |\n|---|---|---|---|---|")?;
        let mut before: Option<f64> = None;
        for size in sizes {
            let time = median(&format!("{group}/{case}"), &format!("{size} parts"))?;
            let ratio = before.map(|before| time / before);
            let (shown, verdict) = match ratio {
                None => ("–".to_owned(), "–"),
                Some(ratio) if ratio <= MOST_GROWTH => (format!("{ratio:.2}"), "met"),
                Some(ratio) => (format!("{ratio:.2}"), "**missed**"),
            };
            writeln!(
                page,
                "| {size} parts | {} | {shown} | ≤ {MOST_GROWTH:.2} | {verdict} |",
                nanoseconds(time)
            )?;
            before = Some(time);
        }
    }
    Ok(())
}

/// How often the samples are there when a folder of models is converted.
const COPIES: u32 = 100;

/// What converting may hold: the program itself, and this many times the largest file, read or written, on each core.
const MOST_HELD: (u64, u64) = (48 << 20, 12);

/// How fast the command converts a folder of models, one of which is large, on one core and on two, and what it holds meanwhile.
#[allow(clippy::cast_precision_loss, reason = "only shown")]
fn converting(page: &mut String) -> Result<()> {
    measure::build()?;
    let folder = tempfile::tempdir()?;
    for i in 0..COPIES {
        let made = cost(folder.path(), &format!("samples in/{i}"), None)?;
        ensure!(made.ended == "0", "no samples: {}", made.ended);
    }
    // Among the first, so that nobody waits for it in the end.
    std::fs::write(folder.path().join("in/0/large.mdx"), large::model())?;
    let (bytes, _) = sizes(&folder.path().join("in"))?;
    let (mut rows, mut alone, mut largest) = (String::new(), None, 0);
    for cores in [1_u32, 2] {
        let taken = cost(folder.path(), "convert in -o out/", Some(cores))?;
        ensure!(taken.ended == "0", "converting ended with {}", taken.ended);
        let models = std::fs::read_dir(folder.path().join("out"))?.count();
        largest = sizes(folder.path())?.1;
        let (seconds, most) = (taken.seconds, MOST_HELD.0 + MOST_HELD.1 * largest * u64::from(cores));
        let is_faster = *alone.get_or_insert(seconds) >= seconds * if cores == 1 { 1.0 } else { 1.6 };
        let verdict = if is_faster && taken.bytes <= most { "met" } else { "**missed**" };
        writeln!(
            rows,
            "| {cores} | {seconds:.2} s | {:.1} | {:.0} | {} MiB | ≤ {} MiB | {verdict} |",
            bytes as f64 / 1e6 / seconds,
            models as f64 / seconds,
            taken.bytes >> 20,
            most >> 20
        )?;
    }
    writeln!(
        page,
        "\n## {CONVERTING}\n\n{COPIES} copies of the samples and a large model, {} MB; the models among them become `.glb`. \
         Goal: on two cores at least 1.6 times as fast as on one; {} MiB and {} times the largest file, read or written ({} MB), on \
         each core.\n\n\
         | cores | time | MB a second | models a second | memory | goal | verdict |\n|---|---|---|---|---|---|---|",
        bytes / 1_000_000,
        MOST_HELD.0 >> 20,
        MOST_HELD.1,
        largest / 1_000_000
    )?;
    page.push_str(&rows);
    Ok(())
}

/// How many bytes the files of a folder have, and the largest of them.
fn sizes(folder: &Path) -> Result<(u64, u64)> {
    let (mut bytes, mut largest) = (0, 0);
    for entry in walkdir::WalkDir::new(folder) {
        let found = entry?.metadata()?;
        let len = if found.is_file() { found.len() } else { 0 };
        (bytes, largest) = (bytes + len, largest.max(len));
    }
    Ok((bytes, largest))
}

/// Where criterion leaves its numbers.
fn criterion() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("criterion")
}

/// The median in nanoseconds that criterion left for a case.
fn median(group: &str, case: &str) -> Result<f64> {
    left(group, case, "estimates")?["median"]["point_estimate"].as_f64().context("no median")
}

/// How many elements criterion was told that a case has.
fn elements(group: &str, case: &str) -> Result<f64> {
    left(group, case, "benchmark")?["throughput"]["Elements"].as_f64().context("no elements")
}

/// One of the files that criterion left for a case.
fn left(group: &str, case: &str, file: &str) -> Result<Value> {
    let path = criterion().join(group).join(case).join("new").join(file).with_extension("json");
    let text = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}

fn nanoseconds(time: f64) -> String {
    match time {
        0.0..1e3 => format!("{time:.0} ns"),
        1e3..1e6 => format!("{:.1} µs", time / 1e3),
        _ => format!("{:.2} ms", time / 1e6),
    }
}
