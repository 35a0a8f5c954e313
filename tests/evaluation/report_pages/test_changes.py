"""Intervals and changes over time, where there is enough to tell."""

import pytest

from tests.evaluation.report_pages.setting import make, page

pytestmark = pytest.mark.django_db


def test_intervals_and_clusters_promise_no_more_than_draws_can_tell(client, project, boss):
    make(project)

    shown = page(client, project)

    assert "95 of 100 cases" not in shown
    assert "the middle 95 % of the scores that come out" in shown
    assert "in all but the extreme draws, come behind everything above it" in shown


def with_trends(project, together, agreement=None):
    """Make a report in which all annotators together change like this."""
    report = make(project)
    report.refresh_from_db()
    drift = report.data["drift"]
    drift["together"]["seconds"] |= together
    if agreement:
        drift["together"]["agreement"] |= agreement
    report.save()


def test_changes_that_are_not_drawn_yet_are_in_the_table(client, project, boss):
    known = {"value": -0.125, "low": -0.25, "high": 0.5, "undefined": "", "screens": 49}
    with_trends(project, known)

    shown = page(client, project)

    assert "it takes 50 sentences whose times are known" in shown
    assert "not known yet: ." not in shown
    assert "Changes per 100 sentences judged" in shown
    assert "−0.125" in shown
    assert 'data-name="speed-changes"' not in shown


def test_changes_are_drawn_from_fifty_sentences_on(client, project, boss):
    known = {"value": -0.125, "low": -0.25, "high": 0.5, "undefined": "", "screens": 50}
    with_trends(project, known)

    shown = page(client, project)

    assert 'data-name="speed-changes"' in shown
    assert "The same as a table" in shown
    assert "it takes 50 sentences" not in shown


def test_changes_of_agreement_alone_have_their_table(client, project, boss):
    known = {"value": 0.375, "low": None, "high": None, "undefined": "", "screens": 40}
    with_trends(project, {}, known)

    shown = page(client, project)

    assert "become faster is not known yet: it is known of fewer than 30 sentences" in shown
    assert "Changes per 100 sentences judged" in shown
    assert "0.375" in shown


def test_where_no_change_is_known_it_says_why(client, project, boss):
    make(project)

    shown = page(client, project)

    assert "become faster is not known yet: it is known of fewer than 30 sentences" in shown
    assert "Changes per 100 sentences judged" not in shown
