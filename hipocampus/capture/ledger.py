"""Which records of a journal tell of one and the same prompt.

A prompt may be told up to four times: by the prompt hook, by a note that it was queued, by the attachment that handed
it to the running turn, by its line in the transcript. Ids decide where both have one; the words decide where one has
none, and then one for one, since a user may well say "continue" twice.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOOK, FILE = "hook", "file"
PROMPT_KINDS = ("prompt", "past", "echo", "wordless")


class Told:
    """One prompt, with everything by which it can be known again.

    `stamps` are the moments of tellings that the words and the moment identify: the host's own to the millisecond, and
    a hook's where it had no id. `owned` are those of its prompt ids that no earlier prompt has.
    """

    __slots__ = ("owned", "pids", "stamps", "text", "uuids", "vias")

    def __init__(self) -> None:
        self.text = ""
        self.pids: set[str] = set()
        self.owned: set[str] = set()
        self.uuids: set[str] = set()
        self.stamps: set[str] = set()
        self.vias: set[str] = set()


class Ledger:
    """The prompts of one session in the order in which they were first told."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self._by_uuid: dict[str, int] = {}
        self._by_pid: dict[str, list[int]] = {}
        self._by_words: dict[str, list[int]] = {}

    def place(self, record: Mapping[str, object]) -> tuple[int, bool]:
        """The index of the prompt that `record` tells of, and whether it is told for the first time."""
        found = self.find(record)
        index = len(self.told) if found is None else found
        if found is None:
            self.told.append(Told())
        self._note(index, record)
        return index, found is None

    def find(self, record: Mapping[str, object]) -> int | None:
        """The index of the prompt that `record` tells of, or None where it is a new one."""
        uuid, pid, at = (_text(record, name) for name in ("uuid", "pid", "at"))
        if uuid and uuid in self._by_uuid:
            return self._by_uuid[uuid]
        alike = self._by_words.get(squashed(_text(record, "text")), [])
        if pid and (owner := self._owner(record, pid)) is not None:
            return owner
        if not pid and not uuid and (again := [index for index in alike if at in self.told[index].stamps]):
            return again[0]
        return next((index for index in alike if _may_be(self.told[index], record)), None)

    def holds(self, index: int, record: Mapping[str, object]) -> bool:
        """Whether `record` adds nothing by which the prompt at `index` could be known."""
        told, uuid = self.told[index], _text(record, "uuid")
        return _via(record) in told.vias and (uuid in told.uuids or not uuid)

    def of(self, name: str) -> int | None:
        """The index of the prompt with that prompt id or uuid."""
        if name in self._by_uuid:
            return self._by_uuid[name]
        return self._by_pid[name][0] if name in self._by_pid else None

    def _owner(self, record: Mapping[str, object], pid: str) -> int | None:
        """The prompt with that prompt id. Words that were queued may carry the id of the turn they were queued in."""
        owners = self._by_pid.get(pid, [])
        words = squashed(_text(record, "text"))
        for index in owners:
            if squashed(self.told[index].text) == words:
                return index
        is_line = _via(record) == FILE and owners and FILE not in self.told[owners[0]].vias
        return owners[0] if owners and (is_line or record.get("k") == "echo") else None

    def _note(self, index: int, record: Mapping[str, object]) -> None:
        told, pid, uuid = self.told[index], _text(record, "pid"), _text(record, "uuid")
        if not told.text and _text(record, "text"):
            told.text = _text(record, "text")
            self._by_words.setdefault(squashed(told.text), []).append(index)
        told.vias.add(_via(record))
        if not pid or _via(record) != HOOK:
            told.stamps.add(_text(record, "at"))
        if pid and pid not in told.pids:
            told.pids.add(pid)
            owners = self._by_pid.setdefault(pid, [])
            told.owned |= set() if owners else {pid}
            owners.append(index)
        if uuid:
            told.uuids.add(uuid)
            self._by_uuid.setdefault(uuid, index)


def _may_be(told: Told, record: Mapping[str, object]) -> bool:
    """Whether two tellings with the same words can be one prompt: told in different ways, no kind of id in both."""
    return _via(record) not in told.vias and not (
        (record.get("pid") and told.pids) or (record.get("uuid") and told.uuids)
    )


def squashed(text: str) -> str:
    """`text` without white space: what two ways of telling it have in common."""
    return "".join(text.split())


def _via(record: Mapping[str, object]) -> str:
    return _text(record, "via") or HOOK


def _text(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
