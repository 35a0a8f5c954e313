"""Where ids and counts have many digits, people read them in groups, and programs do not."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client, override_settings

from tests.security.addresses import own_addresses
from tests.security.expected import expected
from tests.security.requests import send
from tests.security.world import WEBHOOK_HOST, Parts, make_parts
from tests.transactions import undone

# On PostgreSQL, sequences are not rolled back.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
GROUPED = re.compile(r"\d[,\u00a0]\d{3}(?!\d)")
FOR_PEOPLE = {"aria-label", "title", "alt", "placeholder", "data-copied"}
ADDRESSES = {address.name: address for address in own_addresses()}
LAST_ID = 54_320


@pytest.fixture(scope="module")
def parts(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Parts]:
    """A project with every kind of row, whose ids are larger than LAST_ID."""
    folder = tmp_path_factory.mktemp("uploads")
    settings = override_settings(MEDIA_ROOT=folder, WEBHOOK_HOSTS=[WEBHOOK_HOST])
    with django_db_blocker.unblock(), settings, undone():
        with connection.cursor() as cursor:
            for model in apps.get_models():
                table = model._meta.db_table
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", (table,))
                cursor.execute("INSERT INTO sqlite_sequence VALUES (%s, %s)", (table, LAST_ID))
        yield make_parts("houses", sentences=12)


class Elements(HTMLParser):
    """Collects attributes with grouped digits, and whether the page shows and rewrites times."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.grouped: list[str] = []
        self.has_times = self.has_module = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name not in FOR_PEOPLE and GROUPED.search(value or ""):
                self.grouped.append(f"<{tag} {name}={value}>")
            if tag == "script" and name == "src":
                self.has_module |= (value or "").endswith(("times.js", "overview.js"))
            self.has_times |= name == "data-local"


@pytest.mark.parametrize("language", ["en", "cs"])
def test_attributes_have_no_groups_of_digits_and_times_are_rewritten(
    parts: Parts, language: str
) -> None:
    pages = 0
    for user in (parts.administrator, parts.annotator):
        client = Client(headers={"Accept-Language": language})
        client.force_login(user)
        for name, method in expected():
            if method != "GET":
                continue
            response = send(client, ADDRESSES[name], "GET", parts)
            if response.headers.get("Content-Type", "").startswith("text/html"):
                found = Elements(response.content.decode())
                assert not found.grouped, name
                assert found.has_module or not found.has_times, name
                pages += 1
    assert pages > 40
