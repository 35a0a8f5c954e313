"""Systems added to projects that eflomal aligned, with and without priors."""

from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.import_export.archive_import import import_project
from annotation.models import AlignmentPriors, Project, Projection, Segment, Translation
from annotation.projects.deletion import delete_project
from tests.annotation.import_export.exchange_files import archive_file

pytestmark = pytest.mark.django_db


def aligned_project(folder: Path) -> Project:
    """Return a project that eflomal aligned, beside D of another system and a copy of its own."""
    words = {"the": "ten", "old": "starý", "house": "dům", "stands": "stojí", "river": "řeka"}
    more = {"big": "velký", "tree": "strom", "sees": "vidí", "dog": "pes", "new": "nový"}
    sources, targets = [], []
    for one in ("old", "big", "new"):
        for noun in ("house", "river", "tree", "dog"):
            for verb in ("stands", "sees"):
                source = ["the", one, noun, verb, "the", "old", "tree"]
                sources.append(" ".join(source))
                targets.append(" ".join((words | more)[word] for word in source))
    others = [line.replace("stojí", "stávala") for line in targets]
    files = {"source": sources, "A": targets, "D": others, "copy": targets}
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    call_command(
        "create_project",
        "trees",
        "--languages=en-cs",
        f"--source={folder / 'source'}",
        f"--system=A={folder / 'A'}",
        "--parser=phrases",
        "--aligner=eflomal",
        "--effort=fast",
    )
    return Project.objects.get(name="trees")


def add_aligned(project: Project, folder: Path) -> None:
    before = list(Translation.objects.order_by("pk").values_list("alignment", flat=True))
    call_command("add_system", project.name, f"D={folder / 'D'}")
    after = Translation.objects.filter(system__name="A").order_by("pk")
    assert list(after.values_list("alignment", flat=True)) == before
    project.refresh_from_db()
    (made,) = project.provenance["added"]
    assert (made["aligner"]["name"], made["aligner"]["effort"]) == ("eflomal", "fast")
    counts = made["counts"]
    assert counts["known"] + counts["new"] + counts["missing"] == Segment.objects.count() > 0
    assert Translation.objects.filter(system__name="D").exclude(alignment="").exists()


def test_an_added_system_is_aligned_with_priors(tmp_path: Path) -> None:
    project = aligned_project(tmp_path)
    assert AlignmentPriors.objects.filter(project=project).exists()
    add_aligned(project, tmp_path)


def test_a_copy_of_a_system_has_its_candidates_and_asks_for_none(tmp_path: Path) -> None:
    project = aligned_project(tmp_path)
    call_command("add_system", project.name, f"copy={tmp_path / 'copy'}")
    project.refresh_from_db()
    (made,) = project.provenance["added"]
    candidates = Projection.objects.order_by("segment").values_list("segment", "candidate")
    copied = candidates.filter(system__name="copy")
    assert list(copied) == list(candidates.filter(system__name="A"))
    missing = copied.filter(candidate=None).count()
    known = Segment.objects.count() - missing
    assert made["counts"] == {"known": known, "new": 0, "missing": missing, "reassigned": 0}


def test_a_system_is_added_to_a_restored_project_without_priors(tmp_path: Path) -> None:
    project = aligned_project(tmp_path)
    path = archive_file(project, tmp_path)
    delete_project(project)
    restored = import_project(path=path)
    assert not AlignmentPriors.objects.exists()
    add_aligned(restored, tmp_path)
    assert not AlignmentPriors.objects.exists()
