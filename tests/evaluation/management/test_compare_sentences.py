"""`manage.py compare_sentences`."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.stats.sentence_level import NoTau
from tests.evaluation.two_levels import ROWS, import_rankings, judged_project
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return judged_project()


@pytest.fixture
def compared(project, tmp_path):
    import_rankings(tmp_path, ROWS, "houses")
    return project


def run(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_the_comparison_as_json(compared):
    report = json.loads(run("compare_sentences", "houses", "--json", "--limit", "2"))

    def tau(concordant, discordant):
        row = {"concordant": concordant, "discordant": discordant, "undefined": None}
        return row | {"tau": round((concordant - discordant) / (concordant + discordant), 6)}

    assert {name: len(table) for name, table in report["tau"].items()} == {
        "better": 3,
        "worse": 3,
        "all": 3,
    }
    # Sentence 1: A > B meets A > B and B > A, A > C and B > C match_levels themselves.
    # Sentence 2: B > A meets A > B and B > A. Sentence 3 is a tie.
    better = {row.pop("system"): row for row in report["tau"]["better"]}
    for name, counts in {"A": (2, 1), "B": (2, 1)}.items():
        assert {key: better[name][key] for key in tau(1, 1)} == tau(*counts)
    assert better["C"] == {
        "tau": None,
        "low": None,
        "high": None,
        "concordant": 0,
        "discordant": 0,
        "undefined": NoTau.ALL_TIED.value,
    }
    assert [row["system"] for row in report["tau"]["worse"]] == ["C", "A", "B"]
    assert (report["together"]["concordant"], report["together"]["discordant"]) == (4, 2)
    assert report["quotients"] == {
        "defined": 4,
        "infinite": 1,
        "never_won": 1,
        "not_compared": 4,
    }
    # A won 2 of 3 comparisons by the segments of sentence 2, and the whole never.
    first, second = report["disagreements"]
    assert (first["sentence"], first["system"]) == (2, "A")
    assert (first["quotient"], first["infinite"]) == (None, True)
    assert [first[f"segment_{what}"] for what in ("wins", "losses")] == [2, 1]
    assert [first[f"sentence_{what}"] for what in ("wins", "losses")] == [0, 1]
    assert first["source"] == [
        {"text": "the old house", "segment": True},
        {"text": " stands ", "segment": False},
        {"text": "near the river", "segment": True},
    ]
    assert (second["sentence"], second["system"], second["quotient"]) == (1, "B", 1.333333)
    assert report["signature"].startswith("Kendall's τ of sentences and segments|ties skipped|")


def test_the_comparison_as_text(compared):
    printed = run("compare_sentences", "houses")

    assert printed.index("was better") < printed.index("was worse") < printed.index("τ of all")
    assert f"No τ: {NoTau.ALL_TIED.value}." in printed
    assert "all together  0.333" in printed
    assert "sentence 2, A: infinite (won 2 of 3 by its segments, 0 of 1 as a whole)" in printed
    assert "  source:      *the old house* stands *near the river*" in printed
    assert "  candidates:  *starý dům* … *u řeky*" in printed
    assert "  reference:   reference" in printed
    assert printed.strip().endswith("|judgements 6|sentences 3|SegRanks 0.1.0")


def test_one_seed_gives_one_result_and_options_are_in_the_signature(compared):
    one, again = (run("compare_sentences", "houses", "--seed", "3") for _ in range(2))

    assert one == again
    assert "|1000 resamples of sentences|seed 3|" in one
    assert "|100 resamples" in run("compare_sentences", "houses", "--resamples", "100")
    with pytest.raises(CommandError, match="'-1'"):
        run("compare_sentences", "houses", "--limit=-1")
    with pytest.raises(CommandError, match="at least 100"):
        run("compare_sentences", "houses", "--resamples", "99")


def test_a_missing_level_is_explained(project, tmp_path):
    assert "import_sentence_judgements" in run("compare_sentences", "houses")
    report = json.loads(run("compare_sentences", "houses", "--json"))
    assert report["together"]["undefined"] == NoTau.NO_COMMON_SENTENCE.value
    assert report["disagreements"] == []

    make_project("unjudged")
    import_rankings(tmp_path, ROWS, "unjudged")
    assert f"No τ: {NoTau.NO_COMMON_SENTENCE.value}." in run("compare_sentences", "unjudged")
