"""`manage.py plan KIND --systems N --annotators N …`: what a campaign costs and may conclude."""

import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.kinds import KINDS
from annotation.projects.names import find_project
from evaluation.findings.plan import ASKED


class Command(SegRanksCommand):
    help = (
        "Plan a campaign before anything is judged: hours and pay, intervals to be expected, the "
        "smallest difference that would be found, how many annotators should judge a document, and "
        "what a fifth less or more work would change. By published figures of the kind, or by the "
        "judgements of an earlier project. In JSON, undefined figures are null."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "kind",
            nargs="?",
            default="",
            choices=("", *KINDS),
            metavar="KIND",
            help="the kind of judgement; that of the project if it is left out",
        )
        parser.add_argument("--project", help="id or exact name of an earlier project")
        for asked in ASKED:
            parser.add_argument(
                f"--{asked.name.replace('_', '-')}",
                type=int if asked.is_whole else float,
                required=asked.required,
                metavar="N",
                help=". ".join(map(str, filter(None, (asked.label, asked.help)))),
            )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.findings.plan import PlanOptions, tables
        from evaluation.findings.serialisation import to_json
        from evaluation.rendering.formats import as_text
        from evaluation.services.plans import plan_campaign

        given = {asked.name: options[asked.name] for asked in ASKED}
        found = plan_campaign(
            PlanOptions(**{name: value for name, value in given.items() if value is not None}),
            kind=options["kind"],
            project=find_project(options["project"]) if options["project"] else None,
        )
        if options["json"]:
            self.stdout.write(json.dumps(to_json(found), ensure_ascii=False, indent=1))
            return
        self.stdout.write("\n\n".join(map(as_text, tables(found))))
