"""Lines without a secret that look as if they had one, one a line in `look_alikes.txt` (`\\n` for a line break)."""

from pathlib import Path

import pytest

from hipocampus.redaction import redact
from hipocampus.redaction.samples import Sampler

LINES = Path(__file__).with_name("look_alikes.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("seed", range(3))
def test_each_stays(seed):
    """Not a character of any of them is changed."""
    sampler = Sampler(seed)
    texts = [sampler.filled(line.replace(r"\n", "\n"))[0] for line in LINES]

    assert [text for text in texts if redact(text).text != text] == []


def test_all_stay_together():
    """Nor does one change because of the lines around it."""
    text = "\n\n".join(Sampler(4).filled(line.replace(r"\n", "\n"))[0] for line in LINES)

    found = [text[max(each.start - 40, 0) : each.end] for each in redact(text).findings]
    assert found == []
