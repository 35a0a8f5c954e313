"""A small project with whole outputs of systems, and judgements of two annotators."""

from annotation.models import Project, Translation
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project, places

REFERENCE = "starý dům stojí blízko u řeky"
# By system: B has the reference, C is far from it.
OUTPUTS = {
    "A": "starý dům stojí u řeky",
    "B": REFERENCE,
    "C": "ten domek je někde tam",
}


def add_outputs(project: Project) -> None:
    """Give all sentences a reference and outputs of the systems."""
    systems = {system.name: system for system in project.systems.all()}
    sentences = list(project.sentences.filter(purpose="judge"))
    Translation.objects.filter(sentence__in=sentences).delete()
    Translation.objects.bulk_create(
        Translation(
            sentence=sentence, system=system, reference=number, text=text, tokens=places(text)
        )
        for sentence in sentences
        for system, number, text in (
            (None, 1, REFERENCE),
            *((systems[name], None, text) for name, text in OUTPUTS.items()),
        )
    )


def make_judged_project(
    *, name: str = "houses", sentences: int = 3, outputs: bool = True
) -> Project:
    """Return a project of three systems in which two annotators judged all sentences."""
    project = make_project(name, sentences=sentences)
    if outputs:
        add_outputs(project)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for number in range(1, sentences + 1):
        submit(project, jana, number, {"0 1 2": [2, 1, 3], "4 5 6": [2, 1]})
        submit(project, petr, number, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})
    return project
