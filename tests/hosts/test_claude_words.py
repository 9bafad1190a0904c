"""Only words that somebody said count as said."""

from __future__ import annotations

import pytest

from hipocampus.hosts.claude_words import said_by_assistant, said_by_user

# what stands in the user's role, and what of it the user said
USER = [
    ("say hi", "say hi"),
    ("  say hi\n", "say hi"),
    ("<command-name>/clear</command-name>\n<command-message>clear</command-message>", ""),
    (
        "<command-message>probe:recall</command-message>\n<command-name>/probe:recall</command-name>\n"
        "<command-args>some words</command-args>",
        "some words",
    ),
    ("<local-command-stdout>\x1b[1mSet model\x1b[0m</local-command-stdout>", ""),
    ("<local-command-caveat>Caveat: …</local-command-caveat>", ""),
    ("<bash-input>ls</bash-input>", ""),
    ("<bash-stdout>a.txt</bash-stdout><bash-stderr></bash-stderr>", ""),
    ("<task-notification>\n<task-id>b1</task-id> completed</task-notification>", ""),
    ("[Request interrupted by user]", ""),
    ("[Request interrupted by user for tool use]", ""),
    ("<system-reminder>\nhook text\n</system-reminder>", ""),
    ("<system-reminder>a</system-reminder>fix it<system-reminder>b</system-reminder>", "fix it"),
    ("<system-reminder>never closed", ""),
    ("why is <system-reminder> in my transcript?", "why is <system-reminder> in my transcript?"),
    ("<ide_opened_file>The user opened a.py</ide_opened_file>\nexplain this", "explain this"),
    ('<hipocampus-memory note="x">\nROOT\n</hipocampus-memory>\nand now?', "and now?"),
    ("This session is being continued from a previous conversation that ran out of context. …", ""),
    ("Stop hook feedback:\nwrite a checkpoint", ""),
    ("Base directory for this skill: /x\n\n# Skill", ""),
    ("/hipocampus:remember always use bun", "always use bun"),
    ("/compact", ""),
    ("/usr/bin/env python fails, why?", "/usr/bin/env python fails, why?"),
    ("a < b and b > c", "a < b and b > c"),
    ("<div>why is this not centred?</div>", "<div>why is this not centred?</div>"),
]


@pytest.mark.parametrize(("text", "said"), USER)
def test_words_of_the_user(text: str, said: str) -> None:
    """The host's own text in the user's role is cut away, the user's words stay as they are."""
    assert said_by_user(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Done.", "Done."),
        ("No response requested.", ""),
        ("API Error: 529 overloaded", ""),
        ("An API Error: no", "An API Error: no"),
    ],
)
def test_words_of_the_assistant(text: str, said: str) -> None:
    """What the client filled in for the assistant is not an answer."""
    assert said_by_assistant(text) == said
