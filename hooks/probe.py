"""Prove to the launcher that this interpreter will do: run by it as ``PYTHON -I -S probe.py [STATE [CACHE]]``.

Prints ``hipocampus-python:`` and the path of the real interpreter where that is Python 3.11 or newer, and exits 1 where
it is not (as a Python does that cannot even read this). With a state directory it also records itself in ``runtime``
there (line 1 the interpreter, line 2 the directory of the packages, or nothing), so that the next hook need not ask.
With the directory that hooks keep their byte code in, it deletes what keeps Python from starting with that.
"""

import marshal
import os
import sys

NEEDED = ("click", "filelock", "frontmatter")


def packages_of(executable):
    """The site-packages directory beside an interpreter, if it holds what hipocampus needs; else the empty string."""
    version = "python{}.{}".format(*sys.version_info[:2])
    directory = os.path.join(os.path.dirname(os.path.dirname(executable)), "lib", version, "site-packages")
    return directory if all(os.path.isdir(os.path.join(directory, name)) for name in NEEDED) else ""


def real_interpreter():
    """This interpreter's path and packages: the base one, unless the environment it belongs to has our packages.

    A project's own environment that happens to be active is not ours to depend on.
    """
    packages = packages_of(sys.executable)
    base = getattr(sys, "_base_executable", "")
    if packages or not base or not os.access(base, os.X_OK):
        return sys.executable, packages
    return base, packages_of(base)


def record(state, executable, packages):
    """Write ``runtime`` in one step; a directory that cannot be written only means that the next hook asks again."""
    path = os.path.join(state, "runtime")
    draft = f"{path}.{os.getpid()}"
    try:
        if not os.path.isdir(state):
            os.makedirs(state, 0o700)
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(number, os.fsencode(f"{executable}\n{packages}\n"))
        finally:
            os.close(number)
        os.rename(draft, path)
    except OSError:
        pass


def recorded_packages(state):
    """The packages directory of an earlier record, if it still exists and was made for this version of Python."""
    try:
        with open(os.path.join(state, "runtime"), "rb") as file:
            lines = os.fsdecode(file.read(8192)).split("\n")
    except OSError:
        return ""
    directory = lines[1] if len(lines) > 1 else ""
    version = "python{}.{}".format(*sys.version_info[:2])
    return directory if version in directory.split("/") and os.path.isdir(directory) else ""


def mend(cache):
    """Delete half files among the byte code that Python reads before all else, which a full disk may have kept: with
    them no hook would ever start again.
    """
    folder = cache + os.path.dirname(sys.modules["encodings"].__file__)
    try:
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if name.endswith(f"{sys.implementation.cache_tag}.pyc") and not is_whole(path):
                os.unlink(path)
    except OSError:
        pass


def is_whole(path):
    try:
        with open(path, "rb") as file:
            marshal.loads(file.read()[16:])  # noqa: S302 - Python would do the same
    except (EOFError, ValueError, TypeError):
        return False
    return True


def main(arguments):
    if sys.version_info < (3, 11) or not os.path.isabs(sys.executable or ""):
        return 1
    executable, packages = real_interpreter()
    if "\n" in executable:
        return 1
    if arguments and arguments[0]:
        record(arguments[0], executable, packages or recorded_packages(arguments[0]))
    if arguments[1:] and arguments[1]:
        mend(arguments[1])
    os.write(1, os.fsencode(f"hipocampus-python:{executable}\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
