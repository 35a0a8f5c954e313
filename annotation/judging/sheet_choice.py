"""Which sheet of a document comes next where only some systems are judged on each document.

No annotator gets two sheets of a document. In a balanced design, the annotator gets the systems
that they have judged least. In a dynamic one, the systems are chosen first, by what was judged so
far, and then the document on which most of them are new; a sheet that was assigned before and is
free again comes first, with its systems and their probabilities.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.db.models import Avg, Count, F, QuerySet
from django.db.models.functions import Coalesce

from annotation.models import Assignment, ChosenSystem, Placement, Project, Sentence, User
from annotation.models.project_counts import stored_counts
from annotation.models.results import judgement_counts
from annotation.preparation.system_choice import ChosenSystems, Standing, choose_systems
from annotation.projects.document_sheets import design_of

# Sheets that are considered at once; another transaction may hold some of them.
SAMPLE_SIZE: Final = 200
# The line of a sheet, by which its document, or the part of it, is found.
LINE_OF_SHEET: Final = Coalesce("sheet__source_line", "sheet__number")


@dataclass(frozen=True)
class NextSheet:
    """The id of the head of a sheet; with the systems that it is to get, if it has none yet.

    `of_document` is the probability of its document once these systems were chosen.
    """

    head: int
    systems: ChosenSystems | None = None
    of_document: float = 1.0


def without_documents_of(
    annotator: User, project: Project, sentences: QuerySet[Sentence]
) -> QuerySet[Sentence]:
    """Leave out the documents, or parts of documents, that the annotator has had on a sheet."""
    had = Assignment.objects.filter(
        annotator=annotator, project=project, sentence__purpose=Sentence.Purpose.JUDGE
    ).exclude(state__in=Assignment.ENDED_STATES)
    lines = had.annotate(line=Coalesce("sentence__source_line", "sentence__number"))
    return sentences.alias(line=Sentence.LINE).exclude(line__in=lines.values("line"))


def sheets_in_order(
    annotator: User, project: Project, windows: Iterable[QuerySet[Sentence]]
) -> Iterator[NextSheet]:
    """Yield sheets of the `windows`, which have free ones, the one to be assigned first.

    Those after it are for callers that find the first one locked by another transaction. In a
    dynamic design, one window has all that are free.
    """
    for free in windows:
        if not design_of(project).is_dynamic:
            yield from map(NextSheet, _least_judged(annotator, project, _sample(free)))
        else:
            yield from map(NextSheet, _sample(free.filter(sheet_probability__isnull=False)))
            yield from _new_sheets(project, free.filter(sheet_probability=None))


def draw_systems(project: Project) -> ChosenSystems:
    """Choose the systems of one more sheet by what was assigned and judged so far. Three queries.

    Two in a large project, whose means are those that a worker stored last.
    """
    design = design_of(project)
    # At random, so that systems of equal means are in no order.
    systems = list(project.systems.order_by("?").values_list("pk", flat=True))
    rows = ChosenSystem.objects.filter(sheet__project=project).order_by().values("system")
    on_sheets = dict(rows.annotate(sheets=Count("pk")).values_list("system", "sheets"))
    if counts := stored_counts(project):
        means = {int(pk): mean for pk, mean in counts.mean_ranks.items()}
    else:
        means = mean_ranks(project)
    standings = [Standing(pk, on_sheets.get(pk, 0), means.get(pk)) for pk in systems]
    return choose_systems(standings, design.systems, design.first, random.SystemRandom())


def _sample(sheets: QuerySet[Sentence]) -> list[int]:
    return list(sheets.order_by("?").values_list("pk", flat=True)[:SAMPLE_SIZE])


def _least_judged(annotator: User, project: Project, heads: list[int]) -> list[int]:
    """Return the heads in the order of how often the annotator has had their systems."""
    mine = Assignment.objects.filter(
        annotator=annotator,
        project=project,
        kind=Assignment.Kind.FIRST,
        state__in=Assignment.ACTIVE_STATES,
    )
    had = ChosenSystem.objects.filter(sheet__in=mine.values("sentence")).order_by()
    times = dict(had.values("system").annotate(Count("pk")).values_list("system", "pk__count"))
    of_sheets: Counter[int | None] = Counter()
    chosen = ChosenSystem.objects.filter(sheet__in=heads)
    for head, system in chosen.values_list("sheet", "system"):
        of_sheets[head] += times.get(system, 0)
    return sorted(heads, key=lambda head: of_sheets[head])


def _new_sheets(project: Project, free: QuerySet[Sentence]) -> Iterator[NextSheet]:
    """Yield sheets that get systems now: of documents where fewest of these are on a sheet.

    All that are free are read, because the probability of the document is stored with its sheet.
    """
    lines = free.order_by("-number").annotate(of_line=Sentence.LINE)
    sheets: dict[int, int] = dict(lines.values_list("of_line", "pk"))
    if not sheets:
        return
    systems = draw_systems(project)
    known = ChosenSystem.objects.filter(sheet__project=project, system__in=systems.systems)
    on_lines = Counter(
        line
        for line, _system in known.order_by()
        .annotate(line=LINE_OF_SHEET)
        .values_list("line", "system")
        .distinct()
    )
    fewest = min(on_lines[line] for line in sheets)
    ties = [line for line in sheets if on_lines[line] == fewest]
    for line in random.sample(ties, len(ties)):
        yield NextSheet(sheets[line], systems, 1 / len(ties))


def mean_ranks(project: Project) -> dict[int, float]:
    """Return the mean rank of the judgements of each system by id; garbage is below any rank."""
    rows = Placement.objects.filter(
        judgement_counts("judgement"),
        judgement__submission__assignment__project=project,
        candidate__projections__isnull=False,
    )
    by_system = rows.order_by().values("candidate__projections__system")
    means = by_system.annotate(mean=Avg(Coalesce("rank", F("ranks_offered") + 1)))
    return dict(means.values_list("candidate__projections__system", "mean"))
