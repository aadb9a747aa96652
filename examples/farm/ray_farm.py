"""Makes the objects of `raddle compile ... --emit-units DIR` on a Ray cluster, in that folder.

The PTX goes to the workers and the output comes back, so they need `raddle` on PATH (or RADDLE) and no
shared folder.
"""

import json
import os
import pathlib
import subprocess

import ray

RADDLE = os.environ.get("RADDLE", "raddle")


@ray.remote
def compile_unit(arguments, text):
    """Compiles a kernel; its messages, too, are in the output."""
    return subprocess.run([RADDLE, "__unit", *arguments], input=text, capture_output=True).stdout


ray.init()
units = json.loads(pathlib.Path("units.json").read_text())["units"]
# The costliest first, since they end last.
units.sort(key=lambda unit: -unit["cost"])
outputs = [compile_unit.remote(unit["arguments"], pathlib.Path(unit["file"]).read_bytes()) for unit in units]
for unit, output in zip(units, ray.get(outputs)):
    pathlib.Path(unit["output"]).write_bytes(output)
