"""Texts whose words, letters and direction only a browser knows."""

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import press, segments
from tests.browser.test_error_spans import cursor


def judged(visit, site, language, *texts, kind="error_spans"):
    """Return the judging page of translations in this language."""
    project = site.add_project(language, [len(texts)], sentences=1, target=language, texts=texts)
    site.query(f"Project.objects.filter(pk={project}).update(kind={kind!r})")
    jana = visit()
    jana.judge(project)
    return jana.page


def marking(page, text):
    """Return where errors in this text are marked, and the field that has them."""
    part = page.locator(".candidate", has_text=text)
    return part.locator(".marked-text"), part.locator('input[name^="detail-"]')


# Offsets count code points: 𠮷 is one, and the family is five.
@pytest.mark.parametrize(
    ("language", "text", "words", "marked"),
    [
        ("zh", "他昨天買了一本NLP書。", ("昨天", "買", "了"), "1-4 minor, 4-5 minor"),
        ("ja", "𠮷野家で👨‍👩‍👧が昨日来た。", ("野家", "で", "👨‍👩‍👧"), "1-4 minor, 4-9 minor"),
        (
            "th",
            "คณะกรรมการตกลงกันแล้ว",
            ("กรรมการ", "ตกลง", "กัน"),
            "3-14 minor, 14-17 minor",
        ),
    ],
)
def test_words_are_marked_where_no_spaces_separate_them(visit, site, language, text, words, marked):
    page = judged(visit, site, language, text)
    element, field = marking(page, text)
    element.focus()
    for key, word in zip(["ArrowRight", "Shift+ArrowRight"], words[:2], strict=True):
        press(page, key)
        assert cursor(page) == word
    press(page, "1", "ArrowRight")
    assert cursor(page) == words[2]
    # The first click begins a selection, and the second one ends it on the same word.
    page.locator(".is-cursor").dblclick()
    assert field.input_value() == marked


@pytest.mark.parametrize(
    ("language", "text", "selected", "marked"),
    [
        # Half of a character beyond the Basic Multilingual Plane, and half of an emoji.
        ("ja", "牛丼は𠮷野家で。", (4, 5), "3-4 minor"),
        ("ja", "牛丼は👨‍👩‍👧と。", (5, 6), "3-8 minor"),
        # A letter without its vowel, and a vowel without its letter.
        ("he", "בְּיוֹם שני", (0, 1), "0-3 minor"),
        ("th", "กิน", (1, 2), "0-2 minor"),
    ],
)
def test_no_letter_is_cut_by_a_selection(visit, site, language, text, selected, marked):
    page = judged(visit, site, language, text)
    element, field = marking(page, text)
    element.hover()
    page.mouse.down()
    element.evaluate(
        """(element, [start, end]) => {
          const { firstChild: node } = element.querySelector("[role=option]");
          getSelection().setBaseAndExtent(node, start, node, end);
        }""",
        selected,
    )
    page.mouse.up()
    expect(field).to_have_value(marked)


def test_a_right_to_left_text_is_shown_and_marked_from_the_right(visit, site):
    text = "Google Maps تعرض شارعًا خاطئًا."
    page = judged(visit, site, "ar", text)
    element, field = marking(page, text)
    # Although it begins with a Latin name; the page around it stays as it is.
    expect(element).to_have_css("direction", "rtl")
    expect(page.locator(".source").first).to_have_css("direction", "ltr")
    expect(page.locator("body")).to_have_css("direction", "ltr")
    element.focus()
    press(page, "ArrowLeft", "ArrowLeft")
    assert cursor(page) == "تعرض"
    press(page, "Shift+ArrowLeft", "2")
    assert field.input_value() == "12-23 major"
    item = page.locator(".marked-errors .error-text")
    expect(item).to_have_text("تعرض شارعًا")
    expect(item).to_have_css("direction", "rtl")


def test_differences_of_texts_without_spaces_are_words(visit, site):
    texts = [
        "昨天新增900例Covid-19病例。",
        "昨天新增 900 例 Covid-19 病例。",
        "今天新增900例Covid-19病例。",
    ]
    page = judged(visit, site, "zh", *texts, kind="segment_ranking")
    segments(page)
    page.keyboard.press("d")
    assert page.locator(".piece .differs").all_inner_texts() == ["今天"]
