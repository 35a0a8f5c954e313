"""Word alignment of stored translations, and which aligner a project used."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from annotation.common.batches import pages, update_rows
from annotation.formats.pharaoh import require_inside
from annotation.models import AlignmentPriors, Project, System, Translation
from annotation.preparation.alignment import (
    Aligner,
    Pair,
    choose_aligner,
    links_from_text,
    links_to_text,
)
from annotation.preparation.links import Link

Progress = Callable[[str, int, int], None]


def aligner_of(project: Project, effort: str = "") -> Aligner:
    """Return the aligner of the project, at its effort or at the one given. Raise InputError."""
    used = project.provenance.get("aligner", {})
    name = used.get("name", "auto")
    return choose_aligner(
        name if name in ("eflomal", "systran") else "auto",
        effort or used.get("effort") or "normal",
    )


def aligner_provenance(aligner: Aligner | None) -> dict[str, str]:
    """Return what the provenance of a project says of its links; None is for links from files."""
    if aligner is None:
        return {"name": "pharaoh", "version": "links from files"}
    described = {"name": aligner.name, "version": aligner.version}
    return described | ({"effort": aligner.effort} if aligner.effort else {})


def align_system(
    project: Project,
    system: System,
    *,
    effort: str = "",
    progress: Progress = lambda stage, done, total: None,
) -> int:
    """Align the translations of a system that was added to an aligned project.

    Other translations keep their links. The aligner uses the priors that are stored with the
    project, or else learns from the other translations. It has the effort of the project, unless
    another effort is given. Returns how many translations were aligned. Raises InputError.
    """
    others = Translation.objects.filter(sentence__project=project).exclude(system=system)
    translations = Translation.objects.filter(sentence__project=project, system=system)
    links = align_outputs(project, pairs_of(translations), others, effort=effort)
    with transaction.atomic():
        store_links(translations, links, partial(progress, "alignment"))
    return translations.count()


def align_outputs(
    project: Project, pairs: Iterable[Pair], others: QuerySet[Translation], *, effort: str = ""
) -> Iterator[list[Link]]:
    """Yield the links of the pairs of one system, as `align_system` stores them.

    Learns from the `others` if no priors are stored with the project. Raises InputError.
    """
    aligner = aligner_of(project, effort)
    priors = AlignmentPriors.objects.filter(project=project, aligner=aligner.name).first()
    return aligner.align(
        pairs,
        parallel=() if priors else pairs_of(others),
        priors=bytes(priors.data) if priors else b"",
    )


def store_links(
    translations: QuerySet[Translation],
    links: Iterable[list[Link]],
    progress: Callable[[int, int], None],
    writing: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> None:
    """Store the links of each translation, page by page, each page in a transaction `writing`."""
    total, done = translations.count(), 0
    progress(0, total)
    waiting = iter(links)
    for page in pages(translations):
        for translation, of_pair in zip(page, waiting, strict=False):
            translation.alignment = links_to_text(of_pair)
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
    name = translation.system.name if translation.system else "reference"
    require_inside(
        links_from_text(translation.alignment),
        source_length=len(translation.sentence.token_list),
        target_length=len(translation.token_list),
        where=f"{project.provenance['files'][f'links {name}']['name']}, "
        f"line {translation.sentence.number}",
    )


def pairs_of(translations: QuerySet[Translation]) -> Iterator[Pair]:
    """Yield the tokens of the source and of the translation, in the order of the rows."""
    for page in pages(translations.select_related("sentence")):
        for translation in page:
            yield translation.sentence.token_list, translation.token_list
