"""Forms of WMT07 to WMT09 become judgements of projects of their kinds."""

from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.import_export.export_formats import export_project
from annotation.import_export.judgements_import import import_judgements
from annotation.models import Assignment, Judgement, Placement, Project
from tests.factories import make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

HEADING = "TASK\tTYPE\tITEM_ID\tANNOTATOR_ID\tTIME" + "".join(
    f"\tSYSTEM_{n}\tSCORE_{n}_A\tSCORE_{n}_B" for n in range(3)
)


def forms(path: Path, *lines: str) -> Path:
    text = "".join(line.replace(" | ", "\t") + "\n" for line in (HEADING, *lines))
    path.write_text(text)
    return path


def houses(kind: str, name: str = "houses") -> Project:
    """Two sentences with a segment each; systems A, B and C have translations of their own."""
    return make_project(name, kind=kind, sentences=2, segments={"0 1 2": ["dům", "domek", "barák"]})


def ranks(project: Project) -> list[dict[str, int | None]]:
    found = []
    for one in Judgement.objects.filter(submission__assignment__project=project).order_by("pk"):
        rows = Placement.objects.filter(judgement=one)
        found.append(dict(rows.values_list("candidate__text", "rank")))
    return found


@pytest.mark.parametrize(
    ("kind", "year", "type_name", "answers", "expected"),
    [
        # In 2007 the higher ranks are better.
        ("sentence_ranking", "07", "RANK", ("5", "1", "5"), (1, 2, 1)),
        ("sentence_ranking", "09", "RANK", ("2", "4", "5"), (1, 2, 3)),
        ("constituents_in_context", "08", "CONSTITUENT", ("3", "1", "1"), (2, 1, 1)),
        ("acceptability", "08", "CONSTITUENT_ACCEPT", ("1", "2", "3"), (1, 3, 2)),
        ("adequacy", "07", "NIST", ("5", "1", "3"), (1, 5, 3)),
    ],
)
def test_a_screen_is_a_judgement(
    tmp_path: Path,
    kind: str,
    year: str,
    type_name: str,
    answers: tuple[str, ...],
    expected: tuple[int, ...],
) -> None:
    project = houses(kind)
    systems = " | ".join(
        f"{name} | {answer} | -" for name, answer in zip("ABC", answers, strict=True)
    )
    start = f"WMT{year} English-Czech News | {type_name} | 2 | jana | 31 | "
    path = forms(tmp_path / "f.tsv", start + systems)
    imported = import_judgements(project=project, path=path)
    assert (imported.judgements, imported.format) == (1, "forms of WMT")
    assert ranks(project) == [dict(zip(("dům", "domek", "barák"), expected, strict=True))]
    judgement = Judgement.objects.get()
    assert (judgement.segment.sentence.number, judgement.seconds) == (2, 31)
    again = import_judgements(project=project, path=path)
    assert (again.judgements, again.there_already) == (0, 1)


def test_adequacy_and_fluency_are_two_projects(tmp_path: Path) -> None:
    line = "WMT07 English-Czech News | NIST | 1 | jana | 31 | A | 5 | 2 | B | 3 | -"
    path = forms(tmp_path / "f.tsv", line)
    adequacy, fluency = houses("adequacy"), houses("fluency", "fluent")
    import_judgements(project=adequacy, path=path)
    import_judgements(project=fluency, path=path)
    assert ranks(adequacy) == [{"dům": 1, "domek": 3}]
    assert ranks(fluency) == [{"dům": 4}]


def test_an_item_that_is_judged_again_is_a_repeat(tmp_path: Path) -> None:
    project = houses("sentence_ranking")
    start = "WMT09 English-Czech News | RANK | 1 | jana | 9 | A | 1 | - | B | 2 | -"
    other = "WMT09 English-Czech News | EDIT | 1 | jana | 9 | A | EDIT | -"
    single = "WMT09 English-Czech News | RANK | 1 | petr | 9 | A | 1 | -"
    path = forms(tmp_path / "f.tsv", start, start.replace("A | 1", "A | 3"), other, single)
    imported = import_judgements(project=project, path=path)
    assert imported.left_out == {"forms": 1, "single": 1}
    assert ranks(project) == [{"dům": 1, "domek": 2}, {"dům": 2, "domek": 1}]
    kinds = Assignment.objects.order_by("created").values_list("kind", flat=True)
    assert list(kinds) == ["first", "intra"]
    assert import_judgements(project=project, path=path).there_already == 2


def test_what_does_not_fit_is_named_with_its_line(tmp_path: Path) -> None:
    project = houses("sentence_ranking")
    start = "WMT09 English-Czech News | RANK | 9 | jana | 9 | A | 1 | - | B | 2 | -"
    unknown = start.replace("| 9 | jana", "| 1 | jana").replace("B |", "Z |")
    path = forms(tmp_path / "f.tsv", start, unknown)
    with pytest.raises(InputError, match=r"line 2: the project has no item 9[\s\S]*'Z'"):
        import_judgements(project=project, path=path)
    assert not Assignment.objects.exists()


def test_exported_forms_return(tmp_path: Path) -> None:
    project = houses("sentence_ranking")
    line = "WMT09 English-Czech News | RANK | 1 | jana | 9 | A | 1 | - | B | 2 | - | C | 2 | -"
    import_judgements(project=project, path=forms(tmp_path / "f.tsv", line))
    export_project(project=project, format_name="wmt-forms", to=tmp_path / "again.tsv")
    copy = houses("sentence_ranking", "copy")
    assert import_judgements(project=copy, path=tmp_path / "again.tsv").judgements == 1
    assert ranks(copy) == ranks(project)
