"""The texts of a campaign of Pearmut as those of a project: a line for each sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from evaluation.formats.pearmut import Campaign, Item

SOURCE, REFERENCE, DOCUMENTS = "source", "reference", "documents"


@dataclass(frozen=True)
class CampaignTexts:
    """N lines each: sources, references and documents ("" if there is none), and outputs by system.

    `checked` counts the items that were left out because they check annotators.
    """

    source: tuple[str, ...]
    reference: tuple[str, ...]
    documents: tuple[str, ...]
    outputs: dict[str, tuple[str, ...]]
    checked: int


def campaign_texts(campaign: Campaign) -> CampaignTexts:
    """Return each different item of the tasks once, in the order of the file.

    Line ends in texts become blanks. Items with a rule for an answer are left out, and so are
    marked errors, and documents that come before, after or among the tasks. Raises InputError if
    nothing is left, or a source is missing.
    """
    items: dict[tuple[str, ...], tuple[str, Item]] = {}
    checked: set[tuple[str, ...]] = set()
    number, has_documents = 0, False
    for task in campaign.tasks:
        for document in task:
            of_texts = [one for one in document if isinstance(one, Item)]
            new = [(_key(one), one) for one in of_texts if _key(one) not in items]
            checked |= {key for key, one in new if one.checks}
            kept = [(key, one) for key, one in new if not one.checks]
            number += bool(kept)
            items |= {key: (str(number), one) for key, one in kept}
            has_documents |= len(of_texts) > 1
    if not items:
        raise InputError(_("the campaign has no translations to judge."))
    lines = [one for _name, one in items.values()]
    for place, one in enumerate(lines, start=1):
        if not one.source.strip():
            raise InputError(
                _("item %(place)d has no source, which a project needs of each sentence."),
                place=place,
            )
    names = dict.fromkeys(name for one in lines for name in one.outputs)
    return CampaignTexts(
        source=tuple(_line(one.source) for one in lines),
        reference=tuple(_line(one.reference) for one in lines),
        # Documents of one item say nothing, if all are.
        documents=tuple(name if has_documents else "" for name, _one in items.values()),
        outputs={name: tuple(_line(one.outputs.get(name, "")) for one in lines) for name in names},
        checked=len(checked),
    )


def _key(item: Item) -> tuple[str, ...]:
    texts = (text for output in sorted(item.outputs.items()) for text in output)
    return (item.item_id, item.source, item.reference, *texts)


def _line(text: str) -> str:
    return " ".join(text.split())


@contextmanager
def text_files(texts: CampaignTexts) -> Iterator[dict[str, Path]]:
    """Write files of lines into a temporary folder, and yield their paths by what they are.

    The source; references and documents if there is any; and for each system "system NAME".
    """
    columns = {SOURCE: texts.source, REFERENCE: texts.reference, DOCUMENTS: texts.documents}
    contents = {name: lines for name, lines in columns.items() if any(lines)}
    contents |= {f"system {name}": lines for name, lines in texts.outputs.items()}
    with TemporaryDirectory(prefix="pearmut-") as folder:
        paths = {}
        for number, (name, lines) in enumerate(contents.items()):
            paths[name] = Path(folder, f"{number}.txt")
            paths[name].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        yield paths
