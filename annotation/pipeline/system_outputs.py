"""Outputs of a system that is added: read and tokenised first, then stored in one transaction.

Annotators wait only for the transaction, which is short.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from django.db.models import Max
from django.db.models.functions import Coalesce

from annotation.common.batches import CHUNK
from annotation.common.transactions import retried, writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.fingerprints import NO_COPIES, Originals, fingerprint
from annotation.formats.names import check_system_name, is_reference_name, reference_name
from annotation.formats.pharaoh import parse_links
from annotation.formats.plain_text import read_lines, read_parallel
from annotation.formats.sentence_limits import check_sentence
from annotation.formats.tokens import TokenizedText
from annotation.models import Project, Sentence, System, Translation
from annotation.pipeline.unit_preparation import preparation_of
from annotation.pipeline.word_alignment import aligner_provenance
from annotation.preparation.tokens import tokenizer
from annotation.projects.provenance import AddedSystem, append_entry, provenance_of, record_files
from annotation.projects.references import last_reference
from annotation.projects.undecided_systems import refuse_while_narrowed

# Lines that are read, and rows that are written, at a time.
SENTENCES_PER_BATCH = 500


class Output(NamedTuple):
    """A system's translation of a sentence: `tokens` and `links` are texts, as they are stored."""

    sentence: int
    number: int
    text: str
    tokens: str
    links: str

    @property
    def target(self) -> TokenizedText:
        return TokenizedText.stored(self.text, self.tokens)


class StoredReference(NamedTuple):
    """The number of a stored reference, and how many lines of it have text."""

    number: int
    lines: int


@dataclass(frozen=True)
class ReadSystem:
    """A system that is not stored yet; `entry` is for the project's provenance.

    `rows` is a temporary file with an Output as a JSON array a line.
    """

    project: Project
    name: str
    entry: AddedSystem
    rows: IO[str]


@contextmanager
def read_system(
    *,
    project: Project,
    name: str,
    path: Path,
    links: Path | None = None,
    tokenized: bool = False,
    judge: int | None = None,
    seed: int = 0,
    originals: Originals = NO_COPIES,
) -> Iterator[ReadSystem]:
    """Read a system whose outputs are the lines of the file, one for each source sentence.

    Nothing is stored. `links` is a Pharaoh file. With `judge`, so many segments with a new
    candidate are drawn with the seed and judged again, in place of all. Raises InputError where the
    project is not prepared, the name is taken or the lines do not fit.
    """
    name = check_system_name(name, "The system")
    if is_reference_name(name):
        raise InputError(
            _("No system can be called %(name)r: that is a human translation."), name=name
        )
    project.refresh_from_db()
    _check(project, name)
    preparation_of(project).check_added(project)
    if judge is not None:
        preparation_of(project).check_judge()
    of_file = fingerprint(path, originals)
    entry = AddedSystem(
        name,
        of_file.name,
        of_file.sha256,
        aligner=aligner_provenance(None) if links else None,
        judge=judge,
        seed=None if judge is None else seed,
    )
    with TemporaryFile("w+", encoding="utf-8", newline="\n", prefix="segranks-") as rows:
        for row in read_outputs(project, path, links, tokenized=tokenized):
            rows.write(json.dumps(row) + "\n")
        yield ReadSystem(project, name, entry, rows)


def store_system(read: ReadSystem) -> System:
    """Store a system that was read; `project_new_system` gives it candidates.

    Raises InputError where the name was taken meanwhile.
    """
    with writing():
        locked = Project.objects.select_for_update(no_key=True).filter(pk=read.project.pk).first()
        if locked is None:
            raise InputError(_("The project was deleted meanwhile."))
        _check(locked, read.name)
        system = System.objects.create(project=locked, name=read.name)
        read.rows.seek(0)
        while page := [
            Output(*json.loads(line)) for line in islice(read.rows, SENTENCES_PER_BATCH)
        ]:
            Translation.objects.bulk_create(
                Translation(
                    sentence_id=output.sentence,
                    system=system,
                    text=output.text,
                    tokens=output.tokens,
                    alignment=output.links,
                )
                for output in page
            )
        append_entry(locked, "added", read.entry)
        locked.save(update_fields=["provenance"])
    return system


@retried
def set_outputs(
    *,
    project: Project,
    files: Mapping[str, Path],
    tokenized: bool = False,
    originals: Originals = NO_COPIES,
) -> dict[str, int]:
    """Store whole outputs of systems that have candidates only, and return their numbers by name.

    Projects of ready-made segments have no outputs; metrics, tuning and predictions need them.
    Candidates stay as they are. Raises InputError for a system that is unknown or has outputs, and
    where the lines do not fit; then nothing is stored.
    """
    require_prepared(project)
    systems = {system.name: system for system in project.systems.all()}
    for name in files:
        if name not in systems:
            raise InputError(
                _("The project has no system %(name)r; it has %(known)s."),
                name=name,
                known=", ".join(sorted(systems)),
            )
        if Translation.objects.filter(system=systems[name]).exists():
            raise InputError(_("The system %(name)r has outputs already."), name=name)
    added = {f"output of {name}": fingerprint(path, originals) for name, path in files.items()}
    counts = dict.fromkeys(files, 0)
    with TemporaryFile("w+", encoding="utf-8", newline="\n", prefix="segranks-") as rows:
        for name, path in files.items():
            for output in read_outputs(project, path, None, tokenized=tokenized):
                rows.write(json.dumps([name, *output]) + "\n")
        with writing():
            locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
            rows.seek(0)
            while page := [json.loads(line) for line in islice(rows, SENTENCES_PER_BATCH)]:
                Translation.objects.bulk_create(
                    Translation(sentence_id=pk, system=systems[name], text=text, tokens=tokens)
                    for name, pk, _number, text, tokens, _links in page
                )
                for name, *_row in page:
                    counts[name] += 1
            record_files(locked, added)
            locked.save(update_fields=["provenance"])
    return counts


@retried
def set_reference(
    *, project: Project, path: Path, tokenized: bool = False, originals: Originals = NO_COPIES
) -> StoredReference:
    """Store a reference with the next number; return the number and how many lines have text.

    Copies of the sentences get it too. What is prepared and judged stays as it is. Raises
    InputError where the lines do not fit, and for a reference that the project has; then nothing is
    stored.
    """
    require_prepared(project)
    of_file = fingerprint(path, originals)
    lines, digest_of_file = 0, sha256()
    with TemporaryFile("w+", encoding="utf-8", newline="\n", prefix="segranks-") as rows:
        for output in read_outputs(project, path, None, tokenized=tokenized):
            rows.write(json.dumps([output.number, output.text, output.tokens]) + "\n")
            digest_of_file.update(_line_bytes(output.number, output.text))
            lines += 1
        if not lines:
            raise InputError(_("%(file)s: there is no text in it."), file=str(path))
        rows.seek(0)
        with writing():
            locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
            for known, digest in _reference_digests(locked):
                if digest == digest_of_file.digest():
                    raise InputError(
                        _("%(file)s: the project has this text already, as reference %(number)d."),
                        file=str(path),
                        number=known,
                    )
            number = last_reference(locked) + 1
            sentences = _sentences_by_line(locked)
            while page := [json.loads(line) for line in islice(rows, SENTENCES_PER_BATCH)]:
                Translation.objects.bulk_create(
                    Translation(sentence_id=pk, reference=number, text=text, tokens=tokens)
                    for line, text, tokens in page
                    for pk in sentences[line]
                )
            record_files(locked, {reference_name(number): of_file})
            locked.save(update_fields=["provenance"])
    return StoredReference(number, lines)


def _reference_digests(project: Project) -> Iterator[tuple[int, bytes]]:
    """Yield the number of each reference, and a digest of its lines with text."""
    rows = Translation.objects.filter(
        sentence__project=project,
        sentence__purpose=Sentence.Purpose.JUDGE,
        sentence__source_line=None,
        reference__isnull=False,
    ).order_by("reference", "sentence__number")
    columns = rows.values_list("reference", "sentence__number", "text")
    for number, lines in groupby(columns.iterator(CHUNK), key=itemgetter(0)):
        digest = sha256()
        for _number, line, text in lines:
            digest.update(_line_bytes(line, text))
        yield number, digest.digest()


def _line_bytes(number: int, text: str) -> bytes:
    return json.dumps([number, text]).encode()


def _sentences_by_line(project: Project) -> dict[int, list[int]]:
    """Return the ids of sentences by the line of the source, with copies and translations of it."""
    line = Coalesce("copy_of__source_line", "copy_of__number", "source_line", "number")
    of_lines = Sentence.objects.filter(project=project).exclude(Sentence.OF_NO_LINE)
    rows = of_lines.annotate(line=line).values_list("line", "pk")
    found: dict[int, list[int]] = {}
    for number, pk in rows.iterator(CHUNK):
        found.setdefault(number, []).append(pk)
    return found


def require_prepared(project: Project) -> None:
    """Raise InputError unless the project has its segments and candidates."""
    if project.state not in (Project.State.OPEN, Project.State.CLOSED):
        raise InputError(
            _("The project %(project)r is not prepared: wait until it is."), project=project.name
        )


def _check(project: Project, name: str) -> None:
    require_prepared(project)
    refuse_while_narrowed(project)
    if project.systems.filter(name=name).exists():
        raise InputError(_("There is a system %(name)r already: choose another name."), name=name)


def read_outputs(
    project: Project, path: Path, links: Path | None, *, tokenized: bool
) -> Iterator[Output]:
    """Yield the outputs of each line with text, by number of the sentence. Nothing is stored.

    `links` is a Pharaoh file. Raises InputError where the lines do not fit the project.
    """
    sentences = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, source_line=None)
    needed = sentences.aggregate(last=Max("number"))["last"] or 0
    lines: Iterator[Mapping[str, str]] = (
        read_parallel({"text": path, "links": links})
        if links
        else ({"text": line} for line in read_lines(path))
    )
    tokenize = tokenizer(project.target_language, given=tokenized)
    count = 0
    while page := list(islice(lines, SENTENCES_PER_BATCH)):
        of_page = sentences.filter(number__range=(count + 1, count + len(page)))
        known = {
            number: (pk, TokenizedText.stored(*source))
            for number, pk, *source in of_page.values_list("number", "pk", "text", "tokens")
        }
        for number, row in enumerate(page, start=count + 1):
            text = row["text"]
            if not text.strip() or number not in known:
                continue
            sentence, source = known[number]
            check_sentence(text, tokenize, f"{path}, line {number}")
            tokens = tokenize(text)
            alignment = ""
            if "links" in row:
                where = f"{links}, line {number}"
                parsed = parse_links(row["links"], where)
                parsed.require_inside(
                    source_length=len(source),
                    target_length=len(tokens),
                    where=where,
                )
                alignment = parsed.text
            yield Output(sentence, number, text, tokens.places, alignment)
        count += len(page)
    # Of imported segments, the last lines of the source may have no sentence.
    is_imported = provenance_of(project).command == "import_segments"
    if count < needed or (count > needed and not is_imported):
        raise InputError(
            _(
                "%(file)s ends with line %(lines)d, but the last sentence of %(project)r is "
                "%(last)d: give a text in which the same line is the same sentence."
            ),
            file=str(path),
            lines=count,
            project=project.name,
            last=needed,
        )
