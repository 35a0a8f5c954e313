"""Creating invitations, and loading their pages."""

from typing import Any

from django.test import Client
from django.urls import reverse

from annotation.models import Project, User
from people.invitations import invite

PASSWORD = "nine-quiet-rivers"
NEWCOMER = {"username": "eva", "password1": PASSWORD, "password2": PASSWORD}


def token_of(address: str) -> str:
    return address.rstrip("/").rsplit("/", 1)[-1]


def make(project: Project, boss: User, role: str = "annotator", **fields: Any) -> str:
    """Create an invitation and return its token."""
    return token_of(invite(project=project, by=boss, role=role, **fields))


def path_of(token: str) -> str:
    return reverse("invitation", args=[token])


def page_of(client: Client, path: str, status: int = 200) -> str:
    page = client.get(path)
    assert page.status_code == status
    return page.content.decode()
