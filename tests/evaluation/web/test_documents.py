"""The pages of documents, of members and of readers of a link."""

import re
from collections.abc import Mapping, Sequence

import pytest
from django.test import Client
from django.urls import reverse

from annotation.kinds import KINDS
from annotation.models import Judgement, Membership
from evaluation.findings.options import ReportOptions
from evaluation.models import SharedLink
from evaluation.services import reports, shared_links
from evaluation.web.views.documents import MOST_SYSTEMS, SEARCHING
from tests.evaluation.projects import submit
from tests.evaluation.web.pages import element, repeated_ids
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db

PEOPLE = ("jana", "petr")
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 2]}


@pytest.fixture
def project():
    project = make_project("Houses", sentences=3)
    project.sentences.update(document="news/1")
    for name, system in zip(("Alpha", "Bravo", "Charlie"), project.systems.all(), strict=True):
        system.name = name
        system.save()
    for name in PEOPLE:
        annotator = make_annotator(project, name)
        for number in (1, 2):
            submit(project, annotator, number, RANKS)
    Judgement.objects.update(comment="only for administrators")
    project.state = "closed"
    project.save()
    return project


@pytest.fixture
def boss(project):
    return make_annotator(project, "boss", "administrator")


def share(project, boss, pages="documents"):
    """Return the address of a link."""
    _link, token = shared_links.share(
        project=project, by=boss, options=ReportOptions(), days=30, pages=pages
    )
    return reverse("shared-report", args=[token])


def opened(address):
    answer = Client().get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_members_find_a_document_with_the_names_of_people_and_systems(client, project):
    client.force_login(make_annotator(project, "eva", "observer"))
    listed = client.get(reverse("documents", args=[project.pk])).content.decode()
    shown = client.get(reverse("document", args=[project.pk, 1])).content.decode()

    assert f'href="{reverse("document", args=[project.pk, 1])}"' in listed
    assert "news/1" in listed
    for name in (*PEOPLE, "Alpha", "Bravo", "Charlie"):
        assert f"<bdi>{name}</bdi>" in shown
    assert not repeated_ids(shown)
    assert element(shown, "id", "line-3")
    assert f'href="{reverse("sentence", args=[project.pk, 2])}"' in shown
    assert client.get(reverse("document", args=[project.pk, 4])).status_code == 404


def test_readers_browse_documents_without_the_names_of_people(project, boss):
    address = share(project, boss)
    listed, shown = opened(f"{address}documents/"), opened(f"{address}documents/1/")

    assert f'href="{address}documents/1/"' in listed
    for page in (listed, shown, opened(f"{address}documents/?q=house")):
        assert not [name for name in (*PEOPLE, "boss", "only for") if name in page]
        assert 'href="/projects/' not in page
    assert "<bdi>Annotator 1</bdi>" in shown
    assert "<bdi>Annotator 2</bdi>" in shown
    assert "<bdi>Alpha</bdi>" in shown


def test_names_of_systems_are_hidden_if_the_link_says_so(project, boss):
    address = share(project, boss, "unnamed")
    pages = [opened(f"{address}documents/{page}") for page in ("", "1/", "1/?system=2")]

    assert not [name for name in ("Alpha", "Bravo", "Charlie") for page in pages if name in page]
    assert all(f"<bdi>System {letter}</bdi>" in pages[1] for letter in "ABC")
    # Ids would tell the order in which the systems came.
    assert not re.search(r'value="(?!1|2|3)[0-9]+"', pages[1])
    for file in ("report.json", "report.zip", "tables/agreement.csv"):
        assert Client().get(address + file).status_code == 404


def test_numbers_and_letters_of_a_link_stay(project, boss):
    link, _token = shared_links.share(
        project=project, by=boss, options=ReportOptions(), days=None, pages="unnamed"
    )
    users = dict(project.memberships.values_list("user__username", "user"))

    def words():
        made = shared_links.words_of(link, "Annotator", "System", lambda ranks: "")
        return dict(made.systems), dict(made.annotators([users[name] for name in PEOPLE]))

    systems, annotators = words()
    later = make_annotator(project, "aaa")
    submit(project, later, 3, RANKS)
    project.systems.create(name="Aardvark")

    assert words()[1] == annotators
    assert words()[0].items() >= systems.items()
    assert list(words()[0].values())[-1] == "System D"
    more = shared_links.words_of(link, "Annotator", "System", lambda ranks: "")
    assert more.annotators([later.pk]) == {later.pk: "Annotator 3"}


def test_the_report_and_the_documents_of_a_link_number_annotators_alike(project, boss):
    link, _token = shared_links.share(
        project=project, by=boss, options=ReportOptions(), days=None, pages="both"
    )
    words = shared_links.words_of(link, "Annotator", "System", lambda ranks: "")
    users = {user: name for name, user in project.memberships.values_list("user__username", "user")}

    numbers = {f"Annotator {n}": name for name, n in shared_links.numbers_by_name(link).items()}

    called = words.annotators(list(link.annotators))
    assert {word: users[user] for user, word in called.items()} == numbers


def test_letters_go_on_after_z() -> None:
    assert [shared_links.letters(place) for place in (0, 25, 26, 27, 52, 702)] == [
        "A", "Z", "AA", "AB", "BA", "AAA",
    ]  # fmt: skip


def test_documents_of_a_project_in_which_people_judge_are_not_shown(client, project, boss):
    address = share(project, boss, "both")
    project.state = "open"
    project.save()

    for page in ("documents/", "documents/1/"):
        answer = Client().get(address + page)
        assert answer.status_code == 404
        assert "no-store" in answer["Cache-Control"]
    assert not element(opened(address), "id", "to-documents")
    client.force_login(boss)
    form = {"pages": "documents", "days": "30"}
    refused = client.post(reverse("report-sharing", args=[project.pk]), form)
    assert refused.status_code == 400
    assert SharedLink.objects.count() == 1


def test_a_link_to_documents_alone_leads_to_them_and_needs_no_report(project, boss):
    address = share(project, boss)

    assert Client().get(address)["Location"] == f"{address}documents/"
    assert not project.reports.exists()
    assert not Client().get(f"{address}report.json").content.startswith(b"{")


def test_a_link_to_both_leads_from_one_to_the_other(project, boss):
    address = share(project, boss, "both")
    reports.compute(project.reports.get().pk)

    assert element(opened(address), "id", "to-documents")
    assert 'href="../"' in opened(f"{address}documents/")


def test_a_link_to_the_report_does_not_open_documents(project, boss):
    address = share(project, boss, "report")

    assert Client().get(f"{address}documents/").status_code == 404
    assert Client().get(f"{address}documents/1/").status_code == 404


def test_browsers_keep_published_pages_and_nothing_else_is_kept(client, project, boss):
    client.force_login(boss)
    address = share(project, boss)
    for reader in (Client(), client):
        for page in ("documents/", "documents/1/"):
            answer = reader.get(address + page)
            assert answer["Cache-Control"] == "private, max-age=300"
            assert "noindex" in answer["X-Robots-Tag"]
            assert not answer.cookies
            # The same for members, who are not named.
            assert "boss" not in answer.content.decode()

    SharedLink.objects.all().end()
    ended = Client().get(f"{address}documents/1/")
    assert ended.status_code == 410
    assert "no-store" in ended["Cache-Control"]


def test_chosen_systems_are_columns_and_at_most_five(project, boss):
    project.sentences.exclude(number=1).update(excluded=True)
    for number in range(5):
        project.systems.create(name=f"S{number}")
    for system in project.systems.all():
        project.sentences.get(number=1).translations.create(system=system, text="dům")
    address = share(project, boss)

    def columns(query):
        return re.findall(r'data-system="([^"]*)"', opened(f"{address}documents/1/{query}"))

    assert columns("") == ["Alpha", "Bravo", "Charlie"]
    assert columns("?system=4&system=2") == ["Bravo", "S0"]
    everything = "&".join(f"system={place}" for place in range(1, 9))
    assert len(columns(f"?{everything}")) == MOST_SYSTEMS
    # What cannot be read chooses nothing.
    assert columns("?system=x&system=99&system=٣") == columns("")


@pytest.mark.parametrize("kind", KINDS)
def test_documents_of_every_kind_are_shown(kind, django_assert_max_num_queries):
    project = make_project(kind=kind, sentences=2)
    steps = KINDS[kind].answer
    count = 3 if steps.options_asked else steps.ranks(2)
    segments = {"0 1 2": [1, 2, 2], "4 5 6": [1, 2]}
    for name in PEOPLE:
        submit(project, make_annotator(project, name), 1, segments, steps=count)
    project.state = "archived"
    project.save()
    boss = make_annotator(project, "boss", Membership.Role.OWNER)
    address = share(project, boss)

    # The link with its project, systems, and eight of the texts.
    with django_assert_max_num_queries(11):
        shown = opened(f"{address}documents/1/")
    with django_assert_max_num_queries(6):
        opened(f"{address}documents/")

    assert "Annotator 1" in shown
    assert "starý dům" in shown


def test_a_process_does_one_search_of_a_reader_at_a_time(project, boss):
    address = share(project, boss)

    with SEARCHING:
        refused = Client().get(f"{address}documents/?q=house")
        assert Client().get(f"{address}documents/").status_code == 200

    assert refused.status_code == 503
    assert refused["Retry-After"]
    assert "no-store" in refused["Cache-Control"]
    assert opened(f"{address}documents/?q=house")
