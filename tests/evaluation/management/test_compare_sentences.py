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

    found = report["compared"]
    systems = {row["system"]: row for row in found["systems"]}
    # Sentence 1: A > B meets A > B and B > A, A > C and B > C match_levels themselves.
    # Sentence 2: B > A meets A > B and B > A. Sentence 3 is a tie.
    for name in "AB":
        better = systems[name]["better"]
        assert (better["concordant"], better["discordant"]) == (2, 1)
        assert better["estimate"]["value"] == 0.333333
    none = systems["C"]["better"]["estimate"]
    assert (none["value"], none["undefined"]) == (None, NoTau.ALL_TIED.value)
    assert (found["together"]["concordant"], found["together"]["discordant"]) == (4, 2)
    disagreements = found["disagreements"]
    # A won 2 of 3 comparisons by the segments of sentence 2, and the whole never.
    first, second = disagreements.pop("listed")
    assert disagreements == {"defined": 4, "infinite": 1, "never_won": 1, "not_compared": 4}
    assert (first["sentence"], first["system"], first["quotient"]) == (2, "A", None)
    assert [first[f"segment_{what}"] for what in ("wins", "losses")] == [2, 1]
    assert [first[f"sentence_{what}"] for what in ("wins", "losses")] == [0, 1]
    assert (second["sentence"], second["system"], second["quotient"]) == (1, "B", 1.333333)
    texts, _of_second = report["texts"]
    assert texts["source"] == [
        {"text": "the old house", "segment": True},
        {"text": " stands ", "segment": False},
        {"text": "near the river", "segment": True},
    ]
    assert found["signature"].startswith("Kendall's τ of sentences and segments|ties skipped|")


def test_the_comparison_as_text(compared):
    printed = run("compare_sentences", "houses")

    assert printed.index("was better") < printed.index("was worse") < printed.index("τ of all")
    # The highest τ first, undefined ones last.
    better, _words, rest = printed.partition("was worse")
    assert better.index("\nA ") < better.index("\nB ") < better.index("\nC ")
    assert rest.index("\nC ") < rest.index("\nA ") < rest.index("\nB ")
    assert f"No τ: {NoTau.ALL_TIED.value}." in printed
    assert "all together  0.333" in printed
    assert "infinite" in printed
    assert "  source:      *the old house* stands *near the river*" in printed
    assert "  candidates:  *starý dům* … *u řeky*" in printed
    assert "  reference:   reference" in printed
    assert printed.strip().endswith("|judgements 6|sentences 3|SegRanks 1.0.0")


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
    together = report["compared"]["together"]["estimate"]
    assert together["undefined"] == NoTau.NO_COMMON_SENTENCE.value
    assert report["texts"] == []

    make_project("unjudged")
    import_rankings(tmp_path, ROWS, "unjudged")
    assert f"No τ: {NoTau.NO_COMMON_SENTENCE.value}." in run("compare_sentences", "unjudged")
