"""`python -m raddle COMMAND`

    path NAME   where a program or a library is, such as raddle, ptxas or libnvJitLink
    env         variables by which programs find all of it, for `eval "$(python -m raddle env)"`
"""

import os
import shlex
import sys

from . import tools


def main(words):
    match words:
        case ["path", name]:
            print(tools.path(name))
        case ["env"]:
            for variable, value in tools.environment().items():
                print(f"export {variable}={shlex.quote(value)}")
        case _:
            print(__doc__, end="", file=sys.stderr)
            return 2
    return 0


def run():
    """The command `raddle` of an environment."""
    try:
        program = str(tools.path("raddle"))
    except tools.Missing as error:
        sys.exit(f"raddle: {error}")
    os.execv(program, ["raddle", *sys.argv[1:]])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except tools.Missing as error:
        print(f"raddle: {error}", file=sys.stderr)
        sys.exit(1)
