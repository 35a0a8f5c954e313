"""The page, the alarms and the dashboard of docs/monitoring name the metrics that there are."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from tests.documentation.test_lists_and_links import listed
from tests.hosts.prometheus import ALARMS, DASHBOARD, panels
from tests.operations.test_metrics import TOKEN

# Not `require`: Prometheus is installed for `tests.hosts`, and nowhere else.
needs_promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is missing: install prometheus."
)
# Histograms have these, and client libraries add when a series was made.
SUFFIX = re.compile(r"_(bucket|sum|count)$")
CASES = Path(__file__).parent / "alarms.test.yml"


@pytest.fixture
def exported(db: None, client: Client, settings: Any) -> set[str]:
    """The names of all metrics, those without a value here included."""
    settings.METRICS_TOKEN = TOKEN
    client.get("/healthz")
    answer = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    names = re.findall(r"^# TYPE (\S+)", answer.content.decode(), re.MULTILINE)
    return {name for name in names if not name.endswith("_created")}


def alarms() -> dict[str, str]:
    """Return the expressions of the alarms by their names."""
    [group] = yaml.safe_load(ALARMS.read_text())["groups"]
    return {rule["alert"]: rule["expr"] for rule in group["rules"]}


def expressions() -> list[str]:
    return [*alarms().values(), *(query for queries in panels().values() for query in queries)]


def test_the_page_names_every_metric_once(exported: set[str]) -> None:
    assert sorted(listed("monitoring.md", "Metrics")) == sorted(exported)


def test_the_page_names_every_alarm_once() -> None:
    page = (ALARMS.parent.parent / "monitoring.md").read_text()
    assert re.findall(r"^\| (SegRanks\w+) \|", page, re.MULTILINE) == [*alarms()]


def test_alarms_and_panels_use_metrics_that_there_are(exported: set[str]) -> None:
    used = {name for each in expressions() for name in re.findall(r"\bsegranks_\w+", each)}
    assert {SUFFIX.sub("", name) for name in used} <= exported


def test_every_alarm_says_what_to_do() -> None:
    [group] = yaml.safe_load(ALARMS.read_text())["groups"]
    for rule in group["rules"]:
        assert {*rule["annotations"]} == {"summary", "action"}
        assert rule["for"]


def test_the_dashboard_asks_for_a_prometheus() -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    assert dashboard["uid"]
    [variable] = dashboard["templating"]["list"]
    assert (variable["type"], variable["query"]) == ("datasource", "prometheus")
    chosen = {"type": "prometheus", "uid": f"${{{variable['name']}}}"}
    for panel in dashboard["panels"]:
        assert all(each["datasource"] == chosen for each in (panel, *panel["targets"]))
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len({*ids}) == len(ids) == len(panels())


@needs_promtool
def test_prometheus_reads_every_expression(tmp_path: Path) -> None:
    promtool("check", "rules", str(ALARMS))
    rules = [{"record": "some", "expr": each} for each in expressions()]
    # `promtool` refuses two rules that are equal.
    for number, rule in enumerate(rules):
        rule["record"] += str(number)
    (tmp_path / "rules.yml").write_text(json.dumps({"groups": [{"name": "all", "rules": rules}]}))
    promtool("check", "rules", str(tmp_path / "rules.yml"))


@needs_promtool
def test_each_alarm_fires_in_its_fault_only() -> None:
    tested = CASES.read_text()
    assert all(f'"{name}"' in tested for name in alarms())
    promtool("test", "rules", str(CASES))


def promtool(*arguments: str) -> None:
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
