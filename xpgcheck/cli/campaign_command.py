"""``xpgcheck campaign``: long runs, each with a journal."""

from __future__ import annotations

import click

from xpgcheck.cli.groups import LazyGroup
from xpgcheck.errors import did_you_mean

SECTIONS = {
    "What runs": {
        "start": "Begin a campaign: properties, a gate or cross-checks.",
        "resume": "Go on with a campaign that was begun.",
    },
    "What looks at journals": {
        "status": "Show how far it is and what it found, also while it runs.",
        "report": "Write what it found as HTML, with plots.",
        "merge": "Add what other machines found to its journal.",
        "export": "Write what failed as cases for 'xpgcheck replay'.",
    },
}

PLACES = {
    "What runs": "xpgcheck.cli.campaign_running:{}",
    "What looks at journals": "xpgcheck.cli.campaign_looking:{}",
}


class _CampaignGroup(LazyGroup):
    """The commands; ``campaign NAME …`` and ``campaign --status NAME`` are how they were spelt once."""

    def old_command(self, words: list[str]) -> click.Command | None:
        if not words or words[0] in self.places or words[0] in ("-h", "--help"):
            return None
        if not words[0].startswith("-") and did_you_mean(words[0], self.places):
            # A command that is mistyped must not begin a campaign of that name.
            return None
        from xpgcheck.cli.campaign_old import command as old

        return old


@click.group("campaign", cls=_CampaignGroup, sections=SECTIONS, places=PLACES)
def command() -> None:
    """Run properties, a gate or cross-checks as independent units of work, each written into a journal as it ends.

    The journal NAME.campaign.sqlite has every finished unit once. After an interruption of any kind, 'resume' goes on: it
    repeats no finished unit, and the same plan finds the same however often it was interrupted and wherever it ran.
    """
