"""``xpgcheck vectors``."""

from __future__ import annotations

from pathlib import Path

import click

from xpgcheck.cli.spelling import folder_option, option
from xpgcheck.cli.vocabulary import SEED, list_option
from xpgcheck.errors import InputError


@click.command("vectors")
@folder_option("--output", "-o", "folder", old=("--out",), help="Folder to write into.")
@option("--file", "names", multiple=True, metavar="NAME", help="This vector file alone (repeatable).")
@list_option("List the vector files, and write nothing.")
@option("--generate", is_flag=True, help="Make the vectors again, rather than copy those of the package.")
@option("--seed", type=SEED, help="Seed of --generate (default: the package's).")
def command(folder: Path | None, names: tuple[str, ...], listing: bool, generate: bool, seed: int | None) -> int:
    """Write test vectors: decision graphs, instances, all their AXps and CXps, and claims with verdicts.

    They are JSON, with a schema next to them; reading them takes nothing of this package. Every family of XPs and every
    verdict was certified by two oracles. Files of the same names are replaced, others in DIR stay.

    With --generate the same seed and versions give the same bytes; the schema is not written then.
    """
    from xpgcheck.vectors import storage

    chosen = storage.chosen_names(names)
    if seed is not None and not generate:
        raise InputError("--seed is of no use without --generate", mend="add --generate, or leave it out")
    if listing:
        _list(chosen)
        return 0
    if folder is None:
        raise InputError("no folder to write into", mend="add --output DIR, or --list")
    if generate:
        files = _generated(chosen, seed)
    else:
        files = {f"{name}.json": storage.stored(name) for name in chosen}
        files |= storage.schemas_of(chosen)
    for path in storage.write_files(folder, files):
        click.echo(path)
    return 0


def _list(names: tuple[str, ...]) -> None:
    import json

    from xpgcheck.vectors.catalogue import FAMILIES
    from xpgcheck.vectors.storage import stored

    for name in names:
        data = stored(name)
        document = json.loads(data)
        tests, groups = document["number_of_tests"], len(document.get("test_groups", document.get("cases")))
        size = len(data) // 1024
        description = FAMILIES[name].description if name in FAMILIES else document["description"]
        click.echo(f"{name:<11} {tests:>4} tests {groups:>3} graphs {size:>4} KiB  {description}")


def _generated(names: tuple[str, ...], seed: int | None) -> dict[str, bytes]:
    """Return the files made again.  Raises ``MissingPackageError`` without Hypothesis."""
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    from xpgcheck.deck.building import deck_document, deck_text
    from xpgcheck.deck.storage import NAME as DECK
    from xpgcheck.vectors.catalogue import DEFAULT_SEED
    from xpgcheck.vectors.generation import vector_document
    from xpgcheck.vectors.grouping import text_of

    made_of = DEFAULT_SEED if seed is None else seed
    made = {name: text_of(vector_document(name, made_of)).encode() for name in names if name != DECK}
    if DECK in names:
        # Designed, and so the same of every seed.
        made[DECK] = deck_text(deck_document())
    return {f"{name}.json": made[name] for name in names}
