"""How well annotators agree so far, for pages and programs that do not wait for a report."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import perf_counter
from typing import Final

from django.core.cache import cache

from annotation.common.caching import counts_version, project_key
from annotation.models import Project
from annotation.process import clock
from annotation.selectors.judged_sentences import judged_since, last_submission
from annotation.selectors.judgements import has_more_judgements_than
from evaluation.findings.report import Report
from evaluation.findings.serialisation import from_json, shape_of
from evaluation.models import StoredReport, default_options
from evaluation.services.loading import load
from evaluation.stats.agreement.intervals import Kappa
from evaluation.stats.agreement.kappa import Agreement, measure_agreement, only_ties

# With more judgements, agreement is taken from the report and not measured during a request.
MOST_JUDGEMENTS: Final = 20_000
# Agreement is not measured again before this many times the seconds that it took.
REST: Final = 20
A_DAY: Final = 86_400


@dataclass(frozen=True)
class KappaSoFar:
    """Pairs of candidates on which two judgements agree, and κ; `undefined` says why it is None.

    They are in `sentences` sentences; `only_ties`: in all of these judgements, all are tied.
    """

    agree: int
    compared: int
    kappa: float | None
    undefined: str
    sentences: int = 0
    only_ties: bool = False


@dataclass(frozen=True)
class AgreementSoFar:
    """Agreement of all judgements up to the submission `until`.

    `made` is when it was measured, which took `seconds`; `missing` judgements are newer.
    """

    intra: KappaSoFar
    inter: KappaSoFar
    until: int
    made: datetime
    seconds: float = 0.0
    missing: int = 0


def agreement_so_far(project: Project) -> AgreementSoFar | None:
    """Return the agreement of all judgements; of those up to some time ago if measuring is slow.

    The stored report is used if it is up to date. None if agreement was never measured.
    """
    key = project_key(f"agreement:{counts_version(project)}", project)
    measured: AgreementSoFar | None = cache.get(key)
    known = [one for one in (_reported(project), measured) if one]
    latest = max(known, key=lambda one: one.until, default=None)
    last = last_submission(project)
    if latest and latest.until >= last:
        return latest
    rests = measured and clock.now() < measured.made + timedelta(seconds=REST * measured.seconds)
    if not rests and not has_more_judgements_than(project, MOST_JUDGEMENTS):
        begun = perf_counter()
        report = measure_agreement(load(project))
        now, seconds = clock.now(), perf_counter() - begun
        # Submissions after `last` may be in it, and will be counted as missing.
        measured = AgreementSoFar(_kappa(report.intra), _kappa(report.inter), last, now, seconds)
        cache.set(key, measured, A_DAY)
        return measured
    return latest and replace(latest, missing=judged_since(project, latest.until))


def _kappa(agreement: Agreement) -> KappaSoFar:
    why = agreement.undefined
    return KappaSoFar(
        agreement.agree,
        agreement.compared,
        agreement.kappa,
        why.value if why else "",
        agreement.sentences or 0,
        agreement.only_ties,
    )


def _reported(project: Project) -> AgreementSoFar | None:
    """Return the agreement of the report with default options; reads only these values of it.

    None where an administrator has changed what counts since it was computed.
    """
    paths = ("intra", "inter", "tau_b__intra__pairs", "tau_b__inter__pairs")
    reports = StoredReport.objects.filter(
        project=project,
        key=default_options(project).key,
        made__isnull=False,
        shape=shape_of(Report),
    )
    figures = [f"data__agreement__{path}" for path in paths]
    row = reports.values_list("last_submission", "made", "seconds", *figures).first()
    if row is None:
        return None
    until, made, seconds, intra, inter, intra_taus, inter_taus = row
    # As StoredReport.data_began; `started` may be that of a computation which failed.
    began = made - timedelta(seconds=seconds or 0)
    if project.counts_changed and began <= project.counts_changed:
        return None
    return AgreementSoFar(
        _reported_kappa(from_json(intra, Kappa), taus=intra_taus),
        _reported_kappa(from_json(inter, Kappa), taus=inter_taus),
        until,
        made,
    )


def _reported_kappa(found: Kappa, taus: int) -> KappaSoFar:
    return KappaSoFar(
        found.agree,
        found.compared,
        found.kappa.value,
        found.kappa.undefined,
        found.sentences,
        only_ties(found.agree, found.compared, any_tau=bool(taus)),
    )
