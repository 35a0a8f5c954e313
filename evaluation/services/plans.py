"""Plans of campaigns, from the judgements of a project or from published figures."""

from typing import Final

import numpy as np

from annotation.common.transactions import snapshot
from annotation.formats.answer_times import TOO_LONG
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.kinds import KINDS, Kind, kind_of
from annotation.models import Project
from annotation.selectors.judged_sentences import segment_lengths
from evaluation.findings.evidence import Evidence
from evaluation.findings.options import ReportOptions
from evaluation.findings.plan import Assumptions, Plan, PlanOptions, assumptions_of, make_plan
from evaluation.services.kinds import answer_of
from evaluation.services.loading import load, load_controls
from evaluation.services.project_assessments import assessments_of
from evaluation.services.report_kinds import asked_scale
from evaluation.stats.judgements import MISSING, Judgements
from evaluation.stats.ranking.win_shares import win_shares
from evaluation.stats.resampling import Floats, sums_by
from evaluation.stats.score_means import SystemScores
from evaluation.stats.variance_components import variance_components

# With fewer units, an earlier project says little about the variances.
FEWEST_UNITS: Final = 10
FEWEST_TIMED_SHEETS: Final = 10


def plan_campaign(options: PlanOptions, *, kind: str = "", project: Project | None = None) -> Plan:
    """Return the plan of a campaign of a kind, by default that of the project.

    The assumptions are those of the project's judgements, or else published. Raises InputError
    where there are none, or the options are not enough.
    """
    asked = KINDS[kind] if kind else kind_of(project) if project is not None else None
    if asked is None:
        raise InputError(_("Choose the kind of judgement, or an earlier project."))
    if project is not None:
        if type(kind_of(project).answer) is not type(asked.answer):
            raise InputError(
                _(
                    "The project %(project)r has other answers than this kind: choose a project "
                    "whose answers are the same, or none."
                ),
                project=project.name,
            )
        return make_plan(asked.name, options, assumptions_from(project))
    if asked.experience is None:
        known = [one.name for one in KINDS.values() if one.experience]
        raise InputError(
            _(
                "No figures are published for the kind %(kind)s: choose an earlier project, or one "
                "of %(known)s."
            ),
            kind=asked.name,
            known=", ".join(known),
        )
    return make_plan(asked.name, options, assumptions_of(options, asked.experience))


def plannable_kinds() -> list[Kind]:
    """Return the kinds that can be planned without an earlier project."""
    return [kind for kind in KINDS.values() if kind.experience]


def assumptions_from(project: Project) -> Assumptions:
    """Return what the project's judgements say of times, texts and variances.

    Raises InputError if too little is judged.
    """
    by_documents = kind_of(project).unit.is_document
    options = ReportOptions(unit="document" if by_documents else "sentence")
    with snapshot():
        judgements = load(project, with_documents=by_documents)
        controls = load_controls(project)
        marked = answer_of(project).load_marked_errors(project)
        scales = answer_of(project).load_scales(project)
        assessed = assessments_of(project, with_documents=by_documents)
        lengths = segment_lengths(project)
    evidence = Evidence(
        judgements, options, controls, asked_scale(project), marked=marked, scales=scales
    )
    kept = evidence.judgements
    if assessed is not None:
        items, standardised = assessed.by_system()
        scores = SystemScores(
            standardised.scores,
            items.systems,
            items.segments,
            items.annotators,
            assessed.units(options.sampled)[items.segments],
            len(items.system_names),
        ).select(~np.isnan(standardised.scores))
    else:
        scores = evidence.means or win_shares(kept)
    units, systems = len(np.unique(scores.units)), len(np.unique(scores.systems))
    if units < FEWEST_UNITS or systems < 2:
        raise InputError(
            _(
                "Too little is judged in the project %(project)r: %(found)d documents or sentences "
                "and %(systems)d systems, where a plan needs at least %(least)d and 2. Choose "
                "another project, or none."
            ),
            project=project.name,
            found=units,
            systems=systems,
            least=FEWEST_UNITS,
        )
    words = np.array([lengths.get(pk, 1) for pk in kept.segment_ids.tolist()])
    ranked = assessed is None and evidence.means is None
    seconds, per_word = _times(kept, words, of_lines=ranked)
    lines = np.unique(np.stack([scores.units, scores.segments]), axis=1)[0]
    return Assumptions(
        source=project.name,
        variances=variance_components(scores).variances,
        scores=len(scores),
        lengths=tuple(np.unique(lines, return_counts=True)[1].tolist()),
        words=float(words[kept.segments].mean()),
        seconds=seconds,
        per_word=per_word,
        is_of_line=ranked,
        highest=scores.bounds[1] if np.isfinite(scores.bounds[1]) else None,
    )


def _times(judgements: Judgements, words: Floats, *, of_lines: bool) -> tuple[float | None, float]:
    """Return the seconds for a text and for each word of it, by least squares over sheets.

    Or those for a line with all its texts. None where too few times are known.
    """
    from scipy.optimize import nnls

    known = judgements.seconds < TOO_LONG
    if not known.any():
        return None, 0.0
    sheets, places = np.unique(judgements.sheets[known], return_inverse=True)
    if len(sheets) < FEWEST_TIMED_SHEETS:
        return None, 0.0
    texts = np.ones(int(known.sum()))
    if not of_lines:
        texts = (judgements.candidate_ranks[known] != MISSING).sum(axis=1).astype(np.float64)
    design = np.stack(
        [
            sums_by(places, texts, len(sheets)),
            sums_by(places, texts * words[judgements.segments[known]], len(sheets)),
        ],
        axis=1,
    )
    seconds = sums_by(places, judgements.seconds[known], len(sheets))
    (constant, slope), _rest = nnls(design, seconds)
    return float(constant), float(slope)
