import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from html import unescape
from itertools import cycle

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.judging.control_items import make_controls
from annotation.models import Assignment, Candidate, Job, Judgement, Projection, User
from evaluation.findings.options import ReportOptions
from evaluation.models import QualityFlag, StoredReport
from evaluation.services import reports
from evaluation.services.shared_links import share
from tests.annotation.import_export.exchange_files import add_practice, submit_ranks
from tests.annotation.kinds.assessed_project import answer, prepared
from tests.evaluation.projects import submit, submit_control
from tests.evaluation.web.pages import columns, data, element, repeated_ids, text
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db
FIRST: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
SECOND: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}
TIED: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 1, 1], "4 5 6": [1, 1]}
NOT_GENERATED: list[tuple[str, list[object]]] = [
    ("report-json", []),
    ("report-zip", []),
    ("report-figure", ["win-rates"]),
    ("report-image", ["win-rates", "pdf"]),
    ("report-table", ["agreement", "tex"]),
]


@pytest.fixture
def project():
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for number in (1, 2):
        submit(project, jana, number, FIRST, seconds=30)
        submit(project, petr, number, SECOND, seconds=10)
    return project


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def make(project, **options):
    report = reports.report_of(project, ReportOptions(**options))
    reports.compute(report.pk)
    report.refresh_from_db()
    return report


def page(client, project, **parameters):
    return client.get(reverse("report", args=[project.pk]), parameters).content.decode()


def judged(client, sentences, ranks=SECOND):
    """Return the page of a project with this number of judged sentences."""
    project = make_project(sentences=sentences)
    client.force_login(make_annotator(project, "boss", "administrator"))
    jana = make_annotator(project)
    for number in range(1, sentences + 1):
        submit(project, jana, number, ranks)
    make(project)
    return page(client, project)


# --- status and refresh -------------------------------------------------------------------------


def test_the_first_view_requests_the_report(client, project, boss):
    state = reverse("report-state", args=[project.pk])
    assert client.get(state).json() == {"waiting": False, "made": None}

    shown = page(client, project)

    assert 'id="waiting"' in shown
    assert data(shown, "waiting") == "yes"
    waiting = client.get(state).json()
    assert (waiting["waiting"], waiting["made"]) == (True, None)
    assert waiting["status"] in shown
    assert waiting["progress"] in shown
    reports.compute(StoredReport.objects.get().pk)
    assert client.get(state).json()["waiting"] is False


def test_a_stored_report_has_all_sections_and_figures(client, project, boss):
    make(project)

    shown = page(client, project)

    assert 'id="waiting"' not in shown
    assert (data(shown, "waiting"), data(shown, "new")) == ("", "0")
    for heading in (
        *("ranking", "pairs", "agreement", "annotators", "curve", "order", "texts", "left-out"),
        "files",
    ):
        assert f'id="{heading}-heading"' in shown
        assert f'href="#{heading}-heading"' in shown
    assert element(shown, "id", "filtered") is None
    for name in ("ranking-ratio_of_wins", "win-rates", "pairs-of-annotators"):
        assert element(shown, "data-name", name)
    assert element(shown, "id", "disagreement")
    assert element(shown, "id", "no-power")
    assert data(shown, "same-text") == "0.000"


def test_each_file_that_is_linked_exists(client):
    shown = judged(client, 1)

    links = set(re.findall(r'(?:href|data-screen)="([^"]+/(?:figures|tables)/[^"]+)"', shown))
    assert any("ranking-ratio_of_wins.pdf" in link for link in links)
    for link in links:
        # Of the formats of a figure, this one is not drawn by another process.
        link = re.sub(r"\.(pdf|png|svg)", ".vl.json", unescape(link))
        assert client.get(link).status_code == 200, link


def test_columns_without_any_figure_are_left_out(client, project, boss):
    make(project)
    shown = page(client, project)
    project.name = "of two annotators"
    project.save()
    alone = judged(client, 1)

    assert "κ inter" in columns(shown, "annotators")
    assert not {"κ inter", "κ intra"} & columns(alone, "annotators").keys()
    # Two sentences give no interval, so no ranks and no clusters either.
    ranking = columns(shown, "ranking-ratio_of_wins")
    assert not [name for name in ranking if name.startswith(("95 % interval", "Ranks", "Cluster"))]
    assert "Score" in ranking
    for html in (shown, alone):
        for table in re.findall(r"<table.*?</table>", html, re.DOTALL):
            widths = {len(re.findall(r"<t[hd]\b", row)) for row in table.split("<tr")[1:]}
            assert len(widths) == 1, table


def test_it_counts_newer_judgements(client, project, boss):
    make(project)
    submit(project, User.objects.get(username="jana"), 3, FIRST)

    assert data(page(client, project), "new") == "2"


def test_a_failure_is_shown_and_can_be_retried(client, project, boss):
    def fail(*arguments):
        raise ValueError("no luck")

    report = reports.report_of(project, ReportOptions())
    reports.compute(report.pk, fail)

    shown = page(client, project)

    assert "ValueError: no luck" in shown
    assert reverse("report-refresh", args=[project.pk]) in shown


def test_refresh_requests_a_new_report_and_keeps_the_method(client, project, boss):
    report = make(project)
    address = reverse("report-refresh", args=[project.pk])

    response = client.post(address, {"method": "expected_wins"})

    assert response["Location"] == f"{reverse('report', args=[project.pk])}?method=expected_wins"
    report.refresh_from_db()
    assert report.is_unfinished
    assert data(page(client, project), "waiting") == "yes"


def test_a_third_report_is_refused_while_two_wait(client, project, boss):
    address = reverse("report", args=[project.pk])
    for kappa in ("0.1", "0.2"):
        assert client.get(address, {"minimum_kappa": kappa}).status_code == 200

    response = client.get(address, {"minimum_kappa": "0.3"}, follow=True)

    assert response.redirect_chain == [(address, 302)]
    assert [message.level_tag for message in response.context["messages"]] == ["warning"]
    assert data(response.content.decode(), "waiting") == "yes"
    refresh = client.post(reverse("report-refresh", args=[project.pk]) + "?minimum_kappa=0.3")
    assert refresh["Location"] == address
    assert StoredReport.objects.count() == 3


def test_the_schedule_is_saved_unless_it_is_invalid(client, project, boss):
    address = reverse("report-schedule", args=[project.pk])

    client.post(address, {"every": "day"})
    client.post(address, {"every": "sometimes"})

    assert reports.schedule_of(project) == "day"
    assert '<option value="day" selected>' in page(client, project)


def test_without_judgements_there_is_no_figure(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    make(project)

    shown = page(client, project)

    assert 'id="nothing-judged"' in shown
    assert "vega" not in shown


# --- options ------------------------------------------------------------------------------------


def test_filters_make_another_report(client, project, boss):
    make(project, repeats=False, minimum_kappa=0.1)

    shown = page(client, project, repeats="no", minimum_kappa="0,1")

    assert data(shown, "excluded") == "4"
    assert element(shown, "id", "filtered")
    assert "minimum_kappa=0.1&amp;repeats=no" in shown
    assert 'id="waiting"' in page(client, project)


def test_filters_may_exclude_everything(client):
    project = make_project(sentences=10)
    client.force_login(make_annotator(project, "boss", "administrator"))
    for name, ranks in (("jana", FIRST), ("petr", SECOND)):
        annotator = make_annotator(project, name)
        for number in range(1, 11):
            submit(project, annotator, number, ranks)
    make(project, minimum_kappa=1.0)

    shown = page(client, project, minimum_kappa="1")

    assert 'data-excluded="40"' in (element(shown, "id", "nothing-judged") or "")


def test_a_kappa_of_few_sentences_excludes_no_annotator(client, project, boss):
    make(project, minimum_kappa=1.0)

    shown = page(client, project, minimum_kappa="1")

    assert data(shown, "spared") == "2"
    assert "data-biased" not in shown


def test_documents_are_offered_if_each_judged_sentence_has_one(client, project, boss):
    make(project)
    project.sentences.filter(number=1).update(document="news")
    shown = page(client, project)
    assert 'value="document"' not in shown
    assert "data-documents" not in shown

    project.sentences.filter(number=2).update(document="talk")

    shown = page(client, project)
    assert 'value="document"' in shown
    assert "data-documents" in shown
    assert data(shown, "unit") == "sentence"


@pytest.mark.parametrize(
    ("asked", "options", "units"),
    [
        ({"unit": "document"}, {"unit": "document"}, "1"),
        ({"unit": "block", "block_size": "2"}, {"unit": "block", "block_size": 2}, "1"),
        ({"unit": "sentence", "block_size": "2"}, {}, None),
    ],
)
def test_the_report_says_what_was_sampled(client, project, boss, asked, options, units):
    project.sentences.update(document="news")
    make(project, **options)

    shown = page(client, project, **asked)

    sampled = element(shown, "id", "sampled") or ""
    assert data(sampled, "unit") == asked["unit"]
    assert data(sampled, "units") == units
    assert (element(shown, "value", asked["unit"]) or "").endswith(" selected>")


def test_documents_that_are_unknown_lead_to_the_default_report(client, project, boss):
    project.sentences.filter(number=1).update(document="news")
    address = reverse("report", args=[project.pk])

    response = client.get(address, {"unit": "document"}, follow=True)

    assert response.redirect_chain == [(address, 302)]
    assert "1 of 2" in " ".join(str(each) for each in response.context["messages"])
    assert not StoredReport.objects.filter(options__unit="document").exists()


def test_an_invalid_option_leads_to_the_default_report(client, project, boss):
    address = reverse("report", args=[project.pk])

    response = client.get(address, {"minimum_kappa": "much"}, follow=True)

    assert response.redirect_chain == [(address, 302)]
    assert "&#x27;much&#x27;" in response.content.decode()
    refresh = f"{reverse('report-refresh', args=[project.pk])}?minimum_kappa=much"
    refused = client.post(refresh)
    assert refused.status_code == 302
    assert "no-store" in refused["Cache-Control"]


def test_the_ranking_method_can_be_chosen(client, project, boss):
    make(project)

    shown = page(client, project, method="expected_wins")

    assert element(shown, "data-name", "ranking-expected_wins")
    assert 'method=expected_wins#ranking" aria-current="true"' in shown
    assert element(page(client, project, method="taste"), "data-name", "ranking-ratio_of_wins")


# --- what is fresh, and annotators ---------------------------------------------------------------


def test_it_shows_practice_results(client, project, boss):
    add_practice(project, 3, {"dům": 2})
    petr = User.objects.get(username="petr")
    submit_ranks(assign_next(petr, project, practise=True), {"dům": 2, "starý dům": 2})
    make(project)

    shown = page(client, project)

    assert '<td class="number">0 of 1</td>' in shown
    assert '<td class="number">0.500 <span class="of">2 of 4</span></td>' in shown
    assert shown.index("annotators-heading") < shown.index("practice-heading")


def test_it_shows_passed_controls(client, project, boss):
    make_controls(project=project, count=2, seed=1)
    jana = User.objects.get(username="jana")
    submit_control(project, jana, 1, passes=True)
    submit_control(project, jana, 2, passes=False)
    make(project)

    found = columns(page(client, project), "annotators")
    # Of jana, of petr, and together.
    assert found["Controls"] == ["2", "0", "2"]
    assert found["Controls passed"] == ["1", "0", "1"]


def test_judgements_of_unidentified_annotators_are_mentioned(client, project, boss):
    unidentified = User.objects.create(username="unknown", unidentified=True)
    submit(project, unidentified, 3, {"4 5 6": [1, 2]})
    make(project)

    assert element(page(client, project), "id", "unidentified")


def test_judgements_with_an_aid_are_counted(client, project, boss):
    Assignment.objects.filter(annotator__username="jana").update(aids={"highlights": True})
    make(project)
    shown = page(client, project)
    assert (data(shown, "aid"), data(shown, "with"), data(shown, "without")) == (
        "highlights",
        "4",
        "4",
    )
    assert "aids: highlights in 4 of 8 judgements" in unescape(shown)


@pytest.mark.parametrize(
    ("state", "job", "shown"),
    [
        ("preparing", {"state": "queued"}, "queued"),
        ("preparing", {"state": "running", "stage": "alignment", "done": 3, "total": 7}, "running"),
        ("failed", {"state": "failed", "error": "<trees>, line 3"}, "failed"),
        ("failed", None, "failed"),
    ],
)
def test_it_shows_the_state_of_the_preparation(client, project, boss, state, job, shown):
    if job:
        Job.objects.create(project=project, **job)
    project.state = state
    project.save()

    found = page(client, project)

    assert data(found, "state") == shown
    assert (f"manage.py delete_project {project.pk}" in found) == (state == "failed")
    assert ("&lt;trees&gt;, line 3" in found) == bool(job and "error" in job)
    assert not StoredReport.objects.exists()


# --- findings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentences", "ranks", "lead"),
    [
        (1, SECOND, "few"),
        (2, SECOND, "few"),
        (12, SECOND, "significant"),
        (4, {"0 1 2": [1, 1, 2], "4 5 6": [1, 1]}, "level"),
        (1, {"0 1 2": [None, None, None], "4 5 6": [None, None]}, "NO_SCORES"),
    ],
)
def test_the_headline_shows_how_certain_the_lead_is(client, sentences, ranks, lead):
    shown = judged(client, sentences, ranks)

    assert data(shown, "lead") == lead
    assert bool(element(shown, "id", "power")) == (sentences >= 10)
    assert ("data-no-interval" in shown) == (sentences < 10 and lead != "NO_SCORES")


def test_a_lead_over_systems_never_met_is_not_significant(client):
    project = make_project(sentences=24, segments={"0 1 2": ("dům", "domy")})
    client.force_login(make_annotator(project, "boss", "administrator"))
    jana = make_annotator(project)
    third = project.systems.get(name="C")
    fourth = project.systems.create(name="D")
    for number in range(1, 25):
        submit(project, jana, number, {"0 1 2": [2, 1] if number == 1 else [1, 2]})
        if number % 2:
            met = Projection.objects.filter(segment__sentence__number=number)
            met.filter(system__name="A").update(system=third)
            met.filter(system__name="B").update(system=fourth)
    make(project)

    shown = page(client, project)

    assert data(shown, "lead") == "insignificant"
    assert "<bdi>C</bdi> and <bdi>D</bdi>" in shown


def test_one_system_or_unknown_systems_have_no_leader(client, project, boss):
    Projection.objects.exclude(system__name="A").delete()
    project.systems.exclude(name="A").delete()
    make(project)
    shown = page(client, project)
    assert data(shown, "lead") == "ONE_SYSTEM"
    assert 'id="pairs-heading"' not in shown

    Projection.objects.all().delete()
    project.systems.all().delete()
    make(project, seed=0, repeats=False)
    shown = page(client, project, repeats="no")
    assert data(shown, "lead") == "NO_SYSTEMS"
    assert 'id="no-systems"' in shown


def test_one_annotator_has_no_agreement_and_one_sentence_no_curve(client):
    shown = judged(client, 1)

    assert 'id="no-pairs"' in shown
    assert 'id="no-curve"' in shown
    assert data(shown, "judged-twice") == "no"
    assert element(shown, "data-name", "pairs-of-annotators") is None


def test_annotators_who_agree_have_no_disputed_segments(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    for name in ("jana", "petr"):
        submit(project, make_annotator(project, name), 1, SECOND)
    make(project)

    assert data(page(client, project), "judged-twice") == "yes"


def test_each_kappa_shows_its_number_of_sentences(client, project, boss):
    make(project)

    shown = page(client, project)

    # In the headline and the table of agreement, and of two annotators and together.
    assert text(shown).count("on 2 lines") == 5
    assert columns(shown, "pairs-of-annotators")["Sentences"] == ["2"]


def test_the_headline_says_where_kappa_rests_on_ties_and_flagged_annotators(client):
    project = make_project(sentences=2)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for annotator in (jana, petr):
        submit(project, annotator, 1, TIED)
        flag = {"kind": "one_rank", "value": 1.0, "limit": 0.9, "sentences": 10}
        QualityFlag.objects.create(
            project=project, user=annotator, raised=timezone.now(), paused=False, **flag
        )
    submit(project, make_annotator(project, "zuzana"), 2, SECOND)
    make(project)
    boss = make_annotator(project, "boss", "owner")
    client.force_login(boss)
    shown = page(client, project)
    _link, token = share(project=project, by=boss, options=ReportOptions(), days=None)
    shared = client.get(reverse("shared-report", args=[token])).content.decode()

    for html in (shown, shared):
        assert element(html, "id", "only-ties")
        assert data(html, "flagged") == "2"
    flags = reverse("quality", args=[project.pk])
    assert shown.count(f'href="{flags}"') == 2
    assert flags not in shared
    QualityFlag.objects.update(dismissed=timezone.now())
    assert data(page(client, project), "flagged") is None


def test_agreement_below_chance_is_pointed_out(client):
    project = make_project(sentences=1)
    client.force_login(make_annotator(project, "boss", "owner"))
    for name, ranks in (("jana", {"0 1 2": [1, 2, 3]}), ("petr", {"0 1 2": [3, 2, 1]})):
        submit(project, make_annotator(project, name), 1, {**TIED, **ranks})
    make(project)

    assert element(page(client, project), "id", "below-chance")


def test_it_shows_how_many_sentences_have_no_judgement(client, project, boss):
    make(project)
    assert data(page(client, project), "left") == "1"

    third = project.sentences.get(number=3)
    Projection.objects.filter(segment__sentence=third).delete()
    Candidate.objects.filter(segment__sentence=third).delete()
    report = make(project, repeats=False)

    # Sentences without candidates are not to be judged.
    assert data(page(client, project, repeats="no"), "left") == "0"
    assert report.data["judged"]["sentences"] == 2


def test_excluded_judgements_count_as_judged(client):
    project = make_project(sentences=11)
    client.force_login(make_annotator(project, "boss", "administrator"))
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for number in range(2, 12):
        for ranks in (SECOND, {"0 1 2": [3, 2, 1], "4 5 6": [2, 1]}):
            submit(project, petr, number, ranks)
    submit(project, jana, 1, SECOND)

    report = make(project, minimum_kappa=0.5)

    judged_part = report.data["judged"]
    assert (judged_part["sentences_judged"], judged_part["sentences"]) == (1, 11)
    shown = page(client, project, minimum_kappa="0.5")
    assert data(shown, "left") == "0"
    # By κ, so the agreement of the others is biased: at the agreement and at the filters.
    assert shown.count("data-biased") == 2


@pytest.mark.parametrize(
    ("seconds", "agreement", "drawn", "tabled"),
    [
        (None, None, False, False),
        (49, None, False, True),
        (50, None, True, True),
        (None, 40, False, True),
    ],
)
def test_changes_over_time_are_drawn_if_enough_is_known(
    client, project, boss, seconds, agreement, drawn, tabled
):
    report = make(project)
    together = report.data["drift"]["together"]
    for name, screens in (("seconds", seconds), ("agreement", agreement)):
        if screens:
            change = {"value": -0.125, "low": -0.25, "high": 0.5, "undefined": ""}
            together[name]["change"] |= change
            together[name]["screens"] = screens
            report.data["drift"]["annotators"][0][name] = together[name]
    report.save()

    shown = page(client, project)

    assert bool(element(shown, "data-name", "speed-changes")) == drawn
    assert ('id="drift-caption"' in shown) == tabled
    assert ("−12.5\N{NO-BREAK SPACE}%" in shown) == tabled


def test_names_are_escaped_and_nothing_is_inline(client, project, boss):
    User.objects.filter(username="jana").update(display_name="<script>alert(1)</script>")
    project.systems.filter(name="A").update(name="</script><b>")
    make(project)

    shown = page(client, project)

    assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in shown
    assert "</script><b>" not in shown
    assert "style=" not in shown
    assert shown.count("<script") == shown.count('<script defer src="') + shown.count(
        '<script type="module" src="'
    )


# --- files and sentences ------------------------------------------------------------------------


def test_figures_have_the_look_and_the_language_of_the_reader(client, project, boss):
    make(project)
    address = reverse("report-figure", args=[project.pk, "ranking-ratio_of_wins"])
    screen, paper = client.get(address, {"look": "screen"}).json(), client.get(address).json()
    assert screen["width"] == "container"
    assert "var(--accent)" in json.dumps(screen)
    assert "var(" not in json.dumps(paper)

    rates = reverse("report-figure", args=[project.pk, "win-rates"])
    labels = {}
    for language in ("en", "cs"):
        made = client.get(rates, headers={"accept-language": language}).json()
        cells = made["data"]["values"]
        labels[language] = {cell["label"] + cell["significant"] for cell in cells}
    assert labels == {"en": {".00", "1.00"}, "cs": {"0,00", "1,00"}}


@pytest.mark.parametrize("extension", ["tex", "csv", "md", "json"])
def test_tables_are_downloads(client, project, boss, extension):
    make(project)

    response = client.get(reverse("report-table", args=[project.pk, "win-rates", extension]))

    disposition = f'attachment; filename="houses-{project.pk}-win-rates.{extension}"'
    assert response["Content-Disposition"] == disposition
    assert response.content


def test_the_report_is_json_and_a_zip_of_all_files(client, project, boss):
    make(project)

    whole = client.get(reverse("report-json", args=[project.pk]))
    packed = client.get(reverse("report-zip", args=[project.pk]))

    assert whole.json()["signature"].startswith("report|1000 resamples of sentences|seed 0")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert "figures/win-rates.vl.json" in archive.namelist()
        assert json.loads(archive.read("report.json")) == whole.json()


def test_unknown_and_missing_files_are_not_found(client, project, boss):
    for name, arguments in NOT_GENERATED:
        assert client.get(reverse(name, args=[project.pk, *arguments])).status_code == 404
    make(project)
    unknown: list[tuple[str, list[object]]] = [
        ("report-figure", ["tastes"]),
        ("report-image", ["tastes", "pdf"]),
        ("report-image", ["win-rates", "gif"]),
        ("report-table", ["tastes", "tex"]),
        ("report-table", ["win-rates", "exe"]),
    ]
    for name, arguments in unknown:
        assert client.get(reverse(name, args=[project.pk, *arguments])).status_code == 404


def test_the_report_links_to_sentences(client, project, boss):
    make(project)
    address = reverse("sentence", args=[project.pk, 1])
    disputed = Judgement.objects.filter(segment__token_indices="4 5 6").order_by("pk")[0]

    report = page(client, project)

    assert f'href="{address}#segment-{disputed.segment_id}"' in report
    assert f'href="{address}"' in report


@pytest.mark.parametrize("more", [0, 5])
def test_the_number_of_queries_is_constant(client, project, boss, more, django_assert_num_queries):
    for number in range(more):
        submit(project, make_annotator(project, f"annotator{number}"), 3, FIRST)
    make(project)

    # Session, user, project, role, the report in its transaction, what is new, schedule, documents,
    # practice, flags.
    with django_assert_num_queries(9):
        page(client, project)


# --- answers on a scale ---------------------------------------------------------------------------


def test_answers_on_a_scale_have_a_section_above_the_ranking(client):
    project = make_project(kind="acceptability", sentences=2)
    client.force_login(make_annotator(project, "boss", "administrator"))
    for name in ("jana", "petr"):
        annotator = make_annotator(project, name)
        for number in (1, 2):
            submit(project, annotator, number, {"0 1 2": [1, 2, 3], "4 5 6": [1, 3]}, steps=3)
    make(project)

    shown = page(client, project)

    assert data(shown, "steps") == "3"
    assert not repeated_ids(shown)
    assert shown.index('id="answers-heading"') < shown.index('id="ranking-heading"')
    assert 'href="#answers-heading"' in shown
    found = columns(shown, "answers")
    assert found["System"] == ["A", "B", "C"]
    # Of each step, the share and the number of answers.
    yes, unsure, no = (found[label] for label in list(found)[-5:-2])
    assert yes == ["100 % (8)", "0 % (0)", "0 % (0)"]
    assert unsure == ["0 % (0)", "50 % (4)", "0 % (0)"]
    assert no == ["0 % (0)", "50 % (4)", "100 % (4)"]
    # Of the best one, also without the middle one.
    decided, every = (found[label] for label in list(found)[-2:])
    assert decided == every == ["1.000", "0.000", "0.000"]
    csv = client.get(reverse("report-table", args=[project.pk, "answers", "csv"]))
    assert csv.content.decode().startswith("system,sentences,answers,grade,")


def test_error_spans_of_single_translations_have_no_order(client, tmp_path):
    project = prepared(tmp_path, kind="error_spans")
    client.force_login(make_annotator(project, "boss", "administrator"))
    people = [make_annotator(project, name) for name in ("jana", "petr")]
    for annotator in cycle(people):
        if not (assignment := next_assignment(annotator=annotator, project=project)):
            break
        answer(assignment)
    make(project)

    shown = page(client, project)

    assert not repeated_ids(shown)
    # By mean scores, which need no order.
    assert columns(shown, "without-annotators")["Without"] == ["jana", "petr"]
    assert element(shown, "id", "marked-errors-heading")
    assert not element(shown, "id", "ranking-heading")
    assert not element(shown, "id", "agreement-heading")
    assert element(shown, "class", "headline-words")
