"""Ten hosts with SegRanks as docker-compose.yml runs it, and one with annotators.

PostgreSQL, Redis, the proxy, two web, four workers and beat have a host each: a network, file
systems, a name and processes of its own (see `host.py`), with a cable to a switch (see
`switch.py`). No folder is shared. The harness asks PostgreSQL through its socket, which needs no
network.
"""

import json
import os
import re
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import psycopg2

from tests.faults.cluster import ALIKE, RECORD_CLAIMS
from tests.hosts import images
from tests.hosts.host import IMAGE, NOBODY, Host
from tests.installation import wait_until
from tests.operations.deployment_files import (
    make_secrets,
    read_compose,
    read_dockerfile,
    read_environment,
)
from tests.operations.proxy_examples import example
from tests.services import postgresql_program

SITE = "rank.example.org"
WEB, WORKERS = ("web1", "web2"), ("worker1", "worker2", "worker3", "worker4")
HOSTS = ("postgres", "redis", "proxy", *WEB, *WORKERS, "beat")
PEOPLE = "people"
ADDRESS = "10.77.0.{}"
# Seconds from any host to any other, one way.
DELAY = 0.005
# Memory for all that a host writes, as an option of tmpfs.
SIZES = {"postgres": "3g", "redis": "256m"}
SIZE = "512m"
DATA = "/var/lib/segranks"
# Each has two processes for the two cores of all hosts; compose's defaults are for a whole machine.
SIZES_OF_SERVICES = {"WEB_CONCURRENCY": "2", "WORKER_CONCURRENCY": "1"}
MEMBERS = """
import json, sys
from django.conf import settings
from django.test import Client
from annotation.models import Membership, Project, User
project = Project.objects.get(name={name!r})
Project.objects.filter(pk=project.pk).update(judges_per_sentence={judges}, state="open")
sessions = []
for number in range({people}):
    user, _made = User.objects.get_or_create(username=f"person{{number}}")
    Membership.objects.get_or_create(user=user, project=project, role="annotator")
    client = Client()
    client.force_login(user)
    sessions.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
json.dump([project.pk, sessions], sys.stdout)
"""
# Records when each chunk was stored.
RECORD_CHUNKS = """
CREATE TABLE stored_chunks (
    job bigint, stage text, first integer, at timestamptz DEFAULT clock_timestamp()
);
CREATE FUNCTION record_chunks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stored_chunks VALUES (NEW.job_id, NEW.stage, NEW.first);
    RETURN NULL;
END $$;
CREATE TRIGGER record_chunks AFTER UPDATE ON annotation_chunk FOR EACH ROW
    WHEN (NEW.state = 'done' AND OLD.state <> 'done') EXECUTE FUNCTION record_chunks();
"""


class Switch:
    """The switch, as the harness sees it."""

    def __init__(self, ends: dict[str, str], log: Path) -> None:
        words = [word for pair in ends.items() for word in pair]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.hosts.switch", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log.open("w"),
            text=True,
            start_new_session=True,
        )
        self._cut: set[str] = set()
        self.set(DELAY, 0.0)

    def set(self, delay: float, loss: float) -> None:
        """Delay frames for so many seconds, and lose this share of them."""
        self._links = {"delay": delay, "loss": loss}
        self._order()

    def cut(self, name: str) -> None:
        self._cut.add(name)
        self._order()

    def mend(self, name: str) -> None:
        self._cut.remove(name)
        self._order()

    def _order(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        order = self._links | {"cut": sorted(self._cut)}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"


class Cluster:
    """All hosts, with their programs."""

    def __init__(self, folder: Path, logs: Path, running: ExitStack) -> None:
        self.folder, self.logs = folder, logs
        make_secrets(folder / ".env", SITE)
        secrets = read_environment(folder / ".env")
        self.services: dict[str, Any] = read_compose(secrets | SIZES_OF_SERVICES)["services"]
        images.build(folder / "current")
        addresses = {
            name: ADDRESS.format(number) for number, name in enumerate((*HOSTS, PEOPLE), start=1)
        }
        lines = (f"{address} {name}\n" for name, address in addresses.items())
        names = folder / "names"
        names.write_text("127.0.0.1 localhost\n" + "".join(lines))
        self.hosts: dict[str, Host] = {}
        ends = {}
        for number, name in enumerate(addresses, start=1):
            host = Host(
                name,
                names=names,
                image=folder / "current",
                size=SIZES.get(name, SIZE),
                log=running.enter_context((logs / name).open("ab")),
            )
            self.hosts[name] = host
            ends[name] = f"02:00:00:00:00:{number:02x}"
            _connect(host, addresses[name], ends[name])
        self.switch = Switch(ends, logs / "switch")

    def start(self) -> None:
        """Start all programs, in the order of docker-compose.yml."""
        self._make_database()
        self.start_redis()
        self.manage("migrate", "--noinput", "--verbosity=0")
        self.ask(RECORD_CLAIMS)
        self.ask(RECORD_CHUNKS)
        for name in (*WEB, *WORKERS, "beat"):
            self.start_service(name)
        self._start_proxy()
        for name in WEB:
            self.wait_for_web(name)

    def environment(self, service: str) -> dict[str, str]:
        """Return the environment that a container of the service would have."""
        stage = read_dockerfile()["base"].environment
        merged = stage | {
            key: str(value) for key, value in self.services[service]["environment"].items()
        }
        return {key: value.replace("/data", DATA) for key, value in (merged | ALIKE).items()}

    def start_service(self, name: str, **more: str) -> None:
        """Start web, a worker or beat, with more variables in its environment."""
        service = name.rstrip("0123456789")
        self.hosts[name].start(
            self.services[service]["command"],
            self.environment(service) | more,
            folder=IMAGE,
        )

    def restart_service(self, name: str, image: Path | None = None, **more: str) -> None:
        """Stop it as Compose does, start it again, from a new image too, and wait for it."""
        log = self.hosts[name].log.stat().st_size
        service = self.services[name.rstrip("0123456789")]
        self.hosts[name].stop(within=float(service.get("stop_grace_period", "10s").rstrip("s")))
        if image:
            self.hosts[name].order("image", folder=str(image))
        self.start_service(name, **more)
        if name in WEB:
            self.wait_for_web(name)
        elif name in WORKERS:
            self.wait_for_worker(name, log)

    def wait_for_web(self, name: str) -> None:
        wait_until(lambda: self.hosts[name].status("/healthz") == 200, 120, every=0.3)

    def wait_for_worker(self, name: str, start: int = 0) -> None:
        """Wait until the log of the worker says, after its first bytes, that it is ready."""
        log = self.hosts[name].log
        wait_until(lambda: b" ready." in log.read_bytes()[start:], 120, every=0.3)

    def start_redis(self) -> None:
        service = self.services["redis"]
        redis = self.hosts["redis"]
        redis.run("mkdir", "-p", "/var/lib/redis")
        here = ["--port", "6379", "--bind", "0.0.0.0", "--dir", "/var/lib/redis"]
        redis.start(
            [*service["command"], *here],
            {"PATH": os.environ["PATH"], **service["environment"]},
            folder="/var/lib/redis",
        )

    def empty_redis(self) -> None:
        """Delete the data of Redis, which is stopped."""
        self.hosts["redis"].run("rm", "-r", "/var/lib/redis")

    def start_postgresql(self) -> None:
        program = [postgresql_program("postgres"), *self.services["postgres"]["command"][1:]]
        here = ["-D", f"{DATA}/data", "-k", "/run", "-h", "0.0.0.0", "-p", "5432"]
        here += ["-c", "log_min_messages=warning"]
        self.hosts["postgres"].start([*program, *here], dict(os.environ), user=NOBODY)

    def manage(self, *arguments: str, name: str = "web1") -> str:
        """Run a command of manage.py in a host."""
        environment = self.environment("web") | {"SEGRANKS_DATA": "/tmp/command"}
        return self.hosts[name].run("python", "manage.py", *arguments, environment=environment)

    def members(self, name: str, people: int, judges: int) -> tuple[int, list[str]]:
        """Open the project for people and so many judges a sentence; return id and sessions."""
        code = MEMBERS.format(name=name, people=people, judges=judges)
        project, sessions = json.loads(self.manage("shell", "--no-imports", "-c", code))
        return project, sessions

    def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self._ask("segranks", statement, *values)

    def answers(self) -> bool:
        """Return whether PostgreSQL answers to the harness."""
        try:
            return bool(self.ask("SELECT 1"))
        except psycopg2.Error:
            return False

    def state(self, project: str) -> str:
        [[state]] = self.ask("SELECT state FROM annotation_project WHERE name = %s", project)
        return str(state)

    def at_work(self) -> dict[str, str]:
        """Return the workers that have a chunk now, with its stage."""
        rows = self.ask("SELECT worker, stage FROM annotation_chunk WHERE state = 'running'")
        return {worker.partition(":")[0]: stage for worker, stage in rows}

    def _ask(self, database: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
        socket = f"/proc/{self.hosts['postgres'].pid}/root/run"
        connection = psycopg2.connect(host=socket, dbname=database, user="segranks")
        with closing(connection):
            connection.autocommit = True
            cursor = connection.cursor()
            cursor.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def _make_database(self) -> None:
        host, given = self.hosts["postgres"], self.services["postgres"]["environment"]
        host.run("mkdir", "-p", DATA)
        host.run("chown", str(NOBODY), DATA)
        host.run(
            *(postgresql_program("initdb"), "-D", f"{DATA}/data", "--username=segranks"),
            *("--auth-local=trust", "--auth-host=reject"),
            user=NOBODY,
        )
        network = ADDRESS.format("0/24")
        _write(host, f"host all all {network} scram-sha-256\n", f"{DATA}/data/pg_hba.conf", ">>")
        self.start_postgresql()

        def is_up() -> bool:
            try:
                return bool(self._ask("postgres", "SELECT 1"))
            except psycopg2.Error:
                return False

        wait_until(is_up, 30)
        self._ask("postgres", "CREATE DATABASE segranks")
        self.ask("ALTER ROLE segranks PASSWORD %s", given["POSTGRES_PASSWORD"])

    def _start_proxy(self) -> None:
        """Start nginx with the examples of docs/deployment.md, but without TLS."""
        lines = [line for line in example("proxy_pass").splitlines() if "ssl_cert" not in line]
        server = "\n".join(lines).replace("listen 443 ssl;", "listen 80;")
        server = server.replace("http://127.0.0.1:8000", "http://web")
        upstream = re.sub(r"10\.0\.0\.(\d):8000", r"web\1:8000", example("upstream web"))
        assert all(f"server {name}:8000" in upstream for name in WEB)
        host = self.hosts["proxy"]
        host.run("mkdir", "-p", "/var/log/nginx", "/var/lib/nginx")
        text = f"daemon off;\nevents {{}}\nhttp {{\n{upstream}\n{server}\n}}\n"
        _write(host, text, "/var/lib/nginx/nginx.conf")
        host.start(["nginx", "-c", "/var/lib/nginx/nginx.conf"], dict(os.environ))
        wait_until(lambda: host.status("/sign-in/", port=80) > 0, 30, every=0.3)


def _write(host: Host, text: str, path: str, how: str = ">") -> None:
    host.run("sh", "-c", f"cat {how} {path}", given=text)


def _connect(host: Host, address: str, mac: str) -> None:
    """Lay a cable from the host to the switch, whose end has the host's name."""
    _ip(f"link add {host.name} type veth peer name eth0 netns {host.pid}")
    # Frames of the size of real ones, so that a share of them is lost and not of large bundles.
    inside = (
        "link set lo up",
        f"link set eth0 address {mac} gso_max_segs 1 up",
        f"address add {address}/24 dev eth0",
    )
    enter = ["nsenter", f"--target={host.pid}", "--net"]
    off = "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6"
    # The files of a network are those of its processes: its own /proc shows them.
    enter_all = [*enter, "--mount"]
    subprocess.run([*enter_all, "sh", "-c", off], check=False, stderr=subprocess.DEVNULL)
    for command in inside:
        subprocess.run([*enter, "ip", *command.split()], check=True)
    _ip(f"link set {host.name} up")


def _ip(command: str) -> None:
    subprocess.run(["ip", *command.split()], check=True)
