"""A copy of a project has all of its texts and none of its judgements."""

import pytest

from annotation.common.exceptions import NotPossible
from annotation.judging.practice import retire
from annotation.models import (
    Answer,
    Assignment,
    Candidate,
    Control,
    ExpectedPlacement,
    Job,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
    User,
)
from annotation.pipeline.jobs import Outcome
from annotation.pipeline.project_copy import copy_texts, new_copy
from annotation.projects.deletion import delete_project
from annotation.projects.exclusion import set_excluded
from annotation.projects.undecided_systems import KEY as DECISIONS
from annotation.selectors.exclusion import Excluded, excluded_of
from tests.annotation.import_export.exchange_files import add_practice_and_controls, worked_on
from tests.factories import assign_next, make_annotator
from tests.jobs import run_job

pytestmark = pytest.mark.django_db
# The texts of a project, by their path to the project, with what must be the same in a copy.
TEXTS = {
    System: ("project", ["name"]),
    Sentence: (
        "project",
        ["purpose", "number", "document", "text", "tokens", "tree", "copy_of__number", "retired"],
    ),
    Translation: ("sentence__project", ["sentence__number", "system__name", "text", "alignment"]),
    Segment: ("sentence__project", ["sentence__number", "token_indices", "sampled"]),
    Candidate: ("segment__sentence__project", ["segment__token_indices", "text", "is_duplicate"]),
    Projection: (
        "segment__sentence__project",
        ["segment__token_indices", "system__name", "candidate__text"],
    ),
    Answer: ("segment__sentence__project", ["segment__token_indices", "explanation"]),
    ExpectedPlacement: (
        "answer__segment__sentence__project",
        ["candidate__text", "rank", "ranks_offered"],
    ),
    Control: ("segment__sentence__project", ["kind", "original__text", "changed__text"]),
}


@pytest.fixture
def project() -> Project:
    project = worked_on()
    add_practice_and_controls(project)
    Sentence.objects.update(retired=False)
    return project


@pytest.fixture
def boss(project: Project) -> User:
    return make_annotator(project, "copier", "administrator")


def texts(project: Project) -> dict[str, list[tuple[object, ...]]]:
    return {
        model.__name__: sorted(
            model._default_manager.filter(**{path: project}).values_list(*columns), key=repr
        )
        for model, (path, columns) in TEXTS.items()
    }


def test_all_texts_are_copied_and_no_judgements(project: Project, boss: User) -> None:
    Project.objects.update(provenance={DECISIONS: [{}], "counts": {"sentences": 3}})
    project.refresh_from_db()
    job = new_copy(project=project, name="Copy", by=boss)
    assert run_job(job.pk) is Outcome.DONE
    made = Project.objects.get(name="Copy")
    assert all(texts(project).values())
    assert texts(made) == texts(project)
    assert not Assignment.objects.filter(project=made).exists()
    assert made.memberships.get().user == boss
    assert made.kind == project.kind
    assert DECISIONS not in made.provenance
    assert made.provenance["copy_of"] == {"id": project.pk, "name": project.name}
    # People can judge it, and it can be deleted.
    Project.objects.filter(pk=made.pk).update(state="open")
    assert assign_next(boss, Project.objects.get(pk=made.pk))
    delete_project(made)
    assert not Project.with_hidden.filter(name="Copy").exists()


def test_excluded_texts_stay_excluded(project: Project, boss: User) -> None:
    sentence = project.sentences.filter(purpose="judge")[0]
    set_excluded(project=project, by=boss, sentence=sentence.pk, excluded=True)
    job = new_copy(project=project, name="Copy", by=boss)
    assert run_job(job.pk) is Outcome.DONE
    assert excluded_of(Project.objects.get(name="Copy")) == Excluded(sentences=1)


def test_disabled_copies_of_sentences_are_left_out(project: Project, boss: User) -> None:
    practice = project.sentences.filter(purpose="practice").first()
    assert practice
    retire(project=project, purpose=Sentence.Purpose.PRACTICE, number=practice.number, retired=True)
    run_job(new_copy(project=project, name="Copy", by=boss).pk)
    made = Project.objects.get(name="Copy")
    copied = made.sentences.filter(purpose="practice").count()
    assert copied == project.sentences.filter(purpose="practice").count() - 1


def test_a_second_try_replaces_what_the_first_has_stored(project: Project, boss: User) -> None:
    job = new_copy(project=project, name="Copy", by=boss)
    run_job(job.pk)
    Project.objects.filter(name="Copy").update(state="preparing")
    Job.objects.filter(pk=job.pk).update(state="queued", stage="")
    assert run_job(job.pk) is Outcome.DONE
    assert texts(Project.objects.get(name="Copy")) == texts(project)


def test_a_copy_of_what_is_deleted_meanwhile_fails(project: Project, boss: User) -> None:
    job = new_copy(project=project, name="Copy", by=boss)
    delete_project(project)
    assert run_job(job.pk) is Outcome.FAILED
    assert Project.objects.get(name="Copy").state == Project.State.FAILED


def test_a_finished_copy_is_left_alone(project: Project, boss: User) -> None:
    job = new_copy(project=project, name="Copy", by=boss)
    run_job(job.pk)
    made = Project.objects.get(name="Copy")
    first = made.sentences.order_by("pk").values_list("pk", flat=True)[0]
    job = Job.objects.get(pk=job.pk)
    copy_texts(job, progress=lambda *_: None, writing=None)  # type: ignore[arg-type]
    assert made.sentences.filter(pk=first).exists()


def test_a_taken_name_is_refused(project: Project, boss: User) -> None:
    with pytest.raises(NotPossible):
        new_copy(project=project, name=project.name, by=boss)
    assert Project.objects.count() == 1
