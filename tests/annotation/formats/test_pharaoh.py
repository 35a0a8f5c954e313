import pytest

from annotation.formats.errors import InputError
from annotation.formats.pharaoh import parse_links, require_inside


@pytest.mark.parametrize(
    ("line", "links"),
    [("1-2 0-0 1-2 ", [(0, 0), (1, 2)]), ("", []), ("10-3", [(10, 3)])],
)
def test_it_reads_links(line: str, links: list[tuple[int, int]]) -> None:
    assert parse_links(line, "here") == links


@pytest.mark.parametrize("bad", ["0-", "0:1", "-1-0", "1-2-3", "a-b", "²-1", "1-99999999", "0–1"])
def test_it_refuses_malformed_links(bad: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_links(f"0-1 {bad}", "links.txt, line 2")
    assert str(raised.value).startswith(f"links.txt, line 2: {bad!r} is not a link")


@pytest.mark.parametrize("link", [(2, 0), (0, 3)])
def test_it_refuses_a_link_beyond_the_sentence(link: tuple[int, int]) -> None:
    require_inside([(1, 2)], source_length=2, target_length=3, where="here")
    with pytest.raises(InputError, match=r"^here: the link \d-\d points beyond"):
        require_inside([(0, 0), link], source_length=2, target_length=3, where="here")
