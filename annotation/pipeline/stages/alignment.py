"""Word alignment: the links between the words of source sentences and their translations.

All translations are aligned together, so that they share statistics, by one run of a program. Of a
very long text a sample is aligned first; what the aligner learned from it is given to the alignment
of each chunk, whose time and memory then do not grow with the text.

Equal translations of equal source sentences have equal links; of a very long text, if both are in
one chunk, as all translations of one sentence are. The chunks, and what is sampled, depend on the
text only, so that any number of workers stores the same links.

The chunk that aligns all of the text, or the sample of it, decides by which rule segments are
projected, and records it in the provenance.
"""

from collections.abc import Iterator
from math import sqrt
from tempfile import TemporaryFile
from typing import IO

from django.db.models import BigIntegerField
from django.db.models.functions import Cast, Mod
from msgspec import to_builtins

from annotation.models import AlignmentPriors, Project, Translation
from annotation.pipeline.stages import Part, StageResult
from annotation.pipeline.word_alignment import (
    aligner_provenance,
    check_links_of,
    pairs_of,
    store_links,
)
from annotation.preparation.alignment import Aligner, Pair, choose_aligner
from annotation.preparation.projection import ProjectionRule, ScatterCounts
from annotation.preparation.tokens import keys, tokenizer
from annotation.projects.options import PrepareOptions
from annotation.projects.parallel_text import read_parallel_text
from annotation.projects.provenance import record

# In pairs of sentences: a text of so many is aligned in chunks, after a sample.
LONG = 100_000
CHUNK_PAIRS = 20_000
SAMPLE_PAIRS = 30_000
# Sentences of a chunk whose given links are checked.
CHECKED_SENTENCES = 1000


def resolve_aligner(options: PrepareOptions) -> str:
    """Return the aligner that "auto" stands for on this machine.

    Raises InputError where the aligner is not installed.
    """
    return options.aligner if _are_given(options) else choose_aligner(options.aligner).name


def is_long(project: Project, options: PrepareOptions) -> bool:
    """Return whether the text is aligned in chunks, which only eflomal can."""
    return options.aligner == "eflomal" and _translation_count(project) >= LONG


def sentences_per_chunk(project: Project, options: PrepareOptions) -> int:
    """Return how many sentences a chunk of this stage has."""
    sentences = project.sentences.count()
    if _are_given(options):
        return CHECKED_SENTENCES
    if not is_long(project, options):
        return max(1, sentences)
    return max(1, CHUNK_PAIRS * sentences // _translation_count(project))


def learn_priors(part: Part) -> StageResult:
    """Store what the aligner learns from a sample of the whole text, the same for each try."""
    project, aligner = part.project, _aligner(part.options)
    every = -(-_translation_count(project) // SAMPLE_PAIRS)
    # Not each nth sentence: a text may repeat itself at regular distances.
    number = Cast("sentence__number", BigIntegerField())
    rows = (
        Translation.objects.filter(sentence__project=project)
        .annotate(rest=Mod(Mod(number * 48_271, 2_147_483_647), every))
        .filter(rest=0)
    )
    with TemporaryFile(prefix="segranks-") as learned:
        links = aligner.align(
            pairs_of(rows), parallel=_parallel(project, part.options), learned=learned
        )
        counts = ScatterCounts()
        for _links in counts.counting(links):
            # Only counted: each chunk is aligned anew.
            pass
        with part.writing():
            _store_priors(project, aligner, learned)
            _record_rule(project, counts.rule)
    return {"sample": rows.count()}


def align(part: Part) -> StageResult:
    """Store the links of each translation; check them where they came from files."""
    project, pairs = part.project, pairs_of(part.translations)
    if _are_given(part.options):
        check_links_of(project, part.translations, part.progress)
        return {"aligner": to_builtins(aligner_provenance(None))}
    aligner = _aligner(part.options)
    if is_long(project, part.options):
        stored = AlignmentPriors.objects.filter(project=project).first()
        # As many passes as over the whole text: eflomal makes more of them over a smaller text, in
        # inverse proportion to the square root of its size.
        passes = sqrt(part.translations.count() / _translation_count(project)) if stored else 1.0
        links = aligner.align(pairs, priors=bytes(stored.data) if stored else b"", passes=passes)
        store_links(part.translations, links, part.progress, part.writing)
    else:
        with TemporaryFile(prefix="segranks-") as learned:
            parallel = _parallel(project, part.options)
            counts = ScatterCounts()
            links = counts.counting(aligner.align(pairs, parallel=parallel, learned=learned))
            store_links(part.translations, links, part.progress, part.writing)
            with part.writing():
                _store_priors(project, aligner, learned)
                _record_rule(project, counts.rule)
    return {"aligner": to_builtins(aligner_provenance(aligner))}


def _record_rule(project: Project, rule: ProjectionRule) -> None:
    record(project, projection=rule)
    project.save(update_fields=["provenance"])


def _are_given(options: PrepareOptions) -> bool:
    return options.aligner == "pharaoh"


def _aligner(options: PrepareOptions) -> Aligner:
    return choose_aligner(options.aligner, options.effort, options.seed)


def _translation_count(project: Project) -> int:
    return Translation.objects.filter(sentence__project=project).count()


def _parallel(project: Project, options: PrepareOptions) -> Iterator[Pair]:
    """Yield the keys of the tokens of the extra parallel text, if there is one."""
    cut_source = tokenizer(project.source_language, given=options.tokenized)
    cut_target = tokenizer(project.target_language, given=options.tokenized)
    for source, target in read_parallel_text(project):
        yield keys(cut_source(source).words), keys(cut_target(target).words)


def _store_priors(project: Project, aligner: Aligner, learned: IO[bytes]) -> None:
    learned.seek(0)
    data = learned.read()
    if data:
        AlignmentPriors.objects.update_or_create(
            project=project,
            defaults={"aligner": aligner.name, "version": aligner.version, "data": data},
        )
