import pytest

from annotation.formats.rounding import rounded


@pytest.mark.parametrize(
    ("number", "places", "shown"),
    [
        # The nearest binary number is 0.55749999…
        (0.5575, 3, "0.558"),
        # Six decimals in JSON: 0.5575.
        (0.5574999, 3, "0.558"),
        (0.557499, 3, "0.557"),
        (0.125, 2, "0.13"),
        (-0.125, 2, "-0.13"),
        (2.5, 0, "3"),
        (-0.0004, 3, "0.000"),
        (7, 1, "7.0"),
        (1234567.85, 1, "1234567.9"),
    ],
)
def test_halves_are_rounded_away_from_zero(number: float, places: int, shown: str) -> None:
    assert str(rounded(number, places)) == shown
