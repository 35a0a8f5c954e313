"""Creates a project from files and its preparation job."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import singledispatch
from itertools import islice, tee
from pathlib import Path
from typing import Any, Final

from annotation.formats import conllu, source_segments
from annotation.formats.documents import check_document
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.fingerprints import fingerprint
from annotation.formats.languages import parse_language_pair
from annotation.formats.media_files import read_media_table
from annotation.formats.names import (
    check_system_name,
    is_reference_name,
    plain_name,
    reference_name,
)
from annotation.formats.pharaoh import parse_links
from annotation.formats.plain_text import read_parallel
from annotation.formats.sentence_limits import check_sentence
from annotation.kinds import DEFAULT, KINDS, kind_of
from annotation.kinds.units import (
    DocumentOfSystem,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import Job, Project, Sentence, System, Translation
from annotation.preparation.parsers import TREES, BracketsParser
from annotation.preparation.segmenters import COVERAGES, GivenSegments, check_coverage
from annotation.preparation.tokens import tokenizer
from annotation.projects.highlights import NO_SOURCE
from annotation.projects.media import (
    UNSEEN,
    ReceivedMedia,
    opened_files,
    received_media,
    store_media,
)
from annotation.projects.names import check_new_name
from annotation.projects.options import (
    MOST_FIRST,
    MOST_PARAGRAPHS,
    MOST_SHEETS,
    MOST_SYSTEMS,
    SHEET_CHOICES,
    PrepareOptions,
    Texts,
)
from annotation.projects.parallel_text import SOURCE, TARGET, store_parallel_text
from annotation.projects.tutorials import check_shipped
from annotation.projects.unfinished import UnfinishedProject, unfinished_project

# Sentences in one transaction.
SENTENCES_PER_PAGE = 500

DEFAULT_OPTIONS = PrepareOptions()
# Parser and coverage where no segments are cut.
NOT_CUT: Final = ("auto", COVERAGES[0])


def create_project(**described: Any) -> Job:
    """Store a new project as `new_project` does, and return its job."""
    with new_project(**described) as job:
        return job


@contextmanager
def new_project(
    *,
    name: str,
    languages: str,
    texts: Texts,
    description: str = "",
    min_length: int = 3,
    max_length: int = 6,
    intra_rate: float = 0.05,
    inter_rate: float = 0.05,
    options: PrepareOptions = DEFAULT_OPTIONS,
    kind: str = DEFAULT.name,
    scale: Sequence[str] = (),
) -> Iterator[Job]:
    """Store a new project with its texts, page by page, and its preparation job.

    `scale` has the options of the answer of a kind that has some: the labels of the steps, best
    first, or the lines of a typology of errors.
    Yields the job in the transaction that makes the project visible. Raises InputError; then
    nothing remains.
    """
    name = check_new_name(name)
    source_language, target_language = parse_language_pair(languages)
    _check_numbers(min_length, max_length, intra_rate, inter_rate)
    _check_kind(kind, texts, options)
    own = answer_options(kind, scale)
    options = _with_given(options, texts)
    _check_files(texts, options)
    table = _media_table(kind, texts)
    if options.tutorial:
        check_shipped(
            Project(
                kind=kind,
                answer_options=own,
                source_language=source_language,
                target_language=target_language,
            )
        )
    # By role: "source", "system NAME", "trees" …
    paths = _columns(texts)
    paths |= {"trees": texts.trees} if texts.trees else {}
    paths |= {"segments": texts.segments} if texts.segments else {}
    paths |= zip((SOURCE, TARGET), texts.parallel or (), strict=False)
    files = {role: asdict(fingerprint(path, texts.originals)) for role, path in paths.items()}
    with unfinished_project(
        name=name,
        kind=kind,
        answer_options=own,
        description=description,
        source_language=source_language,
        target_language=target_language,
        min_length=min_length,
        max_length=max_length,
        intra_rate=intra_rate,
        inter_rate=inter_rate,
        highlights=options.highlights,
        state=Project.State.PREPARING,
        provenance={"command": "create_project", "files": files},
    ) as unfinished:
        if not _store_texts(unfinished, texts, options):
            raise InputError(f"{texts.source}: every line is empty.")
        if texts.parallel:
            store_parallel_text(unfinished, *texts.parallel)
        with _media(unfinished.project, texts) as received, unfinished.last_page():
            if received:
                store_media(project=unfinished.project, received=received, table=table)
            yield Job.objects.create(project=unfinished.project, options=asdict(options))


@contextmanager
def _media(project: Project, texts: Texts) -> Iterator[ReceivedMedia | None]:
    """Write the media of the new project, if any, to a folder of this host. Raise InputError."""
    if not texts.media:
        yield None
        return
    with received_media(project=project, files=opened_files(texts.media)) as received:
        yield received


def _check_numbers(min_length: int, max_length: int, intra_rate: float, inter_rate: float) -> None:
    if not 1 <= min_length <= max_length <= 100:
        raise InputError(
            f"Segments of {min_length} to {max_length} tokens are impossible: use a --min-length "
            "of at least 1 and a --max-length from there to 100."
        )
    for option, rate in (("--intra-rate", intra_rate), ("--inter-rate", inter_rate)):
        if not 0 <= rate <= 1:
            raise InputError(f"{option} {rate} is not a number from 0 to 1.")


def _check_kind(kind: str, texts: Texts, options: PrepareOptions) -> None:
    if kind not in KINDS:
        raise InputError(f"There is no kind {kind!r} of judgement: choose {', '.join(KINDS)}.")
    if options.batches:
        check_batches(KINDS[kind].unit, texts)
    if options.highlights and not KINDS[kind].shown.source:
        raise InputError(NO_SOURCE)
    if options.each_system and KINDS[kind].unit.compares_candidates:
        raise InputError(
            "Only kinds that show one translation at a time can judge equal ones apart: leave out "
            "--each-system."
        )
    if KINDS[kind].shown.lacks_reference(texts.references):
        raise InputError(
            "Annotators compare translations with the reference: give --reference FILE."
        )
    check_cutting(KINDS[kind].unit, texts, options)


@singledispatch
def check_batches(unit: Unit, texts: Texts) -> None:
    """Raise InputError if there can be no batches of the texts."""
    raise NotImplementedError(unit)


@check_batches.register(SegmentsOfSentence)
@check_batches.register(SentenceWithTranslations)
def _no_batches(unit: Unit, texts: Texts) -> None:
    raise InputError(
        _(
            "Only direct assessment and error spans have batches: choose one of these kinds, "
            "or leave out batches."
        )
    )


@check_batches.register
def _with_reference(unit: OneTranslation, texts: Texts) -> None:
    if not texts.references:
        raise InputError(_("Batches have references among their control items: add a reference."))


@singledispatch
def check_cutting(unit: Unit, texts: Texts, options: PrepareOptions) -> None:
    """Raise InputError for texts and options that do not fit what is cut out of the texts."""
    raise NotImplementedError(unit)


@check_cutting.register
def _any(unit: SegmentsOfSentence, texts: Texts, options: PrepareOptions) -> None:
    """Others check whether they fit each other."""


@check_cutting.register
def _documents(unit: DocumentOfSystem, texts: Texts, options: PrepareOptions) -> None:
    _nothing_is_cut(unit, texts, options)
    if texts.documents is None:
        raise InputError(
            _(
                "Whole documents are judged: add a file of documents, with the name of the "
                "document of each line."
            )
        )
    if not 1 <= options.sheet_paragraphs <= MOST_PARAGRAPHS:
        raise InputError(f"A sheet has 1 to {MOST_PARAGRAPHS} paragraphs.")
    if not MOST_SYSTEMS[0] <= options.sheet_systems <= MOST_SYSTEMS[1]:
        fewest, most = MOST_SYSTEMS
        raise InputError(f"{fewest} to {most} systems stand side by side.")
    check_sheet_choice(options)


def check_sheet_choice(options: PrepareOptions) -> None:
    """Raise InputError for a choice of systems that does not exist, or is of too many documents."""
    choices = [name for name, _label in SHEET_CHOICES]
    if options.sheet_choice not in choices:
        raise InputError(
            f"Systems cannot be chosen as {options.sheet_choice!r}: use {', '.join(choices)}."
        )
    if not 1 <= options.sheets_of_document <= MOST_SHEETS:
        raise InputError(f"A document has 1 to {MOST_SHEETS} sheets.")
    if not 0 <= options.first_documents <= MOST_FIRST:
        raise InputError(f"Each system comes first on 0 to {MOST_FIRST} documents.")


@check_cutting.register(SentenceWithTranslations)
@check_cutting.register(OneTranslation)
def _nothing_is_cut(unit: Unit, texts: Texts, options: PrepareOptions) -> None:
    if texts.trees or texts.segments or (options.parser, options.coverage) != NOT_CUT:
        raise InputError(
            "Whole sentences are not parsed: leave out trees, segments, --parser and --coverage."
        )
    if not options.highlights and (texts.alignments or texts.parallel or options.aligner != "auto"):
        raise InputError(
            "Whole sentences are only aligned to mark aligned words: leave out word links, "
            "parallel text and --aligner, or add --highlights."
        )


def answer_options(kind: str, scale: Sequence[str]) -> str:
    """Return the options of a new project's answer as they are stored: "" if it has none.

    Raises InputError for what are no options, and for those of a kind that has none.
    """
    options = KINDS[kind].answer.joined_options(scale)
    if scale and not options:
        raise InputError(
            f"Projects of the kind {kind!r} have no options of their own: leave them out."
        )
    return options


def _with_given(options: PrepareOptions, texts: Texts) -> PrepareOptions:
    """Return the options, with the parser for given segments if there are any. Raise InputError."""
    if texts.segments is None:
        check_coverage(options.coverage, options.parser)
        return options
    if options.parser != "auto" or options.coverage != COVERAGES[0]:
        raise InputError("--segments FILE replaces the parser: leave out --parser and --coverage.")
    return replace(options, parser=GivenSegments.name)


def _check_files(texts: Texts, options: PrepareOptions) -> None:
    if not texts.systems:
        raise InputError("Give at least one --system NAME=FILE.")
    for system in texts.systems:
        check_system_name(system, "--system")
        if is_reference_name(system):
            raise InputError(f"A system cannot be called {system!r}: this name means a reference.")
    if (options.parser in TREES) != (texts.trees is not None):
        raise InputError(
            f"--parser {' or '.join(TREES)} and --trees FILE go together: give both or neither."
        )
    if (options.aligner == "pharaoh") != bool(texts.alignments):
        raise InputError(
            "--aligner pharaoh and --alignment NAME=FILE go together: give both or neither."
        )
    if texts.parallel and texts.alignments:
        raise InputError("--parallel has no effect with --aligner pharaoh: leave it out.")
    if texts.alignments:
        _check_alignments(texts)


def _media_table(kind: str, texts: Texts) -> dict[str, list[int]] | None:
    """Return the lines of the media by name, None without a table. Raise InputError."""
    if texts.media and not KINDS[kind].shown.source:
        raise InputError(UNSEEN)
    if texts.media_lines is None:
        return None
    if not texts.media:
        raise InputError("--media-table FILE has the lines of --media: give both.")
    return read_media_table(texts.media_lines)


def _check_alignments(texts: Texts) -> None:
    named = [*texts.systems, *_references(texts)]
    unknown = set(texts.alignments).difference(named)
    if unknown:
        raise InputError(
            f"--alignment {min(unknown)!r} is not one of the translations: {', '.join(named)}."
        )
    missing = set(texts.systems) - set(texts.alignments)
    if missing:
        raise InputError(
            f"The system {min(missing)!r} has no links: give --alignment {min(missing)}=FILE."
        )


def _references(texts: Texts) -> dict[str, Path]:
    """Return the files of the references by name, in the order of their numbers."""
    return {reference_name(number): path for number, path in enumerate(texts.references, start=1)}


def _columns(texts: Texts) -> dict[str, Path]:
    """Return the files in which line n belongs to sentence n."""
    columns = {"source": texts.source} | _references(texts)
    if texts.documents:
        columns["documents"] = texts.documents
    if texts.items:
        columns["items"] = texts.items
    columns |= {f"system {name}": path for name, path in texts.systems.items()}
    columns |= {f"links {name}": path for name, path in texts.alignments.items()}
    return columns


def _sentence_rows(texts: Texts, parser: str) -> Iterator[dict[str, str]]:
    """Yield the lines of each sentence by the names of `_columns`, and its "tree" if any."""
    if texts.trees and parser == BracketsParser.name:
        yield from read_parallel(_columns(texts) | {"tree": texts.trees})
        return
    rows = read_parallel(_columns(texts))
    file = texts.trees or texts.segments
    if file is None:
        yield from rows
        return
    rows, again = tee(rows)
    pair = conllu.pair_with_lines if texts.trees else source_segments.pair_with_lines
    # The trees come first in the zip: they check that the rows end with them.
    trees = pair(file, (row["source"] for row in again), texts.source)
    for tree, row in zip(trees, rows, strict=True):
        yield row | {"tree": tree}


def _store_texts(unfinished: UnfinishedProject, texts: Texts, options: PrepareOptions) -> int:
    """Store sentences and translations page by page; return how many sentences have text."""
    project = unfinished.project
    with unfinished.page():
        systems = {
            name: System.objects.create(project=project, name=name) for name in texts.systems
        }
    stored = 0
    rows = enumerate(_sentence_rows(texts, options.parser), start=1)
    while page := list(islice(rows, SENTENCES_PER_PAGE)):
        for number, row in page:
            _check_row(project, texts, options, number, row)
        with unfinished.page():
            sentences = Sentence.objects.bulk_create(
                Sentence(
                    project=project,
                    number=number,
                    # A line of blanks is no sentence.
                    text=row["source"] if row["source"].strip() else "",
                    document=plain_name(row.get("documents", "")),
                    item_id=plain_name(row.get("items", "")),
                    tree=row.get("tree", "").strip(),
                )
                for number, row in page
            )
            translations: list[Translation] = []
            for sentence, (_number, row) in zip(sentences, page, strict=True):
                stored += bool(sentence.text)
                translations += _new_translations(sentence, row, systems, texts)
            Translation.objects.bulk_create(translations)
    return stored


def _check_row(
    project: Project, texts: Texts, options: PrepareOptions, number: int, row: Mapping[str, str]
) -> None:
    """Raise InputError, with file and line, where a text is too long or has no document."""
    source = tokenizer(project.source_language, given=options.tokenized or options.source_tokenized)
    target = tokenizer(project.target_language, given=options.tokenized)
    check_sentence(row["source"], source, f"{texts.source}, line {number}")
    # A line without a sentence may have no document.
    if texts.documents and (row["source"].strip() or plain_name(row["documents"])):
        check_document(row["documents"], f"{texts.documents}, line {number}")
    references = _references(texts)
    for name, path in references.items():
        check_sentence(row[name], target, f"{path}, line {number}")
    shown = kind_of(project).shown
    if row["source"].strip() and shown.lacks_reference(row[name].strip() for name in references):
        raise InputError(
            f"{texts.references[0]}, line {number}: the reference is missing, with which "
            "translations are compared."
        )
    for name, path in texts.systems.items():
        check_sentence(row[f"system {name}"], target, f"{path}, line {number}")


def _new_translations(
    sentence: Sentence, row: Mapping[str, str], systems: Mapping[str, System], texts: Texts
) -> Iterator[Translation]:
    """Yield the translations of the sentence; an empty line is a missing translation."""
    of_line = {
        name: Translation(sentence=sentence, reference=number, text=row[name])
        for number, name in enumerate(_references(texts), start=1)
    }
    of_line |= {
        name: Translation(sentence=sentence, system=system, text=row[f"system {name}"])
        for name, system in systems.items()
    }
    for name, translation in of_line.items():
        if not translation.text.strip():
            continue
        if path := texts.alignments.get(name):
            links = parse_links(row[f"links {name}"], f"{path}, line {sentence.number}")
            translation.alignment = links.text
        yield translation
