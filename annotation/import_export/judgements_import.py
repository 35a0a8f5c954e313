"""Judgements that were made elsewhere, into a project that has their segments.

Either JSON lines, a format of other programs in which such judgements are published, or the thesis'
JSON, which says neither who made the judgements nor when.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from django.db import IntegrityError
from django.db.models.functions import Coalesce

from annotation.common.transactions import retried, writing
from annotation.formats.errors import InputError, OnError
from annotation.formats.fingerprints import NO_COPIES, Fingerprint, Originals, fingerprint
from annotation.formats.judgement_lines import (
    JudgementLine,
    by_candidate,
    choose_by_candidates,
    read_judgement_lines,
    with_place,
)
from annotation.formats.media_files import Play
from annotation.formats.names import find_text
from annotation.formats.problems import ErrorList
from annotation.formats.thesis import ThesisEntry, is_thesis_json, read_thesis_json
from annotation.import_export.foreign_formats import foreign_format
from annotation.import_export.imported_accounts import ImportedAccounts
from annotation.import_export.kinds_in_files import (
    Placements,
    details_of_line,
    placements_of_line,
    placements_of_ranks,
)
from annotation.import_export.media_plays import store_plays
from annotation.import_export.sentence_pages import (
    SENTENCES_PER_PAGE,
    LoadedSegment,
    LoadedSentence,
    load_sentences,
)
from annotation.import_export.stored_judgements import (
    Identity,
    StoredJudgements,
    StoredSubmission,
    identity_of,
    imported_rankings,
)
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer
from annotation.models import (
    Assignment,
    Judgement,
    Placement,
    Project,
    Sentence,
    Submission,
    User,
)
from annotation.process import clock
from annotation.projects.provenance import append_entry
from annotation.signals import submitted

# Attempts to store an import while annotators are assigned sentences of the same project.
ATTEMPTS = 3
# Judgements of one annotator and sentence this close to each other were submitted together.
SAME_SUBMISSION = timedelta(seconds=2)
REMEDY = "import JSON lines, which have the indices."
# Reads the judgements of a file, and calls the function for each line that is wrong.
ReadLines = Callable[[OnError], Iterable[JudgementLine]]


@dataclass(frozen=True, slots=True)
class _FoundJudgement:
    """A judgement whose segment and candidates were found in the project."""

    submission_id: int
    segment_id: int
    created: datetime
    seconds: float | None
    placements: Placements
    details: dict[int, str] = field(default_factory=dict)
    media: Sequence[Play] = ()
    comment: str = ""


@dataclass(frozen=True)
class ImportedJudgements:
    """Counts of an import; `format` is "JSON lines", "thesis JSON" or the name of a ForeignFormat.

    `judgements` are new, by so many `annotators`; `revised` of them replace earlier ones. The
    others of the file are left out: `there_already` were in the project, and `left_out` counts
    others by what they are, in the words of `LEFT_OUT`.
    """

    format: str
    judgements: int
    annotators: int
    there_already: int = 0
    revised: int = 0
    left_out: dict[str, int] = field(default_factory=dict)


def import_judgements(
    *, project: Project, path: Path, revised: bool = False, originals: Originals = NO_COPIES
) -> ImportedJudgements:
    """Store the judgements of a file that the project does not have yet.

    The file is JSON lines, CSV of scores, TSV of MQM or the thesis' JSON, detected by content. A
    judgement with an annotator is in the project if it has one of the same annotator, segment and
    time, and then the answers must be the same; one of the thesis' JSON, if it has an imported one
    of the same segment and ranks. With `revised`, a later judgement of a sentence replaces an
    imported one that the file lacks.

    Annotators become inactive accounts that belong to the project; accounts of earlier imports are
    used again. All in one transaction; raises InputError with everything that is wrong.
    """
    of_file = fingerprint(path, originals)
    for attempt in range(ATTEMPTS):
        try:
            return _import(project, path, of_file, revised)
        except IntegrityError as problem:
            # An annotator was assigned a sentence while it was being stored as judged.
            if attempt == ATTEMPTS - 1:
                raise InputError(
                    f"{path} could not be stored, because sentences of {project.name!r} are being "
                    "assigned at the same time: close the project, and try again."
                ) from problem
    raise AssertionError("unreachable")


@retried
def _import(
    project: Project, path: Path, of_file: Fingerprint, revised: bool
) -> ImportedJudgements:
    with writing():
        # One import at a time; on SQLite, the transaction alone sees to that.
        project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if project.state in (Project.State.PREPARING, Project.State.FAILED):
            raise InputError(
                f"The project {project.name!r} is not prepared, so it has no segments to judge."
            )
        accounts = ImportedAccounts(project)
        if foreign := foreign_format(kind_of(project).answer, path):
            problems = ErrorList()
            lines, left_out = foreign.read(project, path, problems.add)
            imported = replace(
                _import_lines(project, lambda _: lines, accounts, problems, revised),
                format=foreign.name,
                left_out=dict(left_out),
            )
        elif is_thesis_json(path):
            imported = _import_thesis(project, path, accounts, clock.now())
        else:
            imported = _import_lines(
                project,
                lambda on_error: read_judgement_lines(path, on_error),
                accounts,
                ErrorList(),
                revised,
            )
        if not imported.judgements + imported.there_already:
            raise InputError(f"{path}: there is no judgement in it.")
        if imported.judgements:
            append_entry(project, "imports", asdict(of_file) | asdict(imported))
            project.save(update_fields=["provenance"])
            submitted.send(Submission, project_id=project.pk)
    return imported


# --- JSON lines ----------------------------------------------------------------------------------


class _Outline(NamedTuple):
    """What assigns a line to a submission; those of one submission are adjacent when sorted."""

    annotator: str
    # The number of the head of the sheet, which is the sentence itself without further rows.
    head: int
    together: str
    created: datetime
    sentence: int
    line: int
    indices: tuple[int, ...]
    where: str
    aids: dict[str, Any]

    @property
    def identity(self) -> Identity:
        return identity_of(self.annotator, self.sentence, self.indices, self.created)


def _import_lines(
    project: Project,
    read: ReadLines,
    accounts: ImportedAccounts,
    problems: ErrorList,
    revised: bool,
) -> ImportedJudgements:
    """Store the judgements that the project does not have.

    The file is read twice, so that only a page of judgements is held in memory. `problems` are
    those found before; raises one InputError for all of them.
    """
    sentences = Sentence.objects.filter(project=project, purpose=Sentence.Purpose.JUDGE)
    heads = {
        number: (head, pk)
        for number, head, pk in sentences.values_list(
            "number", Coalesce("sheet__number", "number"), Coalesce("sheet", "pk")
        )
    }
    outlines = _read_outlines(
        read, {number: head for number, (head, _pk) in heads.items()}, problems
    )
    stored = StoredJudgements(project, accounts, {outline.annotator for outline in outlines})
    new = [outline for outline in outlines if outline.identity not in stored.ids]
    annotators: dict[str, User] = {}
    for outline in new:
        if outline.annotator not in annotators:
            try:
                annotators[outline.annotator] = accounts.named(outline.annotator, outline.where)
            except InputError as problem:
                problems.add(with_place(problem, outline.where))
                # Named once; a name that cannot be used stores nothing.
                annotators[outline.annotator] = User()
    # A sentence that is unknown is named below, with its line.
    groups = _group([outline for outline in new if outline.sentence in heads])
    replaced = _replaced(groups, outlines, stored, revised, problems)
    submission_of_line: dict[int, int] = {}
    if not problems:
        submission_ids = _store_submissions(
            project,
            [
                _SubmittedSentence(
                    heads[group[0].sentence][1],
                    annotators[group[0].annotator],
                    max(one.created for one in group) if group[0].together else group[0].created,
                    group[0].aids,
                    replaced.get(group[0].line),
                )
                for group in groups
            ],
        )
        submission_of_line = {
            outline.line: submission_id
            for group, submission_id in zip(groups, submission_ids, strict=True)
            for outline in group
        }
    kept = {outline.line for outline in outlines}
    lines = (line for line in read(_ignore) if line.line in kept)
    while page := list(islice(lines, SENTENCES_PER_PAGE)):
        _store_page(project, page, stored.ids, submission_of_line, problems)
    problems.raise_all()
    return ImportedJudgements(
        "JSON lines",
        judgements=len(new),
        annotators=len(annotators),
        there_already=len(outlines) - len(new),
        revised=sum(len(group) for group in groups if group[0].line in replaced),
    )


def _ignore(problem: InputError) -> None:
    """Lines that are wrong were named when the file was read first."""


def _read_outlines(
    read: ReadLines, heads: Mapping[int, int], problems: ErrorList
) -> list[_Outline]:
    """Return what each line is. `heads` are the numbers of the heads of sheets by sentence."""
    outlines: list[_Outline] = []
    seen: dict[Identity, int] = {}
    for line in read(problems.add):
        outline = _Outline(
            line.annotator,
            heads.get(line.sentence, line.sentence),
            line.together,
            line.created,
            line.sentence,
            line.line,
            line.indices,
            line.where,
            line.aids,
        )
        if seen.setdefault(outline.identity, line.line) != line.line:
            problems.add(
                InputError(
                    f"line {seen[outline.identity]} is a judgement of the same segment by the same "
                    "annotator at the same time: keep one of them.",
                    line.where,
                )
            )
            continue
        outlines.append(outline)
    return outlines


def _replaced(
    groups: list[list[_Outline]],
    outlines: list[_Outline],
    stored: StoredJudgements,
    revised: bool,
    problems: ErrorList,
) -> dict[int, StoredSubmission]:
    """Return the submissions that groups of new judgements replace, by the group's first line.

    These are earlier ones of the same sentence and annotator that the file lacks. Without
    `revised`, and for other groups that may replace one, `problems` get an error, unless the file
    has nothing that is stored, so that it may be a file of later judgements only.
    """
    of_file = {outline.identity for outline in outlines}
    lacking = {
        key: [one for one in submissions if of_file.isdisjoint(one.judgements)]
        for key, submissions in stored.submissions.items()
    }
    found: dict[int, StoredSubmission] = {}
    if not revised and of_file.isdisjoint(stored.ids):
        return found
    for group in groups:
        first = group[0]
        segments = {outline.identity[1:3] for outline in group}
        left = lacking.get((first.annotator, first.head), [])
        same = [one for one in left if not segments.isdisjoint(one.segments)]
        if not same:
            continue
        fitting = [one for one in same if one.created < first.created and segments >= one.segments]
        if revised and fitting:
            found[first.line] = fitting[0]
            left.remove(fitting[0])
        elif revised:
            problems.add(
                InputError(
                    f"{first.annotator!r} judged this sentence on {same[0].created}, which the "
                    "file lacks, and only a later judgement of the same segments can replace that: "
                    "import the newest file, or add the lines of that judgement.",
                    first.where,
                )
            )
        else:
            problems.add(
                InputError(
                    f"{first.annotator!r} also judged this sentence on {same[0].created}, which "
                    "the project has and the file lacks: add --revised if this judgement replaces "
                    "that one, or add the lines of that one if both count.",
                    first.where,
                )
            )
    return found


def _group(outlines: list[_Outline]) -> list[list[_Outline]]:
    """Return the judgements that were submitted together, in order of time."""
    groups: list[list[_Outline]] = []
    for outline in sorted(outlines):
        if not (groups and _belongs(outline, groups[-1])):
            groups.append([])
        groups[-1].append(outline)
    return sorted(groups, key=lambda group: (group[0].created, group[0].line))


def _belongs(outline: _Outline, group: list[_Outline]) -> bool:
    first = group[0]
    return (
        outline[:3] == first[:3]
        and bool(outline.together or outline.created - first.created <= SAME_SUBMISSION)
        # A segment judged again is another submission, however fast.
        and all(outline.identity[1:3] != other.identity[1:3] for other in group)
    )


def _store_page(
    project: Project,
    page: list[JudgementLine],
    stored: Mapping[Identity, int],
    submission_of_line: dict[int, int],
    problems: ErrorList,
) -> None:
    """Check the lines, add what is wrong to `problems`, and store the new ones if there is none.

    `stored` are ids of judgements.
    """
    answer = kind_of(project).answer
    sentences = load_sentences(project, {line.sentence for line in page})
    new: list[_FoundJudgement] = []
    there: dict[int, tuple[JudgementLine, LoadedSegment, _FoundJudgement]] = {}
    for line in page:
        try:
            segment = _find_segment(line, sentences.get(line.sentence))
            source = sentences[line.sentence].text
            placements = placements_of_line(answer, segment, line)
            details = _details_of_line(answer, segment, source, line, placements)
        except InputError as problem:
            problems.add(with_place(problem, line.where))
            continue
        found = _FoundJudgement(
            submission_id=submission_of_line.get(line.line, 0),
            segment_id=segment.id,
            created=line.created,
            seconds=line.seconds,
            placements=placements,
            details=details,
            media=line.media,
            comment=line.comment,
        )
        identity = identity_of(line.annotator, line.sentence, line.indices, line.created)
        if identity in stored:
            there[stored[identity]] = (line, segment, found)
        else:
            new.append(found)
    for contradiction in _contradictions(there, answer):
        problems.add(contradiction)
    if not problems:
        _store_judgements(new, answer)


def _contradictions(
    there: Mapping[int, tuple[JudgementLine, LoadedSegment, _FoundJudgement]], answer: Answer
) -> Iterator[InputError]:
    """Yield an error for each line with another answer than the judgement of this id has."""
    placed = Placement.objects.filter(judgement__in=there)
    details = answer.read_details(placed)
    answers = {
        (judgement, candidate): (rank, details.get(pk, ""))
        for pk, judgement, candidate, rank in placed.values_list(
            "pk", "judgement_id", "candidate_id", "rank"
        )
    }
    for judgement, (line, segment, found) in there.items():
        # Of a line with several answers, the first one is named.
        wrong: dict[str, str] = {}
        for candidate, rank in found.placements.items():
            stored = answers.get((judgement, candidate))
            detail = found.details.get(candidate, "")
            if line.details is None and stored is not None:
                # The file has no place for it.
                detail = stored[1]
            if stored != (rank, detail):
                text = segment.candidates[candidate]
                wrong.setdefault(line.places.get(text, line.where), text)
        for where, text in wrong.items():
            yield InputError(
                f"the project has this judgement of {line.annotator!r} with another answer about "
                f"{text!r}: correct the line, or leave it out.",
                where,
            )


def _details_of_line(
    answer: Answer,
    segment: LoadedSegment,
    source: str,
    line: JudgementLine,
    placements: Placements,
) -> dict[int, str]:
    """Return the details as they are stored, by candidate id. Raise InputError for a wrong one."""
    ids = {segment.candidates[pk]: pk for pk in placements}
    given = by_candidate(segment.words, ids, line.details or {}, line.where)
    ranks = {text: placements[pk] for text, pk in ids.items()}
    details = details_of_line(answer, given, ranks, source, line.where)
    return {ids[text]: detail for text, detail in details.items()}


# --- the thesis' JSON ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ThesisJudgement:
    """A judgement and its position, from 0, among those of its segment."""

    sentence: tuple[int, int]
    position: int
    segment_id: int
    placements: Placements


def _import_thesis(
    project: Project, path: Path, accounts: ImportedAccounts, now: datetime
) -> ImportedJudgements:
    """Store the judgements that are in the file more often than imported ones in the project.

    Judgements at the same position of a sentence's segments become one assignment, by the account
    of the unknown annotator of this position. They are created at the time of the import.
    """
    there = imported_rankings(project)
    known = 0
    new: list[_ThesisJudgement] = []
    problems = ErrorList()
    entries = read_thesis_json(path, problems.add)
    for judgement in _with_segments(project, entries, problems.add):
        ranking = judgement.segment_id, frozenset(judgement.placements.items())
        if there[ranking]:
            there[ranking] -= 1
            known += 1
        else:
            new.append(judgement)
    problems.raise_all()
    assignments = sorted({(judgement.sentence, judgement.position) for judgement in new})
    annotators = {
        position: accounts.unidentified(position)
        for position in sorted({position for _sentence, position in assignments})
    }
    ids = _store_submissions(
        project,
        [
            _SubmittedSentence(sentence_id, annotators[position], now)
            for (_number, sentence_id), position in assignments
        ],
    )
    id_of = dict(zip(assignments, ids, strict=True))
    judgements = (
        _FoundJudgement(
            submission_id=id_of[judgement.sentence, judgement.position],
            segment_id=judgement.segment_id,
            created=now,
            seconds=None,
            placements=judgement.placements,
        )
        for judgement in new
    )
    while page := list(islice(judgements, SENTENCES_PER_PAGE)):
        _store_judgements(page, kind_of(project).answer)
    return ImportedJudgements(
        "thesis JSON",
        judgements=len(new),
        annotators=len(annotators),
        there_already=known,
    )


def _with_segments(
    project: Project, entries: Iterable[ThesisEntry], on_error: OnError
) -> Iterator[_ThesisJudgement]:
    """Yield the judgements with their segments. Calls `on_error` for what is not there."""
    answer = kind_of(project).answer
    counts: Counter[int] = Counter()
    remaining = iter(entries)
    while page := list(islice(remaining, SENTENCES_PER_PAGE)):
        sentences = load_sentences(project, {entry.sentence for entry in page})
        for entry in page:
            try:
                sentence, segments = _segments_of_entry(entry, sentences.get(entry.sentence))
            except InputError as problem:
                on_error(problem)
                continue
            candidates = [segment.candidates.values() for segment in segments]
            for ranks in entry.judgements:
                try:
                    chosen = choose_by_candidates(candidates, ranks, entry.where, REMEDY)
                    segment = segments[chosen]
                    placements = placements_of_ranks(answer, segment, ranks, entry.where)
                except InputError as problem:
                    on_error(problem)
                    continue
                yield _ThesisJudgement(
                    sentence=(sentence.number, sentence.id),
                    position=counts[segment.id],
                    segment_id=segment.id,
                    placements=placements,
                )
                counts[segment.id] += 1


# --- segments and candidates ---------------------------------------------------------------------


def _find_segment(line: JudgementLine, sentence: LoadedSentence | None) -> LoadedSegment:
    """Return the segment at the line's indices. Raise InputError if there is none."""
    if sentence is None:
        raise _unknown_sentence(line.sentence, line.where)
    indices = " ".join(map(str, line.indices))
    for segment in sentence.segments:
        if segment.indices == indices:
            if find_text(line.segment, segment.spellings) is None:
                raise InputError(
                    f"{line.where}: the segment at the indices {indices} of sentence "
                    f"{sentence.number} is {segment.words!r}, not {line.segment!r}."
                )
            return segment
    if not line.indices:
        raise InputError(
            f"{line.where}: sentence {sentence.number} has no document that is judged as a whole: "
            "give the indices of a segment."
        )
    raise InputError(
        f"{line.where}: sentence {sentence.number} has no segment at the indices {indices} "
        f"({line.segment!r})."
    )


def _segments_of_entry(
    entry: ThesisEntry, sentence: LoadedSentence | None
) -> tuple[LoadedSentence, list[LoadedSegment]]:
    """Return the sentence and the segments with the words of the entry. Raise InputError."""
    if sentence is None:
        raise _unknown_sentence(entry.sentence, entry.where)
    spellings = {spelt for part in sentence.segments for spelt in part.spellings}
    words = find_text(entry.segment, spellings)
    segments = [part for part in sentence.segments if words in part.spellings]
    if not segments:
        raise InputError(
            f"{entry.where}: sentence {sentence.number} has no segment {entry.segment!r}."
        )
    return sentence, segments


def _unknown_sentence(number: int, where: str) -> InputError:
    return InputError(f"{where}: the project has no sentence {number}.")


# --- assignments and judgements ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _SubmittedSentence:
    """A sentence that one annotator judged at one time.

    It becomes one assignment, unless it replaces a submission of an earlier one.
    """

    sentence_id: int
    annotator: User
    created: datetime
    aids: dict[str, Any] = field(default_factory=dict)
    replaced: StoredSubmission | None = None


class _AssignmentKinds:
    """Distinguishes first assignments of sentences from repeats, taken in order of time."""

    def __init__(self, project: Project) -> None:
        self.slots = range(1, project.judges_per_sentence + 1)
        self.held: set[tuple[int, int | None]] = set()
        self.given: set[tuple[int, int]] = set()
        for sentence_id, annotator_id, slot in Assignment.objects.filter(
            project=project, state__in=Assignment.ACTIVE_STATES
        ).values_list("sentence_id", "annotator_id", "slot"):
            self.given.add((sentence_id, annotator_id))
            self.held.add((sentence_id, slot))

    def next(self, sentence_id: int, annotator: User) -> tuple[Assignment.Kind, int | None]:
        """Return kind and slot of the annotator's next assignment of the sentence, and record it.

        An annotator who judges a sentence again does not count as another judge of it.
        """
        if (sentence_id, annotator.pk) in self.given:
            # Two judgements by unknown annotators are never known to be by the same person.
            known = not annotator.unidentified
            return (Assignment.Kind.INTRA if known else Assignment.Kind.INTER), None
        self.given.add((sentence_id, annotator.pk))
        slot = next((slot for slot in self.slots if (sentence_id, slot) not in self.held), None)
        if slot is None:
            return Assignment.Kind.INTER, None
        self.held.add((sentence_id, slot))
        return Assignment.Kind.FIRST, slot


def _store_submissions(project: Project, submitted: list[_SubmittedSentence]) -> list[int]:
    """Store a submission for each, in order of time; return their ids."""
    kinds = _AssignmentKinds(project)
    assignments = iter(
        Assignment.objects.bulk_create(
            Assignment(
                project=project,
                sentence_id=one.sentence_id,
                annotator=one.annotator,
                kind=kind,
                slot=slot,
                state=Assignment.State.SUBMITTED,
                created=one.created,
                submitted=one.created,
                aids=one.aids,
            )
            for one in submitted
            if one.replaced is None
            for kind, slot in [kinds.next(one.sentence_id, one.annotator)]
        )
    )
    earlier = [one.replaced.id for one in submitted if one.replaced]
    Submission.objects.filter(pk__in=earlier).update(current=False)
    submissions = Submission.objects.bulk_create(
        Submission(
            assignment_id=one.replaced.assignment_id if one.replaced else next(assignments).pk,
            number=one.replaced.number + 1 if one.replaced else 1,
            created=one.created,
        )
        for one in submitted
    )
    return [submission.pk for submission in submissions]


def _store_judgements(page: list[_FoundJudgement], answer: Answer) -> None:
    """Store the judgements of a page with their placements, and what was played before."""
    store_plays((resolved.submission_id, resolved.media) for resolved in page)
    judgements = Judgement.objects.bulk_create(
        Judgement(
            submission_id=resolved.submission_id,
            segment_id=resolved.segment_id,
            created=resolved.created,
            seconds=resolved.seconds,
            comment=resolved.comment,
        )
        for resolved in page
    )
    stored = Placement.objects.bulk_create(
        Placement(
            judgement=judgement,
            candidate_id=candidate_id,
            rank=rank,
            ranks_offered=answer.ranks(len(resolved.placements)),
        )
        for judgement, resolved in zip(judgements, page, strict=True)
        for candidate_id, rank in resolved.placements.items()
    )
    details = {
        (judgement.pk, candidate_id): detail
        for judgement, resolved in zip(judgements, page, strict=True)
        for candidate_id, detail in resolved.details.items()
    }
    of_placements = {
        one.pk: details[one.judgement_id, one.candidate_id]
        for one in stored
        if (one.judgement_id, one.candidate_id) in details
    }
    if of_placements:
        answer.store_details(of_placements)
