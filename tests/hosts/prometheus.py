"""A Prometheus that watches an installation with the alarms and the dashboard of docs/monitoring.

    python -m tests.hosts.prometheus FOLDER TOKEN HOST:PORT ...

watches these web hosts until its standard input ends, and prints what it has seen as JSON. Needs
Debian's package prometheus.
"""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.installation import REPOSITORY, wait_until
from tests.services import Unavailable

MONITORING = REPOSITORY / "docs" / "monitoring"
ALARMS = MONITORING / "alarms.yml"
DASHBOARD = MONITORING / "dashboard.json"
# Seconds between two scrapes, and the most that one may take.
EVERY, WITHIN = 5, 5


@dataclass(frozen=True)
class Prometheus:
    """A running Prometheus; `address` is its host and port."""

    address: str

    def query(self, expression: str, at: float | None = None) -> list[dict[str, Any]]:
        """Return the samples of an expression, now or at a time, each with `metric` and `value`."""
        asked = {"query": expression} | ({"time": str(at)} if at else {})
        return list(self._ask("query", asked)["result"])

    def firing(self) -> set[str]:
        """Return the names of the alarms that fire now."""
        alarms = self._ask("alerts", {})["alerts"]
        return {each["labels"]["alertname"] for each in alarms if each["state"] == "firing"}

    def fired(self, since: float) -> dict[str, float]:
        """Return when each alarm began to fire that has fired since then."""
        asked = {"query": 'ALERTS{alertstate="firing"}', "start": since, "end": time.time()}
        found = self._ask("query_range", {**asked, "step": EVERY})["result"]
        began: dict[str, float] = {}
        for each in found:
            name, first = each["metric"]["alertname"], float(each["values"][0][0])
            began[name] = min(first, began.get(name, first))
        return began

    def panels(self, since: float) -> dict[str, list[bool]]:
        """Return whether each query of each panel of the dashboard has had data since then."""
        asked = {"start": since, "end": time.time(), "step": EVERY}
        return {
            title: [
                bool(self._ask("query_range", {"query": query, **asked})["result"])
                for query in queries
            ]
            for title, queries in panels().items()
        }

    def _ask(self, what: str, query: dict[str, Any]) -> dict[str, Any]:
        address = f"http://{self.address}/api/v1/{what}?{urlencode(query)}"
        with urlopen(address, timeout=30) as answer:
            return dict(json.load(answer)["data"])


def panels() -> dict[str, list[str]]:
    """Return the queries of the panels of the dashboard by their titles."""
    dashboard = json.loads(DASHBOARD.read_text())
    return {
        panel["title"]: [target["expr"] for target in panel["targets"]]
        for panel in dashboard["panels"]
    }


def write_config(folder: Path, targets: Sequence[str], token: str) -> Path:
    """Write prometheus.yml for web hosts, each "host:port", as docs/monitoring.md shows it."""
    config = {
        "global": {
            "scrape_interval": f"{EVERY}s",
            "scrape_timeout": f"{WITHIN}s",
            "evaluation_interval": f"{EVERY}s",
        },
        "rule_files": [str(ALARMS)],
        "scrape_configs": [
            {
                "job_name": "segranks",
                "authorization": {"credentials": token},
                "static_configs": [{"targets": list(targets)}],
            }
        ],
    }
    path = folder / "prometheus.yml"
    # JSON is YAML.
    path.write_text(json.dumps(config, indent=2))
    return path


@contextmanager
def prometheus(
    folder: Path, *, targets: Sequence[str], token: str, listen: str, inside: Sequence[str] = ()
) -> Iterator[Prometheus]:
    """Yield a Prometheus that watches the targets, and stop it at the end.

    `inside` is a command that starts it elsewhere, such as ip netns exec NAME.
    """
    if shutil.which("prometheus") is None:
        raise Unavailable("Prometheus is missing: install Debian's package prometheus.")
    folder.mkdir(parents=True, exist_ok=True)
    config = write_config(folder, targets, token)
    command = [
        *(*inside, "prometheus", f"--config.file={config}"),
        *(f"--storage.tsdb.path={folder / 'data'}", f"--web.listen-address={listen}"),
    ]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        wait_until(lambda: _is_ready(listen) or process.poll() is not None, 60)
        assert process.poll() is None, (folder / "log").read_text()
        yield Prometheus(listen)
    finally:
        process.terminate()
        process.wait(60)


def main(folder: str, token: str, *targets: str) -> None:
    began = time.time()
    with prometheus(
        Path(folder), targets=targets, token=token, listen="127.0.0.1:9090"
    ) as watching:
        sys.stdin.read()
        seen = {"fired": watching.fired(began), "panels": watching.panels(began)}
    print(json.dumps(seen))


def _is_ready(address: str) -> bool:
    with suppress(OSError), urlopen(f"http://{address}/-/ready", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


if __name__ == "__main__":
    main(*sys.argv[1:])
