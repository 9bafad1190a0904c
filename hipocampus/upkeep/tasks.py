"""The steps of maintenance, in their order: each reads what the one before it left."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.budget.rewrite import prunable, prune_file
from hipocampus.budget.snapshots import snapshots
from hipocampus.capture.folding import fold_dead
from hipocampus.capture.journal import dead_sessions
from hipocampus.compaction.chain import CompactionReport
from hipocampus.compaction.chain import compact as run_cycle
from hipocampus.core.wording import counted, listed
from hipocampus.recall import qmd
from hipocampus.recall.embedding import embed_missing, lacking
from hipocampus.recall.index import BUSY, outdated, refresh_index
from hipocampus.recall.index_file import UnusableError
from hipocampus.recall.index_neural import wants_neural
from hipocampus.store.config import Config
from hipocampus.upkeep.summaries import dag, look_dag, look_summarize, summarize
from hipocampus.upkeep.task import NOTHING, Round, Task, Told, done, failed, skipped, would

_WHY = "the memory was maintained"
# So long one run of qmd may take, where there is so much time left.
_QMD_SECONDS = 60.0
_NO_QMD = skipped("qmd is not installed")
_NO_SEARCH = skipped("search.enabled is off")
_NO_ENCODER = skipped("these are only for the neural encoder, which is not installed")
_NO_NEURAL = skipped("the settings want none of the neural encoder's")


def _fold(one: Round) -> Told:
    """The turns of sessions that have ended go into the raw log."""
    report = fold_dead(one.layout, one.now, live="")
    if report.problems:
        return failed(listed(report.problems))
    new = sum(not stored.duplicate for stored in report.stored)
    return done(f"{counted(new, 'entry', 'entries')} from {_sessions(len(report.sessions))}") if new else NOTHING


def _look_fold(one: Round) -> Told:
    dead = dead_sessions(one.layout, one.now, "")
    return would(_sessions(len(dead))) if dead else NOTHING


def _sessions(count: int) -> str:
    return f"{counted(count, 'session')} that ended"


def _compact(one: Round) -> Told:
    """The nodes and ROOT follow their logs, whatever the triggers say."""
    report = run_cycle(one.layout, one.config, one.now, force=True, why=_WHY)
    return _cycle(report, done(f"{_files(len(report.written))} written"))


def _look_compact(one: Round) -> Told:
    report = run_cycle(one.layout, one.config, one.now, force=True, dry_run=True)
    return _cycle(report, would(f"{_files(len(report.written))} to write"))


def _cycle(report: CompactionReport, told: Told) -> Told:
    if report.skipped:
        return failed(listed([f"{source}: {why}" for source, why in report.skipped]))
    return told if report.written else NOTHING


def _files(count: int) -> str:
    return counted(count, "file")


def _index(one: Round) -> Told:
    """What search looks in follows the Markdown."""
    if not one.config.search_enabled:
        return _NO_SEARCH
    found = refresh_index(one.layout, one.config)
    if found.problem == BUSY:
        return skipped(BUSY)
    if found.problem:
        return failed(found.problem)
    if found.unreadable:
        return failed(f"not in the index: {listed(found.unreadable)}")
    return done(f"{found.added:,} added, {found.removed:,} taken out") if found.added or found.removed else NOTHING


def _look_index(one: Round) -> Told:
    if not one.config.search_enabled:
        return _NO_SEARCH
    count = outdated(one.layout, one.config)
    return would(f"{_files(count)} to look at") if count else NOTHING


def _qmd(one: Round) -> Told:
    """So does what qmd looks in, where that is wanted."""
    if qmd.is_wanted(one.config) and not qmd.is_installed(one.env):
        return _NO_QMD
    said = qmd.refresh(one.layout, one.config, one.env, min(_QMD_SECONDS, one.left()))
    return done(said) if said else NOTHING


def _look_qmd(one: Round) -> Told:
    if qmd.is_wanted(one.config):
        return would("qmd looks for what changed") if qmd.is_installed(one.env) else _NO_QMD
    return would("its collections go") if qmd.is_registered(one.layout, one.env) else NOTHING


def _snapshots(one: Round) -> Told:
    """Copies of files that nothing needs any more go. What killed writers left behind went with the compaction."""
    pruned = sum(len(prune_file(one.layout, file, one.config, one.now)) for file in _copied(one))
    return done(f"{pruned:,} deleted") if pruned else NOTHING


def _look_snapshots(one: Round) -> Told:
    count = sum(len(prunable(one.layout, file, one.config, one.now)) for file in _copied(one))
    return would(f"{count:,} to delete") if count else NOTHING


def _copied(one: Round) -> list[str]:
    """The files that have snapshots."""
    return sorted({snapshot.file for snapshot in snapshots(one.layout)})


def _vectors(one: Round) -> Told:
    """What search by meaning compares, as far as the time goes; the next run makes the rest."""
    if unwanted := _no_vectors(one.config):
        return unwanted
    try:
        found = embed_missing(one.layout, one.config, one.left())
    except UnusableError as error:
        return skipped(str(error))
    if found.problem:
        return failed(found.problem)
    return done(f"{found.made:,} made, {found.left:,} left") if found.made or found.left else NOTHING


def _no_vectors(config: Config) -> Told | None:
    """Why none are made, None where they are."""
    if not config.search_enabled:
        return _NO_SEARCH
    if wants_neural(config):
        return None
    return _NO_ENCODER if config.search_vector and config.search_embed_model != "static" else _NO_NEURAL


def _look_vectors(one: Round) -> Told:
    if unwanted := _no_vectors(one.config):
        return unwanted
    count = lacking(one.layout)
    if count == 0:
        return NOTHING
    return would(f"{count:,} to make" if count else "those of a new index")


TASKS: Sequence[Task] = (
    Task("fold", _fold, _look_fold),
    Task("compact", _compact, _look_compact),
    Task("summarize", summarize, look_summarize),
    Task("dag", dag, look_dag),
    Task("index", _index, _look_index),
    Task("qmd", _qmd, _look_qmd),
    Task("snapshots", _snapshots, _look_snapshots),
    # Last, since it takes all the time that is left.
    Task("vectors", _vectors, _look_vectors),
)
