//! Why a request has failed, and whether another try may help.

use super::digest::Digest;
use bazel_remote_apis::google::rpc;
use prost::Message;
use raddle_driver::engine::EngineError;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::pb::{PreconditionFailure, RetryInfo};

/// The number of characters of a server's message that are shown.
const SHOWN: usize = 200;
/// The type of a violation that names a blob (REAPI v2.11, `Execution.Execute`).
const MISSING: &str = "MISSING";

/// Why a request has failed. The texts contain no credentials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Trouble {
    /// The server does not allow it.
    #[error("{0}")]
    Refused(String),
    /// The server does not have this service.
    #[error("{0}")]
    Unimplemented(String),
    /// Another try may help, after a time that the server names or not.
    #[error("{text}")]
    Passing { text: String, after: Option<Duration> },
    /// Inputs are missing on the server: these, or unknown ones.
    #[error("{text}")]
    Missing { text: String, blobs: Vec<Digest> },
    /// What was asked for does not exist.
    #[error("{0}")]
    NotFound(String),
    /// A blob is not the one of its digest.
    #[error("the engine sent a blob that is not the one of its digest")]
    Wrong,
    /// Another try does not help.
    #[error("{0}")]
    Failed(String),
}

impl Trouble {
    /// A failure after which another try may help.
    pub fn passing(text: impl Into<String>) -> Trouble {
        Trouble::Passing { text: text.into(), after: None }
    }

    /// The meaning of a status of gRPC, of a call or inside an answer. Codes that a broken connection
    /// may have too (`UNKNOWN`, `INTERNAL`, `CANCELLED`) count as passing.
    pub fn of(code: Code, message: &str, details: &[Detail], secrets: &[String]) -> Trouble {
        let text = said(code, message, secrets);
        match code {
            Code::Unauthenticated | Code::PermissionDenied => Trouble::Refused(text),
            Code::Unimplemented => Trouble::Unimplemented(text),
            Code::NotFound => Trouble::NotFound(text),
            Code::FailedPrecondition => Trouble::Missing { text, blobs: missing(details) },
            Code::InvalidArgument | Code::OutOfRange | Code::AlreadyExists => Trouble::Failed(text),
            _ => Trouble::Passing { text, after: delay(details) },
        }
    }

    /// The meaning of the status of a call.
    pub fn of_call(status: &Status, secrets: &[String]) -> Trouble {
        let details = rpc::Status::decode(status.details()).map(|status| status.details).unwrap_or_default();
        let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(status);
        let mut innermost = None;
        while let Some(error) = cause {
            innermost = Some(error.to_string());
            cause = error.source();
        }
        // What a server says has no cause: only a connection that breaks has one.
        Trouble::of(status.code(), innermost.as_deref().unwrap_or(status.message()), &details, secrets)
    }

    /// The meaning of a status inside an answer; `None` where it says that all is well.
    pub fn of_answer(status: &rpc::Status, secrets: &[String]) -> Option<Trouble> {
        let code = Code::from(status.code);
        (code != Code::Ok).then(|| Trouble::of(code, &status.message, &status.details, secrets))
    }

    /// The error for the driver.
    pub fn told(self) -> EngineError {
        match self {
            Trouble::Refused(text) | Trouble::Unimplemented(text) => EngineError::Refused(text),
            other => EngineError::Failed(other.to_string()),
        }
    }
}

/// A detail of a status.
type Detail = bazel_remote_apis::google::protobuf::Any;

/// The details of one type.
fn all<T: Message + Default>(details: &[Detail], name: &str) -> impl Iterator<Item = T> {
    let fitting = details.iter().filter(move |detail| detail.type_url.rsplit('/').next() == Some(name));
    fitting.filter_map(|detail| T::decode(&*detail.value).ok())
}

/// The blobs that are named as missing.
fn missing(details: &[Detail]) -> Vec<Digest> {
    let failures = all::<PreconditionFailure>(details, "google.rpc.PreconditionFailure");
    let violations = failures.flat_map(|failure| failure.violations);
    violations.filter(|one| one.r#type == MISSING).filter_map(|one| Digest::of_subject(&one.subject)).collect()
}

/// The time after which the server wants to be asked again.
fn delay(details: &[Detail]) -> Option<Duration> {
    let delay = all::<RetryInfo>(details, "google.rpc.RetryInfo").next()?.retry_delay?;
    Duration::try_from(delay).ok()
}

/// What a server says, in one short line without secrets.
fn said(code: Code, message: &str, secrets: &[String]) -> String {
    let line = line(message, secrets);
    if line.is_empty() { code.description().to_owned() } else { line }
}

/// The first line of a text, shortened and without secrets.
pub(super) fn line(text: &str, secrets: &[String]) -> String {
    let mut text = text.to_owned();
    for secret in secrets {
        text = text.replace(secret, "***");
    }
    let line = text.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic_types::pb::precondition_failure::Violation;

    fn detail(name: &str, message: &impl Message) -> Detail {
        Detail { type_url: format!("type.googleapis.com/{name}"), value: message.encode_to_vec() }
    }

    #[test]
    fn missing_blobs_are_named() {
        let digest = Digest::of(b"abc");
        let violation =
            |kind: &str, subject: String| Violation { r#type: kind.to_owned(), subject, description: String::new() };
        let subject = format!("blobs/{}/3", digest.hash);
        let violations =
            vec![violation("OTHER", subject.clone()), violation(MISSING, subject), violation(MISSING, "x".into())];
        let details = [
            detail("google.rpc.RetryInfo", &RetryInfo::default()),
            detail("google.rpc.PreconditionFailure", &PreconditionFailure { violations }),
        ];
        let found = Trouble::of(Code::FailedPrecondition, "gone", &details, &[]);
        assert_eq!(found, Trouble::Missing { text: "gone".to_owned(), blobs: vec![digest] });
    }

    #[test]
    fn a_server_may_say_when_to_ask_again() {
        let retry_delay = Some(Duration::from_millis(1500).try_into().unwrap());
        let details = [detail("google.rpc.RetryInfo", &RetryInfo { retry_delay })];
        let found = Trouble::of(Code::Unavailable, "", &details, &[]);
        let Trouble::Passing { text, after } = found else { panic!("{found}") };
        assert_eq!((after, text.is_empty()), (Some(Duration::from_millis(1500)), false));
    }

    #[test]
    fn codes_decide_whether_another_try_helps() {
        let secrets = ["very secret".to_owned()];
        let of = |code| Trouble::of(code, "a very secret\u{7} thing\nmore", &[], &secrets);
        let text = "a *** thing".to_owned();
        assert_eq!(of(Code::PermissionDenied).told(), EngineError::Refused(text.clone()));
        assert_eq!(of(Code::Unauthenticated).told(), EngineError::Refused(text.clone()));
        assert_eq!(of(Code::Unimplemented).told(), EngineError::Refused(text.clone()));
        assert_eq!(of(Code::InvalidArgument), Trouble::Failed(text.clone()));
        for code in [Code::Unavailable, Code::Aborted, Code::ResourceExhausted, Code::Internal, Code::Unknown] {
            assert_eq!(of(code), Trouble::passing(text.clone()), "{code:?}");
        }
        assert_eq!(Trouble::of_answer(&rpc::Status::default(), &[]), None);
    }
}
