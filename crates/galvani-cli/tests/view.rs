//! `view`: who is answered, who is refused, and what is written (docs/cli.md#view).
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use common::{Desk, model};
use serde_json::{Value, json};

/// A server that stops with the test.
struct Server {
    child: Child,
    port: u16,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came back.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Server {
    fn start(desk: &Desk, words: &[&str]) -> Self {
        let mut command = desk.command();
        command.args(["view", "--no-open"]).args(words);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line:?}"));
        let (port, token) = rest.split_once('/').unwrap();
        Server { child, port: port.parse().unwrap(), token: token.trim_end_matches('/').to_owned() }
    }

    /// Asks with these words, sent as they are.
    fn raw(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let at = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..at].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head, body: bytes[at + 4..].to_vec() }
    }

    fn ask(&self, method: &str, way: &str, fields: &str, body: &[u8]) -> Answer {
        let (port, token, len) = (self.port, &self.token, body.len());
        let head = format!(
            "{method} /{token}/{way} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len}\r\n{fields}\r\n"
        );
        self.raw(&head, body)
    }

    fn get(&self, way: &str) -> Answer {
        self.ask("GET", way, "", b"")
    }

    fn put(&self, way: &str, body: &[u8]) -> Answer {
        self.ask("PUT", way, "", body)
    }
}

fn desk() -> Desk {
    Desk::new().with("tank.msh", model::walker()).with("secret.txt", b"nobody's business")
}

#[test]
fn the_page_and_the_file_are_there_for_who_knows_the_token() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    assert_eq!(server.token.len(), 32);
    assert_eq!(server.get("").status, 200);
    let list = server.get("api/files").json();
    assert_eq!(list["first"], "tank.msh");
    assert!(
        list["files"].as_array().unwrap().contains(&json!({"path": "tank.msh", "is_given": true})),
        "{list}"
    );
    let file = server.get("api/file/tank.msh");
    assert_eq!((file.status, file.body), (200, desk.read("tank.msh")));
    for field in ["Cache-Control: no-store", "Referrer-Policy: no-referrer", "frame-ancestors 'none'"] {
        assert!(file.head.contains(field), "{}", file.head);
    }
}

#[test]
fn the_address_is_told_to_machines() {
    let desk = desk();
    let mut child = desk
        .command()
        .args(["view", "--no-open", "--json", "tank.msh"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    let first = serde_json::Deserializer::from_reader(&mut output).into_iter::<Value>().next();
    child.kill().unwrap();
    child.wait().unwrap();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/view.schema.json");
    let schema = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let told = first.unwrap().unwrap();
    assert!(jsonschema::draft202012::new(&schema).unwrap().is_valid(&told), "{told}");
}

#[test]
fn two_runs_have_two_tokens() {
    let desk = desk();
    let (a, b) = (Server::start(&desk, &["tank.msh"]), Server::start(&desk, &["tank.msh"]));
    assert_ne!(a.token, b.token);
}

#[test]
fn another_host_is_refused() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    let (port, token) = (server.port, &server.token);
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:80", ""] {
        let head = format!("GET /{token}/api/files HTTP/1.1\r\nHost: {host}\r\n\r\n");
        assert_eq!(server.raw(&head, b"").status, 403, "{host}");
    }
    assert_eq!(server.raw(&format!("GET /{token}/ HTTP/1.1\r\n\r\n"), b"").status, 403);
    let local = format!("GET /{token}/api/files HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    assert_eq!(server.raw(&local, b"").status, 200);
}

#[test]
fn another_origin_is_refused() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    let own = format!("Origin: http://127.0.0.1:{}\r\n", server.port);
    assert_eq!(server.ask("GET", "api/files", &own, b"").status, 200);
    for fields in ["Origin: http://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"] {
        assert_eq!(server.ask("GET", "api/files", fields, b"").status, 403, "{fields}");
        assert_eq!(server.ask("PUT", "api/file/tank.msh", fields, b"x").status, 403, "{fields}");
    }
    assert_ne!(desk.read("tank.msh"), b"x");
}

#[test]
fn without_the_token_everything_is_refused() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    let (port, token) = (server.port, &server.token);
    let wrong = "0".repeat(token.len());
    for path in [
        "/".to_owned(),
        format!("/{token}"),
        format!("/{wrong}/"),
        format!("/{}/", token.chars().skip(1).collect::<String>()),
        "/api/files".to_owned(),
        format!("//{token}/api/files"),
        format!("/{token}x/api/files"),
        format!("/?/{token}/api/files"),
        "/favicon.ico".to_owned(),
    ] {
        let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
        assert_eq!(server.raw(&head, b"").status, 403, "{path}");
    }
}

#[test]
fn a_file_that_was_not_given_is_neither_read_nor_written() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    for name in [
        "secret.txt",
        "../secret.txt",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "./tank.msh",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "tank.msh/../secret.txt",
        "TANK.msh%00",
    ] {
        assert_eq!(server.get(&format!("api/file/{name}")).status, 403, "{name}");
        assert_eq!(server.put(&format!("api/file/{name}"), b"x").status, 403, "{name}");
    }
    assert_eq!(desk.read("secret.txt"), b"nobody's business");
    assert_eq!(server.get("../../etc/passwd").status, 404);
    assert_eq!(desk.files(), ["secret.txt", "tank.msh"]);
}

#[cfg(unix)]
#[test]
fn a_link_below_a_folder_is_not_followed() {
    let desk = desk().with("models/tank.msh", model::walker());
    std::os::unix::fs::symlink(desk.path("secret.txt"), desk.path("models/link.msh")).unwrap();
    std::os::unix::fs::symlink(desk.path(""), desk.path("models/up")).unwrap();
    let server = Server::start(&desk, &["models"]);
    assert_eq!(
        server.get("api/files").json()["files"],
        json!([{"path": "models/tank.msh", "is_given": true}])
    );
    for name in ["models/link.msh", "models/up/secret.txt"] {
        assert_eq!(server.get(&format!("api/file/{name}")).status, 403, "{name}");
        assert_eq!(server.put(&format!("api/file/{name}"), b"x").status, 403, "{name}");
    }
    // One that takes the place of a file that was given is not followed either.
    std::fs::remove_file(desk.path("models/tank.msh")).unwrap();
    std::os::unix::fs::symlink(desk.path("secret.txt"), desk.path("models/tank.msh")).unwrap();
    assert_ne!(server.get("api/file/models/tank.msh").status, 200);
    assert_ne!(server.put("api/file/models/tank.msh", b"x").status, 200);
    assert_eq!(desk.read("secret.txt"), b"nobody's business");
}

#[test]
fn a_file_that_was_given_is_replaced_as_a_whole() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    assert_eq!(server.put("api/file/tank.msh", b"unseen").status, 409, "the page did not read it");
    assert_eq!(server.get("api/file/tank.msh").status, 200);
    assert_eq!(server.put("api/file/tank.msh", b"changed").status, 200);
    assert_eq!(desk.read("tank.msh"), b"changed");
    assert_eq!(server.put("api/file/tank.msh", b"again").status, 200);
    assert_eq!(desk.files(), ["secret.txt", "tank.msh"], "nothing else is left behind");
}

#[test]
fn what_somebody_else_changed_is_not_overwritten() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    server.get("api/file/tank.msh");
    desk.put("tank.msh", b"somebody else's work");
    assert_eq!(server.put("api/file/tank.msh", b"ours").status, 409);
    assert_eq!(desk.read("tank.msh"), b"somebody else's work");
}

#[test]
fn what_a_model_is_made_of_is_read_and_never_written() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "all"]).code, 0);
    let server = Server::start(&desk, &["all/walker.msh"]);
    let list = server.get("api/files").json();
    let beside: Vec<&str> = list["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|file| file["is_given"] == false)
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    // It is called as the model calls it.
    let name = beside.iter().find(|name| name.eq_ignore_ascii_case("textures.lib"));
    let path = format!("api/file/{}", name.unwrap_or_else(|| panic!("{list}")));
    let before = desk.read("all/textures.lib");
    let read = server.get(&path);
    assert_eq!((read.status, read.body), (200, before.clone()));
    assert_eq!(server.put(&path, b"x").status, 403);
    assert_eq!(desk.read("all/textures.lib"), before);
    assert_eq!(server.get("api/file/lantern.mdx").status, 403);
}

#[test]
fn a_member_is_shown_and_its_archive_given() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "all"]).code, 0);
    let server = Server::start(&desk, &["all/frog.lgp/zgaa"]);
    let list = server.get("api/files").json();
    assert_eq!(list["first"], "frog.lgp/zgaa");
    assert_eq!(server.get("api/file/frog.lgp").body, desk.read("all/frog.lgp"));
}

#[test]
fn the_page_is_told_when_a_file_changes() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    server.get("api/file/tank.msh");
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let head =
        format!("GET /{}/api/changes HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.token, server.port);
    stream.write_all(head.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == ": here"));
    std::thread::sleep(Duration::from_millis(400));
    desk.put("tank.msh", b"something else");
    assert!(lines.any(|line| line == "data: \"tank.msh\""));
}

#[test]
fn what_is_no_request_is_refused() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    let token = &server.token;
    assert_eq!(server.raw("nonsense\r\n\r\n", b"").status, 400);
    assert_eq!(
        server.raw(&format!("GET /{token}/ HTTP/1.1\r\n{host}Content-Length: many\r\n\r\n"), b"").status,
        400
    );
    let chunked =
        format!("PUT /{token}/api/file/tank.msh HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n");
    assert_eq!(server.raw(&chunked, b"").status, 411);
    let huge =
        format!("PUT /{token}/api/file/tank.msh HTTP/1.1\r\n{host}Content-Length: 99999999999\r\n\r\n");
    assert_eq!(server.raw(&huge, b"").status, 413);
    // Of whom nobody let in, no body is read.
    let stranger = format!("PUT /api/file/tank.msh HTTP/1.1\r\n{host}Content-Length: 1000000\r\n\r\n");
    assert_eq!(server.raw(&stranger, b"").status, 403);
    assert_eq!(server.ask("DELETE", "api/file/tank.msh", "", b"").status, 405);
    assert_eq!(server.ask("POST", "api/files", "", b"").status, 405);
    assert_eq!(server.raw(&format!("GET /{} HTTP/1.1", "a".repeat(20_000)), b"").status, 431);
}

#[test]
fn a_port_that_is_taken_and_a_file_that_is_not_there_are_refused() {
    let desk = desk();
    let server = Server::start(&desk, &["tank.msh"]);
    let taken = desk.run(&["view", "--no-open", "--port", &server.port.to_string()]);
    assert_eq!(taken.code, 1, "{}", taken.stderr);
    assert_eq!(desk.run(&["view", "--no-open", "missing.msh"]).code, 3);
}
