"""Web and workers on hosts of their own, which have PostgreSQL in common and no folder."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import services
from tests.installation import Installation

pytestmark = [pytest.mark.process, pytest.mark.postgresql]

PERSON = """
from django.test import Client
from django.urls import reverse
from annotation.models import Job, Media, Project, Upload, User
from tests.annotation.uploads import upload_files as files
from tests.annotation.web.new_project_page import *
from tests.jobs import run_job
from tests.media_files import wav, with_media
from tests.previews import make_previews
boss, _made = User.objects.get_or_create(username="boss", is_superuser=True)
client = Client(SERVER_NAME="localhost")
client.force_login(boss)
"""
READY_MADE = '{"segments.tsv": files.SEGMENTS, "systems.tsv": files.SYSTEMS}'


class Hosts(NamedTuple):
    """Installations with one database, each with a data folder of its own."""

    web: Installation
    worker: Installation
    other: Installation


@pytest.fixture
def hosts(
    tmp_path: Path, static_root: Path, postgresql_server: str, postgresql_tables: str
) -> Iterator[Hosts]:
    with ExitStack() as stack:
        url = stack.enter_context(
            services.postgresql_database(postgresql_server, like=postgresql_tables)
        )
        # One key for the sessions of all, as docs/deployment.md says.
        common = {"DATABASE_URL": url, "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz" * 2}
        made = Hosts(
            *(Installation(tmp_path / name, static_root, **common) for name in Hosts._fields)
        )
        for host in made:
            stack.callback(host.end)
        yield made


def done_on(host: Installation, code: str) -> str:
    return host.execute(PERSON + code)


def files_on(host: Installation) -> list[Path]:
    return [path for path in (host.data / "files").rglob("*") if path.is_file()]


def test_hosts_need_no_common_folder(hosts: Hosts) -> None:
    upload = "upload = Upload.objects.get(); "
    done_on(hosts.web, f"fill_in(client, send(client, {READY_MADE}))")
    assert files_on(hosts.web)
    done_on(hosts.other, f"{upload} page_of(client, upload, 'new-project-preview')")
    done_on(hosts.worker, "make_previews()")
    page = done_on(hosts.web, f"{upload} print(page_of(client, upload, 'new-project-preview'))")
    assert "<mark>the old</mark>" in page
    done_on(hosts.web, f"{upload} prepare(client, upload)")
    assert not files_on(hosts.other)
    done_on(hosts.other, "run_job(Job.objects.get().pk)")
    assert hosts.web.query("[Project.objects.get().state, Job.objects.get().error]") == ["open", ""]

    # What the database has is removed by one host, and the copies by each.
    for host in hosts:
        done_on(host, "from annotation.uploads import folders; folders.remove_old()")
    assert hosts.web.query("[Upload.objects.count(), StoredFile.objects.count()]") == [0, 0]

    done_on(hosts.web, "with_media(Project.objects.get(), _1_wav=wav(2))")
    sent = done_on(
        hosts.other,
        "row = Media.objects.get()\n"
        "address = reverse('medium', args=[row.project_id, row.pk])\n"
        "answer = client.get(address, headers={'Range': 'bytes=10000-10003'})\n"
        "print(answer.status_code, answer.headers['Content-Range'], answer.getvalue())",
    )
    assert sent == "206 bytes 10000-10003/32044 b'\\x00\\x00\\x00\\x00'\n"
    assert not files_on(hosts.web)
