import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.evaluation.formats.wmt_files import write

SYSTEMS = [name for n in range(5) for name in (f"SYSTEM_{n}", f"SCORE_{n}_A", f"SCORE_{n}_B")]
HEADING = ",".join(["TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME", *SYSTEMS, "EXTRA"])


def run(*arguments: object) -> str:
    out = StringIO()
    call_command("form_agreement", *map(str, arguments), stdout=out)
    return out.getvalue()


def screen(*columns: object) -> str:
    """Kind, item, annotator, time, then three columns a system."""
    cells = ["WMT08 German-English Europarl", *map(str, columns)]
    return ",".join([*cells, *[""] * (HEADING.count(",") + 1 - len(cells))])


def found(*arguments):
    read = json.loads(run(*arguments, "--json"))
    return read, {row["kind"]: row for row in read["kinds"]}


# Agreement with its κ and pairs, inter and intra, and the mean time of a screen.
WMT07 = {
    "adequacy": ((0.380, 0.225, 12784), (0.576, 0.470, 2731), 4102, 108.3),
    "fluency": ((0.399, 0.249, 12775), (0.631, 0.538, 2720), 4102, 108.3),
    "adequacy, relative": ((0.537, 0.306, 15631), (0.683, 0.525, 4504), 4102, 108.3),
    "fluency, relative": ((0.523, 0.284, 15626), (0.678, 0.517, 4483), 4102, 108.3),
    "sentences ranked": ((0.578, 0.367, 15145), (0.736, 0.604, 4706), 4125, 85.5),
    "constituents ranked": ((0.713, 0.570, 34667), (0.820, 0.730, 6480), 6232, 47.7),
}
# German-English Europarl: adequacy, fluency and number of outputs with both.
MEANS = {
    "systran": (3.502, 3.280, 225),
    "liu": (3.460, 3.143, 224),
    "upc": (3.415, 3.041, 241),
    "uedin": (3.348, 3.067, 178),
    "cmu-uka": (3.326, 2.933, 224),
    "nrc": (3.178, 2.773, 225),
    "saar": (2.638, 2.612, 196),
}


@pytest.mark.shared
def test_it_prints_the_figures_of_wmt07(shared):
    path = shared / "data" / "judgements" / "wmt07" / "judgements"

    whole, kinds = found(path, "--resamples", 100)

    figures = {
        kind: (
            *(
                (round(part["observed"], 3), round(part["kappa"]["value"], 3), part["compared"])
                for part in (row["agreement"]["inter"], row["agreement"]["intra"])
            ),
            row["screens"],
            round(row["seconds"], 1),
        )
        for kind, row in kinds.items()
    }
    assert figures == WMT07
    kappa = kinds["adequacy"]["agreement"]["inter"]["kappa"]
    assert kappa["wide_low"] < kappa["low"] < kappa["value"] < kappa["high"] < kappa["wide_high"]
    means = {
        row["system"]: (round(row["adequacy"], 3), round(row["fluency"], 3), row["outputs"])
        for row in whole["grades"]
        if (row["pair"], row["domain"]) == ("German-English", "Europarl")
    }
    assert means == MEANS


def test_acceptance_and_edits_are_counted_by_system(tmp_path):
    path = write(
        tmp_path / "judgements",
        [
            HEADING,
            screen("CONSTITUENT_ACCEPT", 5, "jana", 40, "A", 1, "", "B", 2, ""),
            screen("CONSTITUENT_ACCEPT", 5, "petr", 301, "A", 1, "", "B", 3, ""),
            screen("EDIT", 7, "jana", "", "A", "EDIT", ""),
            screen("EDIT", 7, "petr", 20, "A", "OK", ""),
            # Two corrections of one output are two items.
            screen("EDIT_ACCEPT", 7, "eva", 9, "A", 1, 91, "A", 0, 92),
            screen("EDIT_ACCEPT", 7, "petr", 9, "A", 1, 91),
        ],
    )

    whole, kinds = found(path)
    run(path, "--output", tmp_path / "out")

    accepted = kinds["constituents accepted"]
    assert (accepted["seconds"], accepted["longer"], accepted["untimed"]) == (40, 1, 0)
    agreement = accepted["agreement"]
    assert (agreement["inter"]["agree"], agreement["inter"]["compared"]) == (1, 1)
    assert agreement["expected"] == 0.5
    kappa = agreement["intra"]["kappa"]
    assert (kappa["value"], bool(kappa["undefined"])) == (None, True)
    edited = kinds["sentences edited"]
    inter = edited["agreement"]["inter"]
    assert (inter["agree"], inter["compared"]) == (0, 1)
    assert (edited["seconds"], edited["untimed"]) == (20, 1)
    assert kinds["edits accepted"]["agreement"]["inter"]["compared"] == 1
    shares = {
        (row["kind"], row["system"]): (row["yes"], row["share"], row["share_of_all"])
        for row in whole["acceptance"]
    }
    assert shares == {
        ("constituents", "A"): (2, 1, 1),
        ("constituents", "B"): (0, 0, 0),
        ("edits", "A"): (2, pytest.approx(2 / 3), pytest.approx(2 / 3)),
    }
    assert [list(row.values())[3:] for row in whole["edits"]] == [[1, 1, 0]]
    (edits,) = json.loads((tmp_path / "out" / "tables" / "edits.json").read_text())["rows"]
    assert edits == whole["edits"][0]


def test_files_of_other_kinds_are_refused_in_one_sentence(tmp_path):
    with pytest.raises(CommandError, match=r"no forms of WMT07 to WMT09[^\n]*rank_judgements"):
        run(write(tmp_path / "scores", ["A 0.5", "B 0.7"]))


def test_all_problems_of_a_file_are_named(tmp_path):
    path = write(tmp_path / "judgements", [HEADING, screen("RANK", "x"), screen("ODD", 1, "j")])

    with pytest.raises(CommandError, match=r"(?s)^2 problems:.*line 2: .*line 3: "):
        run(path)
