import pytest
from django.urls import reverse

from annotation.models import Job
from evaluation.models import SentenceJudgement
from evaluation.stats.sentence_level import NoTau
from tests.evaluation.two_levels import ROWS, import_rankings, judged_project
from tests.evaluation.web.pages import data
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return judged_project()


@pytest.fixture
def compared(project, tmp_path):
    import_rankings(tmp_path, ROWS, "houses")
    return project


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def page_of(client, of_project):
    return client.get(reverse("sentence-level", args=[of_project.pk])).content.decode()


def test_it_shows_the_tables_and_the_sentences(client, compared, boss):
    page = page_of(client, compared)

    for name in ("better", "worse", "all"):
        assert f'id="tau-{name}-caption"' in page
    assert '<span class="tau">0.333</span>' in page
    assert NoTau.ALL_TIED.value in page
    assert "<strong>the old house</strong> stands <strong>near the river</strong>" in page
    assert "<strong>starý dům</strong> … <strong>u řeky</strong>" in page
    assert reverse("sentence", args=[compared.pk, 2]) in page
    assert page.count('class="card disagreement"') == 4
    assert f"manage.py compare_sentences {compared.pk} --limit 4" in page
    assert "|judgements 6|sentences 3|SegRanks 1.0.0" in page

    client.cookies["django_language"] = "cs"
    assert '<span class="tau">0,333</span>' in page_of(client, compared)


def test_a_missing_level_is_explained(client, project, boss, tmp_path):
    page = page_of(client, project)
    assert 'id="not-imported"' in page
    assert f"manage.py import_sentence_judgements {project.pk} FILE --format wmt-five" in page

    unjudged = make_project("unjudged")
    make_annotator(unjudged, "boss", "administrator")
    import_rankings(tmp_path, ROWS, "unjudged")
    assert 'id="nothing-to-compare"' in page_of(client, unjudged)


def test_ties_have_no_quotients(client, project, boss, tmp_path):
    import_rankings(tmp_path, ROWS[2:], "houses")

    page = page_of(client, project)

    assert NoTau.ALL_TIED.value in page
    assert 'id="no-quotients"' in page


def test_an_unprepared_project_shows_its_state(client, project, boss):
    Job.objects.create(project=project, state="queued")
    project.state = "preparing"
    project.save()

    assert data(page_of(client, project), "state") == "queued"


def test_names_and_texts_are_escaped(client, compared, boss):
    compared.systems.filter(name="A").update(name="<script>")
    compared.sentences.update(text="<b> old house stands near the river")

    page = page_of(client, compared)

    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    assert "<b>" not in page
    assert "style=" not in page


@pytest.mark.parametrize("more", [0, 3])
def test_the_number_of_queries_is_constant(
    client,
    compared,
    boss,
    more,
    tmp_path,
    django_assert_num_queries,
):
    import_rankings(
        tmp_path, [(1, f"judge{number}", "C 1 B 2") for number in range(more)] or ROWS, "houses"
    )
    assert SentenceJudgement.objects.count() == 3 + more

    # Session, user, project, role, summary; whether there is any; three of whole sentences,
    # eight of loading, four of texts.
    with django_assert_num_queries(21):
        page_of(client, compared)
