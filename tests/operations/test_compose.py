"""docker-compose.yml lets through what docs/deployment.md says can be set."""

import re

import yaml

from tests.installation import REPOSITORY

# Folders within containers, the port outside of them, and what is for developers only.
NOT_OF_CONTAINERS = {
    "DEBUG",
    "PORT",
    "PROMETHEUS_MULTIPROC_DIR",
    "SEGRANKS_DATA",
    "SEGRANKS_UPLOADS",
    "STATIC_ROOT",
    "WEBHOOK_PRIVATE",
}


def test_every_setting_gets_through() -> None:
    table = (REPOSITORY / "docs/deployment.md").read_text()
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE))
    compose = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())
    assert documented - set(compose["services"]["web"]["environment"]) == NOT_OF_CONTAINERS
