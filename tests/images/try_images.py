"""Start the images as docker-compose.yml and README.md do, and use, stop and upgrade them.

`tests/images/build_and_try.sh` builds the images and runs it.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from tests.images import podman
from tests.images.podman import PREFIX, Container
from tests.images.visitor import Visitor
from tests.operations.deployment_files import make_secrets, read_compose, read_environment

ADDRESS = "http://localhost:8000"
PASSWORD = "a long password of a test"
# As docker-compose.yml orders them.
ORDER = ("web", "worker", "hooks", "beat")
# The tags of the images whose data is upgraded, and of those that replace them.
FORMER, CURRENT = "former", "latest"


def main() -> None:
    wanted = sys.argv[1:] or ["compose", "site", "mistakes"]
    podman.remove_all()
    try:
        for name in wanted:
            print(f"\n== {name}", flush=True)
            {"compose": try_compose, "site": try_site, "mistakes": try_mistakes}[name]()
    finally:
        podman.remove_all()


def answers(path: str = "/healthz") -> bool:
    try:
        with urllib.request.urlopen(f"{ADDRESS}{path}", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def wait_until(true: Callable[[], bool], shown: Callable[[], str]) -> None:
    deadline = time.monotonic() + podman.WITHIN
    while not true():
        assert time.monotonic() < deadline, shown()
        time.sleep(0.2)


class Deployment:
    """The services of docker-compose.yml, SegRanks with the images of one tag."""

    def __init__(self, secrets: dict[str, str], tag: str) -> None:
        self.services = read_compose(secrets)["services"]
        for service in self.services.values():
            if service["image"].startswith("segranks-"):
                service["image"] += f":{tag}"
        self.running: list[Container] = []

    def start(self, name: str, copy: str = "") -> Container:
        service = self.services[name]
        container = podman.of_service(name, service, copy)
        container.start()
        if name == "migrate":
            assert container.wait_for_end() == 0, container.logs()
            podman.run("rm", container.name)
            return container
        self.running.append(container)
        podman.wait_until_healthy(container, service)
        return container

    def start_all(self) -> Container:
        """Start all in order; return the container of web."""
        started = time.monotonic()
        for name in ("postgres", "redis", "migrate"):
            self.start(name)
        web = self.start("web")
        print(f"from nothing to a healthy web: {time.monotonic() - started:.1f} s")
        for number in range(1, int(self.services["worker"]["deploy"]["replicas"]) + 1):
            self.start("worker", f"-{number}")
        for name in ("hooks", "beat"):
            self.start(name)
        wait_until(lambda: answers("/readyz"), web.logs)
        print(f"all services healthy and /readyz 200: {time.monotonic() - started:.1f} s")
        return web

    def stop_all(self) -> None:
        for container in reversed(self.running):
            assert "Traceback" not in container.logs(), container.logs()
            status = container.stop()
            assert status == 0, f"{container.name} ended with status {status}"
        self.running.clear()


def try_compose() -> None:
    secrets = secrets_of_a_site()
    former = Deployment(secrets, FORMER)
    web = former.start_all()
    for container in former.running:
        print(container.name, container.limits(), flush=True)
    web.execute(
        "env", f"DJANGO_SUPERUSER_PASSWORD={PASSWORD}", "python", "manage.py", "createsuperuser",
        "--noinput", "--username=boss", "--email=",
    )  # fmt: skip
    with Visitor(ADDRESS) as boss:
        boss.sign_in("boss", PASSWORD)
        project = boss.prepare("News")
        boss.judge(project)
        boss.read_report(project)
        print("former images: prepared, judged, report read")
        former.stop_all()
        print("stopped: every service ended with status 0")
        former.start_all()
        boss.judge(project)
        assert boss.judged(project) == 2
        former.stop_all()
        current = Deployment(secrets, CURRENT)
        current.start_all()
        boss.judge(project)
        assert boss.judged(project) == 3
        boss.read_report(project, new=True)
        second = boss.prepare("More news")
        boss.judge(second)
        boss.read_report(second)
        print("upgraded: judged, report refreshed, another project prepared, judged and read")
        current.stop_all()


def secrets_of_a_site() -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / ".env"
        make_secrets(file)
        return read_environment(file)


def site(tag: str, *options: str) -> Container:
    """Return the container that `docker run -p 8000:8000 -v segranks:/data segranks` starts."""
    volume = f"--volume={PREFIX}-site:/data"
    return Container("site", f"segranks:{tag}", [volume, *options], [])


def try_site() -> None:
    container = site(FORMER)
    started = time.monotonic()
    container.start()
    wait_until(lambda: answers("/sign-in/"), container.logs)
    print(f"from `run` to the first page: {time.monotonic() - started:.1f} s")
    wait_until(lambda: "Press Ctrl-C" in container.logs(), container.logs)
    print(container.limits())
    accounts = dict(re.findall(r"^ {4}(\w+) +(\w+)$", container.logs(), re.MULTILINE))
    assert "admin" in accounts, container.logs()
    with Visitor(ADDRESS) as admin:
        admin.sign_in("admin", accounts["admin"])
        project = admin.prepare("News")
        admin.judge(project)
        admin.read_report(project)
        print("prepared, judged, report read")
        assert container.stop() == 0
        # The same volume, and a root that cannot be written.
        container = site(CURRENT, "--read-only", "--read-only-tmpfs=false", "--tmpfs=/tmp")
        started = time.monotonic()
        container.start()
        wait_until(lambda: answers("/sign-in/"), container.logs)
        print(
            f"upgraded, on a read-only root; to the first page: {time.monotonic() - started:.1f} s"
        )
        admin.judge(project)
        assert admin.judged(project) == 2
        admin.read_report(project, new=True)
    print("judged and read after the upgrade")
    assert container.stop() == 0


def try_mistakes() -> None:
    """Print what the image says in bad situations."""
    container = site(CURRENT)
    container.start()
    wait_until(answers, container.logs)
    shown("the port is in use", "--volume", f"{PREFIX}-other:/data")
    # A version that is to come has a migration that this one does not know.
    later = (
        "import sqlite3; c = sqlite3.connect('/data/segranks.sqlite3'); c.execute(\"INSERT INTO "
        "django_migrations (app, name, applied) VALUES ('annotation', '9999_later', '2027-01-01')\""
        "); c.commit()"
    )
    container.execute("python", "-c", later)
    assert container.stop() == 0
    shown("the database is of a later version", "--volume", f"{PREFIX}-site:/data")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        shown("/data belongs to another user", "--volume", f"{folder}:/data")
    shown("/data is read-only", "--volume", f"{PREFIX}-site:/data:ro")


def shown(situation: str, *options: str) -> None:
    """Run the image once and print its last words."""
    started = time.monotonic()
    name = f"{PREFIX}-wrong"
    run = [*podman.PODMAN, "run", f"--name={name}", *podman.HERE]
    words = [*run, *options, f"segranks:{CURRENT}"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        said = [line for line in (done.stdout + done.stderr).splitlines() if line]
        status = f"status {done.returncode}"
    except subprocess.TimeoutExpired as problem:
        said, status = [str(problem.stdout)], "did not end"
    podman.run("rm", "--force", name)
    seconds = time.monotonic() - started
    print(f"{situation}: {status}, {len(said)} lines, {seconds:.0f} s: {' / '.join(said[-2:])}")


if __name__ == "__main__":
    main()
