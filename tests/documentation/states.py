"""The files and projects that the commands of a page need, by the names that the page has.

Each page finds the texts of `write_texts`. A page that needs more has a function here, which
returns variables of the environment, if the page needs some.
"""

import gzip
import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from random import Random

from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from annotation.models import Project, User
from api.tokens import create_token
from evaluation.formats.metrics_eval_folder import write_eval_set
from tests.documentation.pages import blocks
from tests.evaluation.formats.test_metrics_eval_folder import TEXTS
from tests.evaluation.formats.wmt_files import write, write_five_way, write_pairwise
from tests.evaluation.management.test_form_agreement import HEADING, screen
from tests.evaluation.management.test_score_error_spans import answer, esa, mqm, pearmut
from tests.evaluation.metrics.test_soft_matching import write_model
from tests.evaluation.projects import submit
from tests.factories import SOURCE, make_annotator, make_project
from tests.installation import REPOSITORY, TEXT
from tests.judged_project import write_judged_files
from tests.media_files import mp4, png

LINES = 28
PAIR = ("--languages", "en-cs")
# From best to worst: the share of words that are another form of the reference's.
SYSTEMS = {"alfa": 0.05, "bravo": 0.15, "echo": 0.25, "foxtrot": 0.35, "charlie": 0.3, "delta": 0.2}
JUDGED = ("alfa", "bravo", "echo", "foxtrot")
THESIS = ("cu-bojar", "cu-depfix", "onlineA", "onlineB")
Environment = dict[str, str]


State = Callable[[], Environment | None]
STATES: dict[str, State] = {}


def prepare(name: str) -> Environment:
    """Write the files of the page to the current folder, and create its projects."""
    write_texts()
    return (name in STATES and STATES[name]()) or {}


def page(name: str) -> Callable[[State], State]:
    """Let the function make the state of the page."""
    return lambda state: STATES.setdefault(name, state)


@page("docs/assessment.md")
def assessment() -> None:
    heading = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time"
    raw = [
        f"H{worker} W{worker} cs en ad 4 {system} 1 {kind} {item} {score + item % 7 + worker} 931.0"
        for worker in range(3)
        for item in range(14)
        for system, kind, score in (("A", "SYSTEM", 80), ("B", "SYSTEM", 60), ("A", "BAD_REF", 20))
    ]
    write(Path("ad-good-raw.csv"), [heading, *raw])
    write(Path("ad-csen-good-stnd.csv"), [heading, *raw])
    scores = [
        f"{user},{system},{item},TGT,eng,ces,{score + item % 5},{6 * item},{6 * item + 5}"
        for user in ("jana", "petr")
        for item in range(12)
        for system, score in (("A", 80), ("B", 60))
    ]
    write(Path("appraise.csv"), scores)
    assessed("Newstest")


@page("docs/error-spans.md")
def error_spans() -> None:
    errors = ["Accuracy/Omission Major", "Style Minor", "No-error No-error"]
    rows = [f"{system} d {n} {n} r1 s t {errors[n % 3]} " for system in "AB" for n in range(12)]
    mqm(Path("mqm_ted_ende.tsv"), *rows)
    for number, user in enumerate(("u1", "u2")):
        lines = [
            esa(user=user, system=system, segment=segment, score=60 + 9 * segment + number)
            for system in "AB"
            for segment in (1, 2, 3)
        ]
        write(Path(f"wave{number}.csv"), lines)
        with gzip.open(("esa-ai-1.csv.gz", "esa-1.csv.gz")[number], "wt") as file:
            file.writelines(f"{line}\n" for line in lines)
    pearmut(Path("annotations.json"), answer(score=70, errors=[("Minor", "")]), answer("B", 50))
    project = make_project("News", kind="error_spans", segments={"0 1": ("Haben wir", "Wir haben")})
    make_project("News, second pass", kind="error_spans", segments={"0 1": ("Haben wir",)})
    jana = make_annotator(project, "Jana Nováková")
    submit(project, jana, 1, {"0 1": [11, 21]}, steps=101)
    (line,) = [block.text for block in blocks("docs/error-spans.md", "json")]
    Path("gemba.jsonl").write_text(json.dumps(json.loads(line) | {"system": "A", "line": 1}))
    mqm(Path("mqm.tsv"), f"A d 1 1 rater3 {SOURCE.replace(' ', '+')} <v>Haben</v>+wir Style Minor ")


@page("docs/evaluation.md")
def evaluation() -> None:
    news("News test")
    rankings()
    write_thesis()
    news("News, graded", steps=5)
    assessed("Newstest")


@page("docs/formats.md")
def formats() -> None:
    rankings()
    write_judged_files(Path())


@page("docs/forms.md")
def forms() -> None:
    screens = [
        screen("CONSTITUENT_ACCEPT", item, name, 40, "A", 1, "", "B", 2, "")
        for item in range(5)
        for name in ("jana", "petr")
    ]
    for name in ("judgements", "wmt08-human-judgments.csv", "wmt09-human-judgments.csv"):
        write(Path(name), [HEADING, *screens])


@page("docs/languages.md")
def languages() -> None:
    shutil.copytree(REPOSITORY / "locale" / "de", "locale/de")


@page("docs/media.md")
def media() -> Environment:
    project = make_project("News", sentences=20)
    for name in ("12.mp4", "13.mp4", "media/14.mp4", "talks/talk.mp4"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(mp4())
    Path("13.png").write_bytes(png())
    Path("talks/slide.png").write_bytes(png())
    Path("data").mkdir()
    Path("data/files").symlink_to(settings.MEDIA_ROOT)
    (table,) = [block.text for block in blocks("docs/media.md", "tsv")]
    Path("lines.tsv").write_text(table)
    return token() | {"PROJECT": str(project.pk)}


@page("docs/metrics.md")
def metrics() -> None:
    news("News")
    write_thesis()
    for name in ("paraphrases", "others"):
        shutil.copy("alfa.txt", f"{name}.txt")
    Path("encoder").mkdir()
    write_model(Path("encoder"))
    metric_scores("COMET", "en-cs", [*THESIS[:-1], "online"])
    write(Path("names.tsv"), [f"online\t{THESIS[-1]}"])
    metric_scores("METRIC", "cs-en", ["alfa", "bravo", "charlie", "delta"])
    german = ("alfa", "bravo", "charlie", "Human-A.0")
    metric_scores("YiSi-1", "en-de", german)
    scores = [f"en-de {system} {70 + place} 0.{place}" for place, system in enumerate(german)]
    combined = Path("DA-newstest2019-ende-sys-nohy-scores.csv")
    write(combined, ["LP SYSTEM HUMAN BLEU", *scores])
    averages = [f"{system} -{n % 5}.5 {n}" for system in german for n in range(1, 21)]
    averaged = Path("mqm_newstest2020_ende.avg_seg_scores.tsv")
    write(averaged, ["system mqm_avg_score seg_id", *averages])
    rankings()
    write_eval_set(Path(), TEXTS)
    Path("wmt14").rename("wmt22")


@page("docs/monitoring.md")
def monitoring() -> None:
    for name in ("segranks.log", "web.log", "worker-1.log"):
        Path(name).write_text('{"request": "7f9c0a4e1b2c5d687f9c0a4e1b2c5d68"}\n')


@page("docs/preparation.md")
def preparation() -> None:
    news("News")


@page("docs/reuse.md")
def reuse() -> None:
    news("News")
    call_command("export_project", "News", "candidates.tsv", format="systems")
    news("Old news")
    numbers = [*range(1, 15), *range(751, 751 + LINES - 14)]
    news("News test", numbers)
    for run, system in (("run1", "alfa"), ("run2", "bravo")):
        lines = zip(numbers, Path(f"{system}.txt").read_text().splitlines(), strict=True)
        hypotheses = (f"{n - 1} ||| {text} ||| LM0= -1 -{len(text)} ||| -1" for n, text in lines)
        write(Path(f"{run}.best100"), hypotheses)
    news("News, graded", steps=5)


# --- what pages have in common ---


def write_texts() -> None:
    """Write source.txt, reference.txt, and the outputs of systems, such as alfa.txt."""
    source, reference = (
        [TEXT[number % len(TEXT)][side] for number in range(LINES)] for side in (0, 1)
    )
    texts = {"source": source, "reference": reference}
    for name, share in SYSTEMS.items():
        random = Random(name)
        texts[name] = [
            " ".join(
                word[:-1] if len(word) > 2 and random.random() < share else word
                for word in line.split()
            )
            for line in reference
        ]
    for name, lines in texts.items():
        write(Path(f"{name}.txt"), lines)


@transaction.atomic
def news(name: str, numbers: Iterable[int] = (), *, steps: int = 0) -> None:
    """Create a project of the texts, in which two annotators rank or grade all sentences."""
    systems = [f"--system={system}={system}.txt" for system in JUDGED]
    call_command(
        *("create_project", name, *PAIR, "--source=source.txt", "--reference=reference.txt"),
        *systems,
        *(("--kind=adequacy",) if steps else ("--parser=phrases", "--aligner=systran")),
        verbosity=0,
    )
    project = Project.objects.get(name=name)
    for sentence, number in zip(
        project.sentences.order_by("-number"), [*numbers][::-1], strict=False
    ):
        sentence.number = number
        sentence.save()
    random = Random(0)
    for name in ("jana", "petr"):
        annotator = make_annotator(project, name)
        for sentence in project.sentences.prefetch_related("segments__candidates"):
            ranks: Mapping[str, list[int | None]] = {
                segment.token_indices: [
                    random.randint(1, steps or segment.candidates.count())
                    for _candidate in segment.candidates.all()
                ]
                for segment in sentence.segments.all()
            }
            if ranks:
                submit(project, annotator, sentence.number, ranks, steps=steps or None)


@transaction.atomic
def assessed(name: str) -> None:
    """Create a project in which two annotators scored translations."""
    project = make_project(
        name, kind="direct_assessment", sentences=12, segments={"0 1": ("a", "b")}
    )
    for name in ("jana", "petr"):
        annotator = make_annotator(project, name)
        for number in range(1, 13):
            submit(project, annotator, number, {"0 1": [10 + number, 31 - number]}, steps=101)


def rankings() -> None:
    """Write rankings of sentences as WMT published them."""
    rows = [
        (number, judge, f"alfa 1 bravo {1 + number % 2} charlie {2 + number % 3} delta 4")
        for number in range(1, 21)
        for judge in ("jana", "petr")
    ]
    with gzip.open("wmt12.RNK_results.csv.gz", "wb") as file:
        file.write(write_five_way(Path("five.csv"), rows).read_bytes())
    pairs = [
        (number, "jana", f"alfa 1 bravo {1 + number % 2}", f"r{number}") for number in range(1, 21)
    ]
    with gzip.open("wmt16.cze-eng.csv.gz", "wb") as file:
        file.write(write_pairwise(Path("pairs.csv"), pairs).read_bytes())


@page("docs/campaign-2027.md")
def campaign() -> None:
    for name, text in (("cyril", "charlie"), ("dana", "delta")):
        shutil.copy(f"{text}.txt", f"{name}.txt")
    write(Path("documents.txt"), [f"news{n // 2}" for n in range(LINES)])


@page("docs/ten-minutes.md")
def ten_minutes() -> None:
    names = {
        "source": "source.en",
        "reference": "reference.cs",
        "alfa": "Alfa",
        "charlie": "Cyril",
        "delta": "Dana",
    }
    for text, name in names.items():
        shutil.copy(f"{text}.txt", f"{name}.txt")


@page("docs/examples.md")
def examples() -> None:
    Path("examples").mkdir()


@page("docs/pilot.md")
def pilot() -> None:
    shutil.copytree(REPOSITORY / "examples" / "pilot", "examples/pilot")
    write(Path("documents.txt"), [*(f"story{n // 3}" for n in range(LINES - 1)), "practice"])


@page("docs/upgrading.md")
def upgrading() -> None:
    digest = sha256(Path("source.txt").read_bytes()).hexdigest()
    write(Path("SHA256SUMS"), [f"{digest}  source.txt"])


def metric_scores(name: str, pair: str, systems: Iterable[str]) -> None:
    """Write scores of systems and of their first twenty segments, in the layout of WMT."""
    of_systems, of_segments = [], []
    for place, system in enumerate(systems):
        row = f"{name}\t{pair}\tnewstest\t{system}"
        of_systems.append(f"{row}\t{place}")
        of_segments += [f"{row}\t{number}\t{place * number % 7}" for number in range(1, 21)]
    write(Path(f"{name}.sys.score"), of_systems)
    write(Path(f"{name}.seg.score"), of_segments)


def write_thesis() -> None:
    """Write files with the names of the thesis' experiment, and outputs of its systems."""
    write_judged_files(Path(), THESIS)
    rows = [line.split("\t") for line in Path("segments.tsv").read_text().splitlines()]
    write(Path("segments.tsv"), ("\t".join((*row[:2], "reference", *row[3:])) for row in rows))
    Path("systems.tsv").rename("systems-improved.tsv")
    Path("judgements.jsonl").rename("annotations.jsonl")
    for name, text in zip(THESIS, JUDGED, strict=True):
        lines = Path(f"{text}.txt").read_text().splitlines()
        write(Path(f"{name}.txt"), lines[:20])


def token() -> Environment:
    """Return the token of an administrator of the site."""
    boss = User.objects.create_superuser("administrator")
    _token, secret = create_token(user=boss, name="docs", scope="write", days=1, project=None)
    return {"TOKEN": secret}
