"""The programs and libraries of this package, under the names by which callers look for them.

A wheel holds each file once: `raddle` acts as `ptxas` and the others when it is started under their names, by links
that are made when they are first asked for. They are in `share/raddle` of the environment, or, where that cannot be
written, in the user's folder of caches.
"""

import ctypes
import hashlib
import os
import pathlib
import subprocess
import sysconfig
import tempfile

_PACKAGE = pathlib.Path(__file__).parent
#: The program.
_PROGRAM = _PACKAGE / "bin" / "raddle"


class Missing(Exception):
    """The package was made without the file."""


def path(name):
    """The file of a program, such as raddle or ptxas, or of a library, such as libnvJitLink."""
    if name == _PROGRAM.name:
        return _program()
    found = next(iter(sorted((_PACKAGE / "lib").glob(f"{name}.so.*"))), None)
    if found is not None:
        return found
    if not _PROGRAM.is_file() or name not in _names():
        raise Missing(f"this package has no {name}")
    return folder() / name


def folder():
    """The folder with the program under the name of each tool: for `PATH`."""
    _program()
    refused = []
    for place in _places():
        try:
            if not _complete(place):
                _install(place)
            return place
        except (OSError, subprocess.CalledProcessError) as error:
            refused.append(f"{place}: {getattr(error, 'stderr', None) or error}")
    raise Missing("there is no folder for the links: " + "; ".join(refused))


def environment():
    """The variables by which programs find all of it, with their values: those of Triton, `PATH`, `LD_LIBRARY_PATH`."""
    tools, libraries = str(folder()), str(_PACKAGE / "lib")
    ptxas = os.path.join(tools, "ptxas")

    def first(value, variable):
        return os.pathsep.join(filter(None, [value, os.environ.get(variable)]))

    return {
        "TRITON_PTXAS_PATH": ptxas,
        "TRITON_PTXAS_BLACKWELL_PATH": ptxas,
        "RADDLE_PROGRAM": str(_PROGRAM),
        "PATH": first(tools, "PATH"),
        "LD_LIBRARY_PATH": first(libraries, "LD_LIBRARY_PATH"),
    }


def load(name):
    """Loads a library into this process, so that what looks for it later finds this one: numba-cuda and cuda.core take
    the libnvJitLink that is there. The program is named for its worker processes."""
    os.environ.setdefault("RADDLE_PROGRAM", str(_PROGRAM))
    return ctypes.CDLL(str(path(name)), ctypes.RTLD_GLOBAL)


def _program():
    if not _PROGRAM.is_file():
        raise Missing("this package has no raddle")
    return _PROGRAM


def _names():
    """The names of the tools, as the program says them."""
    said = subprocess.run([_PROGRAM, "as", "?"], capture_output=True, text=True).stderr
    return said.partition("none of:")[2].split("\n")[0].replace(",", " ").split()


def _places():
    key = hashlib.sha256(os.fsencode(_PROGRAM)).hexdigest()[:16]
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return [
        pathlib.Path(sysconfig.get_path("data"), "share", "raddle", "tools"),
        pathlib.Path(caches, "raddle", f"tools-{key}"),
    ]


def _complete(place):
    """Whether the links are there, to this program."""
    return os.path.isdir(place) and all(os.path.realpath(place / name) == os.path.realpath(_PROGRAM) for name in _names())


def _install(place):
    """Makes the links; several processes may do so at once."""
    place.parent.mkdir(parents=True, exist_ok=True)
    install = [_PROGRAM, "install", "--into"]
    if place.exists():
        subprocess.run([*install, place], check=True, capture_output=True, text=True)
        return
    with tempfile.TemporaryDirectory(dir=place.parent) as new:
        made = pathlib.Path(new, "tools")
        subprocess.run([*install, made], check=True, capture_output=True, text=True)
        try:
            os.rename(made, place)
        except OSError:
            # Another process was first.
            if not _complete(place):
                raise
