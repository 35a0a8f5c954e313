"""Reports made by the worker inside `manage.py up`, in processes of their own."""

from evaluation.tasks import compute_report, refresh_reports
from segranks.celery import app
from tests.installation import wait_until
from tests.judged_project import add_judged_project

MADE = (
    "[report.judgements for report in __import__('evaluation.models').models.StoredReport.objects"
    ".filter(made__isnull=False)]"
)
SCHEDULE = "__import__('evaluation.services.stored_reports').stored_reports.set_schedule({}, 'day')"


def test_beat_sends_a_task_that_there_is():
    assert app.conf.beat_schedule["reports"]["task"] == refresh_reports.name
    assert compute_report.name == "evaluation.tasks.compute_report"


def test_the_worker_of_a_process_makes_scheduled_reports_by_its_own_clock(installed, tmp_path):
    project = add_judged_project(installed, tmp_path)
    installed.query(SCHEDULE.format(f"Project.objects.get(pk={project})"))
    assert installed.query(MADE) == []

    installed.up("--no-demo")

    wait_until(lambda: installed.query(MADE))
    assert installed.query(MADE) == [52]
