"""The texts of a campaign of Pearmut as those of a project: documents of lines.

Users have tasks of their own, in which a document returns with other systems: it becomes one
document, and each set of systems that stand beside each other a sheet of it.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from annotation.formats.documents import LONGEST_DOCUMENT_NAME, LONGEST_ITEM_ID
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.marked_errors import MarkedError
from annotation.formats.names import plain_name
from annotation.formats.pearmut import Campaign, Item
from annotation.formats.pearmut_media import MEDIA, EmbeddedMedium, taken_out

_CUT_WORD = re.compile(r"[^\W_]+\Z")

SOURCE, REFERENCE, DOCUMENTS, ITEMS = "source", "reference", "documents", "items"


@dataclass(frozen=True)
class GivenText:
    """Errors that annotators see first in a system's output for a line, from 1.

    `text` and `source` are those of the file, to which the places of the errors belong.
    """

    line: int
    system: str
    text: str
    source: str
    errors: tuple[MarkedError, ...]


@dataclass(frozen=True)
class ControlTexts:
    """Worse copies of a system's outputs, which must get less than these beside them.

    `systems` are those of the sheet, `copies` the texts by line, from 1. `message` is what an
    annotator is told who does not tell them apart, "" for nothing.
    """

    system: str
    systems: tuple[str, ...]
    copies: Mapping[int, str]
    message: str


@dataclass(frozen=True)
class TutorialTexts:
    """What annotators should answer about the systems beside each other on a document's lines.

    The items, with their rules, are by line, from 1, and system. Annotators may skip a tutorial if
    it is `skippable`.
    """

    systems: tuple[str, ...]
    items: Mapping[tuple[int, str], Item]
    skippable: bool


@dataclass(frozen=True)
class CampaignTexts:
    """N lines each: sources, references, documents, ids of items, and outputs by system.

    References, ids and outputs are "" where there are none. `sheets` are the systems that stand
    beside each other, by document. `has_documents` and `side_by_side` say of the tasks whether a
    document has several lines, and how many systems stand beside each other at most; documents that
    are tutorials are the last ones. `left_out` counts what a project does not take, by name:
    "checks" are outputs with a rule for an answer, which check annotators; "ranges" are scores and
    errors that such a rule demands beside what the project checks; "given" are further lists of
    errors that annotators see first; "tutorials" are documents before, after and among the tasks
    that have no complete answers; "media" are sources with an image, audio or video that the
    campaign does not have itself: their text, with the link, stays; "questions" are about
    annotators; "instructions" are texts above an item. `media` are those that the campaign has.
    """

    source: tuple[str, ...]
    reference: tuple[str, ...]
    documents: tuple[str, ...]
    items: tuple[str, ...]
    outputs: dict[str, tuple[str, ...]]
    sheets: dict[str, list[list[str]]]
    has_documents: bool
    side_by_side: int
    given: tuple[GivenText, ...]
    controls: tuple[ControlTexts, ...]
    tutorials: tuple[TutorialTexts, ...]
    left_out: dict[str, int]
    media: tuple[EmbeddedMedium, ...] = ()


@dataclass
class _Document:
    """A document with the outputs of all tasks, by line, and the systems of its sheets.

    Lines are by their places, from 0.
    """

    items: list[Item]
    outputs: list[dict[str, str]] = field(default_factory=list)
    sheets: list[list[str]] = field(default_factory=list)
    given: dict[tuple[int, str], Item] = field(default_factory=dict)
    controls: list[tuple[str, list[str], dict[int, str], str]] = field(default_factory=list)
    tutorial: dict[tuple[int, str], Item] = field(default_factory=dict)

    def takes(self, items: Sequence[Item]) -> bool:
        """Tell whether these are its lines, with outputs that do not contradict those it has.

        Ids may differ where each output has its own, so that no system is on both sides.
        """
        if [_texts(one) for one in items] != [_texts(one) for one in self.items]:
            return False
        alike = [one.item_id for one in items] == [one.item_id for one in self.items]
        return all(
            (alike and had.get(name, text) == text) or (not alike and name not in had)
            for had, one in zip(self.outputs, items, strict=True)
            for name, text in one.outputs.items()
        )

    def add(self, items: Sequence[Item]) -> int:
        """Add the outputs; return how many lists of errors there are already, and others."""
        others = 0
        for place, (had, one) in enumerate(zip(self.outputs, items, strict=True)):
            had |= one.outputs
            for name, errors in one.marked.items():
                first = self.given.setdefault((place, name), one)
                others += first.marked[name] != errors
        systems = sorted({name for one in items for name in one.outputs})
        if systems not in self.sheets:
            self.sheets.append(systems)
        return others

    def add_controls(self, items: Sequence[Item], copies: Collection[str]) -> None:
        """Add what the rules of these items say of worse copies beside outputs."""
        systems = sorted({name for one in items for name in one.outputs if name not in copies})
        by_pair: dict[tuple[str, str], dict[int, str]] = {}
        messages: dict[tuple[str, str], str] = {}
        for place, one in enumerate(items):
            for system, rule in one.checks.items():
                pair = system, rule.greater_than
                by_pair.setdefault(pair, {})[place] = line_of(one.outputs[rule.greater_than])
                messages[pair] = messages.get(pair) or rule.warning
        for pair, texts in by_pair.items():
            control = pair[0], systems, texts, messages[pair]
            if control not in self.controls:
                self.controls.append(control)


@dataclass
class _Documents:
    """The documents that are different, in the order of the file."""

    found: list[_Document] = field(default_factory=list)
    by_texts: dict[tuple[tuple[str, str], ...], list[_Document]] = field(default_factory=dict)

    def of(self, items: Sequence[Item]) -> _Document:
        """Return the document of these items, a new one if none takes them."""
        same = self.by_texts.setdefault(tuple(map(_texts, items)), [])
        known = next((one for one in same if one.takes(items)), None)
        if known is None:
            known = _Document(list(items), [{} for _item in items])
            same.append(known)
            self.found.append(known)
        return known


def campaign_texts(
    campaign: Campaign, has_gold: Callable[[Item, str], bool] = lambda _item, _system: False
) -> CampaignTexts:
    """Return each different document of the tasks and tutorials once, in the order of the file.

    `has_gold` says whether the rule for a system's output in an item tells which answer is right:
    documents at the beginning, and those that can be skipped, are tutorials where all rules do.
    Line ends in texts become blanks. Raises InputError if nothing is left, or a source is missing.
    """

    def is_tutorial(items: Sequence[Item]) -> bool:
        return bool(items) and all(has_gold(one, system) for one in items for system in one.outputs)

    left_out: Counter[str] = Counter()
    judged, tutorials = _Documents(), _Documents()
    copies = _copies(campaign)
    for task in campaign.tasks:
        for document in task:
            of_texts = [one for one in document if isinstance(one, Item)]
            left_out["questions"] += len(document) - len(of_texts)
            if all(one.skippable for one in of_texts) and is_tutorial(of_texts):
                _add_tutorial(tutorials.of(of_texts), of_texts)
                continue
            if not (checked := _judged(of_texts, copies, left_out)):
                continue
            items = [_without(one, copies) for one in checked]
            left_out["instructions"] += sum(bool(one.instructions) for one in items)
            known = judged.of(items)
            left_out["given"] += known.add(items)
            known.add_controls(checked, copies)
    if not judged.found:
        raise InputError(_("the campaign has no translations to judge."))
    for document in (*campaign.welcome, *campaign.random, *campaign.goodbye):
        of_texts = [one for one in document if isinstance(one, Item)]
        left_out["questions"] += len(document) - len(of_texts)
        if document in campaign.welcome and is_tutorial(of_texts):
            _add_tutorial(tutorials.of(of_texts), of_texts)
        elif of_texts:
            left_out["tutorials"] += 1
    return _joined(judged.found, tutorials.found, left_out)


def _joined(
    judged: Sequence[_Document], tutorials: Sequence[_Document], left_out: Counter[str]
) -> CampaignTexts:
    found = [*judged, *tutorials]
    lines = [one for document in found for one in document.items]
    for place, one in enumerate(lines, start=1):
        if not one.source.strip():
            raise InputError(
                _("item %(place)d has no source, which a project needs of each sentence."),
                place=place,
            )
        if len(one.item_id) > LONGEST_ITEM_ID:
            raise InputError(
                _("the id of item %(place)d has more than %(most)d characters: shorten it."),
                place=place,
                most=LONGEST_ITEM_ID,
            )
    sources = [taken_out(one.source, line) for line, one in enumerate(lines, start=1)]
    left_out["media"] = sum(bool(MEDIA.search(one.text)) for one in sources)
    outputs = [of_line for document in found for of_line in document.outputs]
    names = _names([[one.item_id for one in document.items] for document in found])
    firsts = list(accumulate((len(one.items) for one in found), initial=1))
    numbered = list(zip(firsts, found, strict=False))
    return CampaignTexts(
        source=tuple(line_of(one.text) for one in sources),
        reference=tuple(line_of(one.reference) for one in lines),
        documents=tuple(
            name for name, document in zip(names, found, strict=True) for _item in document.items
        ),
        items=tuple(one.item_id for one in lines),
        outputs={
            name: tuple(line_of(of_line.get(name, "")) for of_line in outputs)
            for name in dict.fromkeys(chain.from_iterable(outputs))
        },
        sheets={name: document.sheets for name, document in zip(names, found, strict=True)},
        has_documents=any(len(one.items) > 1 for one in judged),
        side_by_side=max(len(systems) for one in judged for systems in one.sheets),
        given=tuple(
            GivenText(first + place, system, item.outputs[system], item.source, item.marked[system])
            for first, document in numbered
            for (place, system), item in document.given.items()
        ),
        controls=tuple(
            ControlTexts(
                system,
                tuple(systems),
                {first + place: text for place, text in texts.items()},
                message,
            )
            for first, document in numbered
            for system, systems, texts, message in document.controls
        ),
        tutorials=tuple(
            TutorialTexts(
                tuple(systems),
                {
                    (first + place, system): item
                    for (place, system), item in document.tutorial.items()
                    if system in systems
                },
                all(one.skippable for one in document.items),
            )
            for first, document in numbered[len(judged) :]
            for systems in document.sheets
        ),
        left_out={name: number for name, number in left_out.items() if number},
        media=tuple(medium for one in sources for medium in one.media),
    )


def _add_tutorial(document: _Document, items: Sequence[Item]) -> None:
    document.add(items)
    for place, one in enumerate(items):
        for system in one.outputs:
            document.tutorial.setdefault((place, system), one)


def _copies(campaign: Campaign) -> set[str]:
    """Return the names of systems that are worse copies of others, for checks alone.

    In each document in which such a system is, it must get a lower score than another one.
    """
    copies: set[str] = set()
    judged: set[str] = set()
    for document in chain.from_iterable(campaign.tasks):
        items = [one for one in document if isinstance(one, Item)]
        rules = [(one, name, rule) for one in items for name, rule in one.checks.items()]
        lower = {rule.greater_than for _one, _name, rule in rules if rule.greater_than}
        copies |= lower
        judged |= {name for one in items for name in one.outputs} - lower
    return copies - judged


def _judged(items: Sequence[Item], copies: Collection[str], left_out: Counter[str]) -> list[Item]:
    """Return the items of a document without those that check annotators as a whole.

    Of these a rule demands something of an answer that has nothing to do with a worse copy.
    """
    kept = []
    for one in items:
        rules = one.checks.values()
        if all(rule.greater_than in copies for rule in rules) and one.outputs.keys() - copies:
            left_out["ranges"] += sum(
                bool(rule.score or rule.spans or rule.sliders) for rule in rules
            )
            kept.append(one)
        else:
            left_out["checks"] += len(rules)
    return kept


def _without(item: Item, copies: Collection[str]) -> Item:
    """Return the item with the outputs that are judged, and no rules."""
    outputs = {name: text for name, text in item.outputs.items() if name not in copies}
    marked = {name: errors for name, errors in item.marked.items() if name in outputs}
    return replace(item, outputs=outputs, marked=marked, checks={})


def _names(ids: Sequence[Sequence[str]]) -> list[str]:
    """Return names of documents, all different: what the ids of their items begin with, or numbers.

    Of one item it is its id.
    """
    names = [plain_name(_beginning(of_items))[:LONGEST_DOCUMENT_NAME] for of_items in ids]
    if all(name and name.isprintable() for name in names) and len(set(names)) == len(names):
        return names
    return [str(number) for number in range(1, len(ids) + 1)]


def _beginning(ids: Sequence[str]) -> str:
    """Return the words that all ids begin with, without what separates them from the rest."""
    if len(ids) == 1:
        return ids[0]
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*ids, strict=False))
    return _CUT_WORD.sub("", "".join(letters[0] for letters in same)).rstrip(" _#-:/.")


def line_of(text: str) -> str:
    """Return the text as the line of a project."""
    return " ".join(text.split())


def _texts(item: Item) -> tuple[str, str]:
    return line_of(item.source), line_of(item.reference)


@contextmanager
def text_files(texts: CampaignTexts) -> Iterator[dict[str, Path]]:
    """Write files of lines into a temporary folder, and yield their paths by what they are.

    The source and documents; references and ids of items if there is any; and for each system
    "system NAME".
    """
    columns: Mapping[str, Sequence[str]] = {
        SOURCE: texts.source,
        REFERENCE: texts.reference,
        DOCUMENTS: texts.documents,
        ITEMS: texts.items,
    }
    contents = {name: lines for name, lines in columns.items() if any(lines)}
    contents |= {f"system {name}": lines for name, lines in texts.outputs.items()}
    with TemporaryDirectory(prefix="pearmut-") as folder:
        paths = {}
        for number, (name, lines) in enumerate(contents.items()):
            paths[name] = Path(folder, f"{number}.txt")
            paths[name].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        yield paths
