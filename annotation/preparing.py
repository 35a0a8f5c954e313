"""From the stored texts of a project to its segments and candidates: the work of the job.

Each stage reads and writes page by page, so memory does not grow with the project, and starts
over what an interrupted run left.
"""

from collections.abc import Callable, Iterator

from django.conf import settings
from django.db import transaction

from annotation.aligning import align, check_links, made_by
from annotation.formats.errors import InputError
from annotation.models import (
    AlignmentPriors,
    Candidate,
    Project,
    Projection,
    Segment,
    Sentence,
    Translation,
)
from annotation.models.texts import split_tokens
from annotation.paging import PAGE, pages
from annotation.parallel_text import forget_parallel, stored_parallel
from annotation.preparation import tokens as moses
from annotation.preparation.alignment import Aligner, Pair, choose_aligner, links_from_text
from annotation.preparation.cutting import Cutter, GivenSegments, ParsedSegments
from annotation.preparation.parsers import BracketsParser, ConlluParser, Parser, choose_parser
from annotation.preparation.projection import has_gap, merge, project_visible
from annotation.preparation.quality import Quality, Tally
from annotation.preparation.trees import to_bracketed
from annotation.projects import PrepareOptions
from segranks import __version__

Progress = Callable[[str, int, int], None]


def prepare(project_id: int, options: PrepareOptions, progress: Progress) -> None:
    """Tokenise, parse, cut segments, align, project and merge; then open the project.

    `progress` is called with the stage, and how many of how many are done. Whatever an earlier,
    interrupted call left is done anew. Raises InputError where the texts do not fit together.
    """
    project = Project.objects.get(pk=project_id)
    if project.state in (Project.State.OPEN, Project.State.CLOSED):
        return
    _start_over(project)
    cutter = _cutter(project, options)
    tokenise(project, options, progress)
    if not cut_segments(project, cutter, progress):
        raise InputError(
            f"No segment of {project.min_length} to {project.max_length} tokens can be cut out of "
            "the source: its sentences are too short, or the lengths are too narrow."
        )
    aligner = _aligner(options)
    if aligner:
        align(project, aligner, _parallel(project, options), progress)
    else:
        check_links(project, progress)
    tally = Tally()
    if not project_candidates(project, progress, tally):
        raise InputError(
            "No system has a candidate for any segment: their texts are empty, or nothing in them "
            "is aligned with the source."
        )
    project.provenance |= {
        "segranks": __version__,
        "tokens": "given" if options.tokenized else f"sacremoses {moses.version()}",
        "parser": {"name": cutter.name, "version": cutter.version},
        "coverage": cutter.coverage,
        "aligner": made_by(aligner),
        "counts": counts(project),
        "quality": quality(project, tally).to_json(),
    }
    project.state = Project.State.OPEN if options.open_at_once else Project.State.CLOSED
    with transaction.atomic():
        forget_parallel(project)
        if options.parser == GivenSegments.name:
            # These were no trees, and are not needed any more.
            project.sentences.update(tree="")
        project.save(update_fields=["provenance", "state"])


def _cutter(project: Project, options: PrepareOptions) -> Cutter:
    if options.parser == GivenSegments.name:
        return GivenSegments(_stored(project), _file(project, "segments"))
    return ParsedSegments(
        _parser(project, options), project.min_length, project.max_length, options.coverage
    )


def _stored(project: Project) -> Iterator[str]:
    """Yield what the file said of each sentence: stored there, so that any worker has it."""
    return (row.tree for page in pages(project.sentences.all()) for row in page)


def _file(project: Project, part: str) -> str:
    return str(project.provenance["files"][part]["name"])


def _parser(project: Project, options: PrepareOptions) -> Parser:
    if options.parser == BracketsParser.name:
        return BracketsParser(_stored(project), _file(project, "trees"))
    if options.parser == ConlluParser.name:
        return ConlluParser(_stored(project), _file(project, "trees"))
    return choose_parser(
        options.parser,
        language=project.source_language,
        lengths=(project.min_length, project.max_length),
        models=settings.STANZA_MODELS,
    )


def _aligner(options: PrepareOptions) -> Aligner | None:
    """Return what aligns, or None where the links came from files."""
    return None if options.aligner == "pharaoh" else choose_aligner(options.aligner, options.effort)


def _parallel(project: Project, options: PrepareOptions) -> Iterator[Pair]:
    """Yield the tokens of the extra parallel text; none where there is no such text."""
    for source, target in stored_parallel(project):
        yield (
            split_tokens(_tokens(source, project.source_language, options.tokenized)),
            split_tokens(_tokens(target, project.target_language, options.tokenized)),
        )


def _start_over(project: Project) -> None:
    with transaction.atomic():
        AlignmentPriors.objects.filter(project=project).delete()
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


def quality(project: Project, tally: Tally) -> Quality:
    """Return how well the preparation went, of the candidates that were counted."""
    uncut = project.sentences.filter(segments__isnull=True).count()
    return tally.quality(sentences=project.sentences.count(), uncut=uncut)


def tokenise(project: Project, options: PrepareOptions, progress: Progress) -> None:
    """Store the tokens of every source sentence and translation."""
    sentences = project.sentences.all()
    translations = Translation.objects.filter(sentence__project=project)
    total = sentences.count() + translations.count()
    done = 0
    given = options.tokenized or options.source_tokenized
    for sources in pages(sentences):
        for row in sources:
            row.tokens = _tokens(row.text, project.source_language, given)
        Sentence.objects.bulk_update(sources, ["tokens"], batch_size=PAGE)
        done += len(sources)
        progress("tokens", done, total)
    for targets in pages(translations):
        for target in targets:
            target.tokens = _tokens(target.text, project.target_language, options.tokenized)
        Translation.objects.bulk_update(targets, ["tokens"], batch_size=PAGE)
        done += len(targets)
        progress("tokens", done, total)


def _tokens(text: str, language: str, given: bool) -> str:
    return " ".join(moses.given_tokens(text) if given else moses.tokenize(text, language))


def cut_segments(project: Project, cutter: Cutter, progress: Progress) -> int:
    """Store the segments of every source sentence, and its tree if it has one.

    Returns how many segments there are.
    """
    sentences = project.sentences.all()
    total = sentences.count()
    done = found = 0
    # One call for all: the parser may look at the whole text before its first tree.
    cuts = cutter.cut(row.token_list for page in pages(sentences) for row in page)
    for page in pages(sentences):
        segments: list[Segment] = []
        for sentence, (tree, of_sentence) in zip(page, cuts, strict=False):
            if tree:
                sentence.tree = to_bracketed(tree, sentence.token_list)
            segments += [
                Segment(sentence=sentence, token_indices=" ".join(map(str, indices)))
                for indices in of_sentence
            ]
        with transaction.atomic():
            Sentence.objects.bulk_update(page, ["tree"], batch_size=PAGE)
            Segment.objects.bulk_create(segments, batch_size=PAGE)
        done += len(page)
        found += len(segments)
        progress("segments", done, total)
    return found


def project_candidates(project: Project, progress: Progress, tally: Tally) -> int:
    """Store each segment's candidates, identical ones merged, with the systems they are from.

    Each segment is counted in `tally`. Returns how many candidates there are.
    """
    systems = {system.name: system for system in project.systems.order_by("pk")}
    segments = Segment.objects.filter(sentence__project=project)
    total = segments.count()
    done = found = 0
    for page in pages(segments.select_related("sentence")):
        translations = _translations_by_sentence(page)
        candidates: list[Candidate] = []
        projections: list[Projection] = []
        for segment in page:
            of_sentence = translations.get(segment.sentence_id, {})
            projected = {
                name: project_visible(segment.indices, *of_sentence[name])
                if name in of_sentence
                else ""
                for name in systems
            }
            gapped = (
                has_gap(segment.indices, of_sentence[name][0])
                for name, candidate in projected.items()
                if candidate
            )
            tally.add(projected, sum(gapped))
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
