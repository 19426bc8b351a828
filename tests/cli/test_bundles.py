"""Options that are the fields of a dataclass: what a command gets, in which order they are shown, and which were given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import click

from xpgcheck.cli.bundles import bundled, said
from xpgcheck.cli.spelling import option


@dataclass(frozen=True, slots=True)
class Inner:
    """Options that several commands have."""

    low: Annotated[int, option("--low", type=int, default=1, help="Low.")]
    names: Annotated[tuple[str, ...], option("--name", "other_names", multiple=True, help="Name.")]


@dataclass(frozen=True, slots=True)
class Outer:
    """Options of one command, with those of all between them."""

    file: Annotated[str, click.argument("file")]
    inner: Inner
    high: Annotated[int, option("--high", "most", type=int, default=9, old=("--top",), help="High.")]


@dataclass(frozen=True, slots=True)
class Lower(Inner):
    """The same, one of them with another default."""

    low: Annotated[int, option("--low", type=int, default=0, help="Low.")]


def call(kind: type[Any], *words: str) -> tuple[click.Command, Any, dict[str, Any]]:
    """Return the command with *kind*, what it gets of *words*, and what of it was said."""
    got: list[Any] = []

    @click.command()
    @option("--first", is_flag=True)
    @bundled(bundle=kind)
    @option("--last", is_flag=True)
    def command(first: bool, bundle: Any, last: bool) -> int:
        got.extend((bundle, said(bundle)))
        return 0

    command.main(list(words), standalone_mode=False)
    return command, got[0], got[1]


def test_a_command_gets_one_object() -> None:
    command, got, given = call(Outer, "f", "--name", "a", "--name", "b", "--last", "--top", "3")
    assert got == Outer("f", Inner(1, ("a", "b")), 3)
    assert [param.name for param in command.params] == ["first", "file", "low", "other_names", "most", "last"]
    assert given == {"file": "f", "names": ("a", "b"), "high": 3}


def test_what_is_given_as_the_default_is_given() -> None:
    assert call(Inner)[2] == {}
    assert call(Inner, "--low", "1")[2] == {"low": 1}


def test_a_field_that_is_declared_again_keeps_its_place() -> None:
    command, got, _ = call(Lower)
    assert got == Lower(0, ())
    assert [param.name for param in command.params] == ["first", "low", "other_names", "last"]
