"""Projects of many kinds, whose archives and exports every later version has to keep.

They are in a folder named after the version that wrote them.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.db.models import Count

from annotation.formats.errors import InputError
from annotation.import_export.export_formats import EXPORT_FORMATS, export_project
from annotation.judging.control_items import make_controls
from annotation.judging.discarding import discard_judgements
from annotation.judging.disputes import settle
from annotation.judging.practice import answer_sheet, make_practice
from annotation.judging.sheet import sheet
from annotation.judging.submission import revise, submit
from annotation.kinds import kind_of
from annotation.models import Candidate, Project, User
from annotation.pipeline.system_candidates import project_new_system
from annotation.projects.administration import change_settings, pause_member
from annotation.projects.exclusion import set_excluded
from annotation.projects.given_errors import store_given_errors
from annotation.projects.tutorials import add_tutorial
from annotation.projects.undecided_systems import set_undecided
from crowd.models import MembersPay
from evaluation.services.reports import set_schedule
from evaluation.services.sentence_judgements import import_sentence_judgements
from people.questionnaires import NewQuestion, store_response, write_questionnaire
from tests.annotation.import_export.exchange_files import (
    add_practice_and_controls,
    submit_ranks,
    worked_on,
)
from tests.annotation.kinds import assessed_project, document_project
from tests.annotation.kinds import test_mqm as mqm
from tests.annotation.kinds import test_several_scores as several_scores
from tests.annotation.kinds.edited_project import edited_project
from tests.annotation.pipeline import system_files
from tests.crowd.coming import make_link
from tests.evaluation.formats.wmt_files import write_five_way
from tests.factories import assign_next, make_annotator, make_project, next_assignment
from tests.media_files import png, wav, with_media


def segments(folder: Path) -> Project:
    """Return a ranking of segments with practice, control, exclusions, a crowd, and much more."""
    project = worked_on("Segments")
    jana, petr = (User.objects.get(username=name) for name in ("jana", "petr"))
    add_practice_and_controls(project)
    project.practice_required, project.control_rate = False, 0
    project.save()
    texts = ["starý dům stojí u řeky", "", *["dům stojí blízko řeky"] * 3]
    system = system_files.store(project, "D", *system_files.files(folder, *texts))
    project_new_system(system=system)
    _picture, sound = with_media(project, _1_png=png(), _1_wav=wav())
    ida = make_annotator(project, "ida")
    page = sheet(shown := assign_next(ida, project))
    submit(
        annotator=ida,
        project=project,
        assignment_id=shown.pk,
        token=page.token,
        choices={card.key: 1 for segment in page.segments for card in segment.cards},
        media={sound.pk: (4.5, 2)},
    )
    discard_judgements(project=project, by=petr, annotator=ida)
    set_undecided(project=project, names=["A", "B"], by="chief")
    project.refresh_from_db()
    rita = make_annotator(project, "rita")
    for _sentence in range(2):
        submit_ranks(assign_next(rita, project), {"dům": None, "stará dům": 2})
    excluded = project.sentences.get(purpose="judge", number=4)
    segment = project.sentences.get(purpose="judge", number=2).segments.order_by("pk")[0]
    for chosen in (
        {"sentence": excluded.pk},
        {
            "sentence": segment.sentence_id,
            "segment": segment.pk,
            "candidate": segment.candidates.order_by("pk")[1].pk,
        },
    ):
        set_excluded(project=project, by=petr, excluded=True, **chosen)
    pause_member(project=project, by=petr, user_id=jana.pk)
    questions = [
        NewQuestion("What is your native language?", "text"),
        NewQuestion("Your level?", "choice", options=("A1", "C2")),
        NewQuestion("Are you a student?", "yes-no", required=False),
        NewQuestion("How old are you?", "number", required=False),
    ]
    asked = write_questionnaire(
        project=project, author=petr, consent="We *store* it.", questions=questions
    )
    assert asked
    ids = [question.pk for question in asked.questions.order_by("pk")]
    given: list[str | bool | float] = ["čeština", "C2", False, 31.0]
    values = dict(zip(ids, given, strict=True))
    store_response(user=jana, questionnaire=asked, values=values)
    MembersPay.objects.create(project=project, pay_per_hour="7.50", currency="CZK")
    make_link(project, sentences=2, pay_per_hour="12.00", pay_cap="5.00")
    set_schedule(project, "day")
    rankings = write_five_way(folder / "wmt.csv", [(1, "judge", "A 1 B 2 C 3")])
    import_sentence_judgements(project=project, path=rankings, file_format="wmt-five")
    return project


def documents(folder: Path) -> Project:
    """Return systems side by side with marked errors, some given, and a settled dispute."""

    project = document_project.prepared(
        folder,
        kind="contrastive_error_spans",
        name="Documents",
        rate_documents=True,
        alike=(2,),
    )
    values = {"judges_per_sentence": 2, "disputed_from": 20, "third_judge": True}
    change_settings(project=project, values=values)
    project.refresh_from_db()
    texts = Candidate.objects.filter(segment__sentence__project=project, segment__of_document=False)
    store_given_errors(
        project=project,
        name="xcomet",
        by="program",
        details={one.pk: "0-3 minor" if one.pk % 2 else "" for one in texts},
    )
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for annotator, score in ((jana, 80), (petr, 40)):
        for _sheet in range(2):
            if assignment := next_assignment(annotator=annotator, project=project):
                document_project.judge(annotator, assignment, score=score)
    judged = project.sentences.filter(assignments__state="submitted")
    twice = judged.annotate(judges=Count("assignments")).filter(judges=2).order_by("number")
    settle(project=project, by=petr, number=twice[0].number, answer_of=jana.pk, comment="Style.")
    make_controls(project=project, count=1, seed=1)
    untouched = project.sentences.filter(purpose="judge", sheet=None, assignments=None)
    for head in untouched.order_by("number")[:1]:
        shown = answer_sheet(head, project).segments
        choices: dict[str, int | None] = {c.key: 31 for segment in shown for c in segment.cards}
        make_practice(project=project, number=head.number, choices=choices, explanations={})
    return project


def chosen_systems(folder: Path) -> Project:
    """Return documents that were each judged on two systems, which were chosen for them."""
    project = document_project.prepared(
        folder,
        kind="contrastive_error_spans",
        name="Chosen systems",
        sheet_choice="dynamic",
        sheet_systems=2,
        sheets_of_document=1,
        first_documents=1,
    )
    for name in ("jana", "petr"):
        annotator = make_annotator(project, name)
        document_project.judge(annotator, assign_next(annotator, project))
    return project


def batches(folder: Path) -> Project:
    """Return batches of direct assessment, one of them begun."""
    project = assessed_project.prepared(folder, batches=True)
    assessed_project.shorten_batches(project)
    jana = make_annotator(project)
    for _item in range(4):
        assessed_project.assess(jana, project)
    return project


def tutorial(_folder: Path) -> Project:
    """Return categories of errors with the shipped tutorial."""
    project = make_project("MQM", kind="mqm", sentences=1, segments={"0 1 2 3 4 5 6": [mqm.TEXT]})
    mqm.answer(assign_next(make_annotator(project), project), mqm.MARKED)
    add_tutorial(project=project)
    return project


def scores(_folder: Path) -> Project:
    """Return several scores, one of them revised."""
    project = several_scores.new_project("Scores")
    several_scores.answer(assignment := assign_next(make_annotator(project), project))
    several_scores.answer(assignment, "Fluency 5, Adequacy 0, XSTS 1", 5, revise)
    return project


def edits(_folder: Path) -> Project:
    """Return post-edited texts."""
    return edited_project("Edits")


PROJECTS: list[Callable[[Path], Project]] = [
    segments,
    documents,
    chosen_systems,
    batches,
    tutorial,
    scores,
    edits,
]
RELEASED = Path(__file__).with_name("released")


def write_exports(projects: Path, scratch: Path) -> None:
    """Export all projects in all formats into folders of their names."""
    for make in PROJECTS:
        (scratch / make.__name__).mkdir()
        project = make(scratch / make.__name__)
        folder = projects / make.__name__
        folder.mkdir(parents=True)
        for name, one in EXPORT_FORMATS.items():
            # The pickle has what the JSON has.
            if name != "pickle" and one.has_kind(kind_of(project)):
                ending = ".gz" if name == "archive" else ""
                # Some formats have no place for line breaks in texts.
                with suppress(InputError):
                    export_project(project=project, format_name=name, to=folder / f"{name}{ending}")
