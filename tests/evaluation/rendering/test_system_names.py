from evaluation.rendering.system_names import axis_names, short_names

LONG = ("newstest2016.uedin-nmt.4360.en-cs", "newstest2016.online-B.0.en-cs")


def test_long_names_lose_what_all_of_them_have():
    assert short_names(LONG, 20) == ["uedin-nmt.4360", "online-B.0"]
    assert short_names(LONG, 40) == list(LONG)
    assert short_names(["a.b", "a.b.b", "a.c.b"], 4) == ["b", "b.b", "c.b"]


def test_longer_names_lose_their_middle_unless_they_would_be_equal():
    assert short_names(["abcdefghij", "k"], 6) == ["abc…ij", "k"]
    assert short_names(["abcdefghij", "abcxefghij"], 6) == ["abcd…hij", "abcx…hij"]


def test_an_axis_has_whole_names_unless_they_would_look_alike():
    assert axis_names(LONG, 20) == dict(zip(LONG, LONG, strict=True))
    assert list(axis_names(LONG, 10).values()) == ["uedin…4360", "online-B.0"]
