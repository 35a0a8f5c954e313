"""What annotators played before submissions, in files."""

from collections.abc import Iterable

from django.db.models import QuerySet

from annotation.formats.media_files import Play
from annotation.models import MediaPlay


def plays_of(rows: QuerySet[MediaPlay]) -> dict[int, list[Play]]:
    """Return what was played by the ids of submissions, in the order of storing. One query."""
    found: dict[int, list[Play]] = {}
    columns = rows.order_by("pk").values_list("submission_id", *Play.__struct_fields__)
    for submission, name, sha256, seconds, plays in columns:
        found.setdefault(submission, []).append(Play(name, sha256, seconds, plays))
    return found


def store_plays(played: Iterable[tuple[int, Iterable[Play]]]) -> None:
    """Store what was played by the ids of submissions, each file of a submission once.

    A submission may come several times with the same. No query where nothing was played.
    """
    rows = {
        (submission, one.sha256): MediaPlay(
            submission_id=submission,
            name=one.name,
            sha256=one.sha256,
            seconds=one.seconds,
            plays=one.plays,
        )
        for submission, plays in played
        for one in plays
    }
    if rows:
        MediaPlay.objects.bulk_create(rows.values(), ignore_conflicts=True)
