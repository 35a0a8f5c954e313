"""`manage.py assign_sentences PROJECT FILE`: assign the texts of a table to people."""

from argparse import ArgumentParser
from collections import defaultdict
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.common.transactions import writing
from annotation.formats.delimited_lines import read_rows
from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.formats.problems import ErrorList
from annotation.judging.assignment import counted_for_limits
from annotation.judging.queue import sentences_to_judge
from annotation.judging.reservations import assign_sentences
from annotation.models import Membership, Project, Reservation
from annotation.projects.administration import limit_sentences
from annotation.projects.names import find_project

HEADING = ["annotator", "document"]


class Command(SegRanksCommand):
    help = (
        "Assign whole documents to people, who get their sentences or sheets before all others. "
        "The CSV has the columns annotator (a user name) and document, a line for each pair."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument("file", type=Path, metavar="FILE", help="the CSV")
        parser.add_argument(
            "--limit",
            action="store_true",
            help="and limit each of these people to what they have and what is assigned to them",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        numbers = _numbers(project, options["file"])
        total, has = 0, 0
        with writing():
            for member, of_member in numbers.items():
                done = assign_sentences(
                    project=project, by=None, annotator=member.user, numbers=sorted(of_member)
                )
                total, has = total + done.new + done.again, has + done.judged
                if options["limit"]:
                    begun = counted_for_limits(project.pk).filter(annotator=member.user)
                    left = Reservation.objects.filter(
                        sentence__project=project, annotator=member.user
                    ).exclude(sentence__in=begun.values("sentence"))
                    most = begun.count() + left.count()
                    limit_sentences(project=project, user_id=member.user_id, most=most)
        people = "1 person" if len(numbers) == 1 else f"{len(numbers)} people"
        self.stdout.write(f"{counted(total, 'sentence')} assigned to {people}.")
        if has:
            self.stdout.write(f"{counted(has, 'sentence')} they had judged or opened before.")


def _numbers(project: Project, path: Path) -> dict[Membership, set[int]]:
    """Return the numbers of the sentences of each member, in the order of the table.

    Raises InputErrors for all lines that name no member who judges, or no document that has
    something to judge.
    """
    of_document: defaultdict[str, set[int]] = defaultdict(set)
    for number, document in sentences_to_judge(project).values_list("number", "document"):
        of_document[document].add(number)
    judging = Membership.objects.filter(project=project, role__in=Membership.JUDGING)
    members = {one.user.username: one for one in judging.select_related("user")}
    numbers: defaultdict[Membership, set[int]] = defaultdict(set)
    errors = ErrorList()
    rows = read_rows(path, ",", errors.add)
    where, heading = next(rows, (str(path), []))
    if heading != HEADING:
        errors.add(InputError(f"the first line must be {','.join(HEADING)}.", where))
    for where, row in rows:
        if len(row) != len(HEADING):
            errors.add(InputError("expected two columns, annotator and document.", where))
            continue
        annotator, document = map(plain_name, row)
        if annotator not in members:
            errors.add(InputError(f"{annotator!r} does not judge in the project.", where))
        elif not document or document not in of_document:
            errors.add(InputError(f"no document {document!r} has something to judge.", where))
        else:
            numbers[members[annotator]] |= of_document[document]
    errors.raise_all()
    return numbers
