//! One unit: look up, upload, execute, download.

use super::action::{Action, OUTPUT};
use super::connection::{Abilities, Connection};
use super::digest::{Blob, Digest};
use super::download;
use super::execute::{Running, execute};
use super::program::Program;
use super::retry::{Bounds, Retries};
use super::traffic::Traffic;
use super::trouble::{Trouble, line};
use super::upload;
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::protobuf::Timestamp;
use prost::Message;
use raddle_driver::cache::LARGEST;
use raddle_driver::engine::{Answer, EngineError, RemoteUnit};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of repetitions of the first request.
const FIRST: u32 = 3;
/// The number of times that an action whose inputs or outputs are missing on the server is executed.
const TIMES: u32 = 4;
/// The most bytes of a result.
const OUTPUT_LIMIT: u64 = LARGEST as u64;
/// The most bytes of an error output that are fetched.
const SAID_LIMIT: u64 = 1 << 20;
/// The bytes at the end of an error output that are kept.
const SAID: usize = 2000;

/// What all units of an engine share.
#[derive(Debug)]
pub(super) struct Shared {
    pub connection: Connection,
    pub program: Program,
    pub platform: Option<reapi::Platform>,
    pub bounds: Bounds,
}

/// Runs a unit.
pub(super) async fn run(shared: &Shared, unit: RemoteUnit, running: &Running) -> Result<Answer, EngineError> {
    let traffic = Arc::new(Traffic::default());
    let begun = Instant::now();
    let mut answer = answer(shared, unit, running, &traffic).await.map_err(Trouble::told)?;
    (answer.sent, answer.received) = traffic.both();
    // A worker's clock is not believed beyond what is possible.
    let took = begun.elapsed();
    (answer.queued, answer.ran) = (answer.queued.min(took), answer.ran.min(took));
    Ok(answer)
}

async fn answer(
    shared: &Shared,
    unit: RemoteUnit,
    running: &Running,
    traffic: &Arc<Traffic>,
) -> Result<Answer, Trouble> {
    let Shared { connection, program, platform, bounds } = shared;
    let blob = program.blob().await?;
    let Action { digest, blobs } = Action::of(unit, &blob.digest, platform.as_ref());
    let blobs: Vec<Arc<Blob>> = blobs.into_iter().map(Arc::new).collect();
    let abilities = first_answer(connection, *bounds, traffic).await?;
    if !abilities.executes {
        return Err(Trouble::Refused("the server does not execute actions".to_owned()));
    }
    let mut retries = Retries::new(*bounds, seed(&digest));
    let mut skip_lookup = false;
    if let Some(result) = look_up(connection, &digest, traffic, &mut retries).await? {
        match read(connection, result, traffic, &mut retries).await {
            // Some servers keep failures: a worker without memory must not fail the builds of all.
            Ok(answer) if answer.status != 0 => skip_lookup = true,
            Ok(answer) => return Ok(of_cache(answer)),
            // Its files are gone or damaged: it is as good as missing.
            Err(Trouble::NotFound(_) | Trouble::Wrong) => skip_lookup = true,
            Err(trouble) => return Err(trouble),
        }
    }
    let mut lost = Vec::new();
    let mut times = 0;
    loop {
        times += 1;
        let number = program.send(connection, traffic, &mut retries).await?;
        upload::send_missing(connection, &blobs, &lost, traffic, &mut retries).await?;
        let executed = execute(connection, &digest, skip_lookup, running, traffic, &mut retries).await;
        let trouble = match executed {
            Ok(reapi::ExecuteResponse { result: Some(result), cached_result: from_cache, .. }) => {
                match read(connection, result, traffic, &mut retries).await {
                    Ok(answer) if from_cache && answer.status != 0 => {
                        skip_lookup = true;
                        Trouble::passing("the engine has kept a failure")
                    }
                    Ok(answer) if from_cache => return Ok(of_cache(answer)),
                    Ok(answer) => return Ok(answer),
                    Err(trouble @ (Trouble::NotFound(_) | Trouble::Wrong)) => {
                        skip_lookup = true;
                        trouble
                    }
                    Err(trouble) => return Err(trouble),
                }
            }
            Ok(_) => return Err(Trouble::Failed("the engine sent an answer without a result".to_owned())),
            Err(Trouble::Missing { text, blobs: missing }) => {
                program.forget(number, &missing).await;
                // Where the server names none, all are sent again.
                let all = || blobs.iter().map(|blob| blob.digest.clone()).collect();
                lost = if missing.is_empty() { all() } else { missing.clone() };
                Trouble::Missing { text, blobs: missing }
            }
            Err(trouble) => return Err(trouble),
        };
        if times == TIMES {
            return Err(Trouble::Failed(trouble.to_string()));
        }
        retries.wait(Trouble::passing(trouble.to_string())).await?;
    }
}

/// What the server can do. Where it has never answered, it is not waited for as long as one that had.
async fn first_answer(connection: &Connection, bounds: Bounds, traffic: &Traffic) -> Result<Abilities, Trouble> {
    let few = Bounds { retries: bounds.retries.min(FIRST), ..bounds };
    Retries::new(few, 0).ask(|| connection.abilities(traffic)).await
}

/// An answer that was there already: nothing ran.
fn of_cache(answer: Answer) -> Answer {
    Answer { from_cache: true, queued: Duration::ZERO, ran: Duration::ZERO, ..answer }
}

/// The start of a hash as a number.
fn seed(digest: &Digest) -> u64 {
    digest.hash.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// The result of an action in the action cache (REAPI v2.11, `ActionCache.GetActionResult`).
pub(super) async fn look_up(
    connection: &Connection,
    digest: &Digest,
    traffic: &Traffic,
    retries: &mut Retries,
) -> Result<Option<reapi::ActionResult>, Trouble> {
    let ask = || async {
        let request = reapi::GetActionResultRequest {
            instance_name: connection.instance.clone(),
            action_digest: Some(digest.message()),
            inline_stderr: true,
            inline_output_files: vec![OUTPUT.to_owned()],
            ..reapi::GetActionResultRequest::default()
        };
        let (size, mut client) = (request.encoded_len(), connection.results());
        connection.ask(traffic, size, client.get_action_result(request)).await
    };
    match retries.ask(ask).await {
        Ok(result) => Ok(Some(result)),
        // An engine need not have an action cache.
        Err(Trouble::NotFound(_) | Trouble::Unimplemented(_)) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

/// The output file of a result, as it came with the result or fetched; `None` where there is none.
pub(super) async fn output(
    connection: &Connection,
    result: &mut reapi::ActionResult,
    traffic: &Traffic,
    retries: &mut Retries,
) -> Result<Option<Vec<u8>>, Trouble> {
    let Some(file) = result.output_files.iter_mut().find(|file| file.path == OUTPUT) else { return Ok(None) };
    let digest = file.digest.as_ref().and_then(Digest::read);
    let Some(digest) = digest else { return Err(Trouble::Failed("a result has no digest of SHA-256".to_owned())) };
    let contents = std::mem::take(&mut file.contents);
    if contents.is_empty() {
        download::fetch(connection, &digest, OUTPUT_LIMIT, traffic, retries).await.map(Some)
    } else {
        download::checked(contents, &digest).map(Some)
    }
}

/// The answer in a result, with its output.
async fn read(
    connection: &Connection,
    mut result: reapi::ActionResult,
    traffic: &Traffic,
    retries: &mut Retries,
) -> Result<Answer, Trouble> {
    // A process that has crashed may have written nothing.
    let output = output(connection, &mut result, traffic, retries).await?.unwrap_or_default();
    let said = said(connection, &mut result, traffic, retries).await;
    let metadata = result.execution_metadata.unwrap_or_default();
    let (queued, start) = (moment(metadata.queued_timestamp), moment(metadata.worker_start_timestamp));
    let end = moment(metadata.worker_completed_timestamp);
    let between = |from: Option<Duration>, to: Option<Duration>| to?.checked_sub(from?);
    Ok(Answer {
        output,
        said,
        status: result.exit_code,
        worker: line(&metadata.worker, connection.secrets()),
        queued: between(queued, start).unwrap_or_default(),
        ran: between(start, end).unwrap_or_default(),
        ..Answer::default()
    })
}

/// The end of the error output. It is for people: where it cannot be had, there is none.
async fn said(
    connection: &Connection,
    result: &mut reapi::ActionResult,
    traffic: &Traffic,
    retries: &mut Retries,
) -> String {
    let mut bytes = std::mem::take(&mut result.stderr_raw);
    if let (true, Some(digest)) = (bytes.is_empty(), result.stderr_digest.as_ref().and_then(Digest::read)) {
        let fetched = download::fetch(connection, &digest, SAID_LIMIT, traffic, retries).await;
        bytes = fetched.unwrap_or_default();
    }
    let end = bytes.len().saturating_sub(SAID);
    String::from_utf8_lossy(bytes.get(end..).unwrap_or_default()).into_owned()
}

/// A moment as the time since 1970.
fn moment(stamp: Option<Timestamp>) -> Option<Duration> {
    let stamp = stamp?;
    Some(Duration::new(
        u64::try_from(stamp.seconds).ok()?,
        u32::try_from(stamp.nanos).ok().filter(|n| *n < 1_000_000_000)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_a_worker_are_read_with_care() {
        let of = |seconds, nanos| moment(Some(Timestamp { seconds, nanos }));
        assert_eq!(of(3, 500_000_000), Some(Duration::from_millis(3500)));
        for (seconds, nanos) in [(-1, 0), (0, -1), (0, i32::MAX), (i64::MIN, 0)] {
            assert_eq!(of(seconds, nanos), None);
        }
        assert_eq!(of(i64::MAX, 999_999_999).map(|end| end.checked_sub(Duration::from_secs(1)).is_some()), Some(true));
        assert_eq!(moment(None), None);
    }
}
