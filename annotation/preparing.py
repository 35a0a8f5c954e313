"""From the stored texts of a project to its segments and candidates: the work of the job.

Each stage reads and writes page by page, so memory does not grow with the project, and starts
over what an interrupted run left.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Model, QuerySet

from annotation.formats.errors import InputError
from annotation.formats.pharaoh import require_inside
from annotation.models import (
    Candidate,
    Project,
    Projection,
    Segment,
    Sentence,
    Translation,
)
from annotation.models.texts import split_tokens
from annotation.preparation import tokens as moses
from annotation.preparation.alignment import (
    Aligner,
    choose_aligner,
    links_from_text,
    links_to_text,
)
from annotation.preparation.parsers import BracketsParser, Parser, choose_parser
from annotation.preparation.projection import LONGEST_CANDIDATE, merge
from annotation.preparation.projection import project as project_segment
from annotation.preparation.segments import extract_segments
from annotation.preparation.trees import to_bracketed
from annotation.projects import PrepareOptions
from segranks import __version__

Progress = Callable[[str, int, int], None]
Row = TypeVar("Row", bound=Model)
PAGE = 500


def prepare(project_id: int, options: PrepareOptions, progress: Progress) -> None:
    """Tokenise, parse, cut segments, align, project and merge; then open the project.

    `progress` is called with the stage, and how many of how many are done. Whatever an earlier,
    interrupted call left is done anew. Raises InputError where the texts do not fit together.
    """
    project = Project.objects.get(pk=project_id)
    if project.state == Project.State.OPEN:
        return
    _start_over(project)
    parser = _parser(project, options)
    tokenise(project, options, progress)
    if not cut_segments(project, parser, progress):
        raise InputError(
            f"No segment of {project.min_length} to {project.max_length} tokens can be cut out of "
            "the source: its sentences are too short, or the lengths are too narrow."
        )
    aligner = None if options.aligner == "pharaoh" else choose_aligner(options.aligner)
    if aligner:
        align(project, aligner, progress)
    else:
        check_links(project, progress)
    if not project_candidates(project, progress):
        raise InputError(
            "No system has a candidate for any segment: their texts are empty, or nothing in them "
            "is aligned with the source."
        )
    project.provenance |= {
        "segranks": __version__,
        "tokens": "given" if options.tokenized else f"sacremoses {moses.version()}",
        "parser": {"name": parser.name, "version": parser.version},
        "aligner": {"name": aligner.name, "version": aligner.version}
        if aligner
        else {"name": "pharaoh", "version": "links from files"},
        "counts": counts(project),
    }
    project.state = Project.State.OPEN
    project.save(update_fields=["provenance", "state"])


def _parser(project: Project, options: PrepareOptions) -> Parser:
    if options.parser == "brackets":
        # The lines of the file were stored with the sentences, so that any worker has them.
        lines = (row.tree for page in _pages(project.sentences.all()) for row in page)
        return BracketsParser(lines, project.provenance["files"]["trees"]["name"])
    return choose_parser(
        options.parser,
        language=project.source_language,
        lengths=(project.min_length, project.max_length),
        models=settings.STANZA_MODELS,
    )


def _start_over(project: Project) -> None:
    with transaction.atomic():
        Projection.objects.filter(system__project=project).delete()
        Candidate.objects.filter(segment__sentence__project=project).delete()
        Segment.objects.filter(sentence__project=project).delete()


def counts(project: Project) -> dict[str, int]:
    """Return how much the project holds, from its sentences to its candidates."""
    projections = Projection.objects.filter(system__project=project)
    projected = projections.filter(candidate__isnull=False).count()
    return {
        "sentences": project.sentences.count(),
        "systems": project.systems.count(),
        "segments": Segment.objects.filter(sentence__project=project).count(),
        "projected": projected,
        "candidates": Candidate.objects.filter(segment__sentence__project=project).count(),
        "missing": projections.count() - projected,
    }


def tokenise(project: Project, options: PrepareOptions, progress: Progress) -> None:
    """Store the tokens of every source sentence and translation."""
    sentences = project.sentences.all()
    translations = Translation.objects.filter(sentence__project=project)
    total = sentences.count() + translations.count()
    done = 0
    given = options.tokenized or options.source_tokenized
    for sources in _pages(sentences):
        for row in sources:
            row.tokens = _tokens(row.text, project.source_language, given)
        Sentence.objects.bulk_update(sources, ["tokens"], batch_size=PAGE)
        done += len(sources)
        progress("tokens", done, total)
    for targets in _pages(translations):
        for target in targets:
            target.tokens = _tokens(target.text, project.target_language, options.tokenized)
        Translation.objects.bulk_update(targets, ["tokens"], batch_size=PAGE)
        done += len(targets)
        progress("tokens", done, total)


def _tokens(text: str, language: str, given: bool) -> str:
    return " ".join(_given_tokens(text) if given else moses.tokenize(text, language))


def _given_tokens(text: str) -> list[str]:
    # Only blanks and tabs part tokens: a no-break space may stand inside one.
    return [token for token in text.replace("\t", " ").split(" ") if token]


def cut_segments(project: Project, parser: Parser, progress: Progress) -> int:
    """Parse every source sentence and store its tree and its segments (Algorithm 1).

    Returns how many segments there are.
    """
    sentences = project.sentences.all()
    total = sentences.count()
    done = found = 0
    # One call for all: the parser may look at the whole text before its first tree.
    trees = parser.parse(row.token_list for page in _pages(sentences) for row in page)
    for page in _pages(sentences):
        segments: list[Segment] = []
        for sentence, tree in zip(page, trees, strict=False):
            sentence.tree = to_bracketed(tree, sentence.token_list)
            segments += [
                Segment(sentence=sentence, token_indices=" ".join(map(str, indices)))
                for indices in extract_segments(tree, project.min_length, project.max_length)
            ]
        with transaction.atomic():
            Sentence.objects.bulk_update(page, ["tree"], batch_size=PAGE)
            Segment.objects.bulk_create(segments, batch_size=PAGE)
        done += len(page)
        found += len(segments)
        progress("segments", done, total)
    return found


def align(project: Project, aligner: Aligner, progress: Progress) -> None:
    """Store the links between each source sentence and all its translations, aligned together."""
    translations = Translation.objects.filter(sentence__project=project)
    total = translations.count()
    progress("alignment", 0, total)
    done = 0
    links = aligner.align(_pairs(translations))
    for page in _pages(translations):
        for translation, of_pair in zip(page, links, strict=False):
            translation.alignment = links_to_text(of_pair)
        Translation.objects.bulk_update(page, ["alignment"], batch_size=PAGE)
        done += len(page)
        progress("alignment", done, total)


def _pairs(translations: QuerySet[Translation]) -> Iterator[tuple[list[str], list[str]]]:
    for page in _pages(translations.select_related("sentence")):
        for translation in page:
            yield translation.sentence.token_list, translation.token_list


def check_links(project: Project, progress: Progress) -> None:
    """Raise InputError where links that came from files point beyond a sentence."""
    translations = Translation.objects.filter(sentence__project=project)
    total = translations.count()
    done = 0
    for page in _pages(translations.select_related("sentence", "system")):
        for translation in page:
            if translation.alignment:
                _check_links(project, translation)
        done += len(page)
        progress("alignment", done, total)


def _check_links(project: Project, translation: Translation) -> None:
    name = translation.system.name if translation.system else "reference"
    require_inside(
        links_from_text(translation.alignment),
        source_length=len(translation.sentence.token_list),
        target_length=len(translation.token_list),
        where=f"{project.provenance['files'][f'links {name}']['name']}, "
        f"line {translation.sentence.number}",
    )


def project_candidates(project: Project, progress: Progress) -> int:
    """Store each segment's candidates, identical ones merged, with the systems they are from.

    Returns how many candidates there are.
    """
    systems = {system.name: system for system in project.systems.order_by("pk")}
    segments = Segment.objects.filter(sentence__project=project)
    total = segments.count()
    done = found = 0
    for page in _pages(segments.select_related("sentence")):
        translations = _translations_by_sentence(page)
        candidates: list[Candidate] = []
        projections: list[Projection] = []
        for segment in page:
            of_sentence = translations.get(segment.sentence_id, {})
            projected = {
                name: _projected(segment, *of_sentence[name]) if name in of_sentence else ""
                for name in systems
            }
            of_system: dict[str, Candidate] = {}
            for text, names in merge(projected).items():
                candidates.append(Candidate(segment=segment, text=text))
                of_system |= dict.fromkeys(names, candidates[-1])
            projections += [
                Projection(segment=segment, system=system, candidate=of_system.get(name))
                for name, system in systems.items()
            ]
        with transaction.atomic():
            Candidate.objects.bulk_create(candidates, batch_size=PAGE)
            Projection.objects.bulk_create(projections, batch_size=PAGE)
        done += len(page)
        found += len(candidates)
        progress("candidates", done, total)
    return found


def _projected(segment: Segment, links: list[tuple[int, int]], tokens: list[str]) -> str:
    text = project_segment(segment.indices, links, tokens)
    # What nobody can see, and hundreds of words linked to six: as good as nothing linked.
    visible = any(character.isprintable() and character != " " for character in text)
    return text if visible and len(text.encode()) <= LONGEST_CANDIDATE else ""


def _translations_by_sentence(
    segments: list[Segment],
) -> dict[int, dict[str, tuple[list[tuple[int, int]], list[str]]]]:
    """Return links and tokens of every system's translation of the segments' sentences."""
    rows = Translation.objects.filter(
        sentence__in={segment.sentence_id for segment in segments}, system__isnull=False
    ).values_list("sentence_id", "system__name", "alignment", "tokens")
    found: dict[int, dict[str, tuple[list[tuple[int, int]], list[str]]]] = {}
    for sentence_id, name, alignment, tokens in rows:
        found.setdefault(sentence_id, {})[name] = links_from_text(alignment), split_tokens(tokens)
    return found


def _pages(rows: QuerySet[Row]) -> Iterator[list[Row]]:
    """Yield the rows by primary key, a page at a time; rows may be changed in between."""
    last = 0
    while page := list(rows.filter(pk__gt=last).order_by("pk")[:PAGE]):
        last = page[-1].pk
        yield page
