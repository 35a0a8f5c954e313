"""The texts of a campaign of Pearmut as those of a project: documents of lines.

Users have tasks of their own, in which a document returns with other systems: it becomes one
document, and each set of systems that stand beside each other a sheet of it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from annotation.formats.documents import LONGEST_DOCUMENT_NAME, LONGEST_ITEM_ID
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.names import plain_name
from annotation.formats.pearmut import Campaign, Item
from annotation.formats.pearmut_media import MEDIA, EmbeddedMedium, taken_out

_CUT_WORD = re.compile(r"[^\W_]+\Z")

SOURCE, REFERENCE, DOCUMENTS, ITEMS = "source", "reference", "documents", "items"


@dataclass(frozen=True)
class CampaignTexts:
    """N lines each: sources, references, documents, ids of items, and outputs by system.

    References, ids and outputs are "" where there are none. `sheets` are the systems that stand
    beside each other, by document. `left_out` counts what a project does not take, by name:
    "checks" are outputs with a rule for an answer, which check annotators; "given" are outputs with
    errors that annotators see first; "tutorials" are documents before, after and among the tasks;
    "media" are sources with an image, audio or video that the campaign does not have itself: their
    text, with the link, stays. `media` are those that it has;
    "questions" are about annotators; "instructions" are texts above an item.
    """

    source: tuple[str, ...]
    reference: tuple[str, ...]
    documents: tuple[str, ...]
    items: tuple[str, ...]
    outputs: dict[str, tuple[str, ...]]
    sheets: dict[str, list[list[str]]]
    left_out: dict[str, int]
    media: tuple[EmbeddedMedium, ...] = ()

    @property
    def has_documents(self) -> bool:
        """Whether a document has several lines."""
        return len(set(self.documents)) < len(self.documents)

    @property
    def side_by_side(self) -> int:
        """How many systems stand beside each other at most."""
        return max(map(len, chain.from_iterable(self.sheets.values())))


@dataclass
class _Document:
    """A document with the outputs of all tasks, by line, and the systems of its sheets."""

    items: list[Item]
    outputs: list[dict[str, str]] = field(default_factory=list)
    sheets: list[list[str]] = field(default_factory=list)

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

    def add(self, items: Sequence[Item]) -> None:
        for had, one in zip(self.outputs, items, strict=True):
            had |= one.outputs
        systems = sorted({name for one in items for name in one.outputs})
        if systems not in self.sheets:
            self.sheets.append(systems)


def campaign_texts(campaign: Campaign) -> CampaignTexts:
    """Return each different document of the tasks once, in the order of the file.

    Line ends in texts become blanks. Raises InputError if nothing is left, or a source is missing.
    """
    left_out: Counter[str] = Counter()
    found: list[_Document] = []
    by_texts: dict[tuple[tuple[str, str], ...], list[_Document]] = {}
    for task in campaign.tasks:
        for document in task:
            of_texts = [one for one in document if isinstance(one, Item)]
            left_out["questions"] += len(document) - len(of_texts)
            if not (items := _without_checks(of_texts, left_out)):
                continue
            left_out["given"] += sum(
                bool(marked) for one in items for marked in one.marked.values()
            )
            left_out["instructions"] += sum(bool(one.instructions) for one in items)
            same = by_texts.setdefault(tuple(map(_texts, items)), [])
            known = next((one for one in same if one.takes(items)), None)
            if known is None:
                known = _Document(list(items), [{} for _item in items])
                same.append(known)
                found.append(known)
            known.add(items)
    left_out["tutorials"] = len(campaign.welcome + campaign.goodbye + campaign.random)
    if not found:
        raise InputError(_("the campaign has no translations to judge."))
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
        left_out={name: number for name, number in left_out.items() if number},
        media=tuple(medium for one in sources for medium in one.media),
    )


def _without_checks(items: Sequence[Item], left_out: Counter[str]) -> list[Item]:
    """Return the items of a document without what checks annotators.

    That is a copy of another output with its words or characters in another order, which must get a
    lower score, or else the whole item with a rule for an answer.
    """
    copies = {
        rule.greater_than
        for one in items
        for system, rule in one.checks.items()
        if _is_shuffled(one.outputs.get(rule.greater_than, ""), one.outputs[system])
    }
    left_out["checks"] += sum(len(one.checks) for one in items)
    kept = []
    for one in items:
        outputs = {name: text for name, text in one.outputs.items() if name not in copies}
        if outputs and all(rule.greater_than in copies for rule in one.checks.values()):
            marked = {name: errors for name, errors in one.marked.items() if name in outputs}
            kept.append(replace(one, outputs=outputs, marked=marked, checks={}))
    return kept


def _is_shuffled(copy: str, text: str) -> bool:
    return sorted(copy.split()) == sorted(text.split()) or sorted(copy) == sorted(text)


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
