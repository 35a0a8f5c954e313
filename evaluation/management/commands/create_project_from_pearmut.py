"""`manage.py create_project_from_pearmut FILE NAME`: a campaign of Pearmut as a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.formats.errors import InputError
from annotation.formats.fingerprints import fingerprint
from annotation.formats.names import plain_name
from annotation.formats.pearmut import Campaign, read_campaigns
from annotation.formats.pearmut_texts import (
    DOCUMENTS,
    ITEMS,
    REFERENCE,
    SOURCE,
    campaign_texts,
    text_files,
)
from annotation.formats.problems import raise_problems
from annotation.import_export.left_out import left_out_sentence
from annotation.management.commands.create_project import Command as CreateProject
from annotation.projects.creation import new_project
from annotation.projects.options import Texts
from evaluation.services.pearmut_campaigns import kind_for, options_for


class Command(CreateProject):
    help = (
        "Create a project of the kind of a campaign of Pearmut, with its documents, item ids and "
        "systems, one at a time or side by side. What a project does not take is counted, such as "
        "checks of annotators; protocols and sliders that no kind has are refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("file", type=Path, metavar="FILE", help="a campaign, or a list of them")
        add("name", help="the project's name, which must be new")
        add("--languages", required=True, help="source-target, as en-cs or en-zh_Hans")
        add(
            "--campaign",
            type=plain_name,
            default="",
            metavar="ID",
            help="which one, if the file has several",
        )
        add("--queue", action="store_true", help="let a worker prepare it")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = _campaign(options["file"], options["campaign"])
        texts = campaign_texts(campaign)
        kind = kind_for(campaign, texts)
        with text_files(texts) as paths:
            self._create(
                new_project(
                    name=options["name"],
                    languages=options["languages"],
                    kind=kind.name,
                    texts=Texts(
                        source=paths[SOURCE],
                        references=[paths[REFERENCE]] if REFERENCE in paths else [],
                        documents=paths[DOCUMENTS],
                        items=paths.get(ITEMS),
                        systems={name: paths[f"system {name}"] for name in texts.outputs},
                        originals=dict.fromkeys(paths.values(), fingerprint(options["file"])),
                    ),
                    description=f"Pearmut: {campaign.campaign_id}",
                    options=options_for(kind, texts),
                ),
                queue=options["queue"],
            )
        self.stdout.write(f"  kind        {kind.name}")
        if said := left_out_sentence(texts.left_out):
            self.stdout.write(said)


def _campaign(path: Path, campaign_id: str) -> Campaign:
    """Return the campaign of the file. Raise InputError for all problems in it."""
    problems: list[InputError] = []
    campaigns = read_campaigns(path, on_error=problems.append)
    raise_problems(problems)
    found = [one for one in campaigns if campaign_id in ("", one.campaign_id)]
    if len(found) == 1:
        return found[0]
    known = ", ".join(one.campaign_id for one in campaigns)
    raise InputError(f"Choose one of the campaigns by --campaign ID: {known}.", str(path))
