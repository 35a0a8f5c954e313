"""Speed and agreement while people judge: from what is known already, as far as it goes."""

from dataclasses import dataclass, field
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

# Speeds are counted anew after so long: what is committed late may have an earlier id.
COUNTED_ANEW: Final = timedelta(minutes=10)
# Of more, nobody who looks at a page has them read: the report has their agreement.
MOST_JUDGEMENTS: Final = 20_000
# Agreement rests for so many times what it took to measure.
REST: Final = 20
# Seconds.
A_DAY: Final = 86_400


@dataclass(frozen=True)
class Speeds:
    """The speed of each annotator by id, from all submissions until one."""

    until: int
    begun: datetime
    by_annotator: dict[int, Speed] = field(default_factory=dict)

    @property
    def together(self) -> Speed:
        return sum(self.by_annotator.values(), Speed())


@dataclass(frozen=True)
class KappaSoFar:
    """Pairs of candidates that two judgements order alike, and κ; if undefined, why."""

    agree: int
    compared: int
    kappa: float | None
    undefined: str


@dataclass(frozen=True)
class AgreementSoFar:
    """Agreement of all judgements until a submission, when it was measured, and what is newer."""

    intra: KappaSoFar
    inter: KappaSoFar
    until: int
    made: datetime
    missing: int = 0


@dataclass(frozen=True)
class _Measured:
    agreement: AgreementSoFar
    seconds: float


def speeds(project: Project, last: int) -> Speeds:
    """Return the speeds until the submission `last`: only what is new is read, by one query."""
    now = timezone.now()
    key = _key("speeds", project)
    known: Speeds | None = cache.get(key)
    if known is None or known.begun < now - COUNTED_ANEW:
        known = Speeds(0, now)
    if known.until >= last:
        return known
    new = selectors.speeds(project, after=known.until, until=last, too_long=TOO_LONG)
    together = known.by_annotator | {
        who: known.by_annotator.get(who, Speed()) + speed for who, speed in new.items()
    }
    found = Speeds(last, known.begun, together)
    cache.set(key, found, A_DAY)
    return found


def agreement_so_far(project: Project, *, last: int, judgements: int) -> AgreementSoFar | None:
    """Return κ of all judgements if that is quickly known, else of those until some time ago.

    It is the report's if that is fresh, or what was measured here when `last` was the last
    submission; else it is measured, unless there are too many `judgements` or it was measured a
    moment ago. None where nobody ever measured it.
    """
    key = _key("agreement", project)
    measured: _Measured | None = cache.get(key)
    known = [_reported(project), measured.agreement if measured else None]
    latest = max((one for one in known if one), key=lambda one: one.until, default=None)
    if latest is not None and latest.until >= last:
        return latest
    if judgements <= MOST_JUDGEMENTS and not _rests(measured):
        measured = _measure(project, last)
        cache.set(key, measured, A_DAY)
        return measured.agreement
    if latest is None:
        return None
    missing = judged_since(project, latest.until)
    return AgreementSoFar(latest.intra, latest.inter, latest.until, latest.made, missing)


def _rests(measured: _Measured | None) -> bool:
    if measured is None:
        return False
    return timezone.now() - measured.agreement.made < timedelta(seconds=REST * measured.seconds)


def _measure(project: Project, last: int) -> _Measured:
    begun = perf_counter()
    # What comes in meanwhile is in it, and not in `last`: it is measured again, never forgotten.
    report = measure_agreement(load(project))
    agreement = AgreementSoFar(_kappa(report.intra), _kappa(report.inter), last, timezone.now())
    return _Measured(agreement, perf_counter() - begun)


def _kappa(agreement: Agreement) -> KappaSoFar:
    why = agreement.undefined
    return KappaSoFar(
        agreement.agree, agreement.compared, agreement.kappa, why.value if why else ""
    )


def _reported(project: Project) -> AgreementSoFar | None:
    """Return what the report with the usual options says, without reading the rest of it."""
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


def _key(what: str, project: Project) -> str:
    # Not by the id alone, which another project could get once this one is gone.
    return f"{what}-so-far:{project.pk}:{project.created.timestamp()}"
