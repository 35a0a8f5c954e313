import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.errors import InputError
from annotation.formats.pharaoh import Link, Links, parse_links


@pytest.mark.parametrize(
    ("line", "links"),
    [("1-2 0-0 1-2 ", [(0, 0), (1, 2)]), ("", []), ("10-3", [(10, 3)])],
)
def test_it_reads_links(line: str, links: list[tuple[int, int]]) -> None:
    assert parse_links(line, "here") == Links(tuple(links), tuple(links))


def test_links_of_one_direction_are_written_so() -> None:
    links = Links(((0, 0), (1, 2)), ((0, 0), (3, 1)))
    assert links.text == "0-0 1>2 3<1"
    assert parse_links(links.text, "here", one_way=True) == links
    with pytest.raises(InputError, match=r"^here: '1>2' is not a link"):
        parse_links(links.text, "here")


LINKS = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500)), unique=True)


@given(LINKS, LINKS)
def test_stored_links_are_those_that_were_written(forward: list[Link], reverse: list[Link]) -> None:
    links = Links(tuple(sorted(forward)), tuple(sorted(reverse)))
    assert Links.stored(links.text) == links


@pytest.mark.parametrize("bad", ["0-", "0:1", "-1-0", "1-2-3", "a-b", "²-1", "1-99999999", "0–1"])
def test_it_refuses_malformed_links(bad: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_links(f"0-1 {bad}", "links.txt, line 2")
    assert str(raised.value).startswith(f"links.txt, line 2: {bad!r} is not a link")


@pytest.mark.parametrize("link", [(2, 0), (0, 3)])
def test_it_refuses_a_link_beyond_the_sentence(link: tuple[int, int]) -> None:
    Links(((1, 2),)).require_inside(source_length=2, target_length=3, where="here")
    with pytest.raises(InputError, match=r"^here: the link \d-\d points beyond"):
        Links((), ((0, 0), link)).require_inside(source_length=2, target_length=3, where="here")
