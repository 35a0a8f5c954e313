"""Word alignment of stored translations, and which aligner a project used."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import chain, islice

from django.db import transaction
from django.db.models import QuerySet

from annotation.common.batches import ROWS_PER_BATCH, pages, update_rows
from annotation.common.transactions import Writing
from annotation.formats.names import reference_name
from annotation.formats.pharaoh import Links
from annotation.models import AlignmentPriors, Project, System, Translation
from annotation.preparation.alignment import (
    Aligner,
    Pair,
    choose_aligner,
)
from annotation.preparation.links import aligned_lines
from annotation.preparation.tokens import keys
from annotation.projects.provenance import Program, provenance_of

Progress = Callable[[str, int, int], None]


def aligner_of(project: Project, effort: str = "") -> Aligner:
    """Return the aligner of the project, at its effort or at the one given. Raise InputError.

    Its seed is that of the project, or 0 where the project has none.
    """
    used = provenance_of(project).aligner or Program("auto")
    return choose_aligner(
        used.name if used.name in ("eflomal", "systran") else "auto",
        effort or used.effort or "normal",
        int(used.seed) if used.seed.removeprefix("-").isdecimal() else 0,
    )


def aligner_provenance(aligner: Aligner | None) -> Program:
    """Return what the provenance of a project says of its links; None is for links from files."""
    if aligner is None:
        return Program("pharaoh", "links from files")
    return Program(aligner.name, aligner.version, aligner.effort, aligner.seed)


def align_system(
    project: Project,
    system: System,
    *,
    effort: str = "",
    progress: Progress = lambda stage, done, total: None,
) -> int:
    """Align the translations of a system that was added to an aligned project.

    Other translations keep their links, and an equal translation of the same sentence takes them.
    For the rest, the aligner uses the priors that are stored with the project, or else learns from
    the other translations. It has the effort of the project, unless another effort is given.
    Returns how many translations have links now. Raises InputError.
    """
    others = Translation.objects.filter(sentence__project=project).exclude(system=system)
    translations = Translation.objects.filter(sentence__project=project, system=system)
    outputs = (
        (row.sentence_id, pair_of(row))
        for page in pages(translations.select_related("sentence"))
        for row in page
    )
    links = align_outputs(project, outputs, others, effort=effort)
    with transaction.atomic():
        store_links(translations, links, partial(progress, "alignment"))
    return translations.count()


def align_outputs(
    project: Project,
    outputs: Iterable[tuple[int, Pair]],
    others: QuerySet[Translation],
    *,
    effort: str = "",
) -> Iterator[Links]:
    """Yield the links of the outputs of one system, as `align_system` stores them.

    `outputs` are the id of the sentence and the tokens of each. One that equals one of the `others`
    of its sentence takes its links. Learns from the `others` if no priors are stored with the
    project. Raises InputError.
    """
    aligner = aligner_of(project, effort)
    priors = AlignmentPriors.objects.filter(project=project, aligner=aligner.name).first()
    # Where it is all of a system or a reference, an empty text means that nothing was aligned.
    aligned = set(others.exclude(alignment="").values_list("system", "reference").distinct())
    known: list[str | None] = []

    def unknown() -> Iterator[Pair]:
        waiting = iter(outputs)
        while page := list(islice(waiting, ROWS_PER_BATCH)):
            rows = others.filter(sentence__in={sentence for sentence, _pair in page})
            links = {
                (row.sentence_id, aligned_lines(pair_of(row))): row.alignment
                for row in rows.select_related("sentence").order_by("-pk")
                if (row.system_id, row.reference) in aligned
            }
            for sentence, pair in page:
                known.append(links.get((sentence, aligned_lines(pair))))
                if known[-1] is None:
                    yield pair

    found = aligner.align(
        unknown(),
        parallel=() if priors else pairs_of(others),
        priors=bytes(priors.data) if priors else b"",
    )
    # All outputs are read before the first links are there.
    found = chain([next(found, Links())], found)
    for text in known:
        yield next(found) if text is None else Links.stored(text)


def store_links(
    translations: QuerySet[Translation],
    links: Iterable[Links],
    progress: Callable[[int, int], None],
    writing: Writing = nullcontext,
) -> None:
    """Store the links of each translation, page by page, each page in a transaction `writing`."""
    total, done = translations.count(), 0
    progress(0, total)
    waiting = iter(links)
    for page in pages(translations):
        for translation, of_pair in zip(page, waiting, strict=False):
            translation.alignment = of_pair.text
        with writing():
            update_rows(page, "alignment")
        done += len(page)
        progress(done, total)


def check_links_of(
    project: Project, translations: QuerySet[Translation], progress: Callable[[int, int], None]
) -> None:
    """Raise InputError where links from files point beyond the end of a sentence."""
    total, done = translations.count(), 0
    for page in pages(translations.select_related("sentence", "system")):
        for translation in page:
            if translation.alignment:
                _check_links(project, translation)
        done += len(page)
        progress(done, total)


def _check_links(project: Project, translation: Translation) -> None:
    system, number = translation.system, translation.reference or 1
    name = system.name if system else reference_name(number)
    translation.links.require_inside(
        source_length=len(translation.sentence.tokenized),
        target_length=len(translation.tokenized),
        where=f"{provenance_of(project).files[f'links {name}'].name}, "
        f"line {translation.sentence.number}",
    )


def pairs_of(translations: QuerySet[Translation]) -> Iterator[Pair]:
    """Yield the pair of each translation, in the order of the rows."""
    for page in pages(translations.select_related("sentence")):
        yield from map(pair_of, page)


def pair_of(translation: Translation) -> Pair:
    """Return the keys of the source's and the translation's tokens, which aligners compare."""
    return keys(translation.sentence.tokenized.words), keys(translation.tokenized.words)
