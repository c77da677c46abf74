//! What is asked of the server, and who is refused.

use std::io::{self, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::given::{Given, Refused};
use super::http::{self, Answer, Request};

/// The page: names and bytes of its files; none if nobody built it.
pub(crate) const PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What is told where there is no page.
pub(crate) const NO_PAGE: &str = "this galvani was built without the page: `cargo xtask web` makes it (that needs Node), \
    then build galvani again";

/// How often files are looked at, and after how many looks the page is told that the server is still there.
const LOOK: Duration = Duration::from_millis(300);
const BEAT: u32 = 30;

/// Bytes of a file that may be saved.
const MOST: usize = 1 << 30;

/// A run of the command.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) given: Given,
}

impl Server {
    /// Where the page is.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// How many bytes may follow the head of a request, or why it is refused: of whom nobody let in, nothing more is read.
    pub(crate) fn admit(&self, request: &Request) -> Result<usize, Answer> {
        self.refused(request).map_or(Ok(MOST), |why| Err(Answer::refusal(403, why)))
    }

    /// Who is refused: another page that calls this server by a name of its own, or from its own origin; and who does not
    /// know the token.
    fn refused(&self, request: &Request) -> Option<&'static str> {
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        if !request.field("host").is_some_and(|host| hosts.iter().any(|own| own == host)) {
            return Some("this server has another name");
        }
        let is_own = |origin: &str| hosts.iter().any(|host| origin == format!("http://{host}"));
        if request.field("origin").is_some_and(|origin| !is_own(origin)) {
            return Some("this server answers its own page only");
        }
        if request.field("sec-fetch-site").is_some_and(|site| !["same-origin", "none"].contains(&site)) {
            return Some("this server answers its own page only");
        }
        self.way(request).is_none().then_some("the address has no token of this run")
    }

    /// What stands behind the token.
    fn way<'r>(&self, request: &'r Request) -> Option<&'r str> {
        let (token, way) = request.path.strip_prefix('/')?.split_once('/')?;
        is_same(token.as_bytes(), self.token.as_bytes()).then_some(way)
    }

    /// Answers a request that was let in.
    pub(crate) fn answer(&self, request: &Request) -> Answer {
        let way = self.way(request).unwrap_or_default();
        match (request.method.as_str(), way.strip_prefix("api/")) {
            ("GET", None) => page(way),
            ("GET", Some("files")) => Answer::new(JSON, self.given.list().to_string()),
            ("GET", Some("changes")) => Answer { follows_changes: true, ..Answer::new(JSON, "") },
            (method @ ("GET" | "PUT"), Some(way)) => match way.strip_prefix("file/").and_then(decoded) {
                Some(path) if method == "GET" => {
                    told(self.given.read(&path).map(|bytes| Answer::new("application/octet-stream", bytes)))
                }
                Some(path) => told(
                    self.given.write(&path, &request.body).map(|()| Answer::new(JSON, json!({}).to_string())),
                ),
                None => Answer::refusal(404, "there is nothing here"),
            },
            _ => Answer::refusal(405, "this cannot be asked here"),
        }
    }

    /// Tells of files that change, until nobody listens.
    pub(crate) fn tell_changes(&self, mut stream: &TcpStream) -> io::Result<()> {
        http::begin_events(stream)?;
        stream.write_all(b": here\n\n")?;
        let mut before = self.given.stamps();
        for look in 1_u32.. {
            thread::sleep(LOOK);
            let after = self.given.stamps();
            for path in self.given.changed(&before, &after) {
                stream.write_all(format!("data: {}\n\n", json!(path)).as_bytes())?;
            }
            before = after;
            if look % BEAT == 0 {
                stream.write_all(b": still here\n\n")?;
            }
        }
        Ok(())
    }
}

const JSON: &str = "application/json";

fn told(answer: Result<Answer, Refused>) -> Answer {
    answer.unwrap_or_else(|refused| match refused {
        Refused::NotGiven => Answer::refusal(403, "the command was not given this file"),
        Refused::ReadOnly => Answer::refusal(403, "the command was not given this file to write"),
        Refused::Failed(why) => Answer::refusal(409, &why),
    })
}

/// A file of the page.
fn page(way: &str) -> Answer {
    let name = if way.is_empty() { "index.html" } else { way };
    if PAGE.is_empty() && way.is_empty() {
        return Answer::new("text/plain; charset=utf-8", NO_PAGE);
    }
    let Some((_, bytes)) = PAGE.iter().find(|(own, _)| *own == name) else {
        return Answer::refusal(404, "there is nothing here");
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    if name != "index.html" {
        return Answer::new(kind, *bytes);
    }
    // By this the page knows who serves it.
    let text = String::from_utf8_lossy(bytes).replacen("<head>", "<head><meta name=\"galvani-view\">", 1);
    Answer::new(kind, text)
}

/// A path with `%` and two digits for what no address may hold; nothing if it is none.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// Whether two texts are the same, in a time that does not tell how much of them is.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}
