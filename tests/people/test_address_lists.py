"""Lists of email addresses as people paste them."""

import pytest

from people.address_lists import LONGEST_LIST, WrongAddress, read_addresses

A, B, C = "jana@example.org", "petr@example.org", "eva@example.org"


@pytest.mark.parametrize(
    "text",
    [
        f"{A}, {B}, {C}",
        f"{A}; {B};{C};",
        f"{A} {B}\n\n{C}\n",
        f"Jana <{A}>, Petr Novák <{B}>\r\n<{C}>",
        f'"Nová, Jana" <{A}>,"Petr" <{B}>, mailto:{C}',
        f"name,email,role\nJana,{A},x\nPetr,{B},y\nEva,{C},z",
        f'name;e-mail\n"Nová; Jana";{A}\nPetr;{B}\nEva;{C}',
        f"Jana\t{A}\nPetr\t{B}\nEva\t{C}",
        f"\ufeff{A}\n{B}\n{C}",
    ],
)  # fmt: skip
def test_it_finds_the_addresses(text):
    found = read_addresses(text)
    assert (found.addresses, found.repeated, found.wrong) == ([A, B, C], [], [])


def test_an_address_listed_again_is_named_once():
    found = read_addresses(f"{A}\nJANA@example.org\n{B}\n{A}")
    assert found.addresses == [A, B]
    assert found.repeated == [A]


def test_all_wrong_ones_are_named_with_their_lines():
    found = read_addresses(f"{A}\njana@, {B}\nPetr\n<no@where>\n{'x' * 250}@example.org")
    assert found.addresses == [A, B]
    assert [(one.line, one.text[:9]) for one in found.wrong] == [
        (2, "jana@"),
        (3, "Petr"),
        (4, "<no@where"),
        (5, "xxxxxxxxx"),
    ]


def test_a_first_line_without_address_is_wrong_unless_it_heads_a_table():
    assert read_addresses(f"Jana\n{A}").wrong == [WrongAddress(1, "Jana")]
    assert not read_addresses(f"Name,E-mail address\nJana,{A}").wrong


def test_a_line_may_be_as_long_as_a_list():
    assert len(read_addresses("x" * LONGEST_LIST).wrong) == 1
