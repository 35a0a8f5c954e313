"""A sheet of each kind of judgement, judged with the mouse and by keys."""

import pytest
from playwright.sync_api import expect

from annotation.kinds import KINDS
from annotation.kinds.answers import Answer, Score, Steps
from annotation.kinds.several_scores import SeveralScores
from annotation.kinds.units import SegmentsOfSentence
from tests.browser.judging_page import (
    assert_light,
    checked,
    drag,
    expect_state,
    pieces,
    press,
    submit,
)

# Two systems' whole translations, which contain the candidates of segment 3–5.
MAKE = """
from annotation.models import *
from annotation.formats.tokens import split_at_spaces
from annotation.kinds import kind_of
from annotation.kinds.answers import OwnSteps
from annotation.kinds.units import SegmentsOfSentence
project = Project.objects.get(pk={project})
project.kind = {kind!r}
if project.kind == "scores":
    project.answer_options = "\\n".join(["Fluency 0-5", "Adequacy 0-100 step 5",
        "XSTS 1-5: different topics | same topic | mostly equivalent | paraphrase | equivalent"])
if isinstance(kind_of(project).answer, OwnSteps):
    project.answer_options = "\\n".join(["{{5}}", "4", "3", "2", "1"])
project.save()
for number, sentence in enumerate(project.sentences.all()):
    segment = sentence.segments.first()
    for candidate in segment.candidates.all():
        Candidate.objects.filter(pk=candidate.pk).update(text=f"{{candidate.text}} {{number}}")
    if not isinstance(kind_of(project).unit, SegmentsOfSentence):
        words = range(len(sentence.tokenized))
        Segment.objects.filter(pk=segment.pk).update(token_indices=" ".join(map(str, words)))
    candidates = segment.candidates.order_by("pk")
    for system, candidate in zip(project.systems.order_by("pk"), candidates):
        count = len(candidate.text.split())
        text = f"Sešli se {{candidate.text}} ."
        Translation.objects.create(sentence=sentence, system=system, text=text,
            tokens=split_at_spaces(text).places,
            alignment=" ".join(f"{{min(i, 2)}}-{{2 + i}}" for i in range(count)))
"""


# Their sheets differ from those of others by texts alone, or have their own tests.
ALIKE = {"adequacy", "direct_assessment_source", "error_spans"}


def kinds(*answers, has_board):
    """Return the kinds with such an answer; `slow` those whose sheets are like others.

    Several scores have a module of their own.
    """
    return [
        pytest.param(kind, id=kind.name, marks=[pytest.mark.slow] * (kind.name in ALIKE))
        for kind in KINDS.values()
        if isinstance(kind.answer, answers)
        and kind.answer.has_board is has_board
        and not isinstance(kind.answer, SeveralScores)
    ]


def make(site, kind) -> int:
    project: int = site.add_project(kind.name, [7], sentences=2)
    site.installation.execute(MAKE.format(project=project, kind=kind.name))
    return project


@pytest.mark.parametrize("kind", kinds(Answer, has_board=True))
def test_a_sheet_is_judged_by_dragging_and_by_keys(inspected, site, kind):
    project = make(site, kind)
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    assert_light(page, has_board=True)
    cards = page.locator(".candidate")
    expect(cards).to_have_count(kind.unit.most_cards or 7)
    expect(page.locator(".piece .in-context mark").first).to_have_count(int(kind.shown.context))
    expect(page.locator(".segment-source")).to_have_count(
        int(isinstance(kind.unit, SegmentsOfSentence))
    )
    inspected.look(f"sheet of {kind.name}")

    places = {}
    for number, card in enumerate(cards.all()):
        values = [choice.get_attribute("value") for choice in card.locator("input").all()]
        places[card.get_attribute("data-card")] = values[(3 * number + 2) % len(values)]
    drag(page, *next(pieces(page, places)))
    press(page, *("G" if places[key] == "garbage" else places[key] for key in [*places][1:]))
    assert checked(page) == places
    assert submit(page) != ""
    assert site.placements(jana.name) == places
    # The next sheet has boards of its own.
    drag(page, *next(pieces(page, {"1-1": "1"})))
    assert checked(page) == {"1-1": "1"}


@pytest.mark.parametrize("kind", kinds(Steps, has_board=False))
def test_steps_on_cards_are_chosen_by_keys_one_card_after_the_other(inspected, site, kind):
    project = make(site, kind)
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    assert_light(page, has_board=False)
    inspected.look(f"sheet of {kind.name}")
    cards = page.locator(".candidate").all()
    # Where texts are edited, the steps between say that one was.
    worst = kind.answer.worst
    steps = (1, worst) if kind.answer.has_details else range(1, 1 + worst)
    places = {
        card.get_attribute("data-card"): str(steps[number % len(steps)])
        for number, card in enumerate(cards)
    }

    press(page, *places.values())

    assert checked(page) == places
    expect_state(page, "saved")
    page.reload()
    assert checked(page) == places
    assert submit(page) != ""
    assert site.placements(jana.name) == places


@pytest.mark.parametrize("kind", kinds(Score, has_board=False))
def test_a_sheet_is_scored_with_the_slider_by_keys_and_as_numbers(inspected, site, kind):
    project = make(site, kind)
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    assert_light(page, has_board=False)
    cards = page.locator(".candidate")
    inspected.look(f"sheet of {kind.name}")

    scores = {}
    for number, card in enumerate(cards.all()):
        slider, field = card.locator(".slider"), card.locator(".score-number")
        expect(field).to_have_value("")
        if number % 2:
            slider.click()
            press(page, "ArrowRight", "ArrowRight")
        else:
            field.fill(str(10 * number))
            field.blur()
        scores[card.get_attribute("data-card")] = int(field.input_value())
    press(page, "Control+z")
    page.locator(".redo").click()
    expect_state(page, "saved")
    page.reload()
    inspected.look(f"scored sheet of {kind.name}")
    assert {
        card.get_attribute("data-card"): int(card.locator(".score-number").input_value())
        for card in cards.all()
    } == scores
    assert submit(page) != ""
    assert site.placements(jana.name) == {
        key: str(kind.answer.rank_of(score)) for key, score in scores.items()
    }
    # The next sheet has sliders of its own.
    expect(page.locator(".slider.is-unset")).to_have_count(len(scores))
    page.locator(".slider").first.click()
    expect(page.locator(".score-number").first).not_to_have_value("")


def test_texts_are_corrected_by_mouse_and_keys(inspected, site):
    project = make(site, KINDS["post_editing"])
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    first, second, third, *others = page.locator(".candidate").all()
    inspected.look("sheet of post_editing")

    def answer(card):
        return card.locator("input:checked").get_attribute("value")

    area = first.locator("textarea")
    output = area.input_value()
    changed = output.replace("dveř", "vrat", 1) if "dveř" in output else f"{output} nová"
    # The answer follows the text, and back.
    area.fill(changed)
    assert answer(first) == "2"
    expect(first.locator(".changes ins")).not_to_have_count(0)
    area.fill(output)
    expect(first.locator("input:checked")).to_have_count(0)
    area.fill(changed)
    # Another answer restores the text, and both can be undone.
    first.locator(".choice").nth(2).click()
    expect(area).to_have_value(output)
    page.locator(".undo").click()
    expect(area).to_have_value(changed)
    assert answer(first) == "2"
    # Without a change nothing is edited.
    second.locator(".choice").nth(1).click()
    expect(second.locator("textarea")).to_be_focused()
    expect(second.locator("input:checked")).to_have_count(0)
    second.locator("input").first.focus()
    press(page, "1")
    for card in (third, *others):
        card.locator("input").first.focus()
        press(page, "3")
    expect_state(page, "saved")
    page.reload()
    expect(area).to_have_value(changed)
    inspected.look("edited sheet")
    places = {"1-1": "2", "1-2": "1"} | {f"1-{n + 3}": "3" for n in range(1 + len(others))}
    assert submit(page) != ""
    assert site.placements(jana.name) == places
    stored = "list(Edit.objects.filter({}).values_list('text', flat=True))".format(
        f"placement__candidate__segment__sentence__project={project}"
    )
    assert site.query(stored) == [changed]
    # The next sheet has texts of its own.
    new = area.input_value()
    assert new[-1] != output[-1]
    area.fill(f"{new}, nově")
    assert answer(first) == "2"
    first.locator(".restore").click()
    expect(area).to_have_value(new)
