//! Cases measured in turns, so that what a machine does meanwhile falls on all of them alike.

use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId};

/// How often each case has its turn.
const ROUNDS: usize = 120;

/// Something to measure, and what it is called.
pub(crate) type Case<'a> = (&'a str, Box<dyn FnMut() + 'a>);

/// Measures all cases in turns and hands the times to criterion, which makes its tables of them.
pub(crate) fn measure(group: &mut BenchmarkGroup<'_, WallTime>, mut cases: Vec<Case<'_>>) {
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); cases.len()];
    for _ in 0..ROUNDS {
        for ((_, act), times) in cases.iter_mut().zip(&mut times) {
            // Once for the caches.
            act();
            let start = Instant::now();
            act();
            times.push(start.elapsed());
        }
    }
    for ((name, _), times) in cases.iter().zip(times) {
        let mut turns = times.iter().cycle();
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter_custom(|count| {
                let taken = turns.by_ref().take(usize::try_from(count).unwrap_or(1)).sum();
                // Criterion plans by its own clock: the time is spent once more.
                let start = Instant::now();
                while start.elapsed() < taken {
                    std::hint::spin_loop();
                }
                taken
            });
        });
    }
}
