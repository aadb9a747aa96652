//! Fetches blobs, and checks that they are what their digests say (REAPI v2.11,
//! `ContentAddressableStorage.BatchReadBlobs`, and `google.bytestream.ByteStream.Read`).
//!
//! **Invariant.** What is returned has the digest that was asked for, and is not larger than allowed.

use super::connection::{Connection, REQUEST};
use super::digest::Digest;
use super::retry::Retries;
use super::traffic::Traffic;
use super::trouble::Trouble;
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::bytestream::ReadRequest;
use prost::Message;

/// What a blob takes of a message beside its bytes.
const FRAME: u64 = 4096;
/// The number of times that a blob that is wrong is fetched.
const TIMES: u32 = 2;

/// Fetches a blob of at most `limit` bytes.
pub(super) async fn fetch(
    connection: &Connection,
    digest: &Digest,
    limit: u64,
    traffic: &Traffic,
    retries: &mut Retries,
) -> Result<Vec<u8>, Trouble> {
    if digest.size > limit {
        return Err(Trouble::Failed(format!(
            "a result of {} bytes is larger than the {limit} that are taken",
            digest.size
        )));
    }
    if digest.size == 0 {
        return checked(Vec::new(), digest);
    }
    let abilities = retries.ask(|| connection.abilities(traffic)).await?;
    let mut together = digest.size + FRAME <= abilities.batch as u64;
    let mut wrong = 0;
    loop {
        let fetched = if together {
            retries.ask(|| read_together(connection, digest, traffic)).await
        } else {
            read_alone(connection, digest, traffic, retries).await
        };
        match fetched.and_then(|bytes| checked(bytes, digest)) {
            // Not every server has batches.
            Err(Trouble::Unimplemented(_)) if together => together = false,
            Err(Trouble::Wrong) if wrong + 1 < TIMES => {
                wrong += 1;
                retries.wait(Trouble::Wrong).await?;
            }
            done => return done,
        }
    }
}

/// The bytes, if they have the digest.
pub(super) fn checked(bytes: Vec<u8>, digest: &Digest) -> Result<Vec<u8>, Trouble> {
    let is_it = bytes.len() as u64 == digest.size && Digest::of(&bytes) == *digest;
    if is_it { Ok(bytes) } else { Err(Trouble::Wrong) }
}

/// Fetches a blob in one message.
async fn read_together(connection: &Connection, digest: &Digest, traffic: &Traffic) -> Result<Vec<u8>, Trouble> {
    let request = reapi::BatchReadBlobsRequest {
        instance_name: connection.instance.clone(),
        digests: vec![digest.message()],
        ..reapi::BatchReadBlobsRequest::default()
    };
    let (size, mut client) = (request.encoded_len(), connection.blobs());
    let answer = connection.ask(traffic, size, client.batch_read_blobs(request)).await?;
    let one =
        answer.responses.into_iter().find(|one| one.digest.as_ref().and_then(Digest::read).as_ref() == Some(digest));
    let Some(one) = one else { return Err(Trouble::NotFound("the blob is not in the answer".to_owned())) };
    match one.status.and_then(|status| Trouble::of_answer(&status, connection.secrets())) {
        Some(trouble) => Err(trouble),
        None => Ok(one.data),
    }
}

/// Fetches a blob as a stream, which continues where it broke off.
async fn read_alone(
    connection: &Connection,
    digest: &Digest,
    traffic: &Traffic,
    retries: &mut Retries,
) -> Result<Vec<u8>, Trouble> {
    let Digest { hash, size } = digest;
    let name = format!("blobs/{hash}/{size}");
    let name = if connection.instance.is_empty() { name } else { format!("{}/{name}", connection.instance) };
    let mut bytes = Vec::new();
    loop {
        match read_on(connection, &name, *size, &mut bytes, traffic).await {
            Ok(()) if bytes.len() as u64 == *size => return Ok(bytes),
            Ok(()) => retries.wait(Trouble::passing("the engine ended a blob early")).await?,
            Err(trouble) => retries.wait(trouble).await?,
        }
    }
}

/// Appends to the bytes of a blob that are there already.
async fn read_on(
    connection: &Connection,
    name: &str,
    size: u64,
    bytes: &mut Vec<u8>,
    traffic: &Traffic,
) -> Result<(), Trouble> {
    let request =
        ReadRequest { resource_name: name.to_owned(), read_offset: bytes.len() as i64, ..ReadRequest::default() };
    traffic.sent(request.encoded_len());
    let mut client = connection.streams();
    let number = connection.number();
    let mut stream = connection.within(REQUEST, client.read(request)).await?.into_inner();
    while let Some(part) = connection.within_on(number, REQUEST, stream.message()).await? {
        traffic.received(part.encoded_len());
        if (bytes.len() + part.data.len()) as u64 > size {
            return Err(Trouble::Failed("the engine sent more bytes than the blob has".to_owned()));
        }
        bytes.extend_from_slice(&part.data);
    }
    Ok(())
}
