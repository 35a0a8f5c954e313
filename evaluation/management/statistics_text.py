"""Texts of `manage.py statistics`."""

from annotation.formats.languages import pair_name
from annotation.kinds import kind_of
from annotation.models import Job, Project
from annotation.selectors.judgements import JobSummary, ProjectSummary, project_summary
from evaluation.findings.statistics import ProjectStatistics, tables
from evaluation.rendering.formats import as_text, text_table


def projects_text(projects: list[ProjectSummary]) -> str:
    if not projects:
        return "There are no projects yet. Create one with `manage.py create_project`."
    columns = ("systems", "sentences", "segments", "candidates", "judgements")
    rows = [
        [
            str(project.id),
            project.name,
            project.state,
            pair_name(project.source_language, project.target_language),
            *(str(getattr(project, column)) for column in columns),
        ]
        for project in projects
    ]
    table = text_table(["id", "project", "state", "languages", *columns], rows, words=(1, 2, 3))
    unprepared = [f"{project.id} {note}" for project in projects if (note := _preparation(project))]
    return "\n\n".join((table, *unprepared))


def _preparation(project: ProjectSummary) -> str:
    """Return the progress of the preparation, or why it failed; "" if it is finished."""
    match project.state, project.job:
        case Project.State.PREPARING, JobSummary(state=Job.State.RUNNING, stage=stage) as job:
            reached = f": {stage}, {job.done} of {job.total}" if stage else ""
            return f"{project.name!r} is being prepared{reached}."
        case Project.State.PREPARING, _:
            return f"{project.name!r} is queued for preparation; `manage.py up` runs a worker."
        case Project.State.FAILED, job:
            reason = f": {job.error}" if job else "."
            return (
                f"The preparation of {project.name!r} failed{reason} Delete it with `manage.py "
                f"delete_project {project.id}`."
            )
    return ""


def statistics_text(project: Project, found: ProjectStatistics) -> str:
    summary = project_summary(project)
    words = kind_of(project).unit.words
    made = tables(
        found,
        f"{summary.name} ({pair_name(summary.source_language, summary.target_language)})",
        segments=str(words.segments),
        candidates=str(words.candidates),
    )
    note = _preparation(summary)
    return "\n\n".join((*([note] if note else []), *map(as_text, made)))
