"""The zone of this machine, with the offset that held at each moment and not only now; moments as they are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from hipocampus.core.years import COUNTED


class LocalZone(tzinfo):
    """The local zone as the system knows it. An evening in July is dated by July's offset, whenever it is asked for."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """The offset at a local moment."""
        return moment.replace(tzinfo=None).astimezone().utcoffset() if moment is not None else None

    def dst(self, _moment: datetime | None) -> timedelta | None:
        """Unknown: the offset is all that counts here."""
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        """The system's name for the zone at a local moment."""
        return moment.replace(tzinfo=None).astimezone().tzname() if moment is not None else None

    def fromutc(self, moment: datetime) -> datetime:
        """The local moment of one in UTC."""
        known = moment.replace(tzinfo=UTC).astimezone()
        found = known.replace(tzinfo=self)
        # Of an hour that happens twice this may be the second one.
        return found if found.utcoffset() == known.utcoffset() else found.replace(fold=1)


def moment_of(text: object) -> datetime | None:
    """The moment that an ISO text names, local where it names no offset; None where it names none, or one outside the
    years that memory counts in.
    """
    try:
        found = datetime.fromisoformat(str(text))
        return (found if found.tzinfo else found.astimezone()) if found.year in COUNTED else None
    except (ValueError, OverflowError, OSError):
        return None


def localised(now: datetime) -> datetime:
    """`now` in the local zone where its offset is that of the zone; in its own fixed offset where it was set apart."""
    return now.astimezone(LocalZone()) if now.utcoffset() == now.astimezone().utcoffset() else now
