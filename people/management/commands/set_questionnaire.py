"""`manage.py set_questionnaire PROJECT FILE`: write the questionnaire of a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec

from annotation.common.commands import SegRanksCommand, counted
from annotation.formats import strict_json
from annotation.formats.errors import InputError
from annotation.formats.plain_text import open_binary, read_lines
from annotation.formats.problems import ErrorList
from annotation.projects.names import find_project
from people.questionnaire_forms import PREFIX, ConsentForm, Questions
from people.questionnaires import NewQuestion, current_questionnaire, write_questionnaire

LARGEST_FILE = 1_000_000


class GivenQuestion(msgspec.Struct, forbid_unknown_fields=True):
    """A question as the file has it."""

    text: str
    kind: str
    options: list[str] = []
    required: bool = True


class Command(SegRanksCommand):
    help = (
        "Write a new version of a project's questionnaire. The file is a JSON list of questions "
        "with text, kind (text, choice, yes-no or number), options of a choice, and required."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument("file", type=Path, metavar="FILE", help="the questions, as JSON")
        consent = parser.add_mutually_exclusive_group()
        consent.add_argument(
            "--consent",
            type=Path,
            metavar="FILE",
            help="the text of the consent, as Markdown; without it, the present one stays",
        )
        consent.add_argument(
            "--no-consent", action="store_true", help="ask for no consent any more"
        )
        parser.add_argument(
            "--ask-again", action="store_true", help="ask those who have answered again, too"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        questions = _questions(options["file"])
        consent = ""
        if options["consent"]:
            consent = "\n".join(read_lines(options["consent"]))
        elif not options["no_consent"] and (present := current_questionnaire(project)):
            consent = present.consent
        form = ConsentForm({"consent": consent})
        if not form.is_valid():
            raise InputError(" ".join(map(str, form.errors["consent"])), str(options["consent"]))
        written = write_questionnaire(
            project=project,
            author=None,
            consent=form.cleaned_data["consent"],
            questions=questions,
            ask_again=options["ask_again"],
        )
        if written is None:
            self.stdout.write("Nothing changes.")
            return
        asked = counted(len(questions), "question") + (" and a consent" if consent else "")
        self.stdout.write(
            f"Version {written.version} of the questionnaire of project {project.pk} "
            f"{project.name!r} has {asked}."
        )


def _questions(path: Path) -> list[NewQuestion]:
    """Return the questions of the file, checked as those of the page. Raises InputErrors."""
    with open_binary(path) as file:
        text = file.read(LARGEST_FILE + 1)
    if len(text) > LARGEST_FILE:
        raise InputError(f"the file has more than {LARGEST_FILE:,} bytes.", str(path))
    decoder = msgspec.json.Decoder(list[GivenQuestion])
    posted: dict[str, Any] = {f"{PREFIX}-INITIAL_FORMS": 0}
    given = strict_json.decode(text, decoder, str(path))
    for place, question in enumerate(given):
        one = {
            "text": question.text,
            "kind": question.kind,
            "options": "\n".join(question.options),
            "required": "on" if question.required else "",
            "ORDER": place + 1,
        }
        posted |= {f"{PREFIX}-{place}-{name}": value for name, value in one.items()}
    questions = Questions(posted | {f"{PREFIX}-TOTAL_FORMS": len(given)}, prefix=PREFIX)
    if not questions.is_valid():
        errors = ErrorList()
        for place, form in enumerate(questions.forms, start=1):
            for of_field in form.errors.values():
                problems = " ".join(map(str, of_field))
                errors.add(InputError(problems, f"{path}, question {place}"))
        for problem in questions.non_form_errors():
            errors.add(InputError(str(problem), str(path)))
        errors.raise_all()
    return questions.questions()
