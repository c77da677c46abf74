//! `view`: the page in a browser, served to this machine alone.
//!
//! Whoever asks must know the token of the run, call the server by its own name, and come from its own page. What can be
//! read is what the command was given and what that names beside it; what can be written is what it was given.

mod answer;
mod given;
mod http;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use galvani::core::text;
use serde_json::json;

use crate::args::{Common, View};
use crate::failure::Failure;
use crate::{Outcome, out};
use answer::Server;
use given::Given;

/// Bytes of a token: nobody guesses as many.
const TOKEN: usize = 16;

/// How many are answered at once; a browser asks for a handful.
const MOST: usize = 64;

/// How long a request may take to come in.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn run(args: &View, common: &Common) -> Outcome {
    let given = Given::new(&args.inputs, common)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(unserved)?;
    let port = listener.local_addr().map_err(unserved)?.port();
    let mut token = [0; TOKEN];
    getrandom::fill(&mut token).map_err(unserved)?;
    let server = Arc::new(Server { port, token: text::hex(&token), given });
    let address = server.address();
    if common.json {
        out::json(&json!({"address": address, "has_page": !answer::PAGE.is_empty()}));
    } else {
        out::text(&format!("{address}\n"));
    }
    if answer::PAGE.is_empty() {
        out::error(&format!("note: {}\n", answer::NO_PAGE));
    }
    if !args.no_open {
        open(&address);
    }
    serve(&listener, &server);
    Ok(0)
}

fn unserved(error: impl std::fmt::Display) -> Failure {
    Failure::unwritable(format!("127.0.0.1: {error}"))
}

/// Answers whoever asks, until the command is stopped.
fn serve(listener: &TcpListener, server: &Arc<Server>) {
    let busy = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        if busy.fetch_add(1, Ordering::Relaxed) >= MOST {
            busy.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (server, own) = (Arc::clone(server), Arc::clone(&busy));
        let answered = std::thread::Builder::new().spawn(move || {
            // Whoever went away needs no answer.
            let _: io::Result<()> = answer_one(&stream, &server);
            own.fetch_sub(1, Ordering::Relaxed);
        });
        if answered.is_err() {
            busy.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

fn answer_one(stream: &TcpStream, server: &Server) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let answer = match http::read(stream, |request| server.admit(request))? {
        Ok(request) => server.answer(&request),
        Err(answer) => answer,
    };
    if answer.follows_changes {
        return server.tell_changes(stream);
    }
    http::write(stream, &answer)?;
    http::close(stream)
}

/// Opens a browser, if there is one that can be asked for.
fn open(address: &str) {
    let (program, words): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("cmd", &["/c", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(words).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        out::error("note: no browser could be opened; the address is above\n");
    }
}
