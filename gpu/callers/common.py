"""What the programs of this folder share: a list of cases, how a result is compared, how it is recorded.

A case is a function that returns an Outcome: what a GPU computed, what it should be, and how far off it may be. Each
case adds one line of JSON to the file of results; a line that says that it has begun goes before it, so that the
case that ended a process is known. After an error of the GPU nothing more can be done in a process: it ends with
code 3, and run.py starts another one for the cases that are left.

    python PROGRAM.py --results FILE [--skip CASE]... [--time] [--dry]

--time runs those cases that have something to measure, one program at a time, at larger sizes. --dry needs no GPU: it
only compiles (for programs that can).
"""

import argparse
import dataclasses
import fcntl
import hashlib
import json
import os
import sys
import time
import traceback
import typing

import numpy as np

CASES = {}


def case(function):
    """Adds a function to the cases of its program, under its name."""
    CASES[function.__name__.removeprefix("case_")] = function
    return function


def add_case(name, function):
    CASES[name] = function


@dataclasses.dataclass
class Outcome:
    have: typing.Any  # an array, or a list of arrays
    want: typing.Any  # the same, or None where only the bits of the two variants are compared
    off: float = 0.0  # by how much the results may differ, relative to the largest expected value
    ordered: bool = True  # whether the order of operations is fixed, so that two variants should agree bit by bit
    measure: typing.Callable | None = None  # what is timed
    work: float = 0.0  # operations of one call, for the table (0: not said)


def host(value):
    """An array of any library, as numpy's, and its bytes."""
    if type(value).__module__.startswith("torch"):
        import torch

        value = value.detach().contiguous().cpu()
        if value.dim() == 0:
            value = value.reshape(1)
        raw = value.view(torch.uint8).numpy().tobytes()
        if value.is_complex():
            return value.numpy().astype(np.complex128), raw
        return value.to(torch.float64).numpy(), raw
    if type(value).__module__.startswith("cupy"):
        value = value.get()
    value = np.ascontiguousarray(np.asarray(value))
    raw = value.tobytes()
    return value.astype(np.complex128 if value.dtype.kind == "c" else np.float64), raw


def as_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def compare(outcome):
    """The largest difference, relative to the largest expected value, and a digest of the bits that were computed."""
    digest, worst = hashlib.sha256(), 0.0
    have = [host(value) for value in as_list(outcome.have)]
    for _, raw in have:
        digest.update(raw)
    if outcome.want is not None:
        want = [host(value)[0] for value in as_list(outcome.want)]
        assert len(have) == len(want), f"{len(have)} results, {len(want)} expected"
        for (got, _), expected in zip(have, want):
            assert got.shape == expected.shape, f"shape {got.shape}, expected {expected.shape}"
            if not got.size:
                continue
            # NaN and infinity must be where they are expected.
            special = ~np.isfinite(expected)
            if not np.array_equal(got[special], expected[special], equal_nan=True):
                worst = float("inf")
                continue
            if special.all():
                continue
            scale = max(np.abs(expected[~special]).max(), 1e-30)
            difference = np.abs(got[~special] - expected[~special]).max() / scale
            worst = max(worst, float(difference) if np.isfinite(difference) else float("inf"))
    return worst, digest.hexdigest()[:16]


def calls():
    """How many lines the wrapper of ptxas has written for this process."""
    try:
        with open(os.environ["CALLERS_LOG"]) as log:
            return sum(1 for _ in log)
    except (KeyError, OSError):
        return 0


class Recorder:
    def __init__(self, path):
        self.file = open(path, "a") if path else sys.stdout

    def line(self, **words):
        self.file.write(json.dumps(words) + "\n")
        self.file.flush()


class Turn:
    """One lock for all programs that measure. All of them prepare their cases at the same time, which a shared lock says;
    then one after another measures, alone."""

    def __init__(self):
        path = os.environ.get("CALLERS_LOCK")
        self.file = open(path, "w") if path else None

    def take(self, kind):
        if self.file:
            fcntl.flock(self.file, kind)


def message(error):
    """What an exception says, with the place where it was raised; the middle of a long text is left out."""
    text = "".join(traceback.format_exception_only(error))
    where = traceback.extract_tb(error.__traceback__)[-1]
    text = text if len(text) < 1200 else f"{text[:500]} ... {text[-650:]}"
    return f"{os.path.basename(where.filename)}:{where.lineno}: {text}"


def check(function, dry, synchronize):
    """Runs a case; returns the fields of its result."""
    outcome = function(False) if getattr(function, "timed", False) else function()
    if dry:
        return {"ok": True}
    synchronize()
    difference, digest = compare(outcome)
    return {"ok": bool(difference <= outcome.off), "difference": difference, "digest": digest, "ordered": outcome.ordered,
            "off": outcome.off}


def main(*, synchronize=lambda: None, median=None, prepare=lambda: None, dry=None):
    """Runs the cases of the program that calls this.

    `synchronize` waits for the GPU and raises after an error; `median` measures a function, in milliseconds; `dry` makes
    the program one that only compiles.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--results")
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--dry", action="store_true")
    words = parser.parse_args()
    recorder = Recorder(words.results)
    cases = {name: function for name, function in CASES.items() if name not in words.skip and (not words.only or name in words.only)}
    if words.time:
        cases = {name: function for name, function in cases.items() if getattr(function, "timed", False)}
    turn = Turn()
    if words.time:
        turn.take(fcntl.LOCK_SH)
        recorder.line(ready=True)
    if words.dry:
        dry()
    else:
        prepare()

    def attempt(name, step):
        """One step of a case; its fields, or those of its failure."""
        recorder.line(case=name, begun=True)
        before, start, poisoned = calls(), time.time(), False
        try:
            result = step()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001
            result = {"ok": False, "error": message(error)}
            try:
                synchronize()
            except BaseException:  # noqa: BLE001
                poisoned = True
        if result is not None:
            recorder.line(case=name, **result, calls=calls() - before, seconds=round(time.time() - start, 3))
        if poisoned:
            os._exit(3)

    measures = {}

    def set_up(name, function):
        outcome = function(True)
        synchronize()
        measures[name] = outcome
        recorder.line(case=name, set=True)

    for name, function in cases.items():
        attempt(name, (lambda: set_up(name, function)) if words.time else (lambda: check(function, words.dry, synchronize)))
    if words.time:
        turn.take(fcntl.LOCK_EX)
        for name, outcome in measures.items():
            attempt(name, lambda: {"ok": True, "ms": median(outcome.measure), "work": outcome.work})
    recorder.line(finished=True)
    sys.stdout.flush()
    # Neither threads nor destructors of a library may hold the process up.
    os._exit(0)


def timed(function):
    """Marks a case that has something to measure: it is called with True when it is to be timed."""
    function.timed = True
    return function
