"""The addresses of the pages of annotators and administrators."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from annotation.web.views import (
    assignments,
    disputes,
    exports,
    help,
    imports,
    judge,
    judging_json,
    media,
    my_judgements,
    new_project,
    practice,
    preparation,
    project_life,
    projects,
    quality_checks,
    settings,
    systems,
    tutorials,
)

SENTENCES = "projects/<int:pk>/sentences"
PRACTICE = "projects/<int:pk>/quality/practice"
CONTROLS = "projects/<int:pk>/quality/controls"
DISPUTED = "projects/<int:pk>/quality/disputed"
SETTINGS = "projects/<int:pk>/settings"
SYSTEMS = f"{SETTINGS}/systems"
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
    path(
        "projects/",
        RedirectView.as_view(pattern_name="projects", http_method_names=["get", "head"]),
        name="all-projects",
    ),
    path("projects/<int:pk>/", projects.project, name="project"),
    path(f"{NEW}/", new_project.start, name="new-project"),
    path(f"{NEW}/sample/", new_project.start_with_sample, name="new-project-sample"),
    path(f"{NEW}/sample.zip", new_project.download_sample, name="new-project-sample-zip"),
    path(f"{NEW}/<slug:token>/", new_project.files, name="new-project-files"),
    path(f"{NEW}/<slug:token>/add/", new_project.add_files, name="new-project-add"),
    path(f"{NEW}/<slug:token>/discard/", new_project.discard, name="new-project-discard"),
    path(f"{NEW}/<slug:token>/preview/", new_project.show_preview, name="new-project-preview"),
    path(
        f"{NEW}/<slug:token>/preview/sentences/",
        new_project.preview_sentences,
        name="new-project-sentences",
    ),
    path(f"{NEW}/<slug:token>/settings/", new_project.judging_settings, name="new-project-judging"),
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
    path("projects/<int:pk>/practice/again/", practice.again, name="practise-again"),
    path("projects/<int:pk>/mine/", my_judgements.my_judgements, name="my-judgements"),
    path("projects/<int:pk>/mine/<int:assignment_pk>/", my_judgements.revise, name="revise"),
    path("projects/<int:pk>/instructions/", my_judgements.instructions, name="instructions"),
    path(f"{SENTENCES}/open/", assignments.open_assignments, name="open-assignments"),
    path(
        f"{SENTENCES}/open/<int:assignment_pk>/release/",
        assignments.release,
        name="release-assignment",
    ),
    path(f"{SENTENCES}/skipped/", assignments.skipped, name="skipped-sentences"),
    path(f"{PRACTICE}/", tutorials.practice_sentences, name="practice-sentences"),
    path(f"{PRACTICE}/tutorial/", tutorials.tutorial, name="tutorial"),
    path(f"{PRACTICE}/tutorial/file/", tutorials.tutorial_file, name="tutorial-file"),
    path(f"{PRACTICE}/new/", quality_checks.new_practice, name="new-practice"),
    path(f"{PRACTICE}/<int:number>/", quality_checks.change_practice, name="change-practice"),
    path(
        f"{PRACTICE}/<int:number>/retire/", quality_checks.retire_practice, name="retire-practice"
    ),
    path(f"{CONTROLS}/", quality_checks.controls, name="control-sentences"),
    path(f"{CONTROLS}/<int:number>/retire/", quality_checks.retire_control, name="retire-control"),
    path(f"{DISPUTED}/", disputes.disputed, name="disputed"),
    path(f"{DISPUTED}/<int:number>/", disputes.settle_sheet, name="settle"),
    path("projects/<int:pk>/export/", exports.exports, name="exports"),
    path("projects/<int:pk>/export/archive/", exports.archive, name="export-archive"),
    path("projects/<int:pk>/export/<slug:name>/", exports.export, name="export"),
    path("projects/<int:pk>/import/", imports.judgements, name="import-judgements"),
    path("projects/import/", imports.archive, name="import-archive"),
    path("projects/import/pearmut/", imports.campaign, name="import-campaign"),
    path(f"{SETTINGS}/", settings.settings, name="project-settings"),
    path(f"{SETTINGS}/sheets/", settings.choose_systems, name="choose-systems"),
    path(f"{SETTINGS}/state/", settings.set_state, name="project-state"),
    path(f"{SETTINGS}/instructions/", settings.instructions, name="project-instructions"),
    path("projects/<int:pk>/media/<int:medium_pk>/", media.medium, name="medium"),
    path(f"{SETTINGS}/media/", media.media, name="project-media"),
    path(f"{SETTINGS}/media/<int:medium_pk>/remove/", media.remove, name="remove-medium"),
    path(f"{SYSTEMS}/", systems.systems, name="project-systems"),
    path(f"{SYSTEMS}/add/", systems.add_system, name="add-system"),
    path(f"{SYSTEMS}/reference/", systems.add_reference, name="add-reference"),
    path(f"{SYSTEMS}/state/", systems.state, name="systems-state"),
    path(f"{SYSTEMS}/segments/", systems.sample_project_segments, name="sample-project"),
    path(f"{SYSTEMS}/undecided/", systems.set_undecided_systems, name="set-undecided"),
    path(
        f"{SYSTEMS}/<int:system_pk>/sample/", systems.sample_more_segments, name="sample-segments"
    ),
    path(
        f"{SYSTEMS}/<int:system_pk>/continue/",
        systems.continue_adding,
        name="continue-adding-system",
    ),
    path("help/", help.help_page, name="help"),
    # What the documentation has is served before (operations/served_files.py).
    re_path(r"^docs/(?:.*)$", help.no_documentation, name="documentation"),
    path("privacy/", help.privacy, name="privacy"),
    path(f"{SETTINGS}/rename/", project_life.rename, name="rename-project"),
    path(f"{SETTINGS}/copy/", project_life.copy, name="copy-project"),
    path(f"{SETTINGS}/acceptance/", project_life.accept_edits, name="accept-edits"),
    path(f"{SETTINGS}/archive/", project_life.archive, name="archive-project"),
    path(f"{SETTINGS}/delete/", project_life.delete, name="delete-project"),
    path("projects/<int:pk>/judge/skip/", judge.skip_sentence, name="skip-sentence"),
]
