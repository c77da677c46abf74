//! As much of HTTP/1.1 as a browser on the same machine needs: one request and one answer to a connection.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// Bytes of the head of a request, and how many fields it may have.
const HEAD: usize = 1 << 14;
const FIELDS: usize = 64;

/// What is asked.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path as it was sent, without what follows a question mark.
    pub(crate) path: String,
    fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// A field of the head, by its name in lower case.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// What is answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) body: Vec<u8>,
    /// Whether the connection stays open, to tell of files that change.
    pub(crate) follows_changes: bool,
}

impl Answer {
    pub(crate) fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Answer { status: 200, kind, body: body.into(), follows_changes: false }
    }

    /// Why not.
    pub(crate) fn refusal(status: u16, why: &str) -> Self {
        Answer { status, ..Answer::new("text/plain; charset=utf-8", why) }
    }
}

/// Reads a request. By its head `admit` says how long its body may be, or what is answered instead; the inner error is that, or
/// what is answered to one that makes no sense.
pub(crate) fn read(
    mut stream: &TcpStream,
    admit: impl FnOnce(&Request) -> Result<usize, Answer>,
) -> io::Result<Result<Request, Answer>> {
    let mut bytes = Vec::new();
    let (mut request, len, begin) = loop {
        if let Some(head) = head(&bytes) {
            match head {
                Ok(head) => break head,
                Err(answer) => return Ok(Err(answer)),
            }
        }
        if bytes.len() >= HEAD {
            return Ok(Err(Answer::refusal(431, "the head is too long")));
        }
        let mut some = [0; 4096];
        match stream.read(&mut some)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => bytes.extend(some.iter().take(count)),
        }
    };
    match admit(&request) {
        Err(answer) => return Ok(Err(answer)),
        Ok(most) if len > most => return Ok(Err(Answer::refusal(413, "the file is too large"))),
        Ok(_) => {}
    }
    request.body = bytes.split_off(begin);
    let rest = len.saturating_sub(request.body.len());
    stream.take(u64::try_from(rest).unwrap_or(u64::MAX)).read_to_end(&mut request.body)?;
    request.body.truncate(len);
    if request.body.len() < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Ok(request))
}

/// A request without its body, how long that is and where it begins.
type Head = (Request, usize, usize);

/// The head, once it is there; nothing, as long as it is not.
fn head(bytes: &[u8]) -> Option<Result<Head, Answer>> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut parsed = httparse::Request::new(&mut fields);
    let begin = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(begin)) => begin,
        Ok(httparse::Status::Partial) => return None,
        Err(_) => return Some(Err(Answer::refusal(400, "this is no request"))),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let fields: Vec<(String, String)> =
        parsed.headers.iter().map(|field| (field.name.to_lowercase(), text(field.value))).collect();
    let path = parsed.path.unwrap_or_default().split('?').next().unwrap_or_default().to_owned();
    let method = parsed.method.unwrap_or_default().to_owned();
    let request = Request { method, path, fields, body: Vec::new() };
    if request.field("transfer-encoding").is_some() {
        return Some(Err(Answer::refusal(411, "a length is wanted")));
    }
    let len = match request.field("content-length").map(str::parse) {
        None => 0,
        Some(Ok(len)) => len,
        Some(Err(_)) => return Some(Err(Answer::refusal(400, "the length is no number"))),
    };
    Some(Ok((request, len, begin)))
}

/// What every answer says: nothing is kept, nothing comes from elsewhere, nobody else shows it.
const ALWAYS: &str = "Cache-Control: no-store\r\n\
    Referrer-Policy: no-referrer\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; connect-src 'self' https:; frame-ancestors 'none'; \
    base-uri 'none'; form-action 'none'\r\n";

pub(crate) fn write(mut stream: &TcpStream, answer: &Answer) -> io::Result<()> {
    let Answer { status, kind, body, .. } = answer;
    let len = body.len();
    let head = format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {len}\r\nConnection: close\r\n{ALWAYS}\r\n",
        reason(*status)
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

/// How long, and for how many bytes, whoever was answered may go on talking.
const LINGER: Duration = Duration::from_secs(2);
const LEFT: u64 = 1 << 20;

/// Ends a connection when the other side has read what was said: bytes that nobody took would cut that off.
pub(crate) fn close(stream: &TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(LINGER))?;
    io::copy(&mut stream.take(LEFT), &mut io::sink())?;
    Ok(())
}

/// Begins an answer that tells one thing after another.
pub(crate) fn begin_events(mut stream: &TcpStream) -> io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n";
    stream.write_all(format!("{head}{ALWAYS}\r\n").as_bytes())
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        _ => "Internal Server Error",
    }
}
