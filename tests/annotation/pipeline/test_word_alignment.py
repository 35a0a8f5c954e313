"""Alignment of a system added to an aligned project, and extra parallel text."""

from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.formats.errors import InputError
from annotation.models import AlignmentPriors, ParallelPage, Project, System, Translation
from annotation.pipeline.word_alignment import align_system, aligner_of
from annotation.projects.parallel_text import (
    LINES_PER_PAGE,
    delete_parallel_text,
    read_parallel_text,
    store_parallel_text,
)
from annotation.projects.unfinished import unfinished_project
from tests.annotation.preparation.test_alignment import text, turned
from tests.factories import places

pytestmark = pytest.mark.django_db


def prepared(folder: Path, *more: str) -> Project:
    """Return a prepared project of a simple text, with one system."""
    pairs = text() + turned(text())
    (folder / "source").write_text("".join(f"{' '.join(source)}\n" for source, _ in pairs))
    (folder / "alfa").write_text("".join(f"{' '.join(target)}\n" for _, target in pairs))
    call_command(
        "create_project",
        "pets",
        "--languages=en-cs",
        f"--source={folder / 'source'}",
        f"--system=alfa={folder / 'alfa'}",
        "--min-length=1",
        *more,
    )
    return Project.objects.get()


def add(project: Project, tokens: dict[int, str]) -> System:
    """Return a new system that has translated the sentences of these numbers."""
    system = project.systems.create(name="beta")
    for number, translation in tokens.items():
        sentence = project.sentences.get(number=number)
        Translation.objects.create(
            sentence=sentence, system=system, text=translation, tokens=places(translation)
        )
    return system


def all_links(project: Project, **of: object) -> list[str]:
    rows = Translation.objects.filter(sentence__project=project, **of).order_by("pk")
    return list(rows.values_list("alignment", flat=True))


def test_a_system_added_later_is_aligned_alone(tmp_path: Path) -> None:
    project = prepared(tmp_path, "--aligner=eflomal")
    assert project.alignment_priors.aligner == "eflomal"
    before = all_links(project)
    # "the old dog sees a cat", turned round: far too little to learn from.
    system = add(project, {1: "kocour nějaký vidí pes starý ten"})
    assert align_system(project, system) == 1
    assert all_links(project, system__name="alfa") == before
    (links,) = all_links(project, system=system)
    assert {"5-0", "3-2", "2-3", "1-4"} <= set(links.split())


def test_an_equal_translation_of_the_same_sentence_takes_the_links(tmp_path: Path) -> None:
    project = prepared(tmp_path, "--aligner=eflomal")
    first, second, *_others = Translation.objects.order_by("pk")
    # Links and their lack that no aligner would choose, so that they are recognised.
    Translation.objects.filter(pk=first.pk).update(alignment="0-5 5-0")
    Translation.objects.filter(pk=second.pk).update(alignment="")
    other = add(project, {1: first.text.upper(), 2: second.text, 3: first.text})
    assert align_system(project, other) == 3
    one, two, three = all_links(project, system=other)
    assert (one, two) == ("0-5 5-0", "")
    # Of another sentence it is another pair.
    assert three not in (one, "")


def test_links_are_not_taken_from_outputs_that_were_never_aligned(tmp_path: Path) -> None:
    project = prepared(tmp_path, "--aligner=eflomal")
    text = Translation.objects.earliest("pk").text
    Translation.objects.update(alignment="")
    system = add(project, {1: text})
    align_system(project, system)
    assert all_links(project, system=system) != [""]


def test_the_seed_of_the_project_aligns_an_added_system(tmp_path: Path) -> None:
    project = prepared(tmp_path, "--aligner=eflomal", "--effort=fast", "--seed=5")
    assert project.provenance["aligner"]["seed"] == "5"
    assert aligner_of(project).seed == "5"
    del project.provenance["aligner"]["seed"]
    assert aligner_of(project).seed == "0"


@pytest.mark.parametrize("aligner", ["eflomal", "systran"])
def test_without_priors_the_aligner_learns_from_other_systems(tmp_path: Path, aligner: str) -> None:
    project = prepared(tmp_path, f"--aligner={aligner}")
    AlignmentPriors.objects.all().delete()
    before = all_links(project)
    system = add(project, {1: "Ten Starý Pes Vidí Nějaký Kocour"})

    assert align_system(project, system) == 1

    assert {"1-1", "2-2", "3-3"} <= set(all_links(project, system=system)[0].split())
    assert all_links(project, system__name="alfa") == before


def test_a_system_without_translations_has_no_links(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    assert align_system(project, add(project, {})) == 0


def test_the_effort_is_the_projects_or_another(tmp_path: Path) -> None:
    project = prepared(tmp_path, "--aligner=eflomal", "--effort=fast")
    assert project.provenance["aligner"]["effort"] == "fast"
    system = add(project, {1: "ten starý pes"})
    assert align_system(project, system, effort="best") == 1
    with pytest.raises(InputError, match="no effort 'more'"):
        align_system(project, system, effort="more")


def parallel(folder: Path, sources: str, targets: str) -> tuple[Path, Path]:
    (folder / "parallel-source").write_text(sources)
    (folder / "parallel-target").write_text(targets)
    return folder / "parallel-source", folder / "parallel-target"


def test_parallel_text_is_deleted_after_the_preparation(tmp_path: Path) -> None:
    pairs = parallel(tmp_path, "a zebra\n\nzebra\n" * 20, "nějaká zebra\nnic\nzebra\n" * 20)
    project = prepared(tmp_path, "--aligner=eflomal", "--parallel", *map(str, pairs))
    assert project.provenance["files"]["parallel source"]["name"] == "parallel-source"
    assert len(project.provenance["files"]["parallel target"]["sha256"]) == 64
    assert not ParallelPage.objects.exists()
    assert project.sentences.count() == 2 * len(text())


def with_parallel_text(source: Path, target: Path) -> Project:
    fields = {"name": "houses", "source_language": "en", "target_language": "cs"}
    with unfinished_project(**fields) as unfinished:
        store_parallel_text(unfinished, source, target)
        with unfinished.last_page():
            return unfinished.project


def test_parallel_text_is_stored_in_pages(tmp_path: Path) -> None:
    count = 2 * LINES_PER_PAGE + 1
    sources = "".join(f"line\t{n}\u2028\n" for n in range(count))
    targets = "".join(f"řádek {n}\r\n" for n in range(count))
    project = with_parallel_text(*parallel(tmp_path, sources, targets))
    assert ParallelPage.objects.count() == 3
    assert list(read_parallel_text(project)) == [(f"line\t{n}", f"řádek {n}") for n in range(count)]
    delete_parallel_text(project)
    assert list(read_parallel_text(project)) == []


@pytest.mark.parametrize(
    ("sources", "targets", "message"),
    [
        ("a\nb\n", "a\n", "parallel-source ends with line 2 but .*parallel-target with line 1"),
        ("a\n\n", "\nb\n", "no line has text in both files"),
        ("", "a\n", "parallel-source: the file is empty"),
    ],
)
def test_unusable_parallel_text_is_refused(
    tmp_path: Path, sources: str, targets: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        with_parallel_text(*parallel(tmp_path, sources, targets))
