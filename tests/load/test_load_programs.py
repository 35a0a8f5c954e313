"""What the programs of tests/load do: nothing here looks at a clock."""

import asyncio

import pytest
from django.test import Client

from annotation.import_export.exports import export_project
from annotation.models import Draft, Placement, Project, ShownCandidate, Submission, User
from tests.factories import make_annotator, make_project
from tests.load.annotators import Annotator, Failed, Figures, placements
from tests.load.figures import percentile
from tests.load.seeder import Size, fill


def test_a_percentile_is_a_value_that_was_measured():
    values = [float(n) for n in range(100, 0, -1)]
    assert [percentile(values, n) for n in (50, 95, 100)] == [50, 95, 100]
    assert percentile([7.0], 95) == 7


@pytest.mark.django_db(transaction=True)
def test_an_annotator_judges_a_sentence_with_three_drafts_as_a_browser_does(live_server):
    project = make_project("houses", sentences=2)
    client = Client()
    client.force_login(make_annotator(project))
    figures = Figures()
    port = int(live_server.url.rpartition(":")[2])
    annotator = Annotator(port, client.cookies["sessionid"].value, figures)

    async def judge() -> None:
        for _sentence in range(2):
            await annotator.judge(project.pk, 0)
        with pytest.raises(Failed, match="nothing to judge"):
            await annotator.judge(project.pk, 0)
        annotator.close()

    asyncio.run(judge())
    assert figures.sentences == Submission.objects.count() == 2
    assert {kind: len(seconds) for kind, seconds in figures.seconds.items()} == {
        "page": 3,
        "draft": 6,
        "submission": 2,
    }
    assert Placement.objects.count() == ShownCandidate.objects.count() == 10
    assert not Draft.objects.exists()


def test_it_places_all_cards_on_ranks_that_there_are():
    card = '<fieldset class="candidate" data-card="{}">'.format
    page = "".join(map(card, ("1-1", "1-2", "2-1")))
    for _time in range(20):
        chosen = placements(page)
        assert list(chosen) == ["1-1", "1-2", "2-1"]
        assert chosen["1-1"] in (1, 2, "garbage")
        assert chosen["2-1"] in (1, "garbage")


@pytest.mark.django_db(transaction=True)
def test_the_seeder_makes_projects_that_can_be_used(tmp_path):
    size = Size(projects=3, sentences=9, judges=2)
    assert size.of_projects == [3, 2, 4]
    fill(size)
    assert Placement.objects.count() == 2 * size.judgements == 72
    largest = Project.objects.get(pk=3)
    assert largest.sentences.count() == 4
    # All that it says of itself holds together.
    export_project(project=largest, format_name="archive", to=tmp_path / "archive")
    client = Client()
    client.force_login(User.objects.get(username="annotator1"))
    for page in ("", "projects/3/results/", "projects/3/mine/", "projects/3/manage/"):
        assert client.get(f"/{page}").status_code == 200
    Project.objects.update(judges_per_sentence=3)
    assert "Segment 1 of 2" in client.get("/projects/3/judge/").content.decode()
