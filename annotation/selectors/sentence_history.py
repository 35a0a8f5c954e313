"""One sentence for its page: its texts, its assignments, and the people it is assigned to."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, IntegerField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from annotation.models import (
    Assignment,
    Judgement,
    MediaPlay,
    Project,
    Segment,
    Sentence,
    Skip,
    Submission,
    System,
    Translation,
)
from annotation.projects.annotator_names import account_names
from annotation.selectors.sentence_texts import Pieces


@dataclass(frozen=True)
class SystemTranslation:
    """The translation of the sentence by a system."""

    system: str
    text: str


@dataclass(frozen=True)
class PastAssignment:
    """An assignment of the sentence; `seconds` were spent on `judgements` segments.

    `played` are the seconds in which media were playing, None if none was played.
    """

    annotator: str
    kind: str
    state: str
    state_label: str
    when: datetime
    judgements: int = 0
    revisions: int = 0
    seconds: float | None = None
    played: float | None = None
    with_sentence: bool = False
    reason: str = ""
    comment: str = ""

    @property
    def per_segment(self) -> float | None:
        if self.seconds is None or not self.judgements:
            return None
        return self.seconds / self.judgements


def marked_source(sentence: Sentence) -> Pieces:
    """Return the source in pieces; those of segments that are not excluded are True."""
    owners: dict[int, int] = {}
    for segment in Segment.objects.filter(sentence=sentence, excluded=False).order_by("pk"):
        for index in segment.indices:
            owners.setdefault(index, segment.pk)
    return [(text, owner is not None) for text, owner in sentence.tokenized.divide(owners)]


def system_translations(sentence: Sentence) -> list[SystemTranslation]:
    """Return the stored translations by system; a project of imported segments has none.

    A sentence with a further translation of a line has those of the line.
    """
    line = Sentence.objects.filter(
        project=sentence.project_id,
        purpose=sentence.purpose,
        number=sentence.source_line or sentence.number,
    )
    rows = Translation.objects.filter(sentence__in=line, system__isnull=False)
    return [
        SystemTranslation(one.system.name, one.text)
        for one in rows.select_related("system").order_by("system__name")
        if isinstance(one.system, System)
    ]


def past_assignments(project: Project, sentence: Sentence) -> list[PastAssignment]:
    """Return the assignments of its sheet, the oldest first; those only returned are left out.

    Three queries.
    """
    names, head = account_names(project), sentence.sheet_id or sentence.pk
    current = Submission.objects.filter(assignment=OuterRef("pk"), current=True)
    judged = Judgement.objects.filter(
        submission__assignment=OuterRef("pk"), submission__current=True
    ).order_by()
    rows = list(
        Assignment.objects.filter(sentence=head)
        .exclude(state=Assignment.State.RETURNED)
        .annotate(
            judgements=Coalesce(
                Subquery(
                    judged.values("submission").annotate(rows=Count("pk")).values("rows"),
                    output_field=IntegerField(),
                ),
                0,
            ),
            seconds=Subquery(
                judged.values("submission").annotate(total=Sum("seconds")).values("total")
            ),
            played=Subquery(
                MediaPlay.objects.filter(
                    submission__assignment=OuterRef("pk"), submission__current=True
                )
                .order_by()
                .values("submission")
                .annotate(total=Sum("seconds"))
                .values("total")
            ),
            revisions=Coalesce(
                Subquery(current.values("number"), output_field=IntegerField()) - 1, 0
            ),
        )
        .order_by("created", "pk")
    )
    skips = {skip.assignment_id: skip for skip in Skip.objects.filter(assignment__sentence=head)}
    return [
        PastAssignment(
            annotator=names[row.annotator_id],
            kind=row.kind,
            state=row.state,
            state_label=row.get_state_display(),
            when=row.submitted or (skips[row.pk].created if row.pk in skips else row.created),
            judgements=row.judgements,
            revisions=row.revisions,
            seconds=row.seconds,
            played=row.played,
            with_sentence=row.discarded_with_sentence,
            reason=skips[row.pk].get_reason_display() if row.pk in skips else "",
            comment=skips[row.pk].comment if row.pk in skips else "",
        )
        for row in rows
    ]
