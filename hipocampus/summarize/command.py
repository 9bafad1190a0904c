"""The back end ``command``: any program that reads a question on standard input and prints the answer."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut, estimate_tokens
from hipocampus.errors import UserError, reason_of
from hipocampus.install.programs import on_path
from hipocampus.program import Ran, TimeUpError, TooMuchError, run
from hipocampus.redaction import scrub
from hipocampus.store.config import Config
from hipocampus.summarize.asking import Answer, AnswerError, BackendError, Prompt
from hipocampus.summarize.guard import VARIABLE
from hipocampus.summarize.presets import PRESETS, Form, plain, together

_MOST = 1 << 20
_WHY = 300


@dataclass(frozen=True, slots=True)
class Command:
    """Runs a program in an empty directory of its own, once a question."""

    name: str
    form: Form = field(repr=False)
    program: str
    model: str
    timeout: int
    env: Mapping[str, str] = field(repr=False)

    def ask(self, prompt: Prompt) -> Answer:
        """What the program answers. BackendError where it fails, is not done in time, or prints no text or too much."""
        ran = self._ran(self.form.words(prompt, self.model, self.env), self.form.said(prompt))
        if ran.code:
            raise BackendError(f"{self.name}: it ended with status {ran.code}: {self._reason(ran)}")
        try:
            answer = self.form.read(ran.output.decode("utf-8"))
        except UnicodeDecodeError:
            raise AnswerError(f"{self.name}: it printed something else than UTF-8 text") from None
        except AnswerError as error:
            why = f"{self.name}: {_short(str(error)) or 'it printed no answer'}"
            raise AnswerError(why, error.tokens_in, error.tokens_out) from None
        if answer.tokens_in:
            return answer
        return replace(answer, tokens_in=estimate_tokens(together(prompt)), tokens_out=estimate_tokens(answer.text))

    def _ran(self, words: tuple[str, ...], said: str) -> Ran:
        # Inside, hipocampus is to stay quiet, whichever hooks run there, and to ask nobody.
        env = {**self.env, VARIABLE: "1", "HIPOCAMPUS_DISABLE": "1"}
        try:
            with tempfile.TemporaryDirectory(prefix="hipocampus-") as place:
                return run(
                    (self.program, *words[1:]),
                    said.encode("utf-8", "replace"),
                    cwd=place,
                    env=env,
                    seconds=self.timeout,
                    most=_MOST,
                )
        except TimeUpError:
            raise BackendError(f"{self.name}: no answer within {self.timeout} s (llm.timeout)") from None
        except TooMuchError:
            raise AnswerError(f"{self.name}: it printed more than {_MOST >> 20} MiB") from None
        except OSError as error:
            raise BackendError(f"{self.name}: it cannot be started: {reason_of(error)}") from None

    def _reason(self, ran: Ran) -> str:
        """The last thing that a program said before it failed."""
        output, errors = (part.decode("utf-8", "replace") for part in (ran.output, ran.errors))
        try:
            self.form.read(output)
        except AnswerError as error:
            if str(error):
                return _short(str(error))
        # A secret may begin in the line before.
        lines = scrub(errors.strip() or output.strip()).split("\n")
        return _short(lines[-1]) or "it said nothing"


def _short(text: str) -> str:
    return cut(one_line(scrub(text)), _WHY)


def command_of(config: Config, env: Mapping[str, str]) -> Command:
    """The command that the settings name. UserError where they name none, or no program of this machine."""
    words = config.llm_command
    if not words:
        raise UserError(
            f"llm.backend is command, and llm.command names none; set a program, or one of {', '.join(PRESETS)}: "
            "hipocampus config set llm.command ..."
        )
    program = program_of(words, env)
    form = (PRESETS.get(words[0]) if len(words) == 1 else None) or plain(words)
    model = "" if config.llm_model == "auto" else config.llm_model
    return Command(
        f"command {os.path.basename(one_line(scrub(words[0])))}", form, program, model, config.llm_timeout, env
    )


def program_of(words: Sequence[str], env: Mapping[str, str]) -> str:
    """The program that a command starts. UserError where this machine has none of that name."""
    program = on_path(words[0], env)
    if program is None:
        called = one_line(scrub(words[0]))
        raise UserError(f"llm.command: no program {called} on PATH; install it, or name it by its whole path.")
    return program
