import pytest
from django.utils.translation import override

from evaluation.stats.agreement.kappa import Undefined
from evaluation.templatetags.findings import duration, figure, names, reason


def test_figures_are_rounded_and_not_cut_off():
    assert figure(0.876964, 3) == "0.877"
    assert figure(1.0, 3) == "1.000"


def test_figures_are_written_as_the_language_does():
    with override("cs"):
        assert figure(-0.0894, 3) == "−0,089"


def test_what_is_undefined_is_a_dash():
    assert figure(None, 3) == duration(None) == "–"


@pytest.mark.parametrize("undefined", Undefined)
def test_every_reason_has_its_words(undefined):
    assert reason(undefined)


def test_names_are_listed_and_escaped():
    assert names(("A", "<B>", "C")) == "<bdi>A</bdi>, <bdi>&lt;B&gt;</bdi> and <bdi>C</bdi>"
    assert names(("{first}", "{last}")) == "<bdi>{first}</bdi> and <bdi>{last}</bdi>"
    assert names(("A",)) == "<bdi>A</bdi>"
    assert names(()) == ""
