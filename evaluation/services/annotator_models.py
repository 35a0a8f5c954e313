"""Models of the annotators of a project who put each candidate on a step by itself.

Scores of single translations are in `project_assessments`, because control items tell of their
annotators.
"""

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import Project
from evaluation.findings.annotator_models import AnnotatorModels, compute
from evaluation.findings.options import AnnotatorModelOptions
from evaluation.meta.mean_scores import StepValues
from evaluation.services.findings import provenance
from evaluation.services.kinds import answer_of, has_assessments
from evaluation.services.loading import load
from evaluation.services.project_texts import load_texts
from evaluation.stats.judgements import UNIDENTIFIED


def check_modelled(project: Project) -> StepValues:
    """Return what the steps of the project's kind count as. Cheap.

    Raises InputError for rankings and for scores of single translations: no model is for them.
    """
    values = answer_of(project).values
    if values is None:
        raise InputError(
            _(
                "Annotators of %(project)r rank candidates: such models need answers about each "
                "candidate by itself."
            ),
            project=project.name,
        )
    if has_assessments(project):
        raise InputError(
            _(
                "Annotators of %(project)r score single translations: the model of their scores is "
                "computed on the server, by `manage.py score_assessments --project … --model`."
            ),
            project=project.name,
        )
    return values


def annotator_models(project: Project, options: AnnotatorModelOptions) -> AnnotatorModels:
    """Fit all models that suit the project's kind of judgement: seconds to minutes.

    Raises InputError as `check_modelled` does, and without answers of identified annotators.
    """
    scale, values = answer_of(project).scale, check_modelled(project)
    with snapshot():
        judgements = load(project)
        texts = load_texts(project) if scale.steps else None
    if not judgements.candidate_ranks[judgements.annotators != UNIDENTIFIED].any():
        raise InputError(
            _("No answers of identified annotators count in %(project)r yet."), project=project.name
        )
    return compute(
        judgements,
        values,
        options,
        project=project.name,
        kind=project.kind,
        steps=scale.steps,
        grades=scale.grades,
        texts=texts,
        provenance=provenance(project),
    )
