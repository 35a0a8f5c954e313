"""What finds the segments of a source that no parser knows."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.formats.pharaoh import Links
from annotation.models import Candidate, Project, Segment, Translation
from annotation.projects.provenance import provenance_of

pytestmark = pytest.mark.django_db

CZECH = "Starý dům stojí u řeky.\nMalý pes spí v trávě.\n"
JAPANESE = "国境の長いトンネルを抜けると雪国であった。\n夜の底が白くなった。\n"
ENGLISH = "The old house stands near the river.\nThe small dog sleeps in the grass.\n"
CZECH_LINKS = "0-0 0-1 1-2 2-3 3-4 4-5 4-6 5-7\n0-0 0-1 1-2 2-3 3-4 4-5 4-6 5-7\n"


def create(folder: Path, languages: str, source: str, *options: str) -> Project:
    for name, text in {"source": source, "alfa": ENGLISH, "reference": ENGLISH}.items():
        (folder / name).write_text(text)
    call_command(
        "create_project", "texts", f"--languages={languages}", f"--source={folder / 'source'}",
        f"--system=alfa={folder / 'alfa'}", *options,
    )  # fmt: skip
    return Project.objects.get()


def parser_of(project: Project) -> str:
    parser = provenance_of(project).parser
    assert parser
    return parser.name


def given_links(folder: Path) -> list[str]:
    (folder / "links").write_text(CZECH_LINKS)
    return [
        "--aligner=pharaoh", f"--alignment=alfa={folder / 'links'}",
        f"--alignment=reference={folder / 'links'}",
    ]  # fmt: skip


def test_a_reference_that_a_parser_knows_cuts_a_source_that_none_knows(tmp_path: Path) -> None:
    reference = f"--reference={tmp_path / 'reference'}"
    project = create(tmp_path, "cs-en", CZECH, reference, *given_links(tmp_path))
    assert parser_of(project) == "linked"
    cut = [
        (segment.sentence.tokenized.slice(segment.indices), candidate.text)
        for candidate in Candidate.objects.select_related("segment__sentence")
        for segment in [candidate.segment]
    ]
    assert ("stojí u řeky", "stands near the river") in cut
    assert provenance_of(project).projection.name == "links"
    # Links of files have no direction.
    assert Translation.objects.filter(alignment__regex="[<>]").count() == 0


def test_without_a_reference_words_between_spaces_are_cut_by_phrases(tmp_path: Path) -> None:
    assert parser_of(create(tmp_path, "cs-en", CZECH)) == "phrases"


def test_a_source_without_spaces_is_cut_at_its_phrases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = create(tmp_path, "ja-en", JAPANESE)
    # There are no trees to be covered.
    assert "coverage" not in capsys.readouterr().out
    assert parser_of(project) == "linked"
    segment = Segment.objects.order_by("pk").first()
    assert segment
    assert segment.sentence.tokenized.slice(segment.indices) == "国境の長い"


def test_links_of_both_directions_are_stored(tmp_path: Path) -> None:
    create(tmp_path, "cs-en", CZECH)
    for row in Translation.objects.all():
        assert row.links == Links.stored(row.links.text)
        assert row.links.forward


def test_the_parser_linked_needs_a_reference(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="give a reference"):
        create(tmp_path, "cs-en", CZECH, "--parser=linked")
    assert not Project.objects.exists()
