import io
import os
import signal
import subprocess
import sys
import time
from functools import partial
from itertools import permutations, product
from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.formats.pharaoh import Links
from annotation.preparation.alignment import EFFORTS, Aligner, Pair, choose_aligner
from annotation.preparation.eflomal import unpack_priors
from annotation.preparation.links import grow_diag_final
from tests.installation import heed_signals, wait_until

WORDS = {
    "the": "ten", "a": "nějaký", "old": "starý", "small": "malý", "dog": "pes", "cat": "kocour",
    "sees": "vidí",
}  # fmt: skip
PHRASES = [
    " ".join(words).replace("  ", " ")
    for words in product(("the", "a"), ("old", "small", ""), ("dog", "cat"))
]
REPOSITORY = Path(__file__).resolve().parents[3]
SAMPLE = REPOSITORY / "annotation" / "uploads" / "sample_texts"


def text() -> list[Pair]:
    """A small text of different sentences, enough to be learned, translated word for word."""
    sentences = ["the old dog sees a cat", *PHRASES]
    sentences += [f"{one} sees {other}" for one, other in permutations(PHRASES, 2)]
    sources = [sentence.split() for sentence in dict.fromkeys(sentences)]
    return [(source, [WORDS[word].title() for word in source]) for source in sources]


def sample_texts() -> list[Pair]:
    """The pairs of five systems and a source of real sentences, in which little is certain."""
    paths = sorted((SAMPLE / "systems").iterdir())
    source, *outputs = (
        [line.split() for line in path.read_text().splitlines()]
        for path in (SAMPLE / "source.en.txt", *paths)
    )
    return [(source[n], output[n]) for n in range(20) for output in outputs]


def turned(pairs: list[Pair]) -> list[Pair]:
    """The same words in the opposite order, so that positions teach nothing."""
    return [(source, target[::-1]) for source, target in pairs]


def share_right(pairs: list[Pair], links: list[Links], shift: int = 0) -> float:
    right = sum(
        (i, i) in grow_diag_final(found) for found in links for i in range(shift, shift + 9)
    )
    return right / sum(len(source) for source, _ in pairs)


@pytest.fixture(params=["eflomal", "systran"])
def aligner(request: pytest.FixtureRequest) -> Aligner:
    return choose_aligner(request.param, "fast")


def test_it_finds_the_words_of_a_simple_text(aligner: Aligner) -> None:
    pairs = text()
    links = list(aligner.align(iter(pairs)))
    assert len(links) == len(pairs)
    assert share_right(pairs, links) > 0.9


def test_links_come_in_the_order_of_the_pairs(aligner: Aligner) -> None:
    pairs = text()
    for position in (0, 5, 6, 40, len(pairs) - 1):
        pairs.insert(position, ([], ["pes"]) if position % 2 else (["dog"], []))
    links = list(aligner.align(pairs))
    assert len(links) == len(pairs)
    for (source, target), found in zip(pairs, links, strict=True):
        assert found == Links(*(tuple(sorted(set(links))) for links in found))
        found.require_inside(source_length=len(source), target_length=len(target), where="here")
    assert sum(found != Links() for found in links) > 0.9 * len(text())


def test_odd_tokens_do_not_shift_positions(aligner: Aligner) -> None:
    pairs = [
        (["a\u00a0b", "", "|||", *source], ["\u2028", "x\ry", "|||", *target])
        for source, target in text()
    ]
    links = list(aligner.align(pairs))
    assert share_right(text(), links, shift=3) > 0.8


def test_it_accepts_no_pairs(aligner: Aligner) -> None:
    assert list(aligner.align([])) == []
    assert list(aligner.align([([], []), (["dog"], [])])) == [Links(), Links()]


def test_it_accepts_one_pair_and_a_very_long_one(aligner: Aligner) -> None:
    # Of so small a text, eflomal may make nothing.
    found = list(aligner.align([(["dog"], ["pes"])]))
    assert found in ([Links.without_direction([(0, 0)])], [Links()])
    long, _ = aligner.align([(["dog"] * 2000, ["pes"]), (["dog"], ["pes"])])
    assert long == Links()


def test_equal_pairs_have_equal_links_as_if_there_were_one(aligner: Aligner) -> None:
    pairs = list(dict.fromkeys((tuple(s), tuple(t)) for s, t in sample_texts()))
    once = dict(zip(pairs, aligner.align((list(s), list(t)) for s, t in pairs), strict=True))
    again = [*pairs, *pairs[::-3], *pairs[:5], pairs[0]]
    # The aligner sees no difference in casing.
    copies = ([word.upper() for word in s] if n % 2 else list(s) for n, (s, t) in enumerate(again))
    links = aligner.align(zip(copies, (list(t) for _s, t in again), strict=True))
    assert list(links) == [once[pair] for pair in again]


def test_a_pair_that_comes_twice_is_learned_from_once() -> None:
    learned = [io.BytesIO(), io.BytesIO()]
    for pairs, out in zip((text(), text() * 3), learned, strict=True):
        list(choose_aligner("eflomal", "fast").align(pairs, learned=out))
    assert learned[0].getvalue() == learned[1].getvalue() != b""


def test_the_same_pairs_have_the_same_links_with_any_number_of_threads(
    aligner: Aligner, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = list(aligner.align(sample_texts()))
    for threads in ("1", "2", "3"):
        # systran-align has read it already, and has as many threads as there are processors.
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        assert list(aligner.align(sample_texts())) == first


def test_the_links_depend_on_the_seed() -> None:
    def links(seed: int) -> list[Links]:
        return list(choose_aligner("eflomal", "fast", seed).align(sample_texts()))

    assert choose_aligner("eflomal", seed=7).seed == "7"
    assert links(7) == links(7) != links(8)


def test_an_eflomal_as_it_was_published_has_no_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = tmp_path / "eflomal-2.0.0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.1\nName: eflomal\nVersion: 2.0.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    aligner = choose_aligner("eflomal", seed=7)
    assert (aligner.version, aligner.seed) == ("2.0.0", "none")
    assert share_right(text(), list(aligner.align(text()))) > 0.9


def test_it_has_a_name_and_a_version(aligner: Aligner) -> None:
    assert aligner.name in ("eflomal", "systran")
    assert aligner.version[0].isdigit()


def test_auto_is_eflomal_if_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_aligner("auto").name == "eflomal"
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    assert choose_aligner("auto").name == "systran"
    with pytest.raises(InputError, match="eflomal is not installed"):
        choose_aligner("eflomal")


@pytest.mark.parametrize("effort", EFFORTS)
def test_every_effort_finds_the_words(effort: str) -> None:
    pairs = text()
    links = list(choose_aligner("eflomal", effort).align(pairs))
    assert share_right(pairs, links) > 0.9


def test_it_refuses_an_unknown_effort() -> None:
    for name in ("auto", "eflomal", "systran"):
        with pytest.raises(InputError, match="no effort 'more': choose fast, normal, best"):
            choose_aligner(name, "more")


def test_it_learns_from_parallel_text_without_aligning_it(aligner: Aligner) -> None:
    strange = [(["old", "dog"], ["starý", "pes"]), (["dog", "old"], ["pes", "starý"])]
    found = list(aligner.align(iter(strange), parallel=iter(text())))
    assert found == [Links.without_direction([(0, 0), (1, 1)])] * 2


def test_priors_align_a_text_that_is_too_short_to_learn_from() -> None:
    aligner, learned = choose_aligner("eflomal"), io.BytesIO()
    list(aligner.align(text() + turned(text()), learned=learned))
    # Three words, once: nothing that one could learn from, and against the order of the words.
    (links,) = aligner.align(
        [(["dog", "sees", "cat"], ["kocour", "vidí", "pes"])], priors=learned.getvalue()
    )
    assert {(0, 2), (1, 1), (2, 0)} <= set(grow_diag_final(links))


def test_priors_contain_only_words_of_the_source() -> None:
    learned = io.BytesIO()
    parallel = [(["zebra", *["dog"] * n], ["zebra", *["pes"] * n]) for n in range(30)]
    list(choose_aligner("eflomal", "fast").align(text(), parallel=parallel, learned=learned))
    words = {
        line.split("\t")[1] for line in unpack_priors(learned.getvalue()).decode().split("\n")[:-1]
    }
    assert {"dog", "pes"} <= words
    assert "zebra" not in words


def test_empty_texts_and_systran_learn_no_priors(aligner: Aligner) -> None:
    learned = io.BytesIO()
    list(aligner.align([([], [])], learned=learned))
    list(choose_aligner("systran").align(text(), priors=b"x", learned=learned))
    assert learned.getvalue() == b""


def test_it_refuses_damaged_priors() -> None:
    with pytest.raises(InputError, match=r"^The stored priors .* are damaged "):
        list(choose_aligner("eflomal").align(text(), priors=b"nonsense"))


def test_it_refuses_an_unknown_aligner() -> None:
    with pytest.raises(InputError, match="no aligner 'giza'"):
        choose_aligner("giza")


# --- when the program fails or is interrupted --------------------------------------------------


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    """The place of a Python whose eflomal-align a test writes itself."""
    return tmp_path / "bin" / "python"


def write_program(python: Path, script: str) -> None:
    python.parent.mkdir()
    # The program is run by the Python beside it, which here is a shell.
    python.symlink_to("/bin/sh")
    program = python.with_name("eflomal-align")
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo reading >&2; echo out of memory >&2; exit 3", r"status 3 \(out of memory\)"),
        ("exit 0", r"status 0 \(no message\)"),
    ],
)
def test_the_error_of_a_failing_program_has_its_last_line(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    write_program(stand_in, script)
    monkeypatch.setattr(sys, "executable", str(stand_in))
    with pytest.raises(InputError, match=f"^eflomal failed with {message}: [^\n]*$"):
        list(choose_aligner("eflomal").align(text()))


WAITING = """
import sys, threading, time
sys.executable = {python!r}
from annotation.preparation.alignment import choose_aligner
def align():
    list(choose_aligner("eflomal").align([(["dog"], ["pes"])]))
{end}
"""
IN_MAIN = "align()"
# In short steps: a signal that arrives just before a sleep does not end it.
IN_THREAD = "threading.Thread(target=align, daemon=True).start()\nwhile True: time.sleep(0.1)"


@pytest.mark.parametrize("end", [IN_MAIN, IN_THREAD], ids=["in the main thread", "in a thread"])
def test_an_interrupt_kills_the_program_and_removes_its_files(
    stand_in: Path, tmp_path: Path, end: str
) -> None:
    # The program has a child of its own, as eflomal-align does.
    write_program(stand_in, f"sleep 60 & echo $$ $! $TMPDIR > {tmp_path}/pids; wait")
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING.format(python=str(stand_in), end=end)],
        cwd=REPOSITORY,
        stderr=subprocess.DEVNULL,
        # Tests may run in the background, where an interrupt is ignored, and children inherit that.
        preexec_fn=heed_signals,
    )
    shell, child, folder = wait_for(tmp_path / "pids").split()
    assert Path(folder).is_dir()
    # The program may run before Popen has returned, and an interrupt inside of Popen orphans it.
    wait_until(partial(is_asleep, process.pid))
    process.send_signal(signal.SIGINT)
    assert process.wait(30) != 0
    assert not Path(folder).exists()
    for program in map(int, (shell, child)):
        wait_until(partial(is_gone, program))


def wait_for(path: Path) -> str:
    for _ in range(1200):
        if path.exists() and (content := path.read_text()):
            return content
        time.sleep(0.05)
    raise AssertionError(f"{path} never came")


def is_asleep(process_id: int) -> bool:
    """Tell whether all threads wait for something."""
    threads = Path(f"/proc/{process_id}/task").glob("*/stat")
    return all(stat.read_text().rpartition(") ")[2].startswith("S") for stat in threads)


def is_gone(process_id: int) -> bool:
    for _ in range(100):
        try:
            os.kill(process_id, 0)
            if " Z " in Path(f"/proc/{process_id}/stat").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False
