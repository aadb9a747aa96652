//! Execution: the services `Execution`, `ActionCache`, `Operations` and `Capabilities`, and a worker.

use super::blobs::message;
use super::{Fault, Running, Service, State, hash};
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::build::bazel::semver::SemVer;
use bazel_remote_apis::google::longrunning::operations_server::Operations;
use bazel_remote_apis::google::longrunning::{self, Operation, operation};
use bazel_remote_apis::google::protobuf::{Any, Empty, Timestamp};
use bazel_remote_apis::google::rpc;
use prost::Message;
use reapi::action_cache_server::ActionCache;
use reapi::capabilities_server::Capabilities;
use reapi::execution_server::Execution;
use std::os::unix::fs::PermissionsExt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{mpsc, watch};
use tonic::codegen::tokio_stream::Stream;
use tonic::{Request, Response, Status};
use tonic_types::pb::{PreconditionFailure, precondition_failure};

/// The messages of an operation.
struct Messages(mpsc::Receiver<Result<Operation, Status>>);

impl Stream for Messages {
    type Item = Result<Operation, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}

type OperationStream = Pin<Box<dyn Stream<Item = Result<Operation, Status>> + Send>>;

/// The status that names missing blobs.
fn missing(blobs: &[reapi::Digest]) -> rpc::Status {
    let violation = |digest: &reapi::Digest| precondition_failure::Violation {
        r#type: "MISSING".to_owned(),
        subject: format!("blobs/{}/{}", digest.hash, digest.size_bytes),
        description: String::new(),
    };
    let failure = PreconditionFailure { violations: blobs.iter().map(violation).collect() };
    let detail = Any {
        type_url: "type.googleapis.com/google.rpc.PreconditionFailure".to_owned(),
        value: failure.encode_to_vec(),
    };
    rpc::Status { code: 9, message: "blobs are missing".to_owned(), details: vec![detail] }
}

fn now() -> Option<Timestamp> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Some(Timestamp { seconds: now.as_secs() as i64, nanos: now.subsec_nanos() as i32 })
}

/// Runs an action in a temporary folder.
fn run(state: &State, digest: &reapi::Digest, fault: Option<Fault>) -> reapi::ExecuteResponse {
    let failed = |blob: reapi::Digest| reapi::ExecuteResponse { status: Some(missing(&[blob])), ..Default::default() };
    let queued_timestamp = now();
    let action: reapi::Action = match message(state, Some(digest)) {
        Ok(action) => action,
        Err(blob) => return failed(blob),
    };
    let command: reapi::Command = match message(state, action.command_digest.as_ref()) {
        Ok(command) => command,
        Err(blob) => return failed(blob),
    };
    let root: reapi::Directory = match message(state, action.input_root_digest.as_ref()) {
        Ok(root) => root,
        Err(blob) => return failed(blob),
    };
    let dir = tempfile::tempdir().unwrap();
    for file in &root.files {
        let wanted = file.digest.clone().unwrap();
        let Some(bytes) = state.blobs.lock().unwrap().get(&wanted.hash).cloned() else { return failed(wanted) };
        let path = dir.path().join(&file.name);
        std::fs::write(&path, bytes).unwrap();
        let mode = if file.is_executable { 0o755 } else { 0o644 };
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    let worker_start_timestamp = now();
    // A fork of another thread may hold the program open for writing for a moment.
    let ran = std::iter::repeat_with(|| {
        let mut process = std::process::Command::new(&command.arguments[0]);
        process.args(&command.arguments[1..]).current_dir(dir.path()).env_clear().output()
    });
    let ran =
        ran.take(100).find(|ran| !matches!(ran, Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy));
    let ran = ran.unwrap().unwrap();
    let mut output_files = Vec::new();
    for path in &command.output_paths {
        let Ok(bytes) = std::fs::read(dir.path().join(path)) else { continue };
        let contents = if state.settings.inlines { bytes.clone() } else { Vec::new() };
        let mut digest = state.keep(bytes);
        if fault == Some(Fault::Size) {
            digest.size_bytes += 1;
        }
        output_files.push(reapi::OutputFile {
            path: path.clone(),
            digest: Some(digest),
            contents,
            ..Default::default()
        });
    }
    let metadata = reapi::ExecutedActionMetadata {
        worker: "worker 7".to_owned(),
        queued_timestamp,
        worker_start_timestamp,
        worker_completed_timestamp: now(),
        ..Default::default()
    };
    let result = reapi::ActionResult {
        output_files,
        exit_code: ran.status.code().unwrap_or(128),
        stderr_digest: Some(state.keep(ran.stderr)),
        execution_metadata: Some(metadata),
        ..Default::default()
    };
    if !action.do_not_cache && fault != Some(Fault::Size) {
        state.results.lock().unwrap().insert(digest.hash.clone(), result.clone());
    }
    reapi::ExecuteResponse { result: Some(result), ..Default::default() }
}

/// A message of REAPI inside another.
fn any(message: &impl Message) -> Any {
    let full = std::any::type_name_of_val(message);
    let name = full.rsplit("::").next().unwrap_or_default();
    let type_url = format!("type.googleapis.com/build.bazel.remote.execution.v2.{name}");
    Any { type_url, value: message.encode_to_vec() }
}

/// The messages of an operation until its end.
fn follow(name: String, mut end: Running, fault: Option<Fault>) -> OperationStream {
    let (send, receive) = mpsc::channel(4);
    let metadata =
        Some(any(&reapi::ExecuteOperationMetadata { action_digest: Some(end.0.clone()), ..Default::default() }));
    tokio::spawn(async move {
        let _ =
            send.send(Ok(Operation { name: name.clone(), metadata: metadata.clone(), ..Operation::default() })).await;
        match fault {
            Some(Fault::End | Fault::Lose) => return,
            Some(Fault::Die) => {
                send.closed().await;
                return;
            }
            _ => {}
        }
        if let Ok(response) = end.1.wait_for(Option::is_some).await {
            let result = Some(operation::Result::Response(any(&response.clone().unwrap_or_default())));
            let _ = send.try_send(Ok(Operation { name, metadata, done: true, result }));
        }
    });
    Box::pin(Messages(receive))
}

#[tonic::async_trait]
impl Execution for Service {
    type ExecuteStream = OperationStream;

    async fn execute(&self, request: Request<reapi::ExecuteRequest>) -> Result<Response<OperationStream>, Status> {
        let fault = self.enter("Execute", &request).await?;
        let request = request.into_inner();
        Service::instance(&request.instance_name)?;
        let hash = hash(request.action_digest.as_ref())?;
        // One that is lost leaves its name to the next.
        let name = format!("main/operations/{}", self.0.operations.lock().unwrap().len());
        let digest = request.action_digest.unwrap_or_default();
        let (ended, end) = watch::channel(None);
        let end = (digest.clone(), end);
        if !matches!(fault, Some(Fault::Lose | Fault::Die)) {
            self.0.operations.lock().unwrap().insert(name.clone(), end.clone());
        }
        let known = self.0.results.lock().unwrap().get(&hash).cloned().filter(|_| !request.skip_cache_lookup);
        if let Some(result) = known {
            let response = reapi::ExecuteResponse { result: Some(result), cached_result: true, ..Default::default() };
            let _ = ended.send(Some(response));
        } else if fault != Some(Fault::Die) {
            let state = Arc::clone(&self.0);
            tokio::task::spawn_blocking(move || drop(ended.send(Some(run(&state, &digest, fault)))));
        }
        Ok(Response::new(follow(name, end, fault)))
    }

    type WaitExecutionStream = OperationStream;

    async fn wait_execution(
        &self,
        request: Request<reapi::WaitExecutionRequest>,
    ) -> Result<Response<OperationStream>, Status> {
        let fault = self.enter("WaitExecution", &request).await?;
        let name = request.into_inner().name;
        let found = self.0.operations.lock().unwrap().get(&name).cloned();
        let Some(end) = found else { return Err(Status::not_found("no operation of this name")) };
        Ok(Response::new(follow(name, end, fault)))
    }
}

#[tonic::async_trait]
impl ActionCache for Service {
    async fn get_action_result(
        &self,
        request: Request<reapi::GetActionResultRequest>,
    ) -> Result<Response<reapi::ActionResult>, Status> {
        let fault = self.enter("GetActionResult", &request).await?;
        let request = request.into_inner();
        Service::instance(&request.instance_name)?;
        let hash = hash(request.action_digest.as_ref())?;
        let found = self.0.results.lock().unwrap().get(&hash).cloned();
        let mut result = found.ok_or_else(|| Status::not_found("no result"))?;
        if fault == Some(Fault::Lose) {
            for file in &result.output_files {
                self.0.blobs.lock().unwrap().remove(&file.digest.clone().unwrap_or_default().hash);
            }
        }
        for file in &mut result.output_files {
            match (fault, file.contents.last_mut()) {
                (Some(Fault::Flip), Some(last)) => *last ^= 1,
                (Some(Fault::Cut), Some(_)) => drop(file.contents.pop()),
                _ => {}
            }
        }
        Ok(Response::new(result))
    }

    async fn update_action_result(
        &self,
        request: Request<reapi::UpdateActionResultRequest>,
    ) -> Result<Response<reapi::ActionResult>, Status> {
        self.enter("UpdateActionResult", &request).await?;
        let request = request.into_inner();
        Service::instance(&request.instance_name)?;
        let result = request.action_result.unwrap_or_default();
        let known: Result<reapi::Action, _> = message(&self.0, request.action_digest.as_ref());
        known.map_err(|_| Status::failed_precondition("no action"))?;
        self.0.results.lock().unwrap().insert(hash(request.action_digest.as_ref())?, result.clone());
        Ok(Response::new(result))
    }
}

#[tonic::async_trait]
impl Capabilities for Service {
    async fn get_capabilities(
        &self,
        request: Request<reapi::GetCapabilitiesRequest>,
    ) -> Result<Response<reapi::ServerCapabilities>, Status> {
        self.enter("GetCapabilities", &request).await?;
        Service::instance(&request.into_inner().instance_name)?;
        let version = |major| Some(SemVer { major, ..SemVer::default() });
        let update = reapi::ActionCacheUpdateCapabilities { update_enabled: true };
        Ok(Response::new(reapi::ServerCapabilities {
            cache_capabilities: Some(reapi::CacheCapabilities {
                digest_functions: vec![1],
                max_batch_total_size_bytes: self.0.settings.batch,
                action_cache_update_capabilities: Some(update),
                ..Default::default()
            }),
            execution_capabilities: Some(reapi::ExecutionCapabilities {
                digest_function: 1,
                exec_enabled: self.0.settings.executes,
                ..Default::default()
            }),
            low_api_version: version(2),
            high_api_version: version(2),
            ..Default::default()
        }))
    }
}

#[tonic::async_trait]
impl Operations for Service {
    async fn list_operations(
        &self,
        _: Request<longrunning::ListOperationsRequest>,
    ) -> Result<Response<longrunning::ListOperationsResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn get_operation(&self, _: Request<longrunning::GetOperationRequest>) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn delete_operation(
        &self,
        _: Request<longrunning::DeleteOperationRequest>,
    ) -> Result<Response<Empty>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn cancel_operation(
        &self,
        request: Request<longrunning::CancelOperationRequest>,
    ) -> Result<Response<Empty>, Status> {
        self.enter("CancelOperation", &request).await?;
        self.0.cancelled.lock().unwrap().push(request.into_inner().name);
        Ok(Response::new(Empty {}))
    }

    async fn wait_operation(
        &self,
        _: Request<longrunning::WaitOperationRequest>,
    ) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented(""))
    }
}
