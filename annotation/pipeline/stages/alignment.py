"""The links between the words of source sentences and their translations.

All are aligned together, so that they share their statistics, by one program that is run to its
end. Of a very long text a sample is aligned first, and what was learned of it is given to the
alignment of each part: neither time nor memory of a part then grows with the text.
"""

from collections.abc import Iterable, Iterator
from math import sqrt
from tempfile import TemporaryFile
from typing import IO

from django.db.models import BigIntegerField, QuerySet
from django.db.models.functions import Cast, Mod

from annotation.common.batches import pages, update_rows
from annotation.formats.tokens import split_tokens
from annotation.models import AlignmentPriors, Project, Translation
from annotation.pipeline.stages.part import Made, Part
from annotation.pipeline.stages.tokens import tokens_of
from annotation.pipeline.word_alignment import check_links_of, made_by, pairs_of
from annotation.preparation.alignment import Aligner, Pair, choose_aligner, links_to_text
from annotation.projects.options import PrepareOptions
from annotation.projects.parallel_text import stored_parallel

# Pairs of sentences: so many are aligned in parts, which have so many, learning from a sample.
LONG = 100_000
OF_A_PART = 20_000
OF_THE_SAMPLE = 30_000
# Sentences whose given links are checked at a time.
CHECKED_AT_A_TIME = 1000


def resolve_aligner(options: PrepareOptions) -> str:
    """Return which aligner "auto" means here, so that every worker takes the same one.

    Raises InputError where it is not installed.
    """
    return options.aligner if _are_given(options) else choose_aligner(options.aligner).name


def is_long(project: Project, options: PrepareOptions) -> bool:
    """Tell whether the text is aligned in parts; only eflomal can."""
    return options.aligner == "eflomal" and _count(project) >= LONG


def sentences_of_a_part(project: Project, options: PrepareOptions) -> int:
    """Return how many sentences are aligned at a time."""
    sentences = project.sentences.count()
    if _are_given(options):
        return CHECKED_AT_A_TIME
    if not is_long(project, options):
        return max(1, sentences)
    return max(1, OF_A_PART * sentences // _count(project))


def learn_words(part: Part) -> Made:
    """Store what the aligner learns from a sample of the whole text, always the same one."""
    project, aligner = part.project, _aligner(part.options)
    every = -(-_count(project) // OF_THE_SAMPLE)
    # One sentence of so many, but not each nth: a text may have a rhythm.
    number = Cast("sentence__number", BigIntegerField())
    rows = _translations(project).annotate(rest=Mod(Mod(number * 48_271, 2_147_483_647), every))
    rows = rows.filter(rest=0)
    with TemporaryFile(prefix="segranks-") as learned:
        links = aligner.align(
            pairs_of(rows), parallel=_parallel(project, part.options), learned=learned
        )
        # What was learned is written before the first links come; they are not needed.
        next(links, None)
        del links
        with part.writing():
            _keep(project, aligner, learned)
    return {"sample": rows.count()}


def align(part: Part) -> Made:
    """Store the links of each translation; those that came from files are checked instead."""
    if _are_given(part.options):
        check_links_of(part.project, part.translations, part.progress)
        return {"aligner": made_by(None)}
    aligner = _aligner(part.options)
    if is_long(part.project, part.options):
        _align_by_sample(part, aligner)
    else:
        _align_together(part, aligner)
    return {"aligner": made_by(aligner)}


def _align_together(part: Part, aligner: Aligner) -> None:
    with TemporaryFile(prefix="segranks-") as learned:
        parallel = _parallel(part.project, part.options)
        _store(part, aligner.align(pairs_of(part.translations), parallel=parallel, learned=learned))
        with part.writing():
            _keep(part.project, aligner, learned)


def _align_by_sample(part: Part, aligner: Aligner) -> None:
    priors = AlignmentPriors.objects.filter(project=part.project).first()
    # As many passes as over the whole text at once: the smaller a text, the more eflomal makes,
    # by the root of its size.
    passes = sqrt(part.translations.count() / _count(part.project))
    _store(
        part,
        aligner.align(
            pairs_of(part.translations),
            priors=bytes(priors.data) if priors else b"",
            passes=passes if priors else 1.0,
        ),
    )


def _are_given(options: PrepareOptions) -> bool:
    return options.aligner == "pharaoh"


def _aligner(options: PrepareOptions) -> Aligner:
    return choose_aligner(options.aligner, options.effort)


def _translations(project: Project) -> QuerySet[Translation]:
    return Translation.objects.filter(sentence__project=project)


def _count(project: Project) -> int:
    return _translations(project).count()


def _parallel(project: Project, options: PrepareOptions) -> Iterator[Pair]:
    """Yield the tokens of the extra parallel text; none where there is no such text."""
    for source, target in stored_parallel(project):
        yield (
            split_tokens(tokens_of(source, project.source_language, options.tokenized)),
            split_tokens(tokens_of(target, project.target_language, options.tokenized)),
        )


def _store(part: Part, links: Iterable[list[tuple[int, int]]]) -> None:
    total, done = part.translations.count(), 0
    part.progress(0, total)
    waiting = iter(links)
    for page in pages(part.translations):
        for translation, of_pair in zip(page, waiting, strict=False):
            translation.alignment = links_to_text(of_pair)
        with part.writing():
            update_rows(page, "alignment")
        done += len(page)
        part.progress(done, total)


def _keep(project: Project, aligner: Aligner, learned: IO[bytes]) -> None:
    learned.seek(0)
    data = learned.read()
    if data:
        AlignmentPriors.objects.update_or_create(
            project=project,
            defaults={"aligner": aligner.name, "version": aligner.version, "data": data},
        )
