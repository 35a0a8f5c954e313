"""The addresses of the pages of annotators and administrators."""

from django.urls import path

from annotation.web.views import (
    judge,
    judging_json,
    manage,
    manage_systems,
    my_judgements,
    new_project,
    practice,
    preparation,
    projects,
    quality_checks,
)

MANAGE = "projects/<int:pk>/manage"
PRACTICE = f"{MANAGE}/practice/<int:number>"
NEW = "projects/new"
PREPARING = "projects/<int:pk>/preparing"
ASSIGNMENT = "api/projects/<int:project_pk>/assignments/<int:pk>"

urlpatterns = [
    # The most requested addresses come first.
    path(f"{ASSIGNMENT}/draft/", judging_json.draft, name="draft"),
    path("projects/<int:pk>/judge/", judge.judge, name="judge"),
    path(f"{ASSIGNMENT}/submission/", judging_json.submission, name="submission"),
    path(f"{ASSIGNMENT}/revision/", judging_json.revision, name="revision"),
    path(f"{ASSIGNMENT}/skip/", judging_json.skip, name="skip"),
    path("", projects.projects, name="projects"),
    path(f"{NEW}/", new_project.start, name="new-project"),
    path(f"{NEW}/<slug:token>/", new_project.files, name="new-project-files"),
    path(f"{NEW}/<slug:token>/add/", new_project.add_files, name="new-project-add"),
    path(f"{NEW}/<slug:token>/discard/", new_project.discard, name="new-project-discard"),
    path(f"{NEW}/<slug:token>/preview/", new_project.show_preview, name="new-project-preview"),
    path(
        f"{NEW}/<slug:token>/preview/sentences/",
        new_project.preview_sentences,
        name="new-project-sentences",
    ),
    path(f"{PREPARING}/", preparation.preparing, name="preparing"),
    path(f"{PREPARING}/state/", preparation.state, name="preparing-state"),
    path(f"{PREPARING}/cancel/", preparation.cancel, name="preparing-cancel"),
    path(f"{PREPARING}/retry/", preparation.retry, name="preparing-retry"),
    path("projects/<int:pk>/practice/", practice.practice, name="practice"),
    path(
        "projects/<int:pk>/practice/<int:assignment_pk>/",
        practice.practice_feedback,
        name="practice-feedback",
    ),
    path("projects/<int:pk>/mine/", my_judgements.my_judgements, name="my-judgements"),
    path("projects/<int:pk>/mine/<int:assignment_pk>/", my_judgements.revise, name="revise"),
    path(f"{MANAGE}/", manage.manage, name="manage-project"),
    path(f"{MANAGE}/state/", manage.set_state, name="manage-state"),
    path(f"{MANAGE}/settings/", manage.change_settings, name="manage-settings"),
    path(f"{MANAGE}/instructions/", manage.change_instructions, name="manage-instructions"),
    path(f"{MANAGE}/release/<int:assignment_pk>/", manage.release, name="manage-release"),
    path(f"{MANAGE}/practice/new/", quality_checks.new_practice, name="new-practice"),
    path(f"{PRACTICE}/", quality_checks.change_practice, name="change-practice"),
    path(f"{PRACTICE}/retire/", quality_checks.retire_practice, name="retire-practice"),
    path(f"{MANAGE}/controls/", quality_checks.make_controls, name="make-controls"),
    path(
        f"{MANAGE}/controls/<int:number>/retire/",
        quality_checks.retire_control,
        name="retire-control",
    ),
    path(f"{MANAGE}/segments/", manage_systems.sample_project_segments, name="sample-project"),
    path(f"{MANAGE}/undecided/", manage_systems.set_undecided_systems, name="set-undecided"),
    path(f"{MANAGE}/systems/", manage_systems.add_system, name="add-system"),
    path(
        f"{MANAGE}/systems/<int:system_pk>/sample/",
        manage_systems.sample_more_segments,
        name="sample-segments",
    ),
    path(f"{MANAGE}/systems/state/", manage_systems.state, name="systems-state"),
    path(
        f"{MANAGE}/systems/<int:system_pk>/continue/",
        manage_systems.continue_adding,
        name="continue-adding-system",
    ),
    path("projects/<int:pk>/judge/skip/", judge.skip_sentence, name="skip-sentence"),
]
