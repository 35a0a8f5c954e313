"""The judgements that a project has, by what identifies them in files."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from annotation.common.batches import CHUNK
from annotation.import_export.imported_accounts import ImportedAccounts
from annotation.models import Judgement, Placement, Project, Sentence
from annotation.projects.annotator_names import account_names

# Annotator, sentence, indices, and time to the millisecond, which is what CSV of scores has.
Identity = tuple[str, int, str, str]


def identity_of(
    annotator: str, sentence: int, indices: Iterable[int] | str, created: datetime
) -> Identity:
    """Return what identifies a judgement; `indices` are numbers, or as they are stored."""
    stored = indices if isinstance(indices, str) else " ".join(map(str, indices))
    return annotator, sentence, stored, f"{created.timestamp():.3f}"


class StoredSubmission(NamedTuple):
    """A current submission of an imported account, and the identities of its judgements."""

    id: int
    assignment_id: int
    number: int
    created: datetime
    judgements: frozenset[Identity]

    @property
    def segments(self) -> set[tuple[int, str]]:
        """The sentences of the sheet, by number, and the indices of their segments."""
        return {(sentence, indices) for _annotator, sentence, indices, _time in self.judgements}


class StoredJudgements:
    """The judgements that the project has by some annotators: accounts of imports, and people.

    `ids` are by their identities; `submissions` only those of imported accounts, by annotator and
    head of the sheet in order of time.
    """

    def __init__(self, project: Project, accounts: ImportedAccounts, annotators: set[str]) -> None:
        # People have the names of exports, so that the project's own export adds nothing to it.
        names = {pk: name for pk, name in account_names(project).items() if name in annotators}
        # There, an imported account is called otherwise if a person has its name.
        imported = {user.pk: name for name, user in accounts.by_name.items() if name in annotators}
        names |= imported
        self.ids: dict[Identity, int] = {}
        self.submissions: dict[tuple[str, int], list[StoredSubmission]] = {}
        rows = (
            Judgement.objects.filter(
                submission__assignment__project=project,
                submission__assignment__annotator__in=names,
                segment__sentence__purpose=Sentence.Purpose.JUDGE,
            )
            .order_by("submission__created", "submission_id")
            .values_list(
                "submission_id",
                "submission__assignment_id",
                "submission__number",
                "submission__created",
                "submission__current",
                "submission__assignment__annotator_id",
                "submission__assignment__sentence__number",
                "segment__sentence__number",
                "segment__token_indices",
                "created",
                "pk",
            )
            .iterator(CHUNK)
        )
        for submission, of_submission in groupby(rows, key=lambda row: row[:7]):
            pk, assignment, number, submitted, current, annotator, head = submission
            name = names[annotator]
            ids = {identity_of(name, *row[7:10]): row[10] for row in of_submission}
            self.ids |= ids
            if current and annotator in imported:
                self.submissions.setdefault((name, head), []).append(
                    StoredSubmission(pk, assignment, number, submitted, frozenset(ids))
                )


def imported_rankings(project: Project) -> Counter[tuple[int, frozenset[tuple[int, int | None]]]]:
    """Return how often each ranking of a segment was imported, by segment and placements.

    The project's own annotators may have given the same ranks: theirs are other judgements.
    """
    rows = (
        Placement.objects.filter(
            judgement__submission__assignment__project=project,
            judgement__submission__assignment__annotator__imported_with=project,
            judgement__submission__current=True,
        )
        .order_by("judgement_id")
        .values_list("judgement_id", "judgement__segment_id", "candidate_id", "rank")
        .iterator(CHUNK)
    )
    return Counter(
        (segment, frozenset(row[2:] for row in placed))
        for (_judgement, segment), placed in groupby(rows, key=lambda row: row[:2])
    )
