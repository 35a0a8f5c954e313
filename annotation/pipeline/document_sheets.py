"""Sheets of documents: each has rows of its own, one for each paragraph.

The systems are divided into groups, which stand beside each other: often of one system. Where not
all systems are judged on each document, a document has fewer groups, and where they are chosen as
a sheet is assigned, a group has no systems yet. The first
group of a document has the rows of the lines themselves. Each further one has rows with the number
of the line plus a multiple of the number of lines, also where a translation is the same as one of
another group: a paragraph is judged in its document.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import comb
from random import Random
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from annotation.kinds import kind_of
from annotation.models import (
    Candidate,
    ChosenSystem,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
)
from annotation.pipeline.single_translations import delete_further, line_count
from annotation.preparation.sheet_design import (
    Meetings,
    balanced_groups,
    cut_evenly,
    divide_systems,
)
from annotation.preparation.system_choice import ChosenSystems
from annotation.projects.document_sheets import SheetRow, Texts, store_choice, store_systems
from annotation.projects.options import GivenSheets
from annotation.projects.provenance import SheetDesign
from annotation.projects.references import copy_references

NONE_GIVEN: Final[GivenSheets] = {}


def divide_documents(
    project: Project,
    segments: Iterable[Segment],
    texts: Mapping[int, Texts],
    systems: Mapping[str, System],
    design: SheetDesign,
    seed: int,
    given: GivenSheets = NONE_GIVEN,
) -> None:
    """Store the sheets of whole documents: rows, candidates, and which systems produced them.

    `segments` are those of the lines, with their sentences, in the order of the text; `texts` are
    the translations by segment id and system. Documents that are not `given` are divided by the
    design. The caller is in a transaction.
    """
    met: Meetings = Counter()
    lines = line_count(project)
    fewest = kind_of(project).answer.fewest_cards
    balanced = _balanced(project, list(systems), design, seed)
    for document in _documents(segments):
        first = document[0].sentence.number
        rng = Random(f"{seed} {first}")  # noqa: S311
        groups = given.get(document[0].sentence.document)
        if groups is None and design.is_dynamic:
            groups = [()] * design.sheets
        elif groups is None and design.chooses:
            groups = balanced[first]
        elif not groups:
            groups = divide_systems(list(systems), design.systems, met, rng, fewest=fewest)
        for place, names in enumerate(groups):
            rows = _rows(document, place * lines, [texts[segment.pk] for segment in document])
            of_group = {name: systems[name] for name in names}
            _store_sheets(rows, of_group, design, among=len(systems))


def _balanced(
    project: Project, systems: Sequence[str], design: SheetDesign, seed: int
) -> dict[int, list[list[str]]]:
    """Return the groups of a balanced design by the first line of the document.

    It covers the whole text; the caller may store a part of it. One query, none without a design.
    """
    if design.choice != "balanced":
        return {}
    lines = project.sentences.filter(
        Exists(Segment.objects.filter(sentence=OuterRef("pk"))),
        purpose=Sentence.Purpose.JUDGE,
        source_line=None,
    ).order_by("number")
    by_name = groupby(lines.values_list("number", "document"), key=lambda line: line[1] or line[0])
    firsts = [next(of_document)[0] for _name, of_document in by_name]
    groups = balanced_groups(len(systems), design.systems, len(firsts), design.sheets, seed)
    return {
        first: [[systems[one] for one in group] for group in of_document]
        for first, of_document in zip(firsts, groups, strict=True)
    }


def add_to_documents(
    project: Project,
    system: System,
    segments: Sequence[Segment],
    texts: Mapping[int, str],
    design: SheetDesign,
) -> int:
    """Store a sheet of the system for each document of these segments of lines.

    Returns how many translations it has. The caller is in a transaction.
    """
    lines = line_count(project)
    for document in _documents(segments):
        of_line = project.sentences.filter(
            purpose=Sentence.Purpose.JUDGE, source_line=document[0].sentence.number
        )
        offset = (of_line.count() + 1) * lines
        rows = _rows(document, offset, [{system.name: texts[one.pk]} for one in document])
        _store_sheets(rows, {system.name: system}, design)
    return sum(bool(texts[segment.pk]) for segment in segments)


def delete_sheets(project: Project, first: int, last: int) -> None:
    """Delete the sheets of these lines. None has been judged, and the lines stay."""
    lines = project.sentences.filter(number__range=(first, last))
    further = project.sentences.filter(source_line__range=(first, last))
    for rows in (lines, further):
        ChosenSystem.objects.filter(sheet__in=rows.values("pk")).delete()
    lines.update(sheet=None, sheet_probability=None, further_judges=0)
    of_documents = Segment.objects.filter(sentence__in=lines, of_document=True)
    Projection.objects.filter(segment__in=of_documents).delete()
    Candidate.objects.filter(segment__in=of_documents).delete()
    of_documents.delete()
    delete_further(project, first, last)


def whole_documents(lines: QuerySet[Sentence], size: int) -> list[int]:
    """Return the ids of the first lines, in their order: `size`, and what ends the last document.

    `lines` are in the order of the text.
    """
    found = list(lines.values_list("pk", "document")[: size + 1])
    if len(found) <= size:
        return [pk for pk, _name in found]
    last = found[size - 1][1]
    page = [pk for pk, _name in found[:size]]
    if last and found[size][1] == last:
        rest = lines.filter(pk__gt=page[-1]).values_list("pk", "document")
        for pk, name in rest.iterator():
            if name != last:
                break
            page.append(pk)
    return page


def first_lines(project: Project, starts: Iterable[int]) -> list[int]:
    """Return the numbers of lines at which parts of the text start, so that none cuts a document.

    They are `starts`, or before them.
    """
    lines = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, source_line=None)
    names = dict(lines.values_list("number", "document"))
    found = []
    for start in starts:
        number = start
        while number > 1 and names.get(number) and names.get(number) == names.get(number - 1):
            number -= 1
        found.append(number)
    return list(dict.fromkeys(found))


def _documents(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Return the segments of lines by document; a line without one is a document."""
    by_name = groupby(segments, key=lambda one: one.sentence.document or one.sentence.number)
    return [list(of_document) for _name, of_document in by_name]


def _rows(document: Sequence[Segment], offset: int, texts: Sequence[Texts]) -> list[SheetRow]:
    """Return the rows of a group: those of the lines, or new ones, which are stored."""
    if not offset:
        return [SheetRow(one.sentence, one, of) for one, of in zip(document, texts, strict=True)]
    lines = [segment.sentence for segment in document]
    sentences = Sentence.objects.bulk_create(
        Sentence(
            project_id=line.project_id,
            number=line.number + offset,
            source_line=line.number,
            document=line.document,
            item_id=line.item_id,
            text=line.text,
            tokens=line.tokens,
        )
        for line in lines
    )
    copy_references(zip(sentences, [line.pk for line in lines], strict=True))
    segments = Segment.objects.bulk_create(
        Segment(sentence=sentence, token_indices=segment.token_indices)
        for sentence, segment in zip(sentences, document, strict=True)
    )
    return [SheetRow(*row) for row in zip(sentences, segments, texts, strict=True)]


def _store_sheets(
    rows: Sequence[SheetRow],
    systems: Mapping[str, System],
    design: SheetDesign,
    *,
    among: int | None = None,
) -> None:
    """Make sheets of the rows, and store what the systems have on them, if any are known yet.

    `among` so many systems they were chosen, where a design chooses some.
    """
    for part in cut_evenly(len(rows), design.paragraphs):
        of_sheet = [rows[place] for place in part]
        head, *further = [row.sentence for row in of_sheet]
        Sentence.objects.filter(pk__in=[one.pk for one in further]).update(sheet=head)
        whole = (
            Segment.objects.create(sentence=head, token_indices="", of_document=True)
            if design.documents
            else None
        )
        if systems:
            store_systems(of_sheet, whole, systems)
        if systems and among and design.chooses:
            store_choice(head, _any_of(systems, among))


def _any_of(systems: Mapping[str, System], among: int) -> ChosenSystems:
    """Return the choice of a design in which each group is as probable as any other."""
    size = len(systems)
    ids = tuple(one.pk for one in systems.values())
    return ChosenSystems(ids, (size / among,) * size, 1 / comb(among, size))
