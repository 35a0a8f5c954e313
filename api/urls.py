"""The addresses of the API, and of the pages about it."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from api.urls_findings import FINDINGS
from api.views import (
    assignments,
    checks,
    instructions,
    jobs,
    members,
    pages,
    projects,
    schema,
    systems,
    texts,
)

PROJECT = "projects/<int:pk>"


class Whatever(StringConverter):
    """What is not there, line ends and nothing at all too."""

    regex = r"[\s\S]*"


register_converter(Whatever, "whatever")

VERSION_1 = [
    path("openapi.json", schema.Schema.as_view(), name="api-schema"),
    path("openapi.yaml", schema.YamlSchema.as_view(), name="api-schema-yaml"),
    path("projects/", projects.Projects.as_view(), name="api-projects"),
    path(f"{PROJECT}/", projects.OneProject.as_view(), name="api-project"),
    path(f"{PROJECT}/state/", projects.ProjectState.as_view(), name="api-project-state"),
    path(f"{PROJECT}/job/", jobs.OneJob.as_view(), name="api-job"),
    path(f"{PROJECT}/job/retry/", jobs.Retrying.as_view(), name="api-job-retry"),
    path(f"{PROJECT}/files/", texts.GivenFiles.as_view(), name="api-files"),
    path(f"{PROJECT}/sentences/", texts.Sentences.as_view(), name="api-sentences"),
    path(f"{PROJECT}/systems/", systems.Systems.as_view(), name="api-systems"),
    path(
        f"{PROJECT}/systems/<int:system_pk>/go-on/",
        systems.GoingOn.as_view(),
        name="api-system-go-on",
    ),
    path(f"{PROJECT}/members/", members.Members.as_view(), name="api-members"),
    path(f"{PROJECT}/members/<int:user_pk>/", members.OneMember.as_view(), name="api-member"),
    path(f"{PROJECT}/assignments/", assignments.Assignments.as_view(), name="api-assignments"),
    path(
        f"{PROJECT}/assignments/<int:assignment_pk>/release/",
        assignments.Releasing.as_view(),
        name="api-release",
    ),
    path(
        f"{PROJECT}/instructions/",
        instructions.AllInstructions.as_view(),
        name="api-instructions",
    ),
    path(
        f"{PROJECT}/instructions/<int:number>/",
        instructions.OneVersion.as_view(),
        name="api-instructions-version",
    ),
    path(f"{PROJECT}/controls/", checks.Controls.as_view(), name="api-controls"),
    path(f"{PROJECT}/controls/<int:number>/", checks.OneControl.as_view(), name="api-control"),
    path(f"{PROJECT}/practice/", checks.Practice.as_view(), name="api-practice"),
    path(
        f"{PROJECT}/practice/<int:number>/", checks.OnePractice.as_view(), name="api-practice-one"
    ),
    *FINDINGS,
    path("docs/", pages.documentation, name="api-documentation"),
    # Last: whatever else is asked for.
    path("<whatever:rest>", schema.Nowhere.as_view(), name="api-nowhere"),
]

urlpatterns = [
    path("api/v1/", include(VERSION_1)),
    path("account/tokens/", pages.show_tokens, name="tokens"),
    path("account/tokens/<int:token_pk>/revoke/", pages.revoke_token, name="revoke-token"),
]
