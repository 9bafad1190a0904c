"""The code of all that a hook imports, in one file: finding and reading a hundred small ones takes as long as the rest.

Python keeps the byte code of each module in a file of its own. Behind a run that read some of those, their code is put
together in one file beside them, which the next run of the same entry takes its modules from. When byte code is out of
date is decided as Python does: a module of ours whose source has another time or size is read anew.
"""

import marshal
import os
import sys

# Parts of the import system, without importing it: that would read files.
_SPEC = type(sys.__spec__)
_SOURCE = sys.modules["_frozen_importlib_external"].SourceFileLoader
_EXTENSION = sys.modules["_frozen_importlib_external"].ExtensionFileLoader
_CODE = type((lambda: None).__code__)
# Python's own modules are those of one interpreter, and do not change under it.
_LIBRARY = os.path.dirname(os.__file__)
_PYTHON = f"{sys.version} {_LIBRARY}"


def use(entry, tree):
    """Look for modules in what was kept for an entry of the plugin in `tree` before looking elsewhere."""
    folder = os.path.dirname(__spec__.cached) if sys.pycache_prefix else ""
    kept = KeptCode(os.path.join(folder, f"{entry}.{sys.implementation.cache_tag}.code") if folder else "", tree)
    sys.meta_path.insert(0, kept)
    return kept


class KeptCode:
    """Finds and loads the modules whose code stands in one file.

    By name, `modules` has of each: the path of its source, the source's time and size (None: Python's own), whether it
    is a package, and its byte code (none: the path is that of a compiled library).
    """

    def __init__(self, path, tree):
        self.path = path
        self.tree = tree
        self.modules = _read(path) if path else {}
        self._before = frozenset(sys.modules)
        self._ready = {}

    def find_spec(self, name, *_where):
        """The module as it was kept; None where it was not, or has changed since."""
        source, stands, is_package, code = self.modules.get(name, ("", None, False, b""))
        if not source or (stands and _standing(source) != stands):
            return None
        if not code:
            return _SPEC(name, _EXTENSION(name, source), origin=source)
        try:
            ready = marshal.loads(code)  # noqa: S302 - it lies where Python keeps its own
        except (EOFError, ValueError, TypeError):
            ready = None
        if type(ready) is not _CODE:
            self.drop()
            return None
        self._ready[name] = ready
        spec = _SPEC(name, self, origin=source, is_package=is_package)
        spec.has_location, spec.cached = True, ""
        if is_package:
            spec.submodule_search_locations.append(os.path.dirname(source))
        return spec

    def create_module(self, spec):
        """Leave that to Python."""

    def exec_module(self, module):
        """Run the module's code."""
        exec(self._ready.pop(module.__name__), module.__dict__)  # noqa: S102 - as any loader does

    def keep(self):
        """Put what this process had to look for elsewhere to the rest; where that cannot be written, all stays."""
        loaded = [(name, module) for name, module in list(sys.modules.items()) if name not in self._before]
        found = {name: kept for name, module in loaded if (kept := self._kept(name, module))}
        if not found or not self.path or sys.dont_write_bytecode:
            return
        rest = {name: kept for name, kept in self.modules.items() if not kept[1] or _standing(kept[0]) == kept[1]}
        _write(self.path, {**rest, **found})

    def drop(self):
        """Delete the file, and take nothing from it any more: it may be the reason why a hook failed."""
        self.modules = {}
        try:
            os.unlink(self.path)
        except OSError:
            return

    def _kept(self, name, module):
        """What to keep of a module that was read from files of Python's own or of the plugin's; None of another."""
        spec = getattr(module, "__spec__", None)
        loader, source = getattr(spec, "loader", None), getattr(spec, "origin", None) or ""
        is_ours = name.partition(".")[0] == "hipocampus" and source.startswith(self.tree + os.sep)
        is_pythons = source.startswith(_LIBRARY + os.sep) and "-packages" not in source[len(_LIBRARY) :]
        if type(loader) is _EXTENSION and is_pythons:
            return None if name in self.modules else (source, None, False, b"")
        if type(loader) is not _SOURCE or not (is_ours or is_pythons):
            return None
        stands, code = _byte_code(spec.cached)
        is_package = spec.submodule_search_locations is not None
        return (source, stands if is_ours else None, is_package, code) if code else None


def _standing(path):
    """What byte code is compared by: time and size of the source."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF


def _byte_code(path):
    """Time and size of the source, and its code, from a file of Python's; no code where it goes by another rule."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, TypeError):
        return None, b""
    flags, time, size = (int.from_bytes(data[at : at + 4], "little") for at in (4, 8, 12))
    return (time, size), b"" if flags else data[16:]


# The file: how long its table is, in eight bytes; the table, with the place of each module's code; the code of all.
_SIZE = 8


def _read(path):
    """The modules in the file; none where it is not whole, or another Python's."""
    try:
        with open(path, "rb") as file:
            data = memoryview(file.read())
        begin = _SIZE + int.from_bytes(data[:_SIZE])
        python, total, table = marshal.loads(data[_SIZE:begin])  # noqa: S302
        if python != _PYTHON or begin + total != len(data):
            return {}
        code = data[begin:]
        modules = {name: (*kept, code[at:end]) for name, (*kept, at, end) in table.items()}
        return modules if all(_is_whole(name, *kept) for name, kept in modules.items()) else {}
    except (OSError, EOFError, ValueError, TypeError, AttributeError, MemoryError):
        return {}


def _is_whole(name, source, stands, is_package, _code):
    """Whether all that is kept of a module is of its kind."""
    kinds = (type(name), type(source), type(is_package))
    return kinds == (str, str, bool) and (stands is None or type(stands) is tuple)


def _write(path, modules):
    beside = f"{path}.{os.getpid()}"
    table, at = {}, 0
    for name, (*kept, code) in modules.items():
        table[name] = (*kept, at, at + len(code))
        at += len(code)
    head = marshal.dumps((_PYTHON, at, table))
    try:
        with open(beside, "xb") as file:
            file.writelines([len(head).to_bytes(_SIZE), head, *(code for *_, code in modules.values())])
        os.replace(beside, path)
    except OSError:
        try:
            os.unlink(beside)
        except OSError:
            return
