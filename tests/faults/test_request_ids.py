"""One id is in the logs of the proxy, of web, and of workers for every chunk of a preparation.

Needs nginx, which `make development` does not install.
"""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.faults.cluster import Cluster
from tests.faults.test_slow_bodies import start_nginx
from tests.installation import WITHIN, wait_until, write_texts

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]
SENTENCES = 1500


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def test_an_upload_is_found_in_all_logs(cluster: Cluster, tmp_path: Path) -> None:
    cluster.environment |= {"SEGRANKS_LOG": "json", "LOG_LEVEL": "INFO"}
    cluster.query("User.objects.create_superuser('boss').pk")
    made = cluster.manage("create_token", "client", "--user", "boss", "--scope", "write")
    web = cluster.start_web()
    port = start_nginx(tmp_path, cluster, cluster.port)
    workers = [cluster.start_worker(name, "--concurrency=1") for name in ("one", "two")]
    # The message of the upload is lost: beat sends it again.
    cluster.redis.stop(signal.SIGKILL)
    write_texts(tmp_path / "texts", SENTENCES)
    texts = {name: (tmp_path / "texts" / name).read_bytes() for name in ("source", "north")}
    answer = requests.post(
        f"http://127.0.0.1:{port}/api/v1/projects/",
        data={
            "name": "Long",
            **{"source_language": "en", "target_language": "cs"},
            **{"parser": "phrases", "aligner": "systran"},
        },
        files=[
            ("source", ("source.txt", texts["source"])),
            ("systems", ("system-north.txt", texts["north"])),
        ],
        headers={"Authorization": f"Bearer {made.stdout.strip()}"},
        timeout=WITHIN,
    )
    assert answer.status_code == 201, answer.text
    name = answer.headers["X-Request-ID"]
    cluster.redis.empty()
    cluster.redis.start()
    wait_until(lambda: cluster.state("Long") == "open")
    claims = cluster.claims()
    for process in (web, *workers):
        process.interrupt(signal.SIGTERM)

    [proxied] = lines((tmp_path / "segranks.log").read_text())
    assert (proxied["request"], proxied["status"]) == (name, 201)
    assert proxied["upstream"] == f"127.0.0.1:{cluster.port}"
    assert name in {each.get("request") for each in lines(web.output)}
    of_workers = [each for worker in workers for each in lines(worker.output) if "job" in each]
    assert {each.get("request") for each in of_workers} == {name}
    assert len({each["task"] for each in of_workers}) >= len(claims) > 2
