"""`make secrets`, docker-compose.yml, the Dockerfile and the table of settings agree."""

import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from segranks.celery import WEBHOOKS, app
from tests.installation import REPOSITORY
from tests.operations.deployment_files import (
    Refused,
    made_of,
    make_secrets,
    read_compose,
    read_dockerfile,
    read_environment,
)

SEGRANKS = ("migrate", "web", "worker", "hooks", "beat")
SERVICES = {*SEGRANKS, "postgres", "redis"}
SECRETS = ("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "METRICS_TOKEN")
# "name:1.2.3-bookworm", never "latest".
PINNED = re.compile(r"[a-z]+:\d+\.\d+(\.\d+)?(-[a-z]+)*-bookworm")
# The first versions without holes that were published before 23 November 2026.
WITHOUT_HOLES = {"python": (3, 11, 17), "postgres": (15, 20), "redis": (7, 2, 16)}
# Folders in containers, and settings for development.
NOT_IN_COMPOSE = {
    "DEBUG",
    "PORT",
    "PROMETHEUS_MULTIPROC_DIR",
    "SEGRANKS_DATA",
    "SEGRANKS_FILES",
    "STATIC_ROOT",
    "WEBHOOK_PRIVATE",
}


@pytest.fixture
def secrets(tmp_path: Path) -> dict[str, str]:
    make_secrets(tmp_path / ".env", "rank.example.org")
    return read_environment(tmp_path / ".env")


@pytest.fixture
def services(secrets: dict[str, str]) -> dict[str, Any]:
    return dict(read_compose(secrets)["services"])


def test_secrets_are_random_and_readable_by_their_owner_only(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    made = make_secrets(file, "rank.example.org")
    assert file.stat().st_mode & 0o777 == 0o600
    first = read_environment(file)
    assert all(len(first[name]) >= 40 and first[name].isalnum() for name in SECRETS)
    assert not any(first[name] in made.stdout + made.stderr for name in SECRETS)
    site = {"ALLOWED_HOSTS": "rank.example.org", "SITE_ADDRESS": "https://rank.example.org"}
    assert {name: first[name] for name in site} == site
    make_secrets(tmp_path / "other", "rank.example.org")
    second = read_environment(tmp_path / "other")
    assert all(first[name] != second[name] for name in SECRETS)


def test_make_secrets_refuses_to_overwrite_them(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    make_secrets(file)
    before = file.read_text()
    refused = make_secrets(file, check=False)
    assert refused.returncode != 0
    assert "already exists and was not changed" in refused.stdout
    assert file.read_text() == before


@pytest.mark.parametrize("site", ["", "https://rank.example.org", "a b", "$(id)"])
def test_make_secrets_refuses_an_invalid_host_name(tmp_path: Path, site: str) -> None:
    refused = make_secrets(tmp_path / ".env", site.replace("$", "$$"), check=False)
    assert refused.returncode != 0
    assert "make secrets SITE=rank.example.org" in refused.stdout
    assert not (tmp_path / ".env").exists()


@pytest.mark.parametrize("missing", [*SECRETS[:3], "ALLOWED_HOSTS", "SITE_ADDRESS", "HTTPS"])
def test_compose_refuses_to_start_without_a_secret(secrets: dict[str, str], missing: str) -> None:
    del secrets[missing]
    with pytest.raises(Refused, match=f"{missing} is missing a value: run make secrets first"):
        read_compose(secrets)


def test_no_secret_has_a_default() -> None:
    text = (REPOSITORY / "docker-compose.yml").read_text()
    for name, default in re.findall(r"\$\{(\w+):?-([^}]*)\}", text):
        assert name not in SECRETS or default == ""
    assert not re.search(r"(PASSWORD|SECRET_KEY|TOKEN): *['\"]?\w", text)


def test_no_command_line_shows_a_secret(services: dict[str, Any], secrets: dict[str, str]) -> None:
    for service in services.values():
        words = " ".join(
            [*service.get("command", []), *service.get("healthcheck", {"test": []})["test"]]
        )
        assert not any(secrets[name] in words for name in SECRETS)


def test_services_are_restarted_checked_and_restricted(services: dict[str, Any]) -> None:
    assert set(services) == SERVICES
    for name, service in services.items():
        once = name == "migrate"
        assert service["restart"] == ("on-failure" if once else "unless-stopped")
        assert once or service["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["cap_drop"] == ["ALL"]
        assert service["read_only"] is True
        assert re.fullmatch(r"[1-9]\d*[mg]", service["mem_limit"])
        assert 0 < service["pids_limit"] < 1000
        assert service["logging"]["options"]["max-size"]


def test_only_web_publishes_a_port_and_only_on_this_machine(services: dict[str, Any]) -> None:
    ports = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert ports == {"web": ["127.0.0.1:8000:8000"]}
    assert services["postgres"]["networks"] == services["redis"]["networks"] == ["inside"]


def test_the_limits_of_memory_can_be_set(secrets: dict[str, str]) -> None:
    sizes = {"WEB_MEMORY": "3g", "WORKER_MEMORY": "7g", "POSTGRES_MEMORY": "5g"}
    services = read_compose(secrets | sizes)["services"]
    limits = [services[name]["mem_limit"] for name in ("web", "worker", "postgres")]
    assert limits == list(sizes.values())
    text = (REPOSITORY / "docs" / "deployment.md").read_text()
    assert all(f"`{name}`" in text for name in sizes)


def test_what_must_be_writable_is_on_volumes_or_in_memory(services: dict[str, Any]) -> None:
    for service in services.values():
        assert "/tmp" in service["tmpfs"]
    assert services["postgres"]["tmpfs"][1:] == ["/run/postgresql:mode=1777"]
    assert services["postgres"]["volumes"] == ["postgres:/var/lib/postgresql/data"]
    assert services["redis"]["volumes"] == ["redis:/data"]


def test_data_is_on_volumes(services: dict[str, Any], secrets: dict[str, str]) -> None:
    mounted = {name: one["volumes"] for name, one in services.items() if "volumes" in one}
    named = {each.split(":")[0] for name in ("postgres", "redis") for each in mounted.pop(name)}
    assert named == set(read_compose(secrets)["volumes"]) == {"postgres", "redis"}
    # A volume of each container: web and workers share none.
    assert mounted == {"web": ["/data"], "worker": ["/data"]}
    assert "--appendonly yes" in " ".join(services["redis"]["command"])


def test_no_container_runs_as_root(services: dict[str, Any]) -> None:
    stages = read_dockerfile()
    user = re.search(r"useradd --uid (\d+)", stages["base"].of("RUN")[0])
    assert user
    for target in ("web", "worker"):
        assert stages[target].of("USER") == [user[1]]
        after = stages[target].instructions.index(("USER", user[1]))
        assert {name for name, _ in stages[target].instructions[after:]} <= {
            "USER",
            "EXPOSE",
            "CMD",
        }
    assert (services["postgres"]["user"], services["redis"]["user"]) == ("postgres", "redis")


def test_base_images_are_pinned(services: dict[str, Any]) -> None:
    stages = read_dockerfile()
    foreign = {stage.parent for stage in stages.values()} - set(stages)
    foreign |= {services[name]["image"] for name in ("postgres", "redis")}
    assert len(foreign) == 3
    assert all(PINNED.fullmatch(image) for image in foreign), foreign
    for image in foreign:
        name, _, tag = image.partition(":")
        version = tuple(map(int, tag.partition("-")[0].split(".")))
        assert version >= WITHOUT_HOLES[name], image
    for name in SEGRANKS:
        target = services[name]["image"].removeprefix("segranks-")
        assert target in stages
        assert services[name].get("build", {"target": target})["target"] == target


def test_images_and_services_start_the_same_commands(services: dict[str, Any]) -> None:
    stages = read_dockerfile()
    assert stages["web"].command == services["web"]["command"]
    started = services["worker"]["command"]
    assert stages["worker"].command == started[: len(stages["worker"].command)]


def test_the_image_of_a_whole_site_is_built_by_default() -> None:
    stages = read_dockerfile()
    name, stage = list(stages.items())[-1]
    assert (name, stage.parent) == ("segranks", "worker")
    # As the user of the worker.
    assert not stage.of("USER")
    assert stage.command == ["python", "manage.py", "up", "--host", "0.0.0.0"]


def test_the_web_image_has_no_language_tools() -> None:
    stages = read_dockerfile()
    built = {"web", "base", "code", "documentation", "light-packages", "web-packages"}
    assert made_of(stages, "web") == built
    assert "worker-packages" in made_of(stages, "worker")
    runs = " ".join(run for name in built for run in stages[name].of("RUN"))
    assert not re.search("eflomal|stanza|torch|full", runs)
    light = (REPOSITORY / "requirements-light.txt").read_text()
    assert not re.search(r"^(eflomal|stanza|torch)\b", light, re.MULTILINE)
    # The final images have no compiler.
    assert all(
        "gcc" not in run
        for name in ("web", "worker", "segranks", "base")
        for run in stages[name].of("RUN")
    )


def test_the_steps_of_the_images_find_their_commands() -> None:
    """On a Debian such as the images, which has the same commands in the same folders."""
    stages = read_dockerfile()
    path = stages["base"].environment["PATH"].replace("/srv/segranks", str(REPOSITORY))
    commands = {
        command for stage in stages.values() for run in stage.of("RUN") for command in called(run)
    }
    assert {"useradd", "apt-get", "python", "tools/images/trim.sh"} <= commands
    for command in commands:
        found = shutil.which(REPOSITORY / command if "/" in command else command, path=path)
        assert found, f"{command} is not on the PATH of the images"


def called(run: str) -> Iterator[str]:
    """Yield the first word of each command of a RUN step."""
    is_first = True
    for word in shlex.shlex(run, posix=True, punctuation_chars=True):
        if word in {"&&", "||", ";", "|"}:
            is_first = True
        elif is_first and "=" not in word:
            is_first = False
            yield word


def test_images_contain_all_apps_and_no_data() -> None:
    lines = (REPOSITORY / ".dockerignore").read_text().splitlines()
    kept = {line[1:] for line in lines if line.startswith("!")}
    contracts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert kept >= {*contracts["root_packages"], "static", "templates", "locale", "manage.py"}
    assert lines[1] == "*"
    assert not kept & {"tests", "data", "tools", ".git", ".env", ".venv"}
    assert all((REPOSITORY / name).exists() for name in kept)
    for stage in read_dockerfile().values():
        for copy in stage.of("COPY"):
            *sources, _to = [word for word in copy.split() if not word.startswith("--")]
            if "--from=" not in copy:
                folders = {str(folder) for name in kept for folder in Path(name).parents}
                assert set(sources) <= kept | folders


def test_the_make_targets_of_the_images_exist() -> None:
    runs = " && ".join(run for stage in read_dockerfile().values() for run in stage.of("RUN"))
    targets = re.findall(r"(?:^|&& )make (\S+)", runs)
    known = {".venv/.light", ".venv/.docs", "docs", "eflomal-portable"}
    assert {*targets} == known | {".venv/.${PACKAGES}"}
    for target in (*known, ".venv/.full"):
        subprocess.run(
            ["make", "--dry-run", target], cwd=REPOSITORY, check=True, capture_output=True
        )
    compiled = re.findall(r"compileall -q ([\w ]+?)(?: &&|$)", runs)
    contracts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert sorted(compiled[0].split()) == sorted(contracts["root_packages"])


def variables() -> set[str]:
    """Return the variables that the settings read from the environment."""
    names = ("settings", "env", "gunicorn")
    code = "".join((REPOSITORY / "segranks" / f"{name}.py").read_text() for name in names)
    calls = r"\b(?:text|flag|number|choice|words|registration|folder|database|broker|provide)"
    return set(re.findall(calls + r"\(\s*\"([A-Z_]+)\"", code))


def test_compose_sets_only_known_variables(services: dict[str, Any]) -> None:
    for name in SEGRANKS:
        assert set(services[name]["environment"]) <= variables()


def test_compose_passes_every_variable_on(services: dict[str, Any]) -> None:
    assert variables() - set(services["web"]["environment"]) == NOT_IN_COMPOSE


def test_workers_consume_every_queue_and_hooks_only_webhooks(
    services: dict[str, Any],
) -> None:
    done = {
        name: set(service["command"][service["command"].index("--queues") + 1].split(","))
        for name, service in services.items()
        if "--queues" in service.get("command", [])
    }
    assert done == {
        "worker": {queue.name for queue in app.conf.task_queues},
        "hooks": {WEBHOOKS},
    }
