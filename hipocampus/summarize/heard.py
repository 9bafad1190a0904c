"""The statements of an answer, held against the text that they sum up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hipocampus.core.tokens import cut
from hipocampus.core.wording import counted
from hipocampus.summarize.form import is_prose
from hipocampus.summarize.grounding import Ground


@dataclass
class Heard:
    """What was heard so far: how many statements, what of them is not in the source, how many are prose."""

    ground: Ground
    statements: int = 0
    prose: int = 0
    left_out: list[str] = field(default_factory=list)

    def holds(self, statement: str) -> bool:
        """Whether a statement may be believed."""
        self.statements += 1
        self.prose += is_prose(statement)
        invented = self.ground.invented(statement)
        if invented:
            self.left_out.append(cut(invented, 80))
        return not invented

    def reasons(self) -> Iterator[str]:
        """Why the whole is refused."""
        if len(self.left_out) * 3 > self.statements:
            yield f"{len(self.left_out)} of its {counted(self.statements, 'statement')} are not in its input"
        if self.prose * 3 > self.statements:
            yield f"{self.prose} of its {counted(self.statements, 'statement')} are prose, not keywords"
