"""Starts the programs of this folder, each with both variants of ptxas, some at a time, then measures them one at a time.

    python drive.py --raddle RADDLE --work FOLDER --seconds N [--only NAME,NAME]

Each process has cache folders of its own. One that says nothing for 40 seconds is ended; after a crash another one runs the
cases that are left.
"""

import argparse
import concurrent.futures
import fcntl
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
VARIANTS = ("ptxas", "raddle")
QUIET = 40
TRITON = ("triton_matmul", "triton_attention", "triton_collectives", "triton_basic")
# Name of a job, its program, the only cases that it runs. What matters most comes first; long ones are in parts.
JOBS = [(name, name, ()) for name in TRITON]
JOBS += [(f"cuda {name}", "cuda_programs", (name,)) for name in ("cub", "thrust")]
JOBS += [(f"torch {number}", "torch_models", cases) for number, cases in enumerate((
    ("transformer", "rms_rope", "sort_and_index", "types"), ("mlp", "convolutions", "cross_entropy"),
    ("flex_attention", "normalise", "elementwise", "dropout"), ("products_by_triton", "reductions"),
    ("transformer_bf16", "scans", "complex_views")))]
JOBS += [("jax", "jax_programs", ())]
JOBS += [(f"cuda {name}", "cuda_programs", (name,)) for name in (
    "reduce", "warps", "atomics", "objects", "memory", "tensor", "numbers", "children", "parts", "numbers_fast",
    "objects_debug", "warps_debug", "parts_o0", "objects_o1", "reduce_32_registers", "atomics_lines", "memory_80")]
JOBS += [("cupy", "cupy_programs", ()), ("numba", "numba_programs", ()), ("jax measured", "jax_programs", ("matmul_f32", "matmul_bf16", "attention", "network"))]
TIMED = (*TRITON, "cuda_programs", "torch_models", "jax_programs", "cupy_programs")

started = time.time()


class Setup:
    """Folders of tools for both variants."""

    def __init__(self, raddle, work):
        self.raddle, self.work = os.path.abspath(raddle), os.path.abspath(work)
        nvcc = shutil.which("nvcc") or "nvcc"
        places = [os.environ.get("CALLERS_CUDA", ""), os.path.dirname(os.path.dirname(os.path.realpath(nvcc))), "/usr/local/cuda",
                  *glob.glob("/usr/local/cuda-*"), *glob.glob(os.path.join(sys.prefix, "lib/python3*/site-packages/nvidia/cu13"))]
        self.toolkit = next((p for p in places if all(os.path.exists(os.path.join(p, "bin", t)) for t in ("ptxas", "nvcc", "nvlink"))), None)
        if not self.toolkit:
            sys.exit(f"callers: no toolkit in {places}")
        print(f"toolkit {self.toolkit}, {subprocess.run([os.path.join(self.toolkit, 'bin/ptxas'), '--version'], capture_output=True, text=True).stdout.split()[-1]}")
        self.failed = os.path.join(self.work, "failed-ptx")
        links = os.path.join(self.work, "links")
        subprocess.run([self.raddle, "install", "--into", links], check=True, stdout=subprocess.DEVNULL)
        real = {"raddle": links, "ptxas": os.path.join(self.toolkit, "bin")}
        with open(os.path.join(HERE, "wrapper.sh")) as file:
            wrapper = file.read()
        for variant in VARIANTS:
            # A toolkit made of links, so that both variants differ in their tools alone.
            folder = self.tools(variant)
            shutil.rmtree(folder, ignore_errors=True)
            subprocess.run([self.raddle, "install", "--into", folder, "--toolkit", self.toolkit], check=True, stdout=subprocess.DEVNULL)
            for tool in ("ptxas", "nvlink", "fatbinary"):
                place = os.path.join(folder, "bin", tool)
                os.remove(place)
                if tool == "fatbinary":
                    os.symlink(os.path.join(real[variant], tool), place)
                    continue
                with open(place, "w") as file:
                    file.write(wrapper.replace("@TOOL@", os.path.join(real[variant], tool)))
                os.chmod(place, 0o755)

    def tools(self, variant):
        return os.path.join(self.work, f"toolkit-{variant}")

    def environment(self, name, program, variant):
        """The folder of a job, and its environment. Jobs of one program share its caches, those of variants do not."""
        own = os.path.join(self.work, variant, name.replace(" ", "_"))
        os.makedirs(own, exist_ok=True)
        folders = {key: os.path.join(self.work, variant, f"caches-{program}", key.lower()) for key in (
            "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "CUPY_CACHE_DIR", "NUMBA_CACHE_DIR", "TMPDIR", "HOME")}
        for folder in folders.values():
            os.makedirs(folder, exist_ok=True)
        ptxas = os.path.join(self.tools(variant), "bin", "ptxas")
        environment = os.environ | folders | {
            "TRITON_PTXAS_PATH": ptxas, "TRITON_PTXAS_BLACKWELL_PATH": ptxas, "CALLERS_PTXAS": ptxas,
            "CALLERS_NVCC": os.path.join(self.tools(variant), "bin", "nvcc"), "CALLERS_TOOLKIT": self.tools(variant),
            "CALLERS_NVCC_FLAGS": f"-L{self.toolkit}/lib64 -L{self.toolkit}/lib", "CALLERS_EXES": os.path.join(self.work, variant, "exes"), "CALLERS_LOG": os.path.join(own, "calls.txt"),
            "CALLERS_NAME": f"{variant}-{name}".replace(" ", "-"), "CALLERS_FAILED": self.failed,
            "CALLERS_LOCK": os.path.join(self.work, "gpu.lock"),
            "PATH": os.path.join(self.tools(variant), "bin") + ":" + os.environ["PATH"],
            "CUDA_CACHE_DISABLE": "1", "PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2",
            # Native code only, and nothing else.
            "RADDLE_PTXAS": "off", "RADDLE_NVLINK": "off", "RADDLE_FATBINARY": "off", "RADDLE_PROGRAM": "off",
        }
        if name == "jax measured":
            environment["CALLERS_XLA_FLAGS"] = "--xla_gpu_triton_gemm_any=true"
        library = os.path.join(self.work, "bin", "libnvJitLink.so.13")
        if variant == "raddle" and os.path.exists(library):
            environment["CALLERS_NVJITLINK"] = library
        return own, environment


def lines(path):
    try:
        with open(path) as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    pass
    except OSError:
        pass


def run(*words, **named):
    """All cases of one program with one variant; returns what it recorded. A failure here is one of the program."""
    try:
        return processes(*words, **named)
    except Exception as error:  # noqa: BLE001
        return [{"case": None, "ok": False, "error": f"drive.py: {error!r}"}]


def processes(setup, job, variant, deadline, timed=False):
    name, program, only = job
    own, environment = setup.environment(name, program, variant)
    results = os.path.join(own, "times.jsonl" if timed else "results.jsonl")
    skip, records = [], []
    for attempt in range(8):
        if time.time() > deadline:
            records.append({"case": None, "ok": False, "error": "not run: out of time", "skipped": True})
            break
        if os.path.exists(results):
            os.remove(results)
        words = [sys.executable, os.path.join(HERE, f"{program}.py"), "--results", results]
        words += [word for case in only for word in ("--only", case)] + [word for case in skip for word in ("--skip", case)]
        output = os.path.join(own, f"output-{attempt}{'-timed' if timed else ''}.txt")
        with open(output, "w") as log:
            process = subprocess.Popen(words + ["--time"] * timed, env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=own,
                                       stdin=subprocess.DEVNULL, start_new_session=True)
            begun, size, why = time.time(), -1, None
            while process.poll() is None:
                time.sleep(0.1)
                now = os.path.getsize(results) if os.path.exists(results) else -1
                if now != size:
                    size, begun = now, time.time()
                # A program that waits for its turn to measure says nothing.
                if time.time() - begun > (100 if timed else 60 if program == "cuda_programs" else QUIET) or time.time() > deadline + 12:
                    why = f"ended after {time.time() - begun:.0f} s without news"
                    break
            if why:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        open_case, finished, now = None, False, []
        for line in lines(results):
            if line.get("begun"):
                open_case = line["case"]
            elif line.get("finished"):
                finished = True
            elif "case" in line:
                open_case = None
                if "set" not in line:
                    now.append(line)
        records += now
        if finished:
            break
        with open(output, errors="replace") as log:
            tail = log.read()[-700:]
        if open_case is not None or not now:
            records.append({"case": open_case, "ok": False, "crashed": True,
                            "error": f"{why or f'exit code {process.returncode}'}: {tail}"})
        skip = [record["case"] for record in records if record["case"]]
        if (open_case is None and not now) or (only and set(only) <= set(skip)):
            break
    return records


def hold(setup, count, path):
    """Keeps programs that measure from starting to do so before all of them prepare; at most for 30 seconds."""
    with open(path, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        begun = time.time()
        while time.time() - begun < 30:
            ready = sum(any(line.get("ready") for line in lines(file)) for file in glob.glob(os.path.join(setup.work, "*", "*", "times.jsonl")))
            if ready >= count:
                break
            time.sleep(0.2)


def notes(setup):
    """How many cubins in the caches of Triton are Raddle's alone, for each variant."""
    for variant in VARIANTS:
        ours = theirs = 0
        for path in glob.iglob(os.path.join(setup.work, variant, "**", "*.cubin"), recursive=True):
            with open(path, "rb") as file:
                data = file.read()
            ours += b"\0raddle\0Raddle " in data and b"\0ptxas\0" not in data
            theirs += b"\0ptxas\0" in data
        yield variant, ours, theirs


def calls(setup):
    """All calls of tools: variant, tool, exit code, seconds."""
    totals = {}
    with open(os.path.join(os.environ["OUT"], "calls.txt"), "w") as out:
        for path in sorted(glob.glob(os.path.join(setup.work, "*", "*", "calls.txt"))):
            variant, name = path.split(os.sep)[-3:-1]
            with open(path, errors="replace") as file:
                for line in file:
                    out.write(f"{variant} {name} {line[:160].rstrip()}\n")
                    code, seconds, tool = line.split()[:3]
                    total = totals.setdefault((variant, tool), [0, 0, 0.0])
                    total[0] += 1
                    total[1] += code != "0"
                    total[2] += float(seconds)
    return totals


def summary(setup, results, times):
    """Writes callers.jsonl, prints a table of at most 60 lines."""
    joined = {}
    for (name, variant), records in results.items():
        for record in records:
            joined.setdefault((name, record["case"]), {})[variant] = record
    measured = {}
    for (name, variant), records in times.items():
        for record in records:
            values = record.get("ms")
            for key, value in (values.items() if isinstance(values, dict) else [(None, values)]):
                if value is not None:
                    label = f"{name} {record['case']}" + (f" {key}" if key else "")
                    measured.setdefault(label, {})[variant] = (value, record.get("work") or 0)
    with open(os.path.join(os.environ["OUT"], "callers.jsonl"), "w") as out:
        for (name, case), pair in joined.items():
            digests = {record.get("digest") for record in pair.values()}
            for variant, record in pair.items():
                both = len(pair) == 2 and None not in digests
                line = {"program": name, "case": case, "variant": variant, "bits_equal": len(digests) == 1 if both else None}
                out.write(json.dumps(line | {k: record.get(k) for k in (
                    "ok", "difference", "off", "ordered", "calls", "seconds", "error", "crashed")}) + "\n")
        for label, pair in measured.items():
            out.write(json.dumps({"measured": label, "ms": {v: pair[v][0] for v in pair}}) + "\n")
        for (name, variant), records in times.items():
            for record in records:
                if record.get("error"):
                    out.write(json.dumps({"measuring": name, "case": record["case"], "variant": variant, "error": record["error"]}) + "\n")

    table = []
    for name in dict.fromkeys(name for name, _ in joined):
        pairs = {case: pair for (n, case), pair in joined.items() if n == name}
        good = {v: sum(bool(p.get(v, {}).get("ok")) for p in pairs.values()) for v in VARIANTS}
        both = [p for p in pairs.values() if all(p.get(v, {}).get("digest") for v in VARIANTS)]
        same = sum(p["ptxas"]["digest"] == p["raddle"]["digest"] for p in both)
        table.append((name, pairs, good, same, len(both)))
    cuda = [row for row in table if row[0].startswith("cuda ")]
    rows = [row for row in table if not row[0].startswith("cuda ")]
    if cuda:
        rows.append(("cuda C++", None, {v: sum(r[2][v] for r in cuda) for v in VARIANTS}, sum(r[3] for r in cuda), sum(r[4] for r in cuda)))
    print(f"{'program':20} cases right: ptxas raddle   same bits of")
    for name, pairs, good, same, of in rows:
        print(f"{name:20} {good['ptxas']:18} {good['raddle']:6} {same:11} {of}")
    for (variant, tool), (count, failed, seconds) in sorted(calls(setup).items()):
        print(f"{variant}: {count} calls of {tool}, {failed} failed, {seconds:.1f} s")
    for variant, ours, theirs in notes(setup):
        print(f"{variant}: cubins in caches: {ours} of Raddle alone, {theirs} with code of ptxas")

    budget = 26
    print("wrong or failed with raddle, right with ptxas:")
    for name, pairs, *_ in table:
        for case, pair in pairs.items():
            record, other = pair.get("raddle"), pair.get("ptxas")
            if record is None or record["ok"] or budget <= 0 or (other and not other["ok"]):
                continue
            budget -= 1
            what = record.get("error") or f"difference {record['difference']:.3g}, allowed {record['off']:.3g}"
            print(f"  {name} {case}: " + " ".join(what.split())[-150:])
    failed_too = [f"{name} {case}: " + " ".join((next(iter(pair.values())).get("error") or "wrong").split())[-70:] for name, pairs, *_ in table
                  for case, pair in pairs.items() if not any(r["ok"] for r in pair.values())]
    print("failed with both: " + ("; ".join(failed_too)[:900] or "none"))
    unmeasured = [f"{name} {r['case']} {variant}: {' '.join((r.get('error') or '').split())[-80:]}" for (name, variant), records in times.items() for r in records if not r["ok"]]
    print("failed while measuring: " + ("; ".join(unmeasured)[:600] or "none"))
    differ = [f"{name} {case}" + ("" if pair["raddle"].get("ordered", True) else "*") for name, pairs, *_ in table for case, pair in pairs.items()
              if all(pair.get(v, {}).get("digest") for v in VARIANTS) and pair["ptxas"]["digest"] != pair["raddle"]["digest"] and pair["raddle"]["ok"]]
    print("right, with other bits (* no fixed order): " + (", ".join(differ)[:900] or "none"))
    ratios = sorted(((p["raddle"][0] / p["ptxas"][0], label, p) for label, p in measured.items() if len(p) == 2 and p["ptxas"][0] > 0), reverse=True)
    if ratios:
        mean = 1.0
        for ratio, *_ in ratios:
            mean *= ratio ** (1 / len(ratios))
        print(f"time with raddle / time with ptxas: mean {mean:.3f} of {len(ratios)}; ms of raddle, ms of ptxas:")
        shown = ratios if len(ratios) <= 44 else ratios[:32] + ratios[-12:]
        cells = [f"{ratio:5.2f} {label[:38]:38} {p['raddle'][0]:9.4f} {p['ptxas'][0]:9.4f}" for ratio, label, p in shown]
        half = (len(cells) + 1) // 2
        for k in range(half):
            print("  ".join(cells[k::half]))
    print(f"{time.time() - started:.0f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--raddle", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seconds", type=float, default=150)
    parser.add_argument("--only")
    words = parser.parse_args()
    setup = Setup(words.raddle, words.work)
    jobs = [job for job in JOBS if not words.only or any(job[0].startswith(name) for name in words.only.split(","))]
    # Two thirds of the time, at most, for results; the rest for speed.
    end = started + words.seconds
    first = started + words.seconds * 0.62
    results, times, lock = {}, {}, threading.Lock()

    def check(job, variant):
        records = run(setup, job, variant, first)
        with lock:
            results[job[0], variant] = records
        bad = sum(not record["ok"] for record in records)
        print(f"{time.time() - started:5.0f} s {job[0]} {variant}: {len(records) - bad} right, {bad} not", flush=True)

    workers = int(os.environ.get("CALLERS_WORKERS", 18))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(check, job, variant) for job in jobs for variant in ("raddle", "ptxas")]:
            future.result()

    # Only what was right is measured. All programs prepare at once, then take turns by a lock.
    def measure(program, number, variant, right):
        records = run(setup, (f"time {program} {number}", program, right), variant, end, timed=True)
        with lock:
            times.setdefault((program, variant), []).extend(records)

    turns = []
    for program in TIMED:
        for variant in VARIANTS:
            right = [record["case"] for job in jobs if job[1] == program for record in results[job[0], variant] if record["ok"]]
            # What is compiled again for its size is in parts.
            parts = 4 if program == "torch_models" else 1
            turns += [(program, part, variant, right[part::parts]) for part in range(parts) if right[part::parts]]
    print(f"{time.time() - started:5.0f} s {len(turns)} programs measure", flush=True)
    with concurrent.futures.ThreadPoolExecutor(len(turns) + 1) as pool:
        pool.submit(hold, setup, len(turns), os.path.join(setup.work, "gpu.lock"))
        for future in [pool.submit(measure, *words) for words in turns]:
            future.result()
    if os.path.isdir(setup.failed):
        with tarfile.open(os.path.join(os.environ["OUT"], "failed-ptx.tar.xz"), "w:xz") as tar:
            tar.add(setup.failed, "failed-ptx")
    summary(setup, results, times)


main()
