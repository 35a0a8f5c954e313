"""Speed and agreement while people judge."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import perf_counter
from typing import Final

from django.core.cache import cache
from django.utils import timezone

from annotation.models import Project
from annotation.selectors import judgements as selectors
from annotation.selectors.judged_sentences import judged_since
from annotation.selectors.judgements import Speed
from evaluation.models import StoredReport
from evaluation.report.options import ReportOptions
from evaluation.services.loading import load
from evaluation.stats.agreement.kappa import Agreement, measure_agreement
from evaluation.stats.annotators.statistics import TOO_LONG

# A submission that commits late may have a lower id than the last one: count again after 10 min.
SPEEDS_CACHED: Final = 600
# With more judgements, agreement is taken from the report and not measured during a request.
MOST_JUDGEMENTS: Final = 20_000
# Agreement is not measured again before this many times the seconds that it took.
REST: Final = 20
A_DAY: Final = 86_400


@dataclass(frozen=True)
class KappaSoFar:
    """Pairs of candidates on which two judgements agree, and κ; `undefined` says why it is None."""

    agree: int
    compared: int
    kappa: float | None
    undefined: str


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


def speeds(project: Project, last: int) -> dict[int, Speed]:
    """Return the speed of each annotator by id; `last` is the last submission of the project."""
    found: dict[int, Speed] | None = cache.get_or_set(
        _cache_key(f"speeds:{last}", project),
        lambda: selectors.speeds(project, too_long=TOO_LONG),
        SPEEDS_CACHED,
    )
    return found or {}


def agreement_so_far(project: Project, *, last: int, judgements: int) -> AgreementSoFar | None:
    """Return the agreement of all judgements; of those up to some time ago if measuring is slow.

    `last` is the last submission of the project, and `judgements` the number of its judgements.
    The stored report is used if it is up to date. None if agreement was never measured.
    """
    key = _cache_key("agreement", project)
    measured: AgreementSoFar | None = cache.get(key)
    known = [one for one in (_reported(project), measured) if one]
    latest = max(known, key=lambda one: one.until, default=None)
    if latest and latest.until >= last:
        return latest
    rests = measured and timezone.now() < measured.made + timedelta(seconds=REST * measured.seconds)
    if judgements <= MOST_JUDGEMENTS and not rests:
        measured = _measure(project, last)
        cache.set(key, measured, A_DAY)
        return measured
    return latest and replace(latest, missing=judged_since(project, latest.until))


def _measure(project: Project, last: int) -> AgreementSoFar:
    """Measure agreement; submissions after `last` may be in it, and will be counted as missing."""
    begun = perf_counter()
    report = measure_agreement(load(project))
    now, seconds = timezone.now(), perf_counter() - begun
    return AgreementSoFar(_kappa(report.intra), _kappa(report.inter), last, now, seconds)


def _kappa(agreement: Agreement) -> KappaSoFar:
    why = agreement.undefined
    return KappaSoFar(
        agreement.agree, agreement.compared, agreement.kappa, why.value if why else ""
    )


def _reported(project: Project) -> AgreementSoFar | None:
    """Return the agreement of the report with default options; reads only these values of it."""
    names = ("agree", "compared", "kappa", "undefined")
    paths = [f"data__agreement__{kind}__{name}" for kind in ("intra", "inter") for name in names]
    reports = StoredReport.objects.filter(
        project=project, key=ReportOptions().key, made__isnull=False
    )
    row = reports.values_list("last_submission", "made", *paths).first()
    if row is None:
        return None
    until, made, *figures = row
    return AgreementSoFar(KappaSoFar(*figures[:4]), KappaSoFar(*figures[4:]), until, made)


def _cache_key(name: str, project: Project) -> str:
    # The id of a deleted project can be given to a new one: the time of creation tells them apart.
    return f"{name}:{project.pk}:{project.created.timestamp()}"
