//! Signals: nothing in the making stays behind, and the exit code tells whether the file was replaced.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::results;

/// What a shell calls a program that was told to stop.
pub(crate) const STOPPED: u8 = 130;

/// Every signal that ends a program and that it can see coming. (A fault of the program itself it cannot: files in the
/// making have no name then, where the system has such files.)
#[cfg(unix)]
fn ending() -> Vec<i32> {
    use signal_hook::consts::{
        SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1, SIGUSR2,
        SIGVTALRM, SIGXCPU,
    };
    let mut all = vec![SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP];
    all.extend([SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU]);
    // Two that only Linux has (SIGSTKFLT, SIGPWR), SIGIO, and those for whatever programs agree on.
    #[cfg(target_os = "linux")]
    all.extend([16, 29, 30].into_iter().chain(34..=64));
    all
}

/// Whether the first who asks only asks.
static GENTLE: AtomicBool = AtomicBool::new(false);
/// Set once somebody asked.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Something is being made that is worth having even if it is not all of it: from now on whoever tells the program to stop
/// for the first time is heard only by those who ask whether anybody did.
#[cfg(feature = "survey")]
pub(crate) fn asked() -> impl Fn() -> bool {
    GENTLE.store(true, Ordering::Relaxed);
    || ASKED.load(Ordering::Relaxed)
}

/// Listens from now on. That this could not be done is no reason to stop.
#[cfg(unix)]
pub(crate) fn listen() {
    use signal_hook::consts::SIGXFSZ;
    use signal_hook::iterator::Signals;
    // A file that may not grow any more is the write's error and not the end.
    let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    if let Ok(mut signals) = Signals::new(ending()) {
        let _ = std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| stop()));
    }
}

#[cfg(not(unix))]
pub(crate) fn listen() {
    let _: Result<(), ctrlc::Error> = ctrlc::set_handler(stop);
}

/// Ends the program, unless the one file that was asked for is in its place already: then it is too late to stop, and the
/// code is what it would have been. Whoever insists gets that code at once.
#[allow(clippy::exit, reason = "somebody told the program to stop")]
fn stop() {
    static LATE: AtomicBool = AtomicBool::new(false);
    if GENTLE.load(Ordering::Relaxed) && !ASKED.swap(true, Ordering::Relaxed) {
        return;
    }
    let _nothing_more_is_written = results::writers();
    let files = galvani::fs::stop();
    let is_done = results::is_single() && files.placed() > 0;
    if is_done && !LATE.swap(true, Ordering::Relaxed) {
        return;
    }
    crate::screen::restore();
    if !is_done {
        results::tell_interrupted();
    }
    std::process::exit(if is_done { 0 } else { STOPPED.into() });
}
