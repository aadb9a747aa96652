"""Makes the objects of `raddle compile ... --emit-units DIR` on a Dask cluster, in that folder.

The PTX goes to the workers and the output comes back, so they need `raddle` on PATH (or RADDLE) and no
shared folder. DASK_SCHEDULER is the address of the scheduler; without it workers are started here.
"""

import json
import os
import pathlib
import subprocess

from dask.distributed import Client

RADDLE = os.environ.get("RADDLE", "raddle")


def compile_unit(arguments, text):
    """Compiles a kernel; its messages, too, are in the output."""
    return subprocess.run([RADDLE, "__unit", *arguments], input=text, capture_output=True).stdout


if __name__ == "__main__":
    client = Client(os.environ.get("DASK_SCHEDULER"))
    units = json.loads(pathlib.Path("units.json").read_text())["units"]
    # The costliest first, since they end last.
    units.sort(key=lambda unit: -unit["cost"])
    texts = [pathlib.Path(unit["file"]).read_bytes() for unit in units]
    outputs = client.map(compile_unit, [unit["arguments"] for unit in units], texts, pure=False)
    for unit, output in zip(units, client.gather(outputs)):
        pathlib.Path(unit["output"]).write_bytes(output)
