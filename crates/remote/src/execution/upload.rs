//! Sends blobs that a server does not have (REAPI v2.11, `ContentAddressableStorage`, and
//! `google.bytestream.ByteStream`).
//!
//! Small blobs go together, up to the server's limit. A larger one goes alone as a stream, which continues
//! where it broke off.

use super::connection::{Connection, REQUEST};
use super::digest::{Blob, Digest};
use super::retry::Retries;
use super::traffic::Traffic;
use super::trouble::Trouble;
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::bytestream::{QueryWriteStatusRequest, WriteRequest};
use futures_util::stream;
use prost::Message;
use reapi::batch_update_blobs_request::Request;
use std::sync::Arc;
use std::time::Duration;

/// The bytes of one message of a stream.
const CHUNK: usize = 256 << 10;
/// The slowest stream that is not given up, in bytes for each second.
const SLOWEST: u64 = 64 << 10;
/// What a blob takes of a message beside its bytes.
const FRAME: usize = 128;

/// Sends those of the blobs that the server does not have, and the `lost` ones whatever it says.
pub(super) async fn send_missing(
    connection: &Connection,
    blobs: &[Arc<Blob>],
    lost: &[Digest],
    traffic: &Arc<Traffic>,
    retries: &mut Retries,
) -> Result<(), Trouble> {
    let missing = retries.ask(|| find_missing(connection, blobs, traffic)).await?;
    let is_missing = |blob: &&Arc<Blob>| missing.contains(&blob.digest) || lost.contains(&blob.digest);
    let missing: Vec<Arc<Blob>> = blobs.iter().filter(is_missing).cloned().collect();
    if missing.is_empty() {
        return Ok(());
    }
    let abilities = retries.ask(|| connection.abilities(traffic)).await?;
    if let Some(largest) = abilities.largest.filter(|most| missing.iter().any(|blob| blob.digest.size > *most)) {
        return Err(Trouble::Refused(format!("the server takes no blob of more than {largest} bytes")));
    }
    let fits = |blob: &Arc<Blob>| blob.bytes.len() + FRAME <= abilities.batch;
    let (small, large): (Vec<_>, Vec<_>) = missing.into_iter().partition(fits);
    for batch in batches(&small, abilities.batch) {
        retries.ask(|| send_together(connection, batch, traffic)).await?;
    }
    for blob in &large {
        send_alone(connection, blob, traffic, retries).await?;
    }
    Ok(())
}

/// Which of the blobs the server does not have.
async fn find_missing(connection: &Connection, blobs: &[Arc<Blob>], traffic: &Traffic) -> Result<Vec<Digest>, Trouble> {
    let request = reapi::FindMissingBlobsRequest {
        instance_name: connection.instance.clone(),
        blob_digests: blobs.iter().map(|blob| blob.digest.message()).collect(),
        ..reapi::FindMissingBlobsRequest::default()
    };
    let (size, mut client) = (request.encoded_len(), connection.blobs());
    let answer = connection.ask(traffic, size, client.find_missing_blobs(request)).await?;
    Ok(answer.missing_blob_digests.iter().filter_map(Digest::read).collect())
}

/// Cuts blobs into runs that fit in one message.
fn batches(mut blobs: &[Arc<Blob>], limit: usize) -> Vec<&[Arc<Blob>]> {
    let mut out = Vec::new();
    while !blobs.is_empty() {
        let mut size = 0;
        let fitting = blobs.iter().take_while(|blob| {
            size += blob.bytes.len() + FRAME;
            size <= limit
        });
        let (batch, rest) = blobs.split_at(fitting.count().max(1));
        out.push(batch);
        blobs = rest;
    }
    out
}

/// Sends blobs in one message.
async fn send_together(connection: &Connection, blobs: &[Arc<Blob>], traffic: &Traffic) -> Result<(), Trouble> {
    let request = |blob: &Arc<Blob>| Request {
        digest: Some(blob.digest.message()),
        data: blob.bytes.clone(),
        ..Request::default()
    };
    let request = reapi::BatchUpdateBlobsRequest {
        instance_name: connection.instance.clone(),
        requests: blobs.iter().map(request).collect(),
        ..reapi::BatchUpdateBlobsRequest::default()
    };
    let (size, mut client) = (request.encoded_len(), connection.blobs());
    let _upload = connection.line().upload();
    let answer = connection.ask(traffic, size, client.batch_update_blobs(request)).await?;
    let statuses = answer.responses.iter().filter_map(|one| one.status.as_ref());
    let mut troubles = statuses.filter_map(|status| Trouble::of_answer(status, connection.secrets()));
    troubles.next().map_or(Ok(()), Err)
}

/// Sends a blob as a stream.
async fn send_alone(
    connection: &Connection,
    blob: &Arc<Blob>,
    traffic: &Arc<Traffic>,
    retries: &mut Retries,
) -> Result<(), Trouble> {
    let size = blob.digest.size;
    let (mut name, mut from) = (resource(connection, &blob.digest), 0);
    loop {
        let trouble = match write(connection, blob, &name, from, traffic).await {
            // A server that has the blob may end the stream early: then it names the whole size.
            Ok(committed) if committed == size => return Ok(()),
            Ok(committed) => Trouble::passing(format!("the server has taken {committed} of {size} bytes")),
            Err(trouble) => trouble,
        };
        retries.wait(trouble).await?;
        let request = QueryWriteStatusRequest { resource_name: name.clone() };
        let (length, mut client) = (request.encoded_len(), connection.streams());
        let kept = connection.ask(traffic, length, client.query_write_status(request)).await;
        match kept {
            Ok(kept) if kept.complete => return Ok(()),
            Ok(kept) if (1..size).contains(&kept.committed_size.cast_unsigned()) => {
                from = kept.committed_size.cast_unsigned();
            }
            // It knows nothing of the stream, or cannot say.
            _ => (name, from) = (resource(connection, &blob.digest), 0),
        }
    }
}

/// The name of a new stream for a blob.
fn resource(connection: &Connection, digest: &Digest) -> String {
    let Digest { hash, size } = digest;
    let name = format!("uploads/{}/blobs/{hash}/{size}", uuid::Uuid::new_v4());
    if connection.instance.is_empty() { name } else { format!("{}/{name}", connection.instance) }
}

/// Writes a blob from an offset on; returns the number of bytes that the server has.
async fn write(
    connection: &Connection,
    blob: &Arc<Blob>,
    name: &str,
    from: u64,
    traffic: &Arc<Traffic>,
) -> Result<u64, Trouble> {
    let (blob, traffic, line) = (Arc::clone(blob), Arc::clone(traffic), connection.line());
    let size = blob.bytes.len();
    let limit = REQUEST + Duration::from_secs(blob.digest.size / SLOWEST);
    let first = usize::try_from(from).unwrap_or(size).min(size);
    let mut name = name.to_owned();
    // The name is in the first message alone.
    let messages = std::iter::successors(Some(first), move |at| Some(at + CHUNK).filter(|next| *next < size));
    let messages = messages.map(move |at| {
        let end = (at + CHUNK).min(size);
        let message = WriteRequest {
            resource_name: std::mem::take(&mut name),
            write_offset: at as i64,
            finish_write: end == size,
            data: blob.bytes.get(at..end).unwrap_or_default().to_vec(),
        };
        traffic.sent(message.encoded_len());
        // It takes what came before.
        line.hear();
        message
    });
    let mut client = connection.streams();
    let _upload = connection.line().upload();
    let answer = connection.within(limit, client.write(stream::iter(messages))).await?;
    Ok(answer.into_inner().committed_size.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_fit_and_lose_nothing() {
        let blobs: Vec<Arc<Blob>> = [10, 500, 20, 30, 400, 1].map(|size| Arc::new(Blob::of(vec![0; size]))).to_vec();
        for limit in [1, 138, 600, 628, 1000, 10_000] {
            let batches = batches(&blobs, limit);
            assert_eq!(batches.concat(), blobs);
            for batch in &batches {
                let size: usize = batch.iter().map(|blob| blob.bytes.len() + FRAME).sum();
                assert!(size <= limit || batch.len() == 1, "{limit}: {size}");
            }
        }
        assert_eq!(batches(&blobs, 10_000).len(), 1);
    }
}
