"""The ranking of the systems that an administrator left undecided, apart from that of all.

Its estimand is another: the share of comparisons won against the other undecided systems. Narrowed
judgements compare these systems only, and are in no other figure of a project.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from annotation.common.transactions import snapshot
from annotation.models import Project
from annotation.projects.undecided_systems import decision_in_force, decisions_to_use
from annotation.selectors.judgements import narrowed_judgements
from evaluation.findings.undecided import UndecidedRanking
from evaluation.services.loading import load, load_controls
from evaluation.stats.annotators.exclusion import leave_out
from evaluation.stats.judgements import MISSING, Judgements
from evaluation.stats.ranking.significance import compare_pairs
from evaluation.stats.ranking.systems import rank_all
from evaluation.stats.units import SENTENCES, Unit

METHOD = "ratio_of_wins"


def undecided_ranking(
    project: Project,
    provenance: Sequence[str],
    *,
    resamples: int = 1000,
    seed: int = 0,
    unit: Unit = SENTENCES,
    filters: Mapping[str, Any] | None = None,
) -> UndecidedRanking | None:
    """Rank the undecided systems by ratio of wins against each other, from all judgements of them.

    Of judgements that compare all systems, the undecided ones' candidates count. None, without a
    query, where no system is decided. `filters` are the arguments of `leave_out` that exclude
    judgements; κ is then that of these judgements. `provenance` ends the signatures.
    """
    decision = decision_in_force(project)
    if decision is None:
        return None
    used = decisions_to_use(project, decision)
    with snapshot():
        every = load(project, with_documents=unit.name == "document", narrowed_by=used)
        of_all_systems = load(project)
        controls = load_controls(project)
        unused = narrowed_judgements(project) - narrowed_judgements(project, used)
    compared = comparing(every.without_systems(decision.decided)).sampled_by(unit)
    not_narrowed = comparing(of_all_systems.without_systems(decision.decided))
    kept, _left_out = leave_out(compared, controls, **(filters or {}))
    among = f"among {', '.join(kept.system_names)} only"
    kept = replace(kept, provenance=(among, *kept.provenance, *provenance))
    return UndecidedRanking(
        systems=kept.system_names,
        decided=tuple(decision.decided),
        when=decision.when.isoformat(timespec="seconds"),
        by=decision.by,
        estimand="share of comparisons won against the other undecided systems: "
        f"{', '.join(kept.system_names)}",
        judgements=len(compared),
        sentences=compared.sentences_judged,
        narrowed=len(compared) - len(not_narrowed),
        unused=unused,
        ranking=rank_all(kept, resamples=resamples, seed=seed, methods=(METHOD,))[METHOD],
        significance=compare_pairs(kept, draws=resamples, seed=seed),
    )


def comparing(judgements: Judgements) -> Judgements:
    """Return the judgements that rank two or more different candidates of their systems.

    A narrowed assignment shows no other segments, so neither may count of those before.
    """
    columns, is_ranked = judgements.system_candidates, judgements.system_ranks != MISSING
    last = np.where(is_ranked, columns, -1).max(axis=1, initial=-1)
    first = np.where(is_ranked, columns, np.iinfo(np.int32).max).min(
        axis=1, initial=np.iinfo(np.int32).max
    )
    return judgements.select(first < last)
