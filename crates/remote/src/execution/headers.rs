//! The headers of every request: the token, and which tool asks.

use super::address::OpenError;
use super::secrets::Secrets;
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use prost::Message;
use tonic::metadata::{Ascii, Binary, MetadataValue};
use tonic::service::Interceptor;
use tonic::{Request, Status};

/// The header that names this tool (REAPI v2.11, `RequestMetadata`).
const METADATA: &str = "build.bazel.remote.execution.v2.requestmetadata-bin";

/// Headers of every request.
#[derive(Clone)]
pub(super) struct Headers {
    token: Option<MetadataValue<Ascii>>,
    tool: MetadataValue<Binary>,
}

impl Headers {
    /// The headers of a process.
    ///
    /// # Errors
    /// A token that no header can hold.
    pub fn new(secrets: &Secrets) -> Result<Headers, OpenError> {
        let tool = reapi::RequestMetadata {
            tool_details: Some(reapi::ToolDetails {
                tool_name: "raddle".to_owned(),
                tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            }),
            tool_invocation_id: uuid::Uuid::new_v4().to_string(),
            ..reapi::RequestMetadata::default()
        };
        Ok(Headers { token: secrets.header()?, tool: MetadataValue::from_bytes(&tool.encode_to_vec()) })
    }
}

impl Interceptor for Headers {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        request.metadata_mut().insert_bin(METADATA, self.tool.clone());
        Ok(request)
    }
}
