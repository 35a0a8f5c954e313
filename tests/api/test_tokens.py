"""The tokens page, and the command that creates a token."""

import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.models import Project, User
from api.models import Token
from api.tokens import MAX_TOKENS, create_token, find_token
from tests.api.client import Program
from tests.factories import make_project
from tests.jobs import run_deletions

GOOD = {"name": "nightly export", "scope": "read", "days": "30"}


@pytest.fixture
def browser(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def make(browser: Client, **fields: Any) -> Any:
    return browser.post("/account/tokens/", GOOD | fields)


def test_a_token_is_shown_once(browser: Client) -> None:
    made = make(browser)
    secrets = re.findall(r"sr_[\w-]{43}", made.content.decode())
    assert len(secrets) == 1
    assert "no-store" in made.headers["Cache-Control"]
    assert Program(secrets[0]).send("GET", "projects/").status_code == 200
    later = browser.get("/account/tokens/").content.decode()
    assert "nightly export" in later
    assert secrets[0] not in later


def test_a_token_is_limited_to_a_project_of_the_person(
    browser: Client, owner: User, project: Project
) -> None:
    other = make_project("castles")
    make(browser, project=project.pk)
    assert Token.objects.get().project == project
    assert make(browser, project=other.pk).status_code == 400
    project.memberships.filter(user=owner).update(role="annotator")
    assert make(browser, project=project.pk).status_code == 400
    assert Token.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "x" * 101},
        {"name": "a\nb\x07"},
        {"name": "a\0b"},
        {"scope": "own"},
        {"days": "0"},
        {"days": "367"},
        {"days": "ever"},
        {"project": "x"},
        {"project": str(2**63)},
    ],
)
def test_it_refuses_a_wrong_token(browser: Client, change: dict[str, str]) -> None:
    answer = make(browser, **change)
    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()
    assert not Token.objects.exists()


def test_it_refuses_too_many_tokens(browser: Client, owner: User) -> None:
    for number in range(MAX_TOKENS):
        create_token(user=owner, name=f"t{number}", scope="read")
    assert make(browser).status_code == 400
    assert Token.objects.count() == MAX_TOKENS


def test_only_own_tokens_are_revoked(browser: Client, owner: User) -> None:
    token, secret = create_token(user=owner, name="one", scope="read")
    theirs, _secret = create_token(user=User.objects.create(username="x"), name="x", scope="read")
    for one in (token, theirs):
        answer = browser.post(f"/account/tokens/{one.pk}/revoke/", {"confirmed": "yes"})
        assert answer.headers["Location"] == "/account/tokens/"
    assert Program(secret).send("GET", "projects/").status_code == 401
    theirs.refresh_from_db()
    assert theirs.revoked is None


def test_a_new_password_revokes_tokens(owner: User) -> None:
    other = User.objects.create(username="other")
    secrets = [create_token(user=user, name="x", scope="read")[1] for user in (owner, other)]
    owner.display_name = "Jana"
    owner.save()
    assert Program(secrets[0]).send("GET", "projects/").status_code == 200
    owner.set_password("another rather long one")
    owner.save()
    codes = [Program(secret).send("GET", "projects/").status_code for secret in secrets]
    assert codes == [401, 200]


def test_the_page_takes_the_same_queries_for_many_tokens(
    browser: Client, owner: User, project: Project, django_assert_max_num_queries: Any
) -> None:
    create_token(user=owner, name="one", scope="read", project=project)
    with django_assert_max_num_queries(20) as few:
        browser.get("/account/tokens/")
    for number in range(5):
        create_token(user=owner, name=f"t{number}", scope="read", project=project)
    with django_assert_max_num_queries(len(few)):
        page = browser.get("/account/tokens/")
    assert len(page.context["tokens"]) == 6


def test_tokens_are_deleted_with_their_project(
    owner: User, project: Project, program: Program
) -> None:
    secret = create_token(user=owner, name="one", scope="read", project=project)[1]
    assert program.send("DELETE", f"projects/{project.pk}/?confirm=houses").status_code == 204
    assert find_token(secret) is None
    run_deletions()
    assert Token.objects.filter(name="one").count() == 0


# --- the command --------------------------------------------------------------------------------


def test_the_command_prints_a_token(owner: User, project: Project, capsys: Any) -> None:
    call_command(
        "create_token", "nightly", "--user", "owner", "--scope", "write", "--project", "houses"
    )
    secret = capsys.readouterr().out.strip()
    token = Token.objects.get()
    assert (token.name, token.scope, token.project) == ("nightly", "write", project)
    path = f"projects/{project.pk}/"
    assert Program(secret).send("PATCH", path, {"block_size": 3}).status_code == 200


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["x", "--user", "stranger"], "stranger"),
        (["x", "--user", "owner", "--days", "0"], "--days 0"),
        (["x", "--user", "owner", "--days", "367"], "--days 367"),
        (["", "--user", "owner"], "name"),
        (["x" * 101, "--user", "owner"], "name"),
        (["x", "--user", "owner", "--project", "nothing"], "nothing"),
    ],
)
def test_the_command_refuses_wrong_options(owner: User, options: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("create_token", *options)
    assert not Token.objects.exists()
