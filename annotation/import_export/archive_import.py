"""A project from its archive, on this or another installation."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from django.db import DataError, IntegrityError
from msgspec.structs import asdict

from annotation.formats.archive import check_archive, read_archive, tag_of
from annotation.formats.archive_records import (
    AccountRecord,
    AssignmentRecord,
    BatchRecord,
    DraftPart,
    GivenOriginRecord,
    InstructionsRecord,
    MediaRecord,
    ProjectRecord,
    Record,
    ReservationRecord,
    SentenceRecord,
    SettlementRecord,
    SystemRecord,
)
from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import GARBAGE
from annotation.formats.languages import parse_language
from annotation.formats.media_files import MEDIA_TYPES
from annotation.import_export.archive_checks import (
    assignment_key,
    check_assignment,
    check_given_errors,
    check_sentence,
)
from annotation.import_export.archive_parts import Page, part
from annotation.import_export.batch_records import restore_batches
from annotation.import_export.imported_accounts import ImportedAccounts
from annotation.import_export.media_plays import store_plays
from annotation.import_export.sentence_pages import (
    SENTENCES_PER_PAGE,
    LoadedSentence,
    load_sheets,
)
from annotation.import_export.settlement_records import restore_settlements
from annotation.kinds import KINDS, kind_of
from annotation.kinds.answers import Answer
from annotation.models import (
    Assignment,
    GivenOrigin,
    Instructions,
    Judgement,
    Media,
    Membership,
    Placement,
    Project,
    Reservation,
    Sentence,
    ShownCandidate,
    ShownSystem,
    Skip,
    Submission,
    System,
    User,
)
from annotation.projects.names import check_new_name
from annotation.projects.texts import store_sentences
from annotation.projects.unfinished import UnfinishedProject, unfinished_project
from annotation.signals import submitted


def import_project(*, path: Path, name: str | None = None, owner: User | None = None) -> Project:
    """Restore the project of an archive, under its own name or another, with another owner if any.

    Its accounts become imported ones, which cannot sign in. It is stored page by page, and visible
    once it is complete. Raises InputError for an archive that is damaged, of a later version or
    contradicts itself; then nothing remains.
    """
    check_archive(path)
    page: Page = []
    try:
        with ExitStack() as storing:
            restorer = _Restorer(name, storing)
            for kind, page in _pages(read_archive(path)):
                restorer.restore(kind, page)
            with restorer.unfinished.last_page():
                if owner:
                    Membership.objects.create(
                        user=owner, project=restorer.project, role=Membership.Role.OWNER
                    )
                submitted.send(Submission, project_id=restorer.project.pk)
    except (DataError, IntegrityError) as problem:
        (first, _record), (last, _record) = page[0], page[-1]
        raise InputError(
            f"{first} to {last.rpartition(', ')[2]}: the database refuses a record of these: "
            f"{str(problem).splitlines()[0]}."
        ) from problem
    return restorer.project


def _pages(records: Iterator[tuple[str, Record]]) -> Iterator[tuple[type[Record], Page]]:
    """Yield the records of one kind a page at a time."""
    for kind, of_kind in groupby(records, key=lambda located: type(located[1])):
        while page := list(islice(of_kind, SENTENCES_PER_PAGE)):
            yield kind, page


class _Restorer:
    """Stores records, and keeps what later ones refer to by name or version.

    `storing` ends when all are stored, or one is refused.
    """

    # Once the first record is stored.
    unfinished: UnfinishedProject

    def __init__(self, name: str | None, storing: ExitStack) -> None:
        self.name = name
        self.storing = storing
        self.systems: dict[str, System] = {}
        self.origins: dict[str, GivenOrigin] = {}
        self.users: dict[str, User] = {}
        self.versions: dict[int, Instructions] = {}
        # Where names of systems and accounts were first read.
        self.named: dict[tuple[type[Record], str], str] = {}
        self.parts: dict[type[Record], Callable[[Page], None]] = {}

    def restore(self, kind: type[Record], page: Page) -> None:
        """Store the records, which are all of this kind. Raise InputError."""
        if kind is ProjectRecord:
            self._restore_project(page)
        else:
            with self.unfinished.page():
                self._restore_page(kind, page)

    @property
    def project(self) -> Project:
        return self.unfinished.project

    def _restore_page(self, kind: type[Record], page: Page) -> None:
        own: dict[type[Record], Callable[[Page], None]] = {
            SystemRecord: self._restore_systems,
            GivenOriginRecord: self._restore_origins,
            AccountRecord: self._restore_accounts,
            InstructionsRecord: self._restore_instructions,
            SentenceRecord: self._restore_sentences,
            MediaRecord: self._restore_media,
            AssignmentRecord: self._restore_assignments,
            SettlementRecord: lambda page: restore_settlements(self.project, page, self.users),
            ReservationRecord: self._restore_reservations,
            BatchRecord: lambda page: restore_batches(self.project, page, self.users),
        }
        if kind in own:
            own[kind](page)
        else:
            if kind not in self.parts:
                self.parts[kind] = part(kind).restorer(self.project)
            self.parts[kind](page)

    def _restore_project(self, page: Page) -> None:
        ((where, record),) = page
        name = record.name if self.name is None else self.name
        if Project.objects.filter(name=name).exists():
            raise InputError(f"There is a project {name!r} already: choose another name.")
        if record.kind not in KINDS:
            raise InputError(
                f"{where}: this SegRanks does not know the kind of judgement {record.kind!r}: "
                "install a newer SegRanks."
            )
        _check_scale(where, record)
        if record.max_length < record.min_length:
            raise InputError(f"{where}: min_length is greater than max_length.")
        try:
            languages = {
                "source_language": parse_language(record.source_language),
                "target_language": parse_language(record.target_language),
            }
        except InputError as problem:
            raise problem.at(where) from problem
        name = check_new_name(name)
        self.unfinished = self.storing.enter_context(
            unfinished_project(**asdict(record) | languages | {"name": name})
        )
        self.accounts = ImportedAccounts(self.project)

    def _restore_systems(self, page: Page) -> None:
        for where, record in page:
            self._check_new(where, record)
            self.systems[record.name] = System(project=self.project, name=record.name)
        System.objects.bulk_create(self.systems[record.name] for _where, record in page)

    def _restore_origins(self, page: Page) -> None:
        for where, record in page:
            self._check_new(where, record)
            self.origins[record.name] = GivenOrigin(project=self.project, **asdict(record))
        GivenOrigin.objects.bulk_create(self.origins[record.name] for _where, record in page)

    def _restore_accounts(self, page: Page) -> None:
        for where, record in page:
            self._check_new(where, record)
            if record.sentence_limit is not None and record.role is None:
                raise InputError(f"{where}: an account without a role has no limit of sentences.")
            if record.paused and record.role is None:
                raise InputError(f"{where}: an account without a role is not paused.")
            user = self.accounts.create(record.name, unidentified=record.unidentified)
            self.users[record.name] = user
            if record.role:
                Membership.objects.create(
                    user=user,
                    project=self.project,
                    role=record.role,
                    sentence_limit=record.sentence_limit,
                    paused=record.paused,
                )

    def _check_new(
        self, where: str, record: SystemRecord | GivenOriginRecord | AccountRecord
    ) -> None:
        """Raise InputError for a name that an earlier record has."""
        first = self.named.setdefault((type(record), record.name), where)
        if first != where:
            raise InputError(
                f"{where}: there are two {tag_of(record)}s {record.name!r}; the first is in "
                f"{first}."
            )

    def _restore_instructions(self, page: Page) -> None:
        for where, record in page:
            if record.version in self.versions:
                raise InputError(f"{where}: there are two versions {record.version}.")
            if record.author is not None and record.author not in self.users:
                raise InputError(f"{where}: there is no account {record.author!r} in the archive.")
            author = None if record.author is None else self.users[record.author]
            self.versions[record.version] = Instructions.objects.create(
                **asdict(record) | {"project": self.project, "author": author}
            )

    def _restore_sentences(self, page: Page) -> None:
        # Originals are stored before their copies are looked up.
        for _purpose, of_purpose in groupby(page, key=lambda located: located[1].purpose):
            _restore_sentences(self.project, list(of_purpose), self.systems, self.origins)

    def _restore_media(self, page: Page) -> None:
        """Store the media without their files, which are added later."""
        lines = self.project.sentences.filter(
            purpose=Sentence.Purpose.JUDGE,
            source_line=None,
            number__in={record.line for _where, record in page},
        )
        known = set(lines.values_list("number", flat=True))
        for where, record in page:
            if record.line not in known:
                raise InputError(f"{where}: there is no line {record.line} in the archive.")
            if record.media_type not in MEDIA_TYPES:
                raise InputError(
                    f"{where}: this SegRanks does not know the type {record.media_type!r}: install "
                    "a newer SegRanks."
                )
        Media.objects.bulk_create(
            Media(project=self.project, is_missing=True, **asdict(record))
            for _where, record in page
        )

    def _restore_assignments(self, page: Page) -> None:
        _restore_assignments(
            self.project, page, self.users, self.versions, self.systems, self.origins
        )

    def _restore_reservations(self, page: Page) -> None:
        numbers = {record.sentence for _where, record in page}
        rows = self.project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number__in=numbers)
        sentences = dict(rows.values_list("number", "pk"))
        for where, record in page:
            if record.sentence not in sentences:
                raise InputError(f"{where}: there is no sentence {record.sentence} in the archive.")
            for name in (record.annotator, record.by):
                if name is not None and name not in self.users:
                    raise InputError(f"{where}: there is no account {name!r} in the archive.")
        Reservation.objects.bulk_create(
            Reservation(
                sentence_id=sentences[record.sentence],
                annotator=self.users[record.annotator],
                created=record.created,
                by=None if record.by is None else self.users[record.by],
            )
            for _where, record in page
        )


def _check_scale(where: str, record: ProjectRecord) -> None:
    """Raise InputError unless a kind whose answer has options has them, and no other."""
    try:
        options = KINDS[record.kind].answer.joined_options(record.answer_options.split("\n"))
    except InputError as problem:
        raise problem.at(where) from problem
    if record.answer_options and not options:
        raise InputError(f"{where}: the kind {record.kind} has no options of its own.")
    if options != record.answer_options:
        raise InputError(f"{where}: the options of the answer are not written as SegRanks does.")


# --- sentences -------------------------------------------------------------------------------


def _restore_sentences(
    project: Project,
    page: list[tuple[str, SentenceRecord]],
    systems: dict[str, System],
    origins: dict[str, GivenOrigin],
) -> None:
    """Store the sentences of a page, which has copies of earlier pages only."""
    numbers = {record.copy_of for _where, record in page if record.copy_of is not None}
    rows = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number__in=numbers)
    originals = dict(rows.values_list("number", "pk"))
    lines = _lines(project, page)
    heads = _heads(project, page)
    for where, record in page:
        check_sentence(where, record, systems, project)
        check_given_errors(where, record, origins, project)
        same = record.text, record.tokens
        if record.source_line is not None and lines.get(record.source_line) != same:
            raise InputError(
                f"{where}: this is a further translation of line {record.source_line}, which has "
                "to come before it with the same text and tokens."
            )
        if record.sheet is not None and (record.purpose, record.sheet) not in heads:
            raise InputError(
                f"{where}: this stands on the sheet of sentence {record.sheet}, which has to come "
                "before it and stand on no other."
            )
        if record.copy_of is not None and record.copy_of not in originals:
            raise InputError(
                f"{where}: this is a copy of sentence {record.copy_of}, which has to come before "
                "it."
            )
    store_sentences(project, (record for _where, record in page), systems)


def _lines(project: Project, page: list[tuple[str, SentenceRecord]]) -> dict[int, tuple[str, str]]:
    """Return text and tokens of the lines by number: of this page, and those it refers to."""
    numbers = {record.source_line for _where, record in page if record.source_line is not None}
    stored = project.sentences.filter(
        purpose=Sentence.Purpose.JUDGE, source_line=None, number__in=numbers
    )
    of_page = {
        record.number: (record.text, record.tokens)
        for _where, record in page
        if record.purpose == "judge" and record.source_line is None
    }
    return of_page | {
        number: (text, tokens)
        for number, text, tokens in stored.values_list("number", "text", "tokens")
    }


def _heads(project: Project, page: list[tuple[str, SentenceRecord]]) -> set[tuple[str, int]]:
    """Return purpose and number of the sentences to which the page refers as heads of sheets."""
    wanted: set[tuple[str, int]] = {
        (one.purpose, one.sheet) for _where, one in page if one.sheet is not None
    }
    if not wanted:
        return set()
    numbers = {number for _purpose, number in wanted}
    stored = project.sentences.filter(sheet=None, number__in=numbers)
    of_page = {(one.purpose, one.number) for _where, one in page if one.sheet is None}
    return wanted & (of_page | set(stored.values_list("purpose", "number")))


# --- assignments -----------------------------------------------------------------------------


def _restore_assignments(
    project: Project,
    page: list[tuple[str, AssignmentRecord]],
    users: dict[str, User],
    versions: dict[int, Instructions],
    systems: dict[str, System],
    origins: dict[str, GivenOrigin],
) -> None:
    numbers: dict[Sentence.Purpose, set[int]] = {}
    for _where, record in page:
        purpose, number = assignment_key(record)
        numbers.setdefault(purpose, set()).add(number)
    sentences = {
        (purpose, number): sentence
        for purpose, of_purpose in numbers.items()
        for number, sentence in load_sheets(project, of_purpose, purpose).items()
    }
    for where, record in page:
        sentence = sentences.get(assignment_key(record))
        check_assignment(where, record, sentence, users, versions, project)
        if record.given is not None and record.given not in origins:
            raise InputError(f"{where}: there are no errors of {record.given!r} in the archive.")
        for name in record.systems:
            if name is not None and name not in systems:
                raise InputError(f"{where}: there is no system {name!r} in the archive.")
    located = [(record, sentences[assignment_key(record)]) for _where, record in page]
    assignments = Assignment.objects.bulk_create(
        Assignment(
            project=project,
            sentence_id=sentence.id,
            annotator=users[record.annotator],
            kind=record.kind,
            state=record.state,
            slot=record.slot,
            candidate_version=record.candidate_version,
            created=record.created,
            shown=record.shown,
            submitted=record.submitted,
            lease_until=record.lease_until,
            decision=record.decision,
            given=None if record.given is None else origins[record.given],
            discarded_with_sentence=record.discarded_with_sentence,
            discarded_with_annotator=record.discarded_with_annotator
            or (record.state == "discarded" and not record.discarded_with_sentence),
            instructions=None if record.instructions is None else versions[record.instructions],
            aids=record.aids,
            **_draft_columns(record.draft),
        )
        for record, sentence in located
    )
    stored = [(row, *both) for row, both in zip(assignments, located, strict=True)]
    ShownCandidate.objects.bulk_create(
        ShownCandidate(assignment=assignment, candidate_id=candidate_id, position=position)
        for assignment, record, sentence in stored
        for shown in record.shown_candidates
        for candidate_id, position in zip(
            sentence.segments[shown.segment].candidates, shown.positions, strict=True
        )
        if position is not None
    )
    ShownSystem.objects.bulk_create(
        ShownSystem(assignment=assignment, system=systems[name], column=column)
        for assignment, record, _sentence in stored
        for column, name in enumerate(record.systems, start=1)
        if name is not None
    )
    Skip.objects.bulk_create(
        Skip(assignment=assignment, **asdict(record.skip))
        for assignment, record, _sentence in stored
        if record.skip
    )
    _restore_submissions(stored, kind_of(project).answer)


def _draft_columns(draft: DraftPart | None) -> dict[str, Any]:
    if draft is None:
        return Assignment.NO_DRAFT
    return {f"draft_{name}": value for name, value in asdict(draft).items()}


def _restore_submissions(
    stored: list[tuple[Assignment, AssignmentRecord, LoadedSentence]], answer: Answer
) -> None:
    submissions: list[tuple[Submission, Any, LoadedSentence]] = [
        (
            Submission(
                assignment=assignment,
                number=submission.number,
                current=submission.current,
                created=submission.created,
                active_seconds=submission.active_seconds,
            ),
            submission,
            sentence,
        )
        for assignment, record, sentence in stored
        for submission in record.submissions
    ]
    Submission.objects.bulk_create(row for row, _submission, _sentence in submissions)
    store_plays((row.pk, submission.media) for row, submission, _sentence in submissions)
    judgements = [
        (
            Judgement(
                submission=row,
                segment_id=sentence.segments[judgement.segment].id,
                created=judgement.created,
                seconds=judgement.seconds,
                comment=judgement.comment,
            ),
            judgement,
            sentence.segments[judgement.segment].candidates,
        )
        for row, submission, sentence in submissions
        for judgement in submission.judgements
    ]
    Judgement.objects.bulk_create(row for row, _judgement, _candidates in judgements)
    placements = [
        (
            Placement(
                judgement=row,
                candidate_id=candidate_id,
                rank=None if rank == GARBAGE else rank,
                ranks_offered=judgement.ranks_offered,
            ),
            judgement.details.get(place, ""),
        )
        for row, judgement, candidates in judgements
        for place, (candidate_id, rank) in enumerate(zip(candidates, judgement.ranks, strict=True))
        if rank is not None
    ]
    Placement.objects.bulk_create(row for row, _detail in placements)
    answer.store_details({row.pk: detail for row, detail in placements if detail})
