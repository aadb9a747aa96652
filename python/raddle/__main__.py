"""`python -m raddle path NAME`: where the executable or the library of this name is, such as raddle or libnvJitLink."""

import pathlib
import sys


def find(name):
    """The file of an executable or of a library; None if the package is without it."""
    package = pathlib.Path(__file__).parent
    program = package / "bin" / name
    if program.is_file():
        return program
    return next(iter(sorted((package / "lib").glob(f"{name}.so.*"))), None)


def main(words):
    if len(words) != 2 or words[0] != "path":
        print(__doc__, file=sys.stderr)
        return 2
    found = find(words[1])
    if found is None:
        print(f"raddle: this package has no {words[1]}", file=sys.stderr)
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
