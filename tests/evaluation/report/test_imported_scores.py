from pathlib import Path

from evaluation.formats.score_files import ScoreFiles, read_scores
from evaluation.report.imported_scores import import_scores, named_metrics


def scores(folder: Path, *rows: str) -> ScoreFiles:
    path = folder / "metrics.score"
    path.write_text("".join("\t".join(row.split(", ")) + "\n" for row in rows))
    return read_scores([path])


def test_no_metric_is_lost_where_another_is_called_like_it_and_its_reference(tmp_path):
    files = scores(
        tmp_path,
        "COMET, en-cs, wmt, refA, A, 1",
        "COMET, en-cs, wmt, refB, A, 2",
        "COMET-refB, en-cs, wmt, refA, A, 3",
    )

    found = {
        name: tables[0].of(tables[0].metrics[0])[0]
        for name, tables in named_metrics(files.tables).items()
    }
    assert found == {"COMET-refA": 1, "COMET-refB (2)": 2, "COMET-refB": 3}


def test_imported_metrics_have_different_names(tmp_path):
    imported = import_scores(
        scores(tmp_path, "bleu, en-cs, wmt, A, 1", "bleu (file), en-cs, wmt, A, 2"),
        pair="en-cs",
        systems=["A"],
        all_systems=["A"],
        sentence_numbers=[],
        all_sentence_numbers=[],
        taken=["bleu"],
    )

    found = {metric.name: metric.of_systems.tolist() for metric in imported.metrics}
    assert found == {"bleu (file)": [1], "bleu (file) (2)": [2]}
