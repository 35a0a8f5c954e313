"""What a campaign of Pearmut has besides texts, as parts of a project of its kind."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from itertools import chain

from annotation.formats.errors import InputError
from annotation.formats.marked_errors import MarkedError
from annotation.formats.pearmut import Campaign, Check, Item, Range, expected_errors
from annotation.formats.pearmut_categories import name_of
from annotation.formats.pearmut_texts import CampaignTexts, TutorialTexts, line_of
from annotation.formats.placed_errors import placed_spans
from annotation.formats.score_scales import write_scores
from annotation.formats.span_notation import Span
from annotation.kinds.answers import Answer, InvalidAnswer, Score
from annotation.kinds.marked_errors import ErrorsAlone, MarkedErrors, Marking
from annotation.kinds.several_scores import SeveralScores
from annotation.models import Control, GivenOrigin
from annotation.projects.options import (
    CampaignControl,
    CampaignErrors,
    CampaignGold,
    CampaignParts,
)

LONGEST_EXPLANATION = 2000


def parts_of(
    campaign: Campaign, texts: CampaignTexts, answer: Answer, left_out: Counter[str]
) -> CampaignParts:
    """Return the errors marked before, and the control and practice sheets of a campaign.

    What a project does not take is added to `left_out`. Raises InputError.
    """
    errors = _given(texts, answer, left_out)
    if isinstance(answer, ErrorsAlone) and campaign.sliders != ():
        left_out["beside"] += sum(map(bool, chain.from_iterable(texts.outputs.values())))
    return CampaignParts(
        origin=campaign.campaign_id[: GivenOrigin.LONGEST_NAME],
        # Lists without errors say that a program looked for them, if there are any others.
        errors=errors if any(one.detail for one in errors) else [],
        controls=[
            CampaignControl(
                one.system,
                list(one.systems),
                list(one.copies.items()),
                one.message[: Control.LONGEST_MESSAGE],
            )
            for one in texts.controls
        ],
        practice=[_practice(one, answer, campaign.special_tokens) for one in texts.tutorials],
        practice_required=not all(one.skippable for one in texts.tutorials),
    )


def _given(texts: CampaignTexts, answer: Answer, left_out: Counter[str]) -> list[CampaignErrors]:
    if not isinstance(answer, Marking):
        left_out["given"] += sum(bool(one.errors) for one in texts.given)
        return []
    found = []
    for one in texts.given:
        usable = [error for error in one.errors if error.severity]
        left_out["marks"] += len(one.errors) - len(usable)
        spans = list(_spans(usable, one.text, one.source))
        known = [span for span in spans if _is_known(answer, span)]
        left_out["categories"] += len(spans) - len(known)
        detail = answer.given_detail(known, candidate=line_of(one.text))
        found.append(CampaignErrors(one.line, one.system, detail))
    return found


def _is_known(answer: Marking, span: Span) -> bool:
    """Return whether the project has the severity and category, if it has any of its own."""
    if answer.typology is None:
        return True
    try:
        answer.typology.check([span])
    except InputError:
        return False
    return True


def _spans(errors: Iterable[MarkedError], text: str, source: str) -> Iterator[Span]:
    """Yield the errors at their places in the lines of the project."""
    for error in errors:
        for span in placed_spans(error, (text, line_of(text)), (source, line_of(source))):
            yield span._replace(category=name_of(span.category))


# --- gold answers --------------------------------------------------------------------------------


def gold_of(
    answer: Answer, item: Item, system: str, tokens: Sequence[str]
) -> tuple[int, str] | None:
    """Return the rank and the detail of the right answer by the rule of an item.

    It is in the middle of what the rule allows; None where there is no rule, or it says less than
    a whole answer.
    """
    check = item.checks.get(system)
    if check is None:
        return None
    try:
        return _gold(answer, check, item, system, tokens)
    except (InputError, InvalidAnswer):
        return None


@singledispatch
def _gold(
    answer: Answer, check: Check, item: Item, system: str, tokens: Sequence[str]
) -> tuple[int, str] | None:
    raise NotImplementedError(answer)


@_gold.register
def _score(
    answer: Score, check: Check, item: Item, system: str, tokens: Sequence[str]
) -> tuple[int, str] | None:
    score = _middle(check.score, answer.scores)
    return None if score is None else (answer.rank_of(score), "")


@_gold.register
def _scores(
    answer: SeveralScores, check: Check, item: Item, system: str, tokens: Sequence[str]
) -> tuple[int, str] | None:
    scores = {one.name: _middle(check.sliders.get(one.name), one.scores) for one in answer.scales}
    given = {name: score for name, score in scores.items() if score is not None}
    if len(given) < len(scores):
        return None
    first = answer.scales[0]
    return first.rank_of(given[first.name]), write_scores(given, answer.scales)


@_gold.register
def _marks_and_score(
    answer: MarkedErrors, check: Check, item: Item, system: str, tokens: Sequence[str]
) -> tuple[int, str] | None:
    score = _middle(check.score, answer.scores)
    detail = _detail(answer, check, item, system, tokens)
    return None if score is None or detail is None else (answer.rank_of(score), detail)


@_gold.register
def _marks(
    answer: ErrorsAlone, check: Check, item: Item, system: str, tokens: Sequence[str]
) -> tuple[int, str] | None:
    detail = _detail(answer, check, item, system, tokens)
    return None if detail is None else (answer.rank_of_detail(detail), detail)


def _detail(
    answer: Marking, check: Check, item: Item, system: str, tokens: Sequence[str]
) -> str | None:
    text = item.outputs[system]
    errors = expected_errors(check, text, tokens)
    if errors is None:
        return None
    return answer.given_detail(_spans(errors, text, item.source), candidate=line_of(text))


def _middle(between: Range | None, scores: Sequence[int]) -> int | None:
    """Return the score nearest to the middle; None if there is none within the bounds."""
    if between is None:
        return None
    allowed = [one for one in scores if between[0] <= one <= between[1]]
    middle = sum(between) / 2
    return min(allowed, key=lambda one: abs(one - middle), default=None)


def _practice(tutorial: TutorialTexts, answer: Answer, tokens: Sequence[str]) -> list[CampaignGold]:
    """Return the gold answers of a tutorial, all of whose rules have one."""
    warnings: dict[int, dict[str, None]] = {}
    for (line, system), item in tutorial.items.items():
        if warning := item.checks[system].warning:
            warnings.setdefault(line, {})[warning] = None
    found = []
    for (line, system), item in tutorial.items.items():
        if gold := gold_of(answer, item, system, tokens):
            explanation = "\n".join(warnings.get(line, ()))[:LONGEST_EXPLANATION]
            found.append(CampaignGold(line, system, *gold, explanation))
    return found
