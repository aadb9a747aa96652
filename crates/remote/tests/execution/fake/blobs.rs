//! Blobs: the services `ContentAddressableStorage` and `ByteStream`.

use super::{Fault, Service, State, digest, hash};
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::bytestream::byte_stream_server::ByteStream;
use bazel_remote_apis::google::bytestream::{
    QueryWriteStatusRequest, QueryWriteStatusResponse, ReadRequest, ReadResponse, WriteRequest, WriteResponse,
};
use bazel_remote_apis::google::rpc;
use reapi::content_addressable_storage_server::ContentAddressableStorage;
use reapi::{batch_read_blobs_response, batch_update_blobs_response};
use tonic::codegen::tokio_stream::{self, Iter};
use tonic::{Request, Response, Status, Streaming};

impl State {
    /// A blob as it is sent, after what goes wrong with it.
    pub fn blob(&self, hash: &str, fault: Option<Fault>) -> Option<Vec<u8>> {
        let mut bytes = self.blobs.lock().unwrap().get(hash).cloned()?;
        match (fault, bytes.last_mut()) {
            (Some(Fault::Lose), _) => return None,
            (Some(Fault::Flip), Some(last)) => *last ^= 1,
            (Some(Fault::Cut), Some(_)) => drop(bytes.pop()),
            _ => {}
        }
        Some(bytes)
    }

    pub fn keep(&self, bytes: Vec<u8>) -> reapi::Digest {
        let digest = digest(&bytes);
        self.blobs.lock().unwrap().insert(digest.hash.clone(), bytes);
        digest
    }
}

#[tonic::async_trait]
impl ContentAddressableStorage for Service {
    async fn find_missing_blobs(
        &self,
        request: Request<reapi::FindMissingBlobsRequest>,
    ) -> Result<Response<reapi::FindMissingBlobsResponse>, Status> {
        let fault = self.enter("FindMissingBlobs", &request).await?;
        let request = request.into_inner();
        Service::instance(&request.instance_name)?;
        let blobs = self.0.blobs.lock().unwrap();
        let mut missing = request.blob_digests;
        missing.retain(|digest| !blobs.contains_key(&digest.hash));
        if fault == Some(Fault::Lose) {
            missing.pop();
        }
        Ok(Response::new(reapi::FindMissingBlobsResponse { missing_blob_digests: missing }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<reapi::BatchUpdateBlobsRequest>,
    ) -> Result<Response<reapi::BatchUpdateBlobsResponse>, Status> {
        let fault = self.enter("BatchUpdateBlobs", &request).await?;
        let request = request.into_inner();
        Service::instance(&request.instance_name)?;
        let size: usize = request.requests.iter().map(|one| one.data.len()).sum();
        let limit = self.0.settings.batch;
        if limit > 0 && size as i64 > limit {
            return Err(Status::invalid_argument("more than a batch may have"));
        }
        *self.0.came.lock().unwrap() += size as u64;
        let keep = |one: reapi::batch_update_blobs_request::Request| {
            let lost = fault == Some(Fault::Lose);
            let right = Some(digest(&one.data)) == one.digest;
            if right && !lost {
                self.0.keep(one.data);
            }
            let code = if !right {
                3
            } else if lost {
                14
            } else {
                0
            };
            let status = Some(rpc::Status { code, ..rpc::Status::default() });
            batch_update_blobs_response::Response { digest: one.digest, status }
        };
        let responses = request.requests.into_iter().map(keep).collect();
        Ok(Response::new(reapi::BatchUpdateBlobsResponse { responses }))
    }

    async fn batch_read_blobs(
        &self,
        request: Request<reapi::BatchReadBlobsRequest>,
    ) -> Result<Response<reapi::BatchReadBlobsResponse>, Status> {
        let fault = self.enter("BatchReadBlobs", &request).await?;
        let request = request.into_inner();
        Service::instance(&request.instance_name)?;
        let read = |digest: reapi::Digest| {
            let found = self.0.blob(&digest.hash, fault);
            let code = if found.is_some() { 0 } else { 5 };
            batch_read_blobs_response::Response {
                digest: Some(digest),
                data: found.unwrap_or_default(),
                status: Some(rpc::Status { code, ..rpc::Status::default() }),
                ..batch_read_blobs_response::Response::default()
            }
        };
        let responses = request.digests.into_iter().map(read).collect();
        Ok(Response::new(reapi::BatchReadBlobsResponse { responses }))
    }

    type GetTreeStream = Iter<std::vec::IntoIter<Result<reapi::GetTreeResponse, Status>>>;

    async fn get_tree(&self, _: Request<reapi::GetTreeRequest>) -> Result<Response<Self::GetTreeStream>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn split_blob(
        &self,
        _: Request<reapi::SplitBlobRequest>,
    ) -> Result<Response<reapi::SplitBlobResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    type GetChunkMappingStream = Iter<std::vec::IntoIter<Result<reapi::GetChunkMappingResponse, Status>>>;

    async fn get_chunk_mapping(
        &self,
        _: Request<reapi::GetChunkMappingRequest>,
    ) -> Result<Response<Self::GetChunkMappingStream>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn splice_blob(
        &self,
        _: Request<reapi::SpliceBlobRequest>,
    ) -> Result<Response<reapi::SpliceBlobResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<Streaming<reapi::RegisterChunkMappingRequest>>,
    ) -> Result<Response<reapi::RegisterChunkMappingResponse>, Status> {
        Err(Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl ByteStream for Service {
    type ReadStream = Iter<std::vec::IntoIter<Result<ReadResponse, Status>>>;

    async fn read(&self, request: Request<ReadRequest>) -> Result<Response<Self::ReadStream>, Status> {
        let fault = self.enter("Read", &request).await?;
        let request = request.into_inner();
        let parts: Vec<&str> = request.resource_name.split('/').collect();
        let ["main", "blobs", hash, _] = parts[..] else { return Err(Status::invalid_argument("no name")) };
        let Some(bytes) = self.0.blob(hash, fault) else { return Err(Status::not_found("no blob")) };
        let rest = &bytes[request.read_offset as usize..];
        let mut parts: Vec<_> = rest.chunks(1000).map(|part| Ok(ReadResponse { data: part.to_vec() })).collect();
        if fault == Some(Fault::End) {
            parts.truncate(parts.len() / 2 + 1);
            parts.push(Err(Status::unavailable("the stream is broken")));
        }
        Ok(Response::new(tokio_stream::iter(parts)))
    }

    async fn write(&self, request: Request<Streaming<WriteRequest>>) -> Result<Response<WriteResponse>, Status> {
        let fault = self.enter("Write", &request).await?;
        let mut stream = request.into_inner();
        let mut name = String::new();
        let mut whole = false;
        let mut taken = 0;
        while let Some(part) = stream.message().await? {
            tokio::time::sleep(self.0.settings.slow_writes).await;
            if !part.resource_name.is_empty() {
                name = part.resource_name;
            }
            let mut uploads = self.0.uploads.lock().unwrap();
            let upload = uploads.entry(name.clone()).or_default();
            if part.write_offset != upload.len() as i64 {
                return Err(Status::invalid_argument(format!("{} is not {}", part.write_offset, upload.len())));
            }
            upload.extend_from_slice(&part.data);
            *self.0.came.lock().unwrap() += part.data.len() as u64;
            whole = part.finish_write;
            taken += 1;
            if fault == Some(Fault::End) && taken == 2 {
                return Err(Status::unavailable("the stream is broken"));
            }
        }
        let parts: Vec<&str> = name.split('/').collect();
        let ["main", "uploads", _, "blobs", hash, _] = parts[..] else {
            return Err(Status::invalid_argument("no name"));
        };
        let bytes = self.0.uploads.lock().unwrap().get(&name).cloned().unwrap_or_default();
        if !whole || digest(&bytes).hash != hash {
            return Err(Status::invalid_argument("it is not the blob of its name"));
        }
        let committed_size = bytes.len() as i64;
        if fault != Some(Fault::Lose) {
            self.0.keep(bytes);
        }
        Ok(Response::new(WriteResponse { committed_size }))
    }

    async fn query_write_status(
        &self,
        request: Request<QueryWriteStatusRequest>,
    ) -> Result<Response<QueryWriteStatusResponse>, Status> {
        self.enter("QueryWriteStatus", &request).await?;
        if !self.0.settings.resumes {
            return Err(Status::unimplemented(""));
        }
        let uploads = self.0.uploads.lock().unwrap();
        let Some(bytes) = uploads.get(&request.into_inner().resource_name) else { return Err(Status::not_found("")) };
        Ok(Response::new(QueryWriteStatusResponse { committed_size: bytes.len() as i64, complete: false }))
    }
}

/// The blob of a digest as a message.
pub fn message<T: prost::Message + Default>(state: &State, wanted: Option<&reapi::Digest>) -> Result<T, reapi::Digest> {
    let wanted = wanted.cloned().unwrap_or_default();
    let bytes = hash(Some(&wanted)).ok().and_then(|hash| state.blobs.lock().unwrap().get(&hash).cloned());
    bytes.and_then(|bytes| T::decode(&*bytes).ok()).ok_or(wanted)
}
