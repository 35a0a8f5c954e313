"""Projects and judgements from the TSV of MQM, and back."""

from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.formats.errors import InputError
from annotation.formats.mqm_lines import HEADING
from annotation.import_export.export_formats import pieces_of
from annotation.import_export.judgements_import import import_judgements
from annotation.kinds import kind_of
from annotation.models import ErrorSpan, Judgement, Placement, Project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
ROWS = (
    "A\td1\t1\t1\tr1\tI saw it.\t<v>Ich</v> sah es.\tStyle/Awkward\tMinor\t",
    "A\td1\t1\t1\tr1\tI saw it.\tIch <v>sah es</v>.\tAccuracy/Mistranslation\tMajor\todd",
    "B\td1\t1\t1\tr2\tI saw it.\tIch sah es.\tNo-error\tNo-error\t",
    "A\td1\t2\t2\tr1\tGo <v>home</v>!\tGeh!\tAccuracy/Omission\tMajor\t",
    "B\td1\t2\t2\tr2\tGo home!\t<v>Blah.</v>\tNon-translation!\tMajor\t",
    "A\td2\t1\t4\tr2\tYes.\tJa.\tOwn/Category\tNeutral\tfine",
    "B\td2\t1\t4\tr1\tYes.\tDoch.\tAccuracy/Omission\tMinor\t",
)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Project]:
    def create(*rows: str, name: str = "mqm") -> Project:
        file = written(tmp_path, *rows)
        call_command(
            "create_project_from_mqm", str(file), name, languages="en-de", stdout=StringIO()
        )
        return Project.objects.get(name=name)

    return create


def written(folder: Path, *rows: str) -> Path:
    file = folder / "mqm.tsv"
    file.write_text("\n".join(["\t".join(HEADING), *rows, ""]), encoding="utf-8")
    return file


def exported(project: Project) -> list[str]:
    return "".join(map(str, pieces_of(project, "mqm"))).splitlines()[1:]


def test_a_file_becomes_a_project_and_comes_out_the_same(
    make: Callable[..., Project], tmp_path: Path
) -> None:
    project = make(*ROWS)
    assert exported(project) == list(ROWS)
    assert "Own/Category" in kind_of(project).answer.own_options
    assert set(ErrorSpan.objects.values_list("side", "severity", "category")) >= {
        ("whole", "major", "Non-translation!"),
        ("source", "major", "Accuracy/Omission"),
        ("missing", "minor", "Accuracy/Omission"),
    }
    # The third line of the source is empty.
    assert project.sentences.get(number=3).text == ""
    again = import_judgements(project=project, path=written(tmp_path, *ROWS))
    assert (again.judgements, again.there_already) == (0, 6)


def test_equal_translations_are_judged_apart(make: Callable[..., Project]) -> None:
    make(*ROWS)
    ranks = Placement.objects.filter(candidate__text="Ich sah es.").values_list(
        "judgement__submission__assignment__annotator__display_name", "rank"
    )
    assert sorted(ranks) == [("r1", 61), ("r2", 1)]


def test_a_comment_belongs_to_its_error(make: Callable[..., Project]) -> None:
    make(*ROWS)
    comments = Judgement.objects.exclude(comment="").values_list("comment", flat=True)
    assert sorted(comments) == ["\nodd", "fine"]


def test_a_mark_that_is_not_closed_is_closed(make: Callable[..., Project]) -> None:
    project = make("A\td1\t1\t1\tr1\tGo!\tGeh <v>!\tFluency/Punctuation\tMinor\t")
    assert exported(project) == ["A\td1\t1\t1\tr1\tGo!\tGeh <v>!</v>\tFluency/Punctuation\tMinor\t"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("C\td1\t1\t1\tr1\tI saw it.\tIch sah es.\tNo-error\tNo-error\t", "no translation of"),
        ("A\td1\t1\t1\tr3\tI saw it.\tIch sah sie.\tNo-error\tNo-error\t", "another one than"),
        ("A\td1\t1\tx\tr3\tI saw it.\tIch sah es.\tNo-error\tNo-error\t", "seg_id"),
        ("A\td1\t1\t1\tr3\tI saw it.\tIch </v>sah es.\tOther\tMinor\t", "alternate"),
        ("A\td1\t1\t1\tr3\tI saw it.\tIch <v>sah</v> es.\tUnheard of\tMinor\t", "category"),
        ("A\td1\t1\t1\tr1\tI saw it.\tIch <v>sah</v> es.\tOther\tMinor\t", "has this judgement"),
    ],
)
def test_rows_that_do_not_fit_are_refused_with_their_line(
    make: Callable[..., Project], tmp_path: Path, row: str, said: str
) -> None:
    project = make(*ROWS)
    with pytest.raises(InputError, match=said) as raised:
        import_judgements(project=project, path=written(tmp_path, row))
    assert "line 2" in str(raised.value)
    assert exported(project) == list(ROWS)


def test_a_file_that_contradicts_itself_makes_no_project(make: Callable[..., Project]) -> None:
    with pytest.raises(Exception, match="another translation of segment 1"):
        make(ROWS[0], ROWS[0].replace("sah", "sehe"))
    assert not Project.objects.exists()


@pytest.mark.shared
def test_published_judgements_come_out_the_same(make: Callable[..., Project], shared: Path) -> None:
    """But for one mark that is not closed, and the order of errors in 80 judgements."""
    file = shared / "data" / "mqm" / "mqm_ted_ende.tsv"
    rows = file.read_text(encoding="utf-8").splitlines()[1:]
    found = exported(make(*rows))
    missing = Counter(rows) - Counter(found)
    assert len(found) == len(rows) == 8435
    assert [row.replace("<v>?", "<v>?</v>") for row in missing] == [*Counter(found) - Counter(rows)]
    assert missing.total() == 1
