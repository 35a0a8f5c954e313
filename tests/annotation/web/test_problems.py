"""Pages for when something is wrong, and the rules that hold for every page."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.test import Client
from django.utils.translation import override
from django.views.defaults import bad_request, page_not_found, permission_denied, server_error

from tests.factories import make_annotator, make_project

TEMPLATES = sorted(Path(settings.BASE_DIR, "templates").rglob("*.html"))
SCRIPTS = [
    path
    for path in sorted(Path(settings.BASE_DIR, "static").rglob("*.*"))
    if path.suffix in {".js", ".css"}
]


@pytest.fixture(autouse=True)
def in_english():
    """Views called without a request use the language of the last one."""
    with override("en"):
        yield


@pytest.mark.parametrize(
    ("view", "status"), [(bad_request, 400), (permission_denied, 403), (page_not_found, 404)]
)
def test_errors_have_a_page_of_our_own(rf, view, status):
    response = view(rf.get("/"), Exception())
    assert response.status_code == status
    assert 'class="empty problem"' in response.content.decode()
    assert "base.css" in response.content.decode()


def test_the_page_of_a_server_error_needs_no_request(rf):
    response = server_error(rf.get("/"))
    html = response.content.decode()
    assert response.status_code == 500
    assert 'class="empty problem"' in html
    assert "<form" not in html


def test_a_failing_view_is_answered_with_that_page(db, monkeypatch, rf):
    def fail(*args, **kwargs):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("django.contrib.auth.views.LoginView.get", fail)
    response = Client(raise_request_exception=False).get("/sign-in/")
    assert response.status_code == 500
    assert 'class="empty problem"' in response.content.decode()


def test_templates_can_be_compiled():
    for path in TEMPLATES:
        get_template(str(path.relative_to(settings.BASE_DIR / "templates")))


def test_nothing_is_loaded_from_another_host():
    external = re.compile(r"""(src|href|action|url\(|from|import)\s*[=(]?\s*["']?(https?:)?//\w""")
    for path in TEMPLATES + SCRIPTS:
        assert not external.search(path.read_text().replace("http://www.w3.org/", "")), path


def test_the_content_security_policy_is_strict(client, db):
    policy = client.get("/sign-in/").headers["Content-Security-Policy"]
    # The order of the directives is that of a set: another one in each process.
    directives = {directive.strip() for directive in policy.split(";")}
    assert {"default-src 'none'", "script-src 'self'", "style-src 'self'"} <= directives
    assert "unsafe" not in policy


def test_the_administration_shows_projects_and_people_but_no_judgements(admin_client):
    project = make_project(sentences=1)
    user = make_annotator(project)
    for page in ("", "annotation/user/", "annotation/project/", "annotation/membership/"):
        assert admin_client.get(f"/admin/{page}").status_code == 200
    for page in (f"user/{user.pk}", f"project/{project.pk}", "user/add", "membership/add"):
        assert (
            admin_client.get(
                f"/admin/annotation/{page}/change/".replace("add/change", "add")
            ).status_code
            == 200
        )
    for hidden in ("judgement", "placement", "assignment", "candidate"):
        assert admin_client.get(f"/admin/annotation/{hidden}/").status_code == 404
    assert admin_client.post(f"/admin/annotation/project/{project.pk}/delete/").status_code == 403
    assert admin_client.get("/admin/annotation/project/add/").status_code == 403


def test_an_imported_account_cannot_be_edited(admin_client):
    project = make_project(sentences=1)
    user = make_annotator(project)
    type(user).objects.filter(pk=user.pk).update(is_active=False, imported_with=project)
    url = f"/admin/annotation/user/{user.pk}/change/"
    assert admin_client.get(url).status_code == 200
    assert admin_client.post(url, {"is_active": "on"}).status_code == 403


def test_an_imported_account_cannot_become_a_member(admin_client):
    project = make_project(sentences=1)
    user = make_annotator(project, "visitor")
    url = "/admin/annotation/membership/add/"
    assert ">visitor</option>" in admin_client.get(url).content.decode()
    type(user).objects.filter(pk=user.pk).update(is_active=False, imported_with=project)
    assert ">visitor</option>" not in admin_client.get(url).content.decode()


def test_only_the_role_of_a_membership_can_be_changed(admin_client):
    project = make_project(sentences=1)
    membership = make_annotator(project).memberships.get()
    other = make_annotator(make_project("castles", sentences=1), "petr")
    admin_client.post(
        f"/admin/annotation/membership/{membership.pk}/change/",
        {"user": other.pk, "project": project.pk, "role": "administrator"},
    )
    membership.refresh_from_db()
    assert (membership.user.username, membership.role) == ("jana", "administrator")


def test_the_language_is_switched_by_a_button_and_stays(client, db):
    response = client.post("/i18n/setlang/", {"language": "cs", "next": "/sign-in/"})
    assert response.headers["Location"] == "/sign-in/"
    assert '<html lang="cs"' in client.get("/sign-in/").content.decode()
