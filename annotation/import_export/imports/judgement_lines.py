"""Judgements from JSON lines: read twice, so that only a page of them is held at once."""

from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import JudgementLine, read_judgement_lines
from annotation.import_export.imports.accounts import ImportedAccounts
from annotation.import_export.imports.bulk_insert import (
    Resolved,
    SubmittedSentence,
    store_judgements,
    store_submissions,
)
from annotation.import_export.imports.segment_matching import (
    find_placements,
    find_segment,
    unknown_sentence,
)
from annotation.import_export.sentence_pages import LoadedSegment, load_sentences
from annotation.models import Judgement, Project, Sentence, User

PAGE = 200
# Judgements of one annotator and sentence this close to each other were submitted together.
SAME_SUBMISSION = timedelta(seconds=2)


class Outline(NamedTuple):
    """Of one line, what tells which submission it belongs to; sorts so that those are adjacent."""

    annotator: str
    sentence: int
    created: datetime
    line: int
    indices: tuple[int, ...]


def import_lines(project: Project, path: Path, accounts: ImportedAccounts) -> tuple[int, set[int]]:
    """Store the judgements; return how many, and the ids of their annotators. Raise InputError."""
    outlines = _read_outlines(path)
    groups = _group(outlines)
    annotators = {
        name: accounts.named(name, f"{path}, line {line}")
        for name, line in _first_lines(outlines).items()
    }
    submission_of_line = _store_submissions(project, path, groups, annotators)
    lines = enumerate(read_judgement_lines(path))
    while page := list(islice(lines, PAGE)):
        _store_page(project, page, annotators, accounts, submission_of_line)
    return len(outlines), {user.pk for user in annotators.values()}


def _read_outlines(path: Path) -> list[Outline]:
    outlines: list[Outline] = []
    seen: dict[tuple[str, int, datetime, tuple[int, ...]], int] = {}
    for number, line in enumerate(read_judgement_lines(path)):
        key = (line.annotator, line.sentence, line.created, line.indices)
        if seen.setdefault(key, number) != number:
            raise InputError(
                f"{line.where}: line {seen[key] + 1} is a judgement of the same segment by the "
                "same annotator at the same time: keep one of them."
            )
        outlines.append(Outline(line.annotator, line.sentence, line.created, number, line.indices))
    return outlines


def _first_lines(outlines: list[Outline]) -> dict[str, int]:
    """Return the annotators in the order of the file, with the line that first names each."""
    lines: dict[str, int] = {}
    for outline in outlines:
        lines.setdefault(outline.annotator, outline.line + 1)
    return lines


def _group(outlines: list[Outline]) -> list[list[Outline]]:
    """Return the judgements that were submitted together, in order of time."""
    groups: list[list[Outline]] = []
    for outline in sorted(outlines):
        if not (groups and _belongs(outline, groups[-1])):
            groups.append([])
        groups[-1].append(outline)
    return sorted(groups, key=lambda group: (group[0].created, group[0].line))


def _belongs(outline: Outline, group: list[Outline]) -> bool:
    first = group[0]
    return (
        (outline.annotator, outline.sentence) == (first.annotator, first.sentence)
        and outline.created - first.created <= SAME_SUBMISSION
        # A segment judged again is another submission, however fast.
        and all(outline.indices != other.indices for other in group)
    )


def _store_submissions(
    project: Project, path: Path, groups: list[list[Outline]], annotators: dict[str, User]
) -> dict[int, int]:
    """Store an assignment for each group; return the submission id of each line."""
    ids = dict(
        Sentence.objects.filter(project=project, purpose=Sentence.Purpose.JUDGE).values_list(
            "number", "pk"
        )
    )
    for outline in sorted((o for group in groups for o in group), key=lambda o: o.line):
        if outline.sentence not in ids:
            raise unknown_sentence(outline.sentence, f"{path}, line {outline.line + 1}")
    submission_ids = store_submissions(
        project,
        [
            SubmittedSentence(ids[first.sentence], annotators[first.annotator], first.created)
            for first, *_others in groups
        ],
    )
    return {
        outline.line: submission_id
        for group, submission_id in zip(groups, submission_ids, strict=True)
        for outline in group
    }


def _store_page(
    project: Project,
    page: list[tuple[int, JudgementLine]],
    annotators: dict[str, User],
    accounts: ImportedAccounts,
    submission_of_line: dict[int, int],
) -> None:
    sentences = load_sentences(project, {line.sentence for _number, line in page})
    found = [
        (number, line, find_segment(line, sentences.get(line.sentence))) for number, line in page
    ]
    resolved = [
        Resolved(
            submission_id=submission_of_line[number],
            segment_id=segment.id,
            created=line.created,
            seconds=line.seconds,
            placements=find_placements(segment, line.ranks, line.where),
        )
        for number, line, segment in found
    ]
    _refuse_known(
        [(line, segment, annotators[line.annotator]) for _number, line, segment in found], accounts
    )
    store_judgements(resolved)


def _refuse_known(
    page: list[tuple[JudgementLine, LoadedSegment, User]], accounts: ImportedAccounts
) -> None:
    """Raise InputError where a judgement came with an earlier import."""
    repeating = {user.pk for _line, _segment, user in page} & accounts.existing
    if not repeating:
        return
    known = set(
        Judgement.objects.filter(
            submission__assignment__annotator__in=repeating,
            segment__in={segment.id for _line, segment, _user in page},
        ).values_list("submission__assignment__annotator_id", "segment_id", "created")
    )
    for line, segment, user in page:
        if (user.pk, segment.id, line.created) in known:
            raise InputError(
                f"{line.where}: this judgement of {line.annotator!r} has been imported already."
            )
