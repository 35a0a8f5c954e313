"""Texts of `manage.py statistics`."""

from annotation.formats.languages import pair_name
from annotation.kinds import kind_of
from annotation.models import Job, Project
from annotation.selectors.judgements import JobSummary, ProjectSummary
from evaluation.rendering.formats import decimal, text_table
from evaluation.rendering.tables import Duration
from evaluation.rendering.text import ENGLISH
from evaluation.services.findings import Findings
from evaluation.stats.agreement.kappa import Agreement
from evaluation.stats.annotators.controls import Controls


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


def statistics_text(findings: Findings) -> str:
    statistics, summary = findings.statistics, findings.summary
    texts = [("segments", str(summary.segments)), ("candidates", str(summary.candidates))]
    if kind_of(findings.project).whole_sentences:
        texts = [("translations", str(summary.candidates))]
    totals = [
        ("sentences", f"{summary.sentences}, {statistics.sentences_judged} of them judged"),
        *texts,
        ("assignments", str(findings.assignments_together)),
        ("judgements", str(statistics.judgements)),
        ("expected agreement", decimal(statistics.agreement.chance.expected, 4)),
        ("κ intra", _kappa(statistics.agreement.intra)),
        ("κ inter", _kappa(statistics.agreement.inter)),
    ]
    parts = [
        f"{summary.name} ({pair_name(summary.source_language, summary.target_language)})",
        "\n".join(f"  {name:<19} {value}" for name, value in totals),
    ]
    if note := _preparation(summary):
        parts.insert(1, note)
    if statistics.annotators:
        parts.append(_annotator_table(findings))
    if statistics.unidentified:
        parts.append(
            f"Judgements by unknown annotators: {statistics.unidentified}. They count in the "
            "ranking and in the expected agreement, but not in κ."
        )
    parts.append(str(statistics.signature))
    return "\n\n".join(parts)


def _kappa(agreement: Agreement) -> str:
    if agreement.kappa is None:
        reason = agreement.undefined.value if agreement.undefined else ""
        return f"{decimal(None)} ({reason})"
    return (
        f"{decimal(agreement.kappa, 4)} (agree on {agreement.agree} of {agreement.compared} pairs)"
    )


def _annotator_table(findings: Findings) -> str:
    statistics = findings.statistics
    everyone = [*findings.rows, (statistics.together, findings.assignments_together)]
    header = ["annotator", "sentences", "assignments", "judgements"]
    header += ["time", "s/segment", "κ intra", "κ inter"]
    rows = [
        [
            row.annotator or "together",
            str(row.sentences),
            str(assignments),
            str(row.judgements),
            Duration().write(row.seconds, ENGLISH),
            decimal(row.seconds_per_segment, 1),
            decimal(row.intra.kappa),
            decimal(row.inter.kappa),
        ]
        for row, assignments in everyone
    ]
    if statistics.together.controls.judged:
        header.append("controls passed")
        for cells, (row, _assignments) in zip(rows, everyone, strict=True):
            cells.append(_passed(row.controls))
    return text_table(header, rows)


def _passed(controls: Controls) -> str:
    if controls.share is None:
        return decimal(None)
    return f"{decimal(controls.share)} ({controls.passed} of {controls.judged})"
