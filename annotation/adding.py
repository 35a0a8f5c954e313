"""Adding a system to a project that people judge already.

What was judged stays. Where the system made a candidate that is there, old judgements speak for
it at once. Where it brings a new one to a segment that was given out, the segment is given out
again with all its candidates; other segments are not.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet

from annotation.aligning import align_one, aligner_of, made_by
from annotation.formats.errors import InputError
from annotation.formats.files import fingerprint
from annotation.formats.pharaoh import parse_links, require_inside
from annotation.formats.segment_files import check_system_name
from annotation.formats.texts import read_lines, read_parallel
from annotation.models import (
    Assignment,
    Candidate,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)
from annotation.models.texts import split_tokens
from annotation.preparation import tokens as moses
from annotation.preparation.alignment import links_from_text, links_to_text
from annotation.preparation.projection import project_visible
from annotation.projects import REFERENCE
from annotation.repeats import HOLDING
from annotation.writing import writing

Progress = Callable[[str, int, int], None]
# Sentences at a time: who judges waits for no more than that.
PAGE = 100


@dataclass(frozen=True)
class Brought:
    """What a system brought: segments where its candidate was known, is new, or is missing.

    `again` are the segments that are given out again.
    """

    known: int = 0
    new: int = 0
    missing: int = 0
    again: int = 0

    def plus(self, other: "Brought") -> "Brought":
        return Brought(
            self.known + other.known,
            self.new + other.new,
            self.missing + other.missing,
            self.again + other.again,
        )


def store_system(
    *, project: Project, name: str, path: Path, links: Path | None = None, tokenized: bool = False
) -> System:
    """Store a system whose outputs are the lines of the file, one for each source sentence.

    It has no candidates before `bring_system`. `links` is a Pharaoh file. All in one transaction;
    raises InputError where the project is not prepared, the name is taken or the lines do not fit.
    """
    check_system_name(name, "The system")
    if name == REFERENCE:
        raise InputError(f"No system can be called {name!r}: that is the human translation.")
    made: dict[str, Any] = asdict(fingerprint(path)) | {"system": name}
    if links:
        made["aligner"] = made_by(None)
    with writing():
        project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if project.state not in (Project.State.OPEN, Project.State.CLOSED):
            raise InputError(f"The project {project.name!r} is not prepared: wait until it is.")
        if project.systems.filter(name=name).exists():
            raise InputError(f"There is a system {name!r} already: choose another name.")
        system = System.objects.create(project=project, name=name)
        _store_translations(project, system, path, links, tokenized=tokenized)
        project.provenance.setdefault("added", []).append(made)
        project.save(update_fields=["provenance"])
    return system


def bring_system(
    *,
    system: System,
    effort: str = "",
    progress: Progress = lambda stage, done, total: None,
) -> Brought:
    """Align the system's outputs alone, unless their links were stored, and give out candidates.

    What was interrupted goes on where it stopped. Whoever judges at this moment is not disturbed:
    he hands in what he was shown. Raises InputError.
    """
    project = Project.objects.get(pk=system.project_id)
    if "aligner" not in _made(project, system):
        aligner = aligner_of(project, effort)
        progress("alignment", 0, system.translations.count())
        align_one(project, system, effort=effort, progress=progress)
        _note(system, aligner=made_by(aligner))
    waiting = _sentences(system.project).filter(
        Exists(_segments_without(system).filter(sentence=OuterRef("pk")))
    )
    total = waiting.count()
    done, brought = 0, Brought()
    last = 0
    while page := list(
        waiting.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:PAGE]
    ):
        last = page[-1]
        brought = brought.plus(_bring_page(system, page))
        done += len(page)
        progress("candidates", done, total)
    _note(system, brought=brought)
    return brought


def _sentences(project: Project) -> QuerySet[Sentence]:
    return project.sentences.filter(purpose=Sentence.Purpose.JUDGE)


def _segments_without(system: System) -> QuerySet[Segment]:
    has = Projection.objects.filter(segment=OuterRef("pk"), system=system)
    return Segment.objects.filter(~Exists(has))


# --- texts ------------------------------------------------------------------------------------


def _store_translations(
    project: Project, system: System, path: Path, links: Path | None, *, tokenized: bool
) -> None:
    sentences = _sentences(project)
    needed = sentences.aggregate(last=Max("number"))["last"] or 0
    lines = _lines(path, links)
    count = 0
    while page := list(islice(lines, PAGE)):
        rows = {s.number: s for s in sentences.filter(number__range=(count + 1, count + len(page)))}
        Translation.objects.bulk_create(
            _translation(project, rows[number], system, row, (path, links), tokenized=tokenized)
            for number, row in enumerate(page, start=count + 1)
            if number in rows and row["text"].strip()
        )
        count += len(page)
    if count != needed:
        raise InputError(
            f"{path} has {count} lines but the last sentence of {project.name!r} is {needed}: "
            "give a text in which the same line is the same sentence."
        )


def _lines(path: Path, links: Path | None) -> Iterator[Mapping[str, str]]:
    if links:
        return read_parallel({"text": path, "links": links})
    return ({"text": line} for line in read_lines(path))


def _translation(
    project: Project,
    sentence: Sentence,
    system: System,
    row: Mapping[str, str],
    files: tuple[Path, Path | None],
    *,
    tokenized: bool,
) -> Translation:
    text = row["text"].strip()
    tokens = (
        moses.given_tokens(text) if tokenized else moses.tokenize(text, project.target_language)
    )
    alignment = ""
    if "links" in row:
        where = f"{files[1]}, line {sentence.number}"
        pairs = parse_links(row["links"], where)
        require_inside(
            pairs,
            source_length=len(sentence.token_list),
            target_length=len(tokens),
            where=where,
        )
        alignment = links_to_text(pairs)
    return Translation(
        sentence=sentence,
        system=system,
        text=text,
        tokens=" ".join(tokens),
        alignment=alignment,
    )


# --- candidates -------------------------------------------------------------------------------


def _bring_page(system: System, sentence_ids: list[int]) -> Brought:
    with writing():
        # Held, so that none is given out with half of its candidates.
        sentences = Sentence.objects.select_for_update().in_bulk(sentence_ids)
        segments = list(_segments_without(system).filter(sentence__in=sentence_ids).order_by("pk"))
        projected = _projected(system, segments)
        known = {
            (segment, text): pk
            for segment, text, pk in Candidate.objects.filter(segment__in=segments).values_list(
                "segment", "text", "pk"
            )
        }
        new = [
            Candidate(segment=segment, text=projected[segment.pk])
            for segment in segments
            if projected[segment.pk] and (segment.pk, projected[segment.pk]) not in known
        ]
        Candidate.objects.bulk_create(new)
        known |= {(candidate.segment_id, candidate.text): candidate.pk for candidate in new}
        Projection.objects.bulk_create(
            Projection(
                segment=segment,
                system=system,
                candidate_id=known.get((segment.pk, projected[segment.pk])),
            )
            for segment in segments
        )
        again = _give_out_again(sentences, [candidate.segment for candidate in new])
    missing = sum(not text for text in projected.values())
    return Brought(len(segments) - missing - len(new), len(new), missing, again)


def _projected(system: System, segments: list[Segment]) -> dict[int, str]:
    """Return what the system made of each segment, by segment id; "" is nothing."""
    translations = {
        sentence: (links_from_text(alignment), split_tokens(tokens))
        for sentence, alignment, tokens in Translation.objects.filter(
            system=system, sentence__in={segment.sentence_id for segment in segments}
        ).values_list("sentence", "alignment", "tokens")
    }
    return {
        segment.pk: project_visible(
            segment.indices, *translations.get(segment.sentence_id, ([], []))
        )
        for segment in segments
    }


def _give_out_again(sentences: Mapping[int, Sentence], changed: list[Segment]) -> int:
    """Begin another round for those of the changed segments that somebody has or had.

    A sentence is in a new round once its present one was given out. Returns how many segments.
    """
    rounds = Assignment.objects.filter(
        sentence__in={segment.sentence_id for segment in changed},
        kind=Assignment.Kind.FIRST,
        state__in=HOLDING,
    )
    given = dict(
        rounds.order_by()
        .values("sentence")
        .annotate(latest=Max("round"))
        .values_list("sentence", "latest")
    )
    again = [segment for segment in changed if segment.sentence_id in given]
    for sentence_id in {segment.sentence_id for segment in again}:
        sentence = sentences[sentence_id]
        sentence.round = max(sentence.round, given[sentence_id] + 1)
    for segment in again:
        segment.round = sentences[segment.sentence_id].round
    Sentence.objects.bulk_update(sentences.values(), ["round"])
    Segment.objects.bulk_update(again, ["round"])
    return len(again)


def _made(project: Project, system: System) -> dict[str, Any]:
    """Return what the project's provenance says of the system, to be changed there."""
    added: list[dict[str, Any]] = project.provenance["added"]
    return next(one for one in added if one["system"] == system.name)


def _note(
    system: System, *, aligner: dict[str, str] | None = None, brought: Brought | None = None
) -> None:
    """Write into the project's provenance how the system came to its candidates."""
    with writing():
        project = Project.objects.select_for_update(no_key=True).get(pk=system.project_id)
        made = _made(project, system)
        if aligner:
            made["aligner"] = aligner
        if brought:
            made["brought"] = asdict(Brought(**made.get("brought", {})).plus(brought))
        project.save(update_fields=["provenance"])
