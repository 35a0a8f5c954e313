from annotation.formats.errors import InputError
from annotation.formats.wmt import NOT_JUDGED, Ranked, Ranking
from annotation.formats.wmt_forms import (
    Answer,
    ChoiceScreen,
    Chosen,
    EditScreen,
    EditStatus,
    Graded,
    RankingScreen,
    read_screens,
)
from evaluation.formats.judgement_files import Choice, read_judgements
from tests.evaluation.formats.wmt_files import write

SYSTEMS = [f"{name}" for n in range(5) for name in (f"SYSTEM_{n}", f"SCORE_{n}_A", f"SCORE_{n}_B")]
HEADING = ",".join(["TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME", *SYSTEMS])
HEADING_09 = "\t".join(
    [
        *("JUDGEMENT_ID", "TASK", "TYPE", "ITEM_ID", "ANNOTATOR_ID", "ANNOTATOR_TYPE_COUNT"),
        *("TIME", *SYSTEMS, "EXTRA"),
    ]
)
TASK_09 = "WMT09 English-Hungarian News"


def of_2009(*columns, extra=""):
    """Return a line of WMT09: kind, item, annotator, time, then three columns a system."""
    kind, item, annotator, time, *systems = columns
    systems += [""] * (len(SYSTEMS) - len(systems))
    return "\t".join(["17", TASK_09, kind, item, annotator, "0", time, *systems, extra])


def only(tmp_path, *lines, **options):
    (screen,) = read_screens(write(tmp_path / "judgements", lines), **options)
    return screen


def test_ranks_are_turned_in_the_year_in_which_higher_ones_are_better(tmp_path):
    for year, ranked in (("07", [1, 5]), ("08", [5, 1]), ("09", [5, 1])):
        line = f"WMT{year} German-English Europarl,RANK,7,18,96,umd,5,,cu,1,,liu,-,"
        screen = only(tmp_path, HEADING, line)

        assert screen.ranked == (
            Ranked(("umd",), ranked[0]),
            Ranked(("cu",), ranked[1]),
            Ranked(("liu",), NOT_JUDGED),
        )
        assert screen.ranking == Ranking(
            screen.where, "German-English", "Europarl", 7, "18", screen.ranked
        )


def test_the_direction_can_be_chosen_where_the_task_names_no_year(tmp_path):
    line = "German-English Europarl,CONSTITUENT,7,18,,umd,5,,cu,1,"
    problems: list[InputError] = []

    screen = only(tmp_path, HEADING, line, higher_is_better=True)

    assert [one.rank for one in screen.ranked] == [1, 5]
    assert screen.seconds is None
    path = write(tmp_path / "judgements", [HEADING, line])
    assert not list(read_screens(path, on_error=problems.append))
    assert "whether higher or lower ranks are better" in str(problems[0])


def test_only_sentences_are_ranked_where_rankings_are_wanted(tmp_path):
    lines = [
        "WMT08 German-English Europarl,CONSTITUENT,7,18,9,umd,5,,cu,1,",
        "WMT08 German-English Europarl,NIST,7,18,9,umd,5,5,cu,1,1",
        "WMT08 German-English Europarl,RANK,8,18,9,umd,5,,cu,1,",
    ]
    path = write(tmp_path / "judgements", [HEADING, *lines])

    read = read_judgements(Choice("wmt-forms", [path]))

    assert (read.pair, read.sentences, read.candidates) == ("German-English", 1, 2)
    assert read.judgements.sentence_numbers.tolist() == [8]


def test_adequacy_and_fluency_may_be_missing_one_by_one(tmp_path):
    line = "WMT07 Czech-English News Commentary,NIST,5,18,1164,umd,4,-,uedin,-,2"

    screen = only(tmp_path, HEADING, line)

    assert (screen.pair, screen.domain) == ("Czech-English", "News Commentary")
    assert (screen.item, screen.annotator, screen.seconds) == (5, "18", 1164)
    assert screen.graded == (Graded("umd", 4, None), Graded("uedin", None, 2))


def test_constituents_are_acceptable_not_or_the_annotator_is_not_sure(tmp_path):
    line = "WMT08 German-English Europarl,CONSTITUENT_ACCEPT,5,18,9,a,1,,b,2,,c,3,,d,,"

    answers = [one.answer for one in only(tmp_path, HEADING, line).chosen]

    assert answers == [Answer.YES, Answer.NO, Answer.NOT_SURE, None]


def test_acceptance_of_edits_says_which_edit_of_a_system_was_judged(tmp_path):
    line = of_2009("EDIT_ACCEPT", "2112", "91", "121", "uedin", "0", "91", "uedin", "1", "96")

    screen = only(tmp_path, HEADING_09, line)

    assert screen.chosen == (
        Chosen("uedin", "91", Answer.NO),
        Chosen("uedin", "96", Answer.YES),
    )


def test_edits_have_a_text_in_which_quotation_marks_are_characters(tmp_path):
    lines = [
        of_2009("EDIT", "660", "91", "130", "uedin", "EDIT", "", extra='"Nők" , they " said.'),
        of_2009("EDIT", "1965", "91", "30", "ref", "OK", ""),
        of_2009("EDIT", "643", "91", "6", "morpho", "BAD", ""),
    ]

    edits = read_screens(write(tmp_path / "judgements", [HEADING_09, *lines]))

    assert [(one.system, one.status, one.text) for one in edits if isinstance(one, EditScreen)] == [
        ("uedin", EditStatus.EDITED, '"Nők" , they " said.'),
        ("ref", EditStatus.NO_CORRECTIONS_NEEDED, ""),
        ("morpho", EditStatus.UNABLE_TO_CORRECT, ""),
    ]


def test_empty_columns_may_be_missing_at_the_end(tmp_path):
    """As in WMT09, whose lines have no EXTRA unless it has a text."""
    ranked = of_2009("RANK", "7", "91", "30", "a", "1", "", "b", "2", "")
    accepted = of_2009("EDIT_ACCEPT", "8", "91", "30", "a", "0", "91", "b", "1", "96")
    edited = of_2009("EDIT", "9", "91", "30", "a", "OK", "")
    lines = [ranked.removesuffix("\t"), ranked.rstrip("\t"), accepted[: accepted.index("\t\t")]]

    path = write(tmp_path / "judgements", [HEADING_09, *lines, edited.rstrip("\t")])
    first, second, choice, edit = read_screens(path)

    expected = (Ranked(("a",), 1), Ranked(("b",), 2))
    assert isinstance(first, RankingScreen)
    assert isinstance(second, RankingScreen)
    assert first.ranked == second.ranked == expected
    assert isinstance(choice, ChoiceScreen)
    assert choice.chosen == (Chosen("a", "91", Answer.NO), Chosen("b", "96", Answer.YES))
    assert isinstance(edit, EditScreen)
    assert (edit.status, edit.text) == (EditStatus.NO_CORRECTIONS_NEEDED, "")


def test_a_time_that_is_none_is_unknown(tmp_path):
    line = of_2009("RANK", "7", "91", "the words of an edit", "a", "1", "", "b", "2", "")

    assert only(tmp_path, HEADING_09, line).seconds is None


TASK = "WMT08 German-English Europarl"


def test_all_problems_of_a_file_are_reported_and_the_other_lines_read(tmp_path):
    bad = {
        f"{TASK},RANK,7,18,9,umd,6,": "umd has '6', but RANK takes 1, 2, 3, 4, 5",
        f"{TASK},RANK,7,18,9,umd,1,,umd,2,": "'umd' is given twice",
        f"{TASK},RANK,7,18,9,umd": "6 columns where 20 are needed",
        f"{TASK},RANK,x,18,9,umd,1,": "ITEM_ID is 'x', which is not a whole number",
        f"{TASK},RANK,7, ,9,umd,1,": "ANNOTATOR_ID is empty",
        f"{TASK},RANK,7,18,9": "5 columns where 20 are needed",
        f"{TASK},RANK,7,18,9,umd,1,,cu": "9 columns where 20 are needed",
        f"{TASK},RANK,7,18,9,,1,": "the system name '' cannot be used",
        f"{TASK},CONSTITUENT_ACCEPT,7,18,9,umd,4,": "CONSTITUENT_ACCEPT takes 1, 2, 3",
        f"{TASK},EDIT,7,18,9,umd,OK,,cu,OK,": "the line has 2 systems",
        f"{TASK},EDIT,7,18,9,umd,FINE,": "EDIT takes EDIT, OK, BAD",
        f"{TASK},GUESS,7,18,9,umd,1,": "the kind of screen 'GUESS' is unknown",
        "WMT08,RANK,7,18,9,umd,1,": "the task 'WMT08' is not a year, a language pair",
        f'{TASK},"RANK"x,7,18,9,umd,1,': "this is not CSV",
    }
    good = f"{TASK},RANK,7,18,9,umd,1,"
    path = write(tmp_path / "judgements", [HEADING, *bad, "", good])
    problems: list[InputError] = []

    screens = list(read_screens(path, on_error=problems.append))

    assert [one.where for one in screens] == [f"{path}, line {len(bad) + 3}"]
    assert [one.place[1] for one in problems] == list(range(2, len(bad) + 2))
    for problem, part in zip(problems, bad.values(), strict=True):
        assert part in str(problem)


def test_a_heading_needs_all_columns_of_its_systems(tmp_path):
    heading = HEADING.replace("SCORE_4_B", "SCORE").replace("TIME", "WHEN")
    problems: list[InputError] = []

    screens = read_screens(write(tmp_path / "judgements", [heading]), on_error=problems.append)

    assert not list(screens)
    assert "line 1: the heading lacks the columns TIME, SCORE_4_B" in str(problems[0])
