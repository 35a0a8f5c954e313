"""Everything of a project but secrets, to be restored by `import_project`."""

import json
from collections.abc import Iterator

from annotation.common.snapshot import snapshot
from annotation.formats.archive import archive_lines
from annotation.formats.archive_records import (
    AccountRecord,
    InstructionsRecord,
    ProjectRecord,
    Record,
    SystemRecord,
)
from annotation.import_export.archive_parts import parts
from annotation.import_export.exports.archive_assignments import assignment_records
from annotation.import_export.exports.archive_sentences import sentence_records
from annotation.models import Membership, Project
from annotation.projects.annotator_names import account_names, accounts_of


def archive(project: Project) -> Iterator[str]:
    """Yield the lines of the project's archive, the same for the same content.

    Without database ids, the time of the export, and anything that lets somebody sign in.
    """
    with snapshot():
        # What the caller holds may have changed before the snapshot.
        fresh = Project.objects.get(pk=project.pk)
        yield from archive_lines(_records(fresh))


def _records(project: Project) -> Iterator[Record]:
    yield _project(project)
    for name in project.systems.order_by("pk").values_list("name", flat=True):
        yield SystemRecord(name)
    names = account_names(project)
    yield from _accounts(project, names)
    yield from _instructions(project, names)
    yield from sentence_records(project)
    yield from assignment_records(project, names)
    for part in parts():
        yield from part.records(project)


def _project(project: Project) -> ProjectRecord:
    return ProjectRecord(
        name=project.name,
        description=project.description,
        source_language=project.source_language,
        target_language=project.target_language,
        judges_per_sentence=project.judges_per_sentence,
        queue_order=project.queue_order,
        block_size=project.block_size,
        lease_minutes=project.lease_minutes,
        show_reference=project.show_reference,
        show_neighbours=project.show_neighbours,
        intra_rate=project.intra_rate,
        inter_rate=project.inter_rate,
        control_rate=project.control_rate,
        practice_required=project.practice_required,
        min_length=project.min_length,
        max_length=project.max_length,
        state=project.state,
        created=project.created,
        # Databases differ in the order in which they keep the keys.
        provenance=json.loads(json.dumps(project.provenance, sort_keys=True)),
    )


def _accounts(project: Project, names: dict[int, str]) -> Iterator[AccountRecord]:
    members = {row.user_id: row for row in Membership.objects.filter(project=project)}
    unidentified = set(accounts_of(project).filter(unidentified=True).values_list("pk", flat=True))
    for pk, name in names.items():
        member = members.get(pk)
        yield AccountRecord(
            name=name,
            unidentified=pk in unidentified,
            role=member.role if member else None,
            most_sentences=member.most_sentences if member else None,
        )


def _instructions(project: Project, names: dict[int, str]) -> Iterator[InstructionsRecord]:
    for row in project.instructions.order_by("version"):
        author = None if row.author_id is None else names[row.author_id]
        yield InstructionsRecord(row.version, row.text, row.created, author)
