"""`manage.py create_project_from_pearmut FILE NAME`: a campaign of Pearmut as a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.formats.problems import raise_problems
from annotation.management.commands.create_project import Command as CreateProject
from annotation.projects.creation import new_project
from annotation.projects.options import Texts
from evaluation.formats.pearmut import Campaign, read_campaigns
from evaluation.formats.pearmut_texts import (
    DOCUMENTS,
    REFERENCE,
    SOURCE,
    campaign_texts,
    text_files,
)
from evaluation.services.pearmut_campaigns import kind_for, options_for


class Command(CreateProject):
    help = (
        "Create a project from the texts of a campaign of Pearmut: DA becomes direct assessment, "
        "or with sliders of its own several scores, ESA error spans with a score; other protocols "
        "are refused. Each different item becomes a sentence. Left out are items that check "
        "annotators, marked errors, and documents before, after and among the tasks."
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
                    scale=options_for(campaign),
                    texts=Texts(
                        source=paths[SOURCE],
                        references=[paths[REFERENCE]] if REFERENCE in paths else [],
                        documents=paths.get(DOCUMENTS),
                        systems={name: paths[f"system {name}"] for name in texts.outputs},
                    ),
                    description=f"Pearmut: {campaign.campaign_id}",
                ),
                queue=options["queue"],
            )
        if texts.checked:
            self.stdout.write(f"  left out    {texts.checked} (checks of annotators)")


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
