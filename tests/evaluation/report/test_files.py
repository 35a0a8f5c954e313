import io
import json
import os
import zipfile

import pytest

from annotation.formats.errors import InputError
from evaluation.report.files import check_folder, files, table_files, write_folder, zipped
from evaluation.report.tables import Column, Table
from tests.evaluation.report.sample import sample

ESTIMATE = {"value": None, "low": None, "high": None, "undefined": "few", "screens": 0}
ESTIMATE |= {"no_interval": ""}
NO_ANNOTATOR = {"annotator": "", "seconds": ESTIMATE, "agreement": ESTIMATE}
NO_CHANGES = {"together": NO_ANNOTATOR, "annotators": [], "signature": "drift"}


def contents(folder):
    """Return all that is in the folder: the bytes of files, None for folders."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_it_writes_tables_figures_and_the_report(tmp_path):
    written = write_folder(sample(), tmp_path / "new" / "report")

    folder = tmp_path / "new" / "report"
    names = sorted(str(path.relative_to(folder)) for path in written)
    assert names == sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
    assert "report.json" in names
    assert "tables/ranking-ratio_of_wins.tex" in names
    figures = {path.suffix: path.read_bytes() for path in folder.glob("figures/win-rates.*")}
    assert {suffix: figure[:4] for suffix, figure in figures.items()} == {
        ".json": b'{\n "',
        ".svg": b"<svg",
        ".pdf": b"%PDF",
        ".png": b"\x89PNG",
    }
    assert json.loads((folder / "report.json").read_text()) == sample()


def test_each_table_has_files_of_its_own():
    names = [
        "systems-a b",
        "systems-a_b",
        "systems-A-b",
        "systems-../x",
        "systems-x/y%",
        "systems-č",
    ]
    tables = [Table(name, "", (Column("a", "a"),), ()) for name in [*names, "systems-č"]]

    written = dict(table_files(tables))

    assert [path for path in written if path.endswith(".tex")] == [
        f"tables/systems-{name}.tex"
        for name in ("a-b--2", "a_b", "A-b", "..-x", "x-y", "č", "č--2")
    ]
    for path, latex in written.items():
        if path.endswith(".tex"):
            assert f"\\label{{tab:{path[7:-4]}}}" in latex.decode()


def test_the_same_report_gives_the_same_bytes():
    once, again = (
        [each for each in files(sample()) if not each[0].endswith(".pdf")] for _time in range(2)
    )
    assert once == again


def test_files_in_the_zip_are_as_old_as_the_report():
    packed = zipfile.ZipFile(io.BytesIO(zipped(files(sample()), sample()["made"])))

    assert {each.date_time for each in packed.infolist()} == {(2026, 1, 2, 3, 4, 4)}


def test_an_older_report_is_replaced_and_other_files_stay(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "report.json").write_text("old")

    write_folder(sample(), tmp_path)

    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert json.loads((tmp_path / "report.json").read_text())["seed"] == 7
    assert not list(tmp_path.glob(".report-*"))


def test_files_of_an_older_report_are_removed(tmp_path):
    write_folder(sample(), tmp_path)
    stale = ["figures/ranking-skill.vl.json", "figures/speed-changes.pdf"]
    stale += ["tables/ranking-skill.tex", "tables/ranking-skill.json"]
    mine = ["figures/mine.vl.json", "tables/mine.tex", "tables/ranking-skill.pdf"]
    for name in (*stale, *mine):
        (tmp_path / name).write_text("old")

    written = write_folder(sample(drift=NO_CHANGES), tmp_path)

    kept = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert kept == {*written, *(tmp_path / name for name in mine)}


def test_a_folder_in_the_way_leaves_everything_as_it_was(tmp_path):
    name = "figures/win-rates.vl.json"
    write_folder(sample(), tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / name / "inside").mkdir(parents=True)
    before = contents(tmp_path)

    with pytest.raises(InputError, match=f"{name} is a folder, but the report needs a file"):
        write_folder(sample(seed=8), tmp_path)

    assert contents(tmp_path) == before


def test_a_file_in_place_of_a_folder_leaves_everything_as_it_was(tmp_path):
    (tmp_path / "report.json").write_text("old")
    (tmp_path / "figures").write_text("mine")

    with pytest.raises(InputError, match="figures is a file, but the report needs a folder"):
        write_folder(sample(), tmp_path)

    assert contents(tmp_path) == {"report.json": b"old", "figures": b"mine"}


@pytest.mark.parametrize(("older", "moves"), [(True, 30), (False, 2)])
def test_a_failed_write_leaves_the_folder_as_it_was(tmp_path, monkeypatch, older, moves):
    if older:
        write_folder(sample(), tmp_path)
    before = contents(tmp_path)
    left = [moves]
    replace = os.replace

    def full(source, target):
        left[0] -= 1
        if left[0] == 0:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_folder(sample(seed=8), tmp_path)

    assert contents(tmp_path) == before


def test_a_failed_rendering_leaves_no_files(tmp_path):
    broken = sample(contrasts=[{"sentence": 1}])

    with pytest.raises(KeyError):
        write_folder(broken, tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_file_is_refused_as_a_folder(tmp_path):
    file = tmp_path / "file"
    file.touch()

    with pytest.raises(InputError, match="is not a folder"):
        check_folder(file / "inside")
    with pytest.raises(InputError, match="cannot be written"):
        write_folder(sample(), file)
