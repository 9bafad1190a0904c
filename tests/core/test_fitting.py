"""Fitting texts into a limited room."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.fitting import fair_shares, fit
from hipocampus.core.tokens import utf8_bytes, utf16_units


@given(st.text(), st.integers(100, 3_000), st.sampled_from([utf16_units, utf8_bytes]))
def test_fit_never_exceeds_its_room(text: str, room: int, length: Callable[[str], int]) -> None:
    """The result is the text itself or fits, however the host counts, and then says that something is missing."""
    fitted = fit(text * 20, room, "read x", length)
    assert fitted == text * 20 or (length(fitted) <= room and "`read x`" in fitted)


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 10_000), min_size=1), st.integers(-10, 20_000))
def test_shares_are_fair(sizes: dict[str, int], total: int) -> None:
    """Nobody gets more than they need, all together no more than there is, and all of it if all is needed."""
    shares = fair_shares(sizes, total)
    assert shares.keys() == sizes.keys()
    assert all(0 <= shares[name] <= size for name, size in sizes.items())
    assert sum(shares.values()) <= max(total, 0)
    if sum(sizes.values()) <= total:
        assert shares == sizes
