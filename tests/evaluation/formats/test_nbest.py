import pytest

from annotation.formats.errors import InputError
from evaluation.formats.nbest import read_nbest_lists

LINE = "0 ||| das Haus ||| LM0= -3.5 TranslationModel0= -1 -2 ||| -6.5\n"


@pytest.fixture
def read(tmp_path):
    """Return a function that reads files with these texts."""

    def read(*texts: str):
        paths = [tmp_path / f"list{number}" for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
        return read_nbest_lists(paths)

    return read


def test_it_names_each_value_of_a_feature(read):
    lists = read(LINE)

    assert lists.feature_names == ("LM0", "TranslationModel0[1]", "TranslationModel0[2]")
    (hypothesis,) = lists.hypotheses[0]
    assert hypothesis.tokens == ("das", "Haus")
    assert hypothesis.features == (-3.5, -1, -2)
    assert hypothesis.score == -6.5


@pytest.mark.parametrize("features", ["lm: -3.5 tm: -1 -2", "lm=-3.5 tm= -1 -2"])
def test_it_reads_the_features_of_other_decoders(read, features):
    lists = read(f"0 ||| das ||| {features} ||| -1 ||| 0-0 1-1\n")

    assert lists.feature_names == ("lm", "tm[1]", "tm[2]")
    assert lists.hypotheses[0][0].features == (-3.5, -1, -2)


def test_it_merges_files_and_sorts_by_score(read):
    better = LINE.replace("-6.5", "-2").replace("das", "ein")

    lists = read(LINE, better + LINE + LINE.replace("0 |||", "7 |||", 1))

    assert [one.tokens[0] for one in lists.hypotheses[0]] == ["ein", "das"]
    assert list(lists.hypotheses) == [0, 7]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("0 ||| das Haus ||| LM0= -3.5\n", "3 fields"),
        ("x ||| das ||| LM0= -3.5 TranslationModel0= -1 -2 ||| -6\n", "'x'"),
        ("0 ||| das ||| -3.5 ||| -6\n", "'-3.5'"),
        ("0 ||| das ||| LM0= TranslationModel0= -1 -2 ||| -6\n", "'LM0'"),
        ("0 ||| das ||| = -1 ||| -6\n", "''"),
        ("0 ||| das ||| ||| -6\n", "no features"),
        ("0 ||| das ||| LM0= -inf TranslationModel0= -1 -2 ||| -6\n", "'-inf'"),
        ("0 ||| das ||| LM0= one TranslationModel0= -1 -2 ||| -6\n", "'one'"),
        ("0 ||| das ||| LM0= -1 TranslationModel0= -1 -2 ||| none\n", "'none'"),
        ("0 ||| das ||| LM0= -1 LM0= -2 ||| -6\n", "twice"),
        ("0 ||| das ||| LM0= -1 ||| -6\n", "TranslationModel0[1]"),
    ],
)
def test_it_refuses_a_line_and_names_it(read, line, what):
    with pytest.raises(InputError, match="list0, line 2: ") as refused:
        read(LINE + line)

    assert what in str(refused.value)


def test_it_refuses_sentences_that_are_not_sorted(read):
    with pytest.raises(InputError, match="line 2: sentence 0 comes after sentence 3"):
        read(LINE.replace("0 |||", "3 |||", 1) + LINE)


def test_it_refuses_files_with_other_features(read):
    with pytest.raises(InputError, match=r"list1, line 1: .* in .*list0, line 1"):
        read(LINE, LINE.replace("LM0", "LM1"))


def test_it_refuses_an_empty_file(read):
    with pytest.raises(InputError, match="empty"):
        read("")
