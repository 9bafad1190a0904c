"""The code of all that a hook imports, in one file: finding and reading a hundred small ones takes as long as the rest.

Python keeps the byte code of each module in a file of its own. Behind a run that read some of those, their code is put
together in one file beside them, which the next run of the same entry takes its modules from. When byte code is out of
date is decided as Python does: a module of ours whose source has another time or size is read anew. Beside the modules
stand the regular expressions that a run had to compile.
"""

import _imp
import itertools
import marshal
import os
import sys
import time

# Parts of the import system, without importing it: that would read files.
_SPEC = type(sys.__spec__)
_SOURCE = sys.modules["_frozen_importlib_external"].SourceFileLoader
_EXTENSION = sys.modules["_frozen_importlib_external"].ExtensionFileLoader
_CODE = type((lambda: None).__code__)
# Python's own modules are those of one interpreter, and do not change under it.
_LIBRARY = os.path.dirname(os.__file__)
_PYTHON = f"{sys.version} {_LIBRARY}"
# In the file's name as a number, so that two of them do not write it anew in turns.
_NUMBER = int.from_bytes(_PYTHON.encode(), "big") % (2**61 - 1)
_PATTERNS = "hipocampus.core.patterns"


def use(entry, tree):
    """Look for modules in what was kept for an entry of the plugin in `tree` before looking elsewhere."""
    folder = os.path.dirname(__spec__.cached) if sys.pycache_prefix else ""
    kept = KeptCode(
        os.path.join(folder, f"{entry}.{sys.implementation.cache_tag}-{_NUMBER:x}.code") if folder else "", tree
    )
    sys.meta_path.insert(0, kept)
    return kept


class KeptCode:
    """Finds and loads the modules whose code stands in one file.

    By name, `modules` has of each: the path of its source, the source's time and size (None: Python's own), whether it
    is a package, and where in the file its byte code begins and ends (nowhere: the path is that of a compiled library).
    `patterns` has, by expression and flags, where that stands which the engine of regular expressions takes.
    """

    def __init__(self, path, tree):
        self.path = path
        self.tree = tree
        self._file, self._begin, self.modules, self.patterns = _opened(path) if path else _NOTHING
        self._before = frozenset(sys.modules)
        self._ready = {}

    def find_spec(self, name, *_where):
        """The module as it was kept; None where it was not, or has changed since."""
        source, stands, is_package, begin, end = self.modules.get(name, ("", None, False, 0, 0))
        if not source or (stands and _standing(source) != stands):
            return None
        if begin == end:
            return _SPEC(name, _EXTENSION(name, source), origin=source)
        ready = self._loaded(begin, end)
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
        if module.__name__ == _PATTERNS:
            module.kept = self._pattern

    def keep(self):
        """Put what this process had to look for elsewhere to the rest; where that cannot be written, all stays."""
        loaded = [(name, module) for name, module in list(sys.modules.items()) if name not in self._before]
        found = {name: kept for name, module in loaded if (kept := self._kept(name, module))}
        patterns = [pattern for pattern in _compiled() if self._pattern(*pattern) != ()]
        if not (found or patterns) or not self.path or sys.dont_write_bytecode:
            return
        rest = {
            name: (*kept, self._content(begin, end))
            for name, (*kept, begin, end) in self.modules.items()
            if not kept[1] or _standing(kept[0]) == kept[1]
        }
        known = {pattern: self._content(*place) for pattern, place in self.patterns.items()}
        _write(self.path, {**rest, **found}, {**known, **dict(map(_taken_apart, patterns))})

    def drop(self):
        """Delete the file, and take nothing from it any more: it may be the reason why a hook failed."""
        self.modules, self.patterns = {}, {}
        _delete(self.path)

    def _content(self, begin, end):
        return os.pread(self._file, end - begin, self._begin + begin) if end > begin else b""

    def _loaded(self, begin, end):
        """What stands there in the file; None where that cannot be read."""
        try:
            return _unsealed(self._content(begin, end))
        except (OSError, EOFError, ValueError, TypeError, MemoryError, OverflowError):
            return None

    def _pattern(self, source, flags):
        """The parts of an expression, () where it has none; None where they were not kept."""
        if (source, flags) not in self.patterns:
            return None
        parts = self._loaded(*self.patterns[source, flags])
        if type(parts) is not tuple:
            self.drop()
            return None
        return parts

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
        return (source, stands if is_ours else None, is_package, _sealed(code)) if code else None


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


def _compiled():
    """The regular expressions that this process had to compile."""
    patterns = sys.modules.get(_PATTERNS)
    return set(patterns.compiled) if patterns else ()


def _taken_apart(pattern):
    return pattern, _sealed(marshal.dumps(sys.modules[_PATTERNS].taken_apart(*pattern) or ()))


# The file: how long its table is, in eight bytes; the table, with the places of each module's code and of each pattern
# behind it; those. A place is read when it is wanted: most of what collects there is of no use to a single run.
# Table, code and patterns each stand behind a seal: damaged code may end Python itself, in every hook from then on, and
# a damaged pattern finds another thing.
_SIZE = _SEAL = 8
_PLACE = ({int}, {int})
_MODULE = ({str}, {tuple, type(None)}, {bool}, *_PLACE)
_NOTHING = (None, 0, {}, {})


def _opened(path):
    """The file's descriptor, where its table ends, its modules and patterns; nothing of one that is not whole, or
    another Python's."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return _NOTHING
    try:
        size = os.fstat(file).st_size
        begin = _SIZE + int.from_bytes(os.pread(file, _SIZE, 0))
        head = os.pread(file, begin - _SIZE, _SIZE) if begin <= size else b""
        python, total, modules, patterns = _unsealed(head)
        # Where the host closed a standard descriptor, the file has got its number.
        tables = (({str},), zip(modules)), (_MODULE, modules.values()), (_PLACE, patterns.values())
        if python == _PYTHON and begin + total == size and file > 2 and all(_are_of(*table) for table in tables):
            return file, begin, modules, patterns
    except (OSError, EOFError, ValueError, TypeError, AttributeError, MemoryError):
        pass
    os.close(file)
    return _NOTHING


def _sealed(content):
    """Something marshalled, behind its hash as Python has one for sources."""
    return _imp.source_hash(_SEAL, content) + content


def _unsealed(sealed):
    """What was marshalled. ValueError where it is not what was sealed."""
    content = memoryview(sealed)[_SEAL:]
    if _imp.source_hash(_SEAL, content) != sealed[:_SEAL]:
        raise ValueError("damaged")
    return marshal.loads(content)  # noqa: S302 - it lies where Python keeps its own


def _are_of(kinds, rows):
    """Whether all that is in the rows of a table is of its kind, column by column."""
    columns = list(zip(*rows, strict=True))
    return not columns or all(set(map(type, column)) <= kind for column, kind in zip(columns, kinds, strict=True))


def _write(path, modules, patterns):
    """Make the file anew. Modules with their code as the last of what is known of them, patterns with theirs."""
    beside = f"{path}.{os.getpid()}"
    every = [*(code for *_, code in modules.values()), *patterns.values()]
    ends = list(itertools.accumulate(map(len, every)))
    places = list(zip([0, *ends], ends))  # noqa: B905 - the last end begins nothing
    table = {name: (*kept[:-1], *place) for (name, kept), place in zip(modules.items(), places)}  # noqa: B905
    expressions = dict(zip(patterns, places[len(modules) :]))  # noqa: B905
    head = _sealed(marshal.dumps((_PYTHON, sum(map(len, every)), table, expressions)))
    try:
        with open(beside, "xb") as file:
            file.writelines([len(head).to_bytes(_SIZE), head, *every])
        os.replace(beside, path)
    except OSError:
        _delete(beside)
    else:
        _tidy(os.path.dirname(path))


# What is not whole is written within seconds, unless its writer was killed; a Python that is in use keeps something
# now and then, and can do without.
_HOUR, _MONTH = 3600, 30 * 86400


def _tidy(folder):
    """Delete what killed processes left, and files of Pythons that are gone."""
    now = time.time()
    for name in os.listdir(folder):
        _, is_ours, rest = name.partition(".code")
        path = os.path.join(folder, name)
        if is_ours and now - _modified(path) > (_HOUR if rest else _MONTH):
            _delete(path)


def _modified(path):
    try:
        return os.stat(path).st_mtime
    except OSError:  # another hook was faster
        return time.time()


def _delete(path):
    try:
        os.unlink(path)
    except OSError:
        return
