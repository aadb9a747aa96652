//! Executes an action and waits for its end (REAPI v2.11, `Execution.Execute` and
//! `Execution.WaitExecution`).
//!
//! A stream that breaks is continued by the name of its operation. Where the server does not know that
//! any more, the action is executed again: the server runs equal actions once.

use super::action;
use super::connection::Connection;
use super::digest::Digest;
use super::line::Number;
use super::retry::{Life, Retries};
use super::traffic::Traffic;
use super::trouble::Trouble;
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation, operation};
use prost::Message;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tonic::{Code, Streaming};

/// The time limit of a cancellation.
const CANCELLATION: Duration = Duration::from_secs(10);

/// The type of the metadata of an operation.
const METADATA: &str = "ExecuteOperationMetadata";

/// The name of an operation that is under way, for its cancellation.
#[derive(Debug, Default)]
pub(super) struct Running(Mutex<Option<String>>);

impl Running {
    fn set(&self, name: Option<&str>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = name.map(str::to_owned);
    }

    fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Tells the server that the result is not needed. What it answers does not matter: not every server
    /// knows this.
    pub async fn cancel(&self, connection: &Connection) {
        let Some(name) = self.take() else { return };
        let mut client = connection.operations();
        let call = client.cancel_operation(CancelOperationRequest { name });
        // An error changes nothing: the server executes an action whose result is not used.
        let _ = connection.within(CANCELLATION, call).await;
    }
}

/// Executes an action. `skip_lookup`: the result in the action cache is of no use.
pub(super) async fn execute(
    connection: &Connection,
    digest: &Digest,
    skip_lookup: bool,
    running: &Running,
    traffic: &Traffic,
    retries: &mut Retries,
) -> Result<reapi::ExecuteResponse, Trouble> {
    let mut name: Option<String> = None;
    loop {
        let (life, number) = (Life::begin(), connection.number());
        let opened = match &name {
            Some(name) => wait(connection, name, traffic).await,
            None => start(connection, digest, skip_lookup, traffic).await,
        };
        let ended = match opened {
            Ok(stream) => follow(connection, digest, (stream, number), &mut name, running, traffic).await,
            Err(trouble) => Err(trouble),
        };
        let trouble = match ended {
            Ok(response) => {
                running.set(None);
                let status = response.status.clone().unwrap_or_default();
                match Trouble::of_answer(&status, connection.secrets()) {
                    None => return Ok(response),
                    Some(_) if Code::from(status.code) == Code::DeadlineExceeded => {
                        return Err(Trouble::Failed("the time limit of the unit is exceeded".to_owned()));
                    }
                    Some(trouble) => {
                        name = None;
                        trouble
                    }
                }
            }
            // The server has lost the operation, or cannot wait for one.
            Err(Trouble::NotFound(text) | Trouble::Unimplemented(text)) if name.is_some() => {
                name = None;
                Trouble::passing(text)
            }
            Err(trouble) => trouble,
        };
        if life.was_long() {
            retries.renew();
        }
        retries.wait(trouble).await?;
    }
}

async fn start(
    connection: &Connection,
    digest: &Digest,
    skip_cache_lookup: bool,
    traffic: &Traffic,
) -> Result<Streaming<Operation>, Trouble> {
    let request = reapi::ExecuteRequest {
        instance_name: connection.instance.clone(),
        skip_cache_lookup,
        action_digest: Some(digest.message()),
        inline_stderr: true,
        inline_output_files: vec![action::OUTPUT.to_owned()],
        ..reapi::ExecuteRequest::default()
    };
    traffic.sent(request.encoded_len());
    let mut client = connection.execution();
    // A server may answer with the first message of the stream: that has no time limit.
    let opened = connection.listen(connection.number(), client.execute(request)).await;
    opened.map(tonic::Response::into_inner)
}

async fn wait(connection: &Connection, name: &str, traffic: &Traffic) -> Result<Streaming<Operation>, Trouble> {
    let request = reapi::WaitExecutionRequest { name: name.to_owned() };
    traffic.sent(request.encoded_len());
    let mut client = connection.execution();
    let opened = connection.listen(connection.number(), client.wait_execution(request)).await;
    opened.map(tonic::Response::into_inner)
}

/// Whether an operation is of another action, as far as the server says (REAPI v2.11,
/// `ExecuteOperationMetadata`).
fn is_of_another(operation: &Operation, digest: &Digest) -> bool {
    let Some(any) = operation.metadata.as_ref().filter(|any| any.type_url.ends_with(METADATA)) else { return false };
    let metadata = reapi::ExecuteOperationMetadata::decode(&*any.value).unwrap_or_default();
    metadata.action_digest.is_some_and(|other| Digest::read(&other).as_ref() != Some(digest))
}

/// Reads a stream until the operation has ended.
async fn follow(
    connection: &Connection,
    digest: &Digest,
    (mut stream, number): (Streaming<Operation>, Number),
    name: &mut Option<String>,
    running: &Running,
    traffic: &Traffic,
) -> Result<reapi::ExecuteResponse, Trouble> {
    loop {
        let next = connection.listen(number, stream.message()).await?;
        let Some(operation) = next else {
            return Err(Trouble::passing("the engine ended the stream of an operation that has not ended"));
        };
        traffic.received(operation.encoded_len());
        if is_of_another(&operation, digest) {
            *name = None;
            running.set(None);
            return Err(Trouble::passing("the engine sent the state of another action"));
        }
        if !operation.name.is_empty() {
            running.set(Some(&operation.name));
            *name = Some(operation.name);
        }
        if !operation.done {
            continue;
        }
        match operation.result {
            Some(operation::Result::Response(any)) => {
                let read = reapi::ExecuteResponse::decode(&*any.value);
                return read.map_err(|_| Trouble::passing("the engine sent a broken answer"));
            }
            Some(operation::Result::Error(status)) => {
                *name = None;
                running.set(None);
                let trouble = Trouble::of_answer(&status, connection.secrets());
                return Err(trouble.unwrap_or_else(|| Trouble::passing("the engine sent an empty answer")));
            }
            None => {
                *name = None;
                return Err(Trouble::passing("the engine sent an empty answer"));
            }
        }
    }
}
