"""Sheets whose answers differ by too much: one more annotator, and what a curator decides.

Two answers differ by the mean score that they give to the paragraphs of a system: by that of the
system where it is largest. Error points and ranks are compared in the same way.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import retried, writing
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer
from annotation.kinds.several_scores import SeveralScores
from annotation.models import (
    Assignment,
    Placement,
    Project,
    Projection,
    Sentence,
    SettledPlacement,
    Settlement,
    User,
)
from annotation.models.results import judgement_counts
from annotation.process import clock
from annotation.projects.limits import with_plain_line_ends


@dataclass(frozen=True)
class SheetAnswers:
    """What annotators answered to a sheet: ranks by candidate (id), by annotator (id).

    `systems` are the ids of those that produced each candidate. Annotators are in the order in
    which they submitted.
    """

    ranks: dict[int, dict[int, int | None]] = field(default_factory=dict)
    offered: dict[int, int] = field(default_factory=dict)
    systems: dict[int, list[int]] = field(default_factory=dict)

    def means(
        self, answer: Answer, annotator: int, among: Collection[int] | None = None
    ) -> dict[int, float]:
        """Return by system (id) the mean of the annotator's answers to its paragraphs.

        With `among`, of these candidates (ids).
        """
        by_system: dict[int, list[float]] = {}
        for candidate, rank in self.ranks[annotator].items():
            if among is None or candidate in among:
                for system in self.systems.get(candidate, ()):
                    by_system.setdefault(system, []).append(self._value(answer, candidate, rank))
        return {system: fmean(values) for system, values in by_system.items()}

    def differences(self, answer: Answer) -> dict[int, float]:
        """Return by system (id) the largest difference of two means over its paragraphs."""
        found: dict[int, float] = {}
        for one, other in combinations(self.ranks, 2):
            both = self.ranks[one].keys() & self.ranks[other].keys()
            means = self.means(answer, one, both), self.means(answer, other, both)
            for system, mean in means[0].items():
                found[system] = max(found.get(system, 0.0), abs(mean - means[1][system]))
        return found

    def largest_difference(self, answer: Answer) -> float:
        return max(self.differences(answer).values(), default=0.0)

    def _value(self, answer: Answer, candidate: int, rank: int | None) -> float:
        """Return the score, the points or the rank; garbage is one below the last rank."""
        return float(self.offered[candidate] + 1 if rank is None else answer.meaning(rank))


def answers_to(project: Project, heads: Collection[int] | None = None) -> dict[int, SheetAnswers]:
    """Return by head (id) the answers to sheets that several annotators have judged.

    Of these `heads`, or of all. Repeats and documents as a whole are left out. Two queries.
    """
    firsts = Assignment.objects.filter(
        project=project, kind=Assignment.Kind.FIRST, state=Assignment.State.SUBMITTED
    )
    if heads is not None:
        firsts = firsts.filter(sentence__in=heads)
    several = (
        firsts.order_by().values("sentence").annotate(answers=Count("annotator", distinct=True))
    )
    assignments = firsts.filter(sentence__in=several.filter(answers__gte=2).values("sentence"))
    rows = Placement.objects.filter(
        judgement_counts("judgement"),
        judgement__submission__assignment__in=assignments.values("pk"),
    ).order_by("judgement__submission__assignment__submitted", "pk")
    found: dict[int, SheetAnswers] = {}
    of_candidate: dict[int, SheetAnswers] = {}
    for head, annotator, candidate, rank, offered in rows.values_list(
        "judgement__submission__assignment__sentence",
        "judgement__submission__assignment__annotator",
        "candidate",
        "rank",
        "ranks_offered",
    ):
        answers = found.setdefault(head, SheetAnswers())
        answers.ranks.setdefault(annotator, {})[candidate] = rank
        answers.offered[candidate] = offered
        of_candidate[candidate] = answers
    for candidate, system in _producers(assignments):
        if candidate in of_candidate:
            of_candidate[candidate].systems.setdefault(candidate, []).append(system)
    return {head: answers for head, answers in found.items() if len(answers.ranks) > 1}


def _producers(assignments: QuerySet[Assignment]) -> Iterable[tuple[int, int]]:
    shown = assignments.values("shown_candidates__candidate")
    rows = Projection.objects.filter(candidate__in=shown)
    return rows.values_list("candidate", "system")


def add_judge_if_disputed(project: Project, assignment_id: int) -> None:
    """Give the sheet of a submitted assignment a third judge if the answers of two differ.

    The caller is in a transaction. No query unless the project has third judges.
    """
    if not project.third_judge or project.disputed_from is None:
        return
    heads = Sentence.objects.filter(assignments=assignment_id)
    # Of two who submit at the same time, the second waits for the first and sees its answer.
    head = heads.select_for_update(of=("self",), no_key=True).first()
    further = 3 - project.judges_per_sentence
    if head is None or head.further_judges >= further:
        return
    answers = answers_to(project, [head.pk]).get(head.pk)
    if (
        answers
        and len(answers.ranks) == 2
        and (answers.largest_difference(kind_of(project).answer) > project.disputed_from)
    ):
        Sentence.objects.filter(pk=head.pk).update(further_judges=further)


def takes_own_scores(answer: Answer) -> bool:
    """Tell whether a curator can settle a sheet by scores of their own, which are one number."""
    return answer.score_of(1) is not None and not isinstance(answer, SeveralScores)


@retried
def settle(
    *,
    project: Project,
    by: User,
    number: int,
    answer_of: int | None = None,
    ranks: Mapping[int, int | None] | None = None,
    comment: str = "",
) -> Settlement:
    """Store what a curator decided about the sheet with this number; all answers stay.

    Either the answer of an annotator (id) is taken over with its details, or `ranks` has that of
    each candidate (id). Replaces an earlier decision. Raises NotPossible for a sheet that fewer
    than two annotators have judged, for an annotator who is not one of them, for ranks that do not
    exist, or of other candidates, and for a comment that is too long.
    """
    answer = kind_of(project).answer
    comment = with_plain_line_ends(comment).strip()
    if len(comment) > Settlement.LONGEST_COMMENT or "\0" in comment:
        raise NotPossible(
            _("The comment can have up to %(most)d printable characters: shorten it.")
            % {"most": Settlement.LONGEST_COMMENT}
        )
    with writing():
        heads = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, sheet=None, number=number)
        head = heads.select_for_update(no_key=True).first()
        answers = answers_to(project, [head.pk]).get(head.pk) if head else None
        if head is None or answers is None:
            raise NotPossible(_("Two annotators have to judge a sheet before it can be settled."))
        details: Mapping[int, str] = {}
        if answer_of is not None:
            if answer_of not in answers.ranks:
                raise NotPossible(_("This annotator has not judged the sheet."))
            ranks = answers.ranks[answer_of]
            details = details_of(answer, head, answer_of)
        elif not takes_own_scores(answer):
            raise NotPossible(
                _("Take over one of the answers: here a curator cannot give scores of their own.")
            )
        elif ranks is None or ranks.keys() != answers.offered.keys():
            raise NotPossible(_("Give each translation on the sheet a score."))
        if any(
            rank is not None and not 1 <= rank <= answers.offered[candidate]
            for candidate, rank in ranks.items()
        ):
            raise NotPossible(_("A score does not exist on the scale of the project."))
        earlier = Settlement.objects.filter(sheet=head)
        SettledPlacement.objects.filter(settlement__in=earlier).delete()
        earlier.delete()
        settlement = Settlement.objects.create(
            sheet=head,
            answer_of_id=answer_of,
            by=by,
            created=clock.now(),
            comment=comment,
        )
        SettledPlacement.objects.bulk_create(
            SettledPlacement(
                settlement=settlement,
                candidate_id=candidate,
                rank=rank,
                ranks_offered=answers.offered[candidate],
                detail=details.get(candidate, ""),
            )
            for candidate, rank in sorted(ranks.items())
        )
    return settlement


def details_of(answer: Answer, head: Sentence, annotator: int) -> dict[int, str]:
    """Return by candidate (id) the details of the annotator's first answer to the sheet."""
    placements = Placement.objects.filter(
        judgement__submission__current=True,
        judgement__submission__assignment__sentence=head,
        judgement__submission__assignment__annotator=annotator,
        judgement__submission__assignment__kind=Assignment.Kind.FIRST,
        judgement__submission__assignment__state=Assignment.State.SUBMITTED,
    )
    of_placement = answer.read_details(placements)
    rows = placements.filter(pk__in=of_placement).values_list("pk", "candidate")
    return {candidate: of_placement[pk] for pk, candidate in rows}
