import io
import json
import os
import zipfile
from dataclasses import replace

import pytest

from annotation.formats.errors import InputError
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import Report, tables
from evaluation.findings.serialisation import as_stored, from_json, to_json
from evaluation.rendering.tables import Column, Table
from evaluation.report.files import check_folder, files, table_files, write_folder, zipped
from evaluation.stats.annotators.drift import AnnotatorDrift, Trend
from evaluation.stats.estimates import Estimate
from tests.evaluation.report.sample import drift, sample

UNDEFINED = Trend(Estimate(None, undefined="few"), screens=0)
NO_CHANGES = drift(together=AnnotatorDrift("", UNDEFINED, UNDEFINED))
OTHER_SEED = ReportOptions(resamples=100, seed=8)


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
    whole = json.loads((folder / "report.json").read_text())
    assert whole == to_json(sample())
    assert from_json(whole, Report) == as_stored(sample())


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
    packed = zipfile.ZipFile(io.BytesIO(zipped(files(sample()), sample().made)))

    assert {each.date_time for each in packed.infolist()} == {(2026, 1, 2, 3, 4, 4)}


def test_an_older_report_is_replaced_and_other_files_stay(tmp_path):
    write_folder(sample(options=OTHER_SEED), tmp_path)
    (tmp_path / "notes.txt").write_text("mine")

    write_folder(sample(), tmp_path)

    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert json.loads((tmp_path / "report.json").read_text())["options"]["seed"] == 7
    assert not list(tmp_path.glob(".report-*"))


def test_a_report_of_another_version_is_not_mixed_with_a_new_one(tmp_path):
    write_folder(sample(), tmp_path)
    (tmp_path / "report.json").write_text('{"project": "former"}')
    before = contents(tmp_path)

    with pytest.raises(InputError, match=r"report\.json is of another version"):
        write_folder(sample(), tmp_path)

    assert contents(tmp_path) == before


def test_rankings_have_the_same_order_after_postgresql_has_sorted_the_keys():
    by_strength = replace(sample().rankings["ratio_of_wins"], method="bradley_terry")
    made = sample(rankings={**sample().rankings, "bradley_terry": by_strength})
    ordered = dict(sorted(made.rankings.items()))
    assert list(ordered) != list(made.rankings)

    stored = replace(made, rankings=ordered)

    assert [each.name for each in tables(stored)] == [each.name for each in tables(made)]
    assert stored.best_first == made.best_first


def test_files_of_an_older_report_are_removed(tmp_path):
    rankings = sample().rankings
    by_strength = replace(rankings["ratio_of_wins"], method="bradley_terry")
    former = sample(rankings={**rankings, "bradley_terry": by_strength})
    before = write_folder(former, tmp_path)
    stale = ["figures/ranking-bradley_terry.vl.json", "figures/speed-changes.pdf"]
    stale += ["tables/ranking-bradley_terry.tex", "tables/ranking-bradley_terry.json"]
    mine = ["figures/mine.vl.json", "tables/mine.tex", "tables/ranking-bradley_terry.pdf"]
    for name in mine:
        (tmp_path / name).write_text("mine")

    written = write_folder(sample(drift=NO_CHANGES), tmp_path)

    assert {tmp_path / name for name in stale} <= {*before} - {*written}
    kept = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert kept == {*written, *(tmp_path / name for name in mine)}


def test_a_folder_in_the_way_leaves_everything_as_it_was(tmp_path):
    name = "figures/win-rates.vl.json"
    write_folder(sample(), tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / name / "inside").mkdir(parents=True)
    before = contents(tmp_path)

    with pytest.raises(InputError, match=f"{name} is a folder, but the report needs a file"):
        write_folder(sample(options=OTHER_SEED), tmp_path)

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
    move = os.replace

    def full(source, target):
        left[0] -= 1
        if left[0] == 0:
            raise OSError(28, "No space left on device")
        move(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_folder(sample(options=OTHER_SEED), tmp_path)

    assert contents(tmp_path) == before


def test_a_failed_rendering_leaves_no_files(tmp_path):
    # Half of a surrogate pair cannot be written to any file.
    (contrast,) = sample().contrasts
    broken = sample(contrasts=(replace(contrast, best="\ud800"),))

    with pytest.raises(UnicodeEncodeError):
        write_folder(broken, tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_file_is_refused_as_a_folder(tmp_path):
    file = tmp_path / "file"
    file.touch()

    with pytest.raises(InputError, match="is not a folder"):
        check_folder(file / "inside")
    with pytest.raises(InputError, match="cannot be written"):
        write_folder(sample(), file)
