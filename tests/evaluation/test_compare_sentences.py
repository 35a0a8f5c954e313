"""The command and the page that compare segments with whole sentences."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Job, User
from evaluation.models import SentenceJudgement
from tests.evaluation.formats.wmt_files import write_five_way
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

NOWHERE = "no sentence was judged both as a whole and by its segments"
NOTHING = "no comparison of whole sentences meets one of their segments that is no tie"

# A and B have both candidates, C only the first; the ranks of segment 2 are of A and B.
RANKS: dict[str, list[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [2, 1]}
ROWS = [(1, "judge", "A 1 B 2 C 3"), (2, "judge", "B 1 A 2"), (3, "judge", "A 1 B 1")]

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = make_project()
    jana = make_annotator(project)
    for number in (1, 2, 3):
        submit(project, jana, number, RANKS)
    return project


@pytest.fixture
def compared(project, tmp_path):
    import_rankings(tmp_path, ROWS)
    return project


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def import_rankings(folder, rows, project="houses"):
    file = write_five_way(folder / "five.csv", rows)
    run("import_sentence_judgements", project, str(file), "--format", "wmt-five")


def run(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def page_of(client, project):
    return client.get(reverse("sentence-level", args=[project.pk])).content.decode()


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
    # Sentence 1: A > B meets A > B and B > A, A > C and B > C meet themselves.
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
        "undefined": NOTHING,
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

    assert (
        "3 sentences were judged at both levels: 3 judgements of whole sentences, 6 of" in printed
    )
    assert printed.index("was better") < printed.index("was worse") < printed.index("τ of all")
    assert f"No τ: {NOTHING}." in printed
    assert "all together  0.333" in printed
    assert "4 of 4, of which 1 are infinite" in printed
    assert "sentence 2, A: infinite (won 2 of 3 by its segments, 0 of 1 as a whole)" in printed
    assert "  source:      *the old house* stands *near the river*" in printed
    assert "  candidates:  *starý dům* … *u řeky*" in printed
    assert "  reference:   reference" in printed
    assert printed.strip().endswith("|judgements 6|sentences 3|SegRanks 0.1.0")


def test_two_runs_with_one_seed_are_equal_and_the_seed_is_in_the_signature(compared):
    one, again = (run("compare_sentences", "houses", "--seed", "3") for _ in range(2))

    assert one == again
    assert "|1000 resamples of sentences|seed 3|" in one
    assert "|10 resamples" in run("compare_sentences", "houses", "--resamples", "10")


def test_without_judgements_of_sentences_it_says_how_to_import_them(project):
    assert "has no judgements of whole sentences: `manage.py import_sentence_judgements" in run(
        "compare_sentences", "houses"
    )
    report = json.loads(run("compare_sentences", "houses", "--json"))
    assert report["together"]["undefined"] == NOWHERE
    assert report["disagreements"] == []


def test_where_nothing_was_judged_by_segments_it_says_so(tmp_path):
    make_project()
    import_rankings(tmp_path, ROWS)

    printed = run("compare_sentences", "houses")

    assert f"No τ: {NOWHERE}." in printed
    assert "There is no disagreement quotient." in printed


@pytest.mark.parametrize("option", ["--limit", "--resamples", "--seed"])
def test_numbers_are_whole_and_not_negative(compared, option):
    with pytest.raises(CommandError, match="'-1' is not a whole number from 0"):
        run("compare_sentences", "houses", f"{option}=-1")


# --- the page -----------------------------------------------------------------------------------


def test_the_page_has_the_tables_and_the_sentences(client, compared, boss):
    page = page_of(client, compared)

    assert "Where its sentence was better" in page
    assert '<span class="tau">0.333</span>' in page
    assert NOTHING in page
    assert "alike 4 times, reversed 2 times" in page
    assert "<strong>the old house</strong> stands <strong>near the river</strong>" in page
    assert "<strong>starý dům</strong> … <strong>u řeky</strong>" in page
    assert "segments won 2 of 3 comparisons, the whole sentence 0 of 1" in page
    assert reverse("report-sentence", args=[compared.pk, 2]) in page
    assert "Shown are 4 of 4. Infinite ones: 1." in page
    assert f"manage.py compare_sentences {compared.pk} --limit 4" in page
    assert "|judgements 6|sentences 3|SegRanks 0.1.0" in page


def test_numbers_are_written_as_the_readers_language_does(client, compared, boss):
    client.cookies["django_language"] = "cs"

    assert '<span class="tau">0,333</span>' in page_of(client, compared)


def test_the_page_says_how_to_import(client, project, boss):
    page = page_of(client, project)

    assert "No judgements of whole sentences yet" in page
    assert f"manage.py import_sentence_judgements {project.pk} FILE --format wmt-five" in page
    assert "<table" not in page


def test_the_page_says_that_nothing_was_judged_by_segments(client, tmp_path):
    project = make_project()
    import_rankings(tmp_path, ROWS)
    client.force_login(make_annotator(project, "boss", "administrator"))

    assert "Nothing to compare yet" in page_of(client, project)


def test_the_page_says_that_all_is_tied(client, project, boss, tmp_path):
    import_rankings(tmp_path, ROWS[2:])

    page = page_of(client, project)

    assert NOTHING in page
    assert "No system has wins or losses at both levels of a sentence." in page


def test_the_page_of_a_project_that_is_being_prepared(client, project, boss):
    Job.objects.create(project=project, state="queued")
    project.state = "preparing"
    project.save()

    assert "Waiting to be prepared" in page_of(client, project)


def test_names_and_texts_are_escaped(client, compared, boss):
    compared.systems.filter(name="A").update(name="<script>")
    compared.sentences.update(tokens="<b> old house stands near the river")

    page = page_of(client, compared)

    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "<b>" not in page
    assert "style=" not in page


def test_the_results_lead_to_it(client, project, boss):
    page = client.get(reverse("results", args=[project.pk])).content.decode()

    assert reverse("sentence-level", args=[project.pk]) in page


def test_annotators_may_not_see_it(client, compared):
    client.force_login(User.objects.get(username="jana"))

    assert client.get(reverse("sentence-level", args=[compared.pk])).status_code == 403


def test_another_projects_administrator_does_not_find_it(client, compared):
    client.force_login(make_annotator(make_project("other"), "boss", "administrator"))

    assert client.get(reverse("sentence-level", args=[compared.pk])).status_code == 404


def test_strangers_are_asked_to_sign_in(client, compared):
    response = client.get(reverse("sentence-level", args=[compared.pk]))

    assert response.status_code == 302
    assert response["Location"].startswith(reverse("sign-in"))


def test_it_only_answers_get(client, compared, boss):
    assert client.post(reverse("sentence-level", args=[compared.pk])).status_code == 405


@pytest.mark.parametrize("more", [0, 3])
def test_it_asks_as_many_queries_however_much_there_is(
    client, compared, boss, more, tmp_path, django_assert_num_queries
):
    import_rankings(tmp_path, [(1, f"judge{number}", "C 1 B 2") for number in range(more)] or ROWS)
    assert SentenceJudgement.objects.count() == 3 + more

    # Session, user, project, role, summary; whether there is any; three of whole sentences, eight
    # of loading, four of texts.
    with django_assert_num_queries(21):
        page_of(client, compared)
