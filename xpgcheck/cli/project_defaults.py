"""Defaults of ``gate`` and ``check`` from the table ``[tool.xpgcheck]`` of the nearest ``pyproject.toml``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from xpgcheck.errors import InputError, did_you_mean, shown

COMMANDS = ("gate", "check")
"""The commands whose options can have defaults there."""

FILE = "pyproject.toml"


def project_defaults(command: click.Command, folder: Path) -> dict[str, Any]:
    """Return the defaults of the options of *command* from the nearest ``pyproject.toml`` at or above *folder*, if any.

    A file or a folder that is named there is relative to that ``pyproject.toml``.  Raises ``InputError`` where the table
    names no option of the command, or a value is not one of its option.
    """
    path = next((each / FILE for each in (folder, *folder.parents) if (each / FILE).is_file()), None)
    table = {} if path is None else _table(path)
    if path is None or not table:
        return {}
    place = f"{path}: [tool.xpgcheck]"
    for name, value in table.items():
        if name not in COMMANDS:
            mend = did_you_mean(name, COMMANDS) or f"use one of {', '.join(COMMANDS)}"
            raise InputError(f"no command called {shown(name)} has defaults", place=place, mend=mend)
        if not isinstance(value, dict):
            raise InputError("this is not a table", place=f"{place} {name}", mend=f"write [tool.xpgcheck.{name}]")
    own = table.get(command.name or "", {})
    place = f"{path}: [tool.xpgcheck.{command.name}]"
    return dict(_default(command, name, value, place, path.parent) for name, value in own.items())


def _table(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    if "xpgcheck" not in text:
        # Other faults of that file are not for us to name.
        return {}
    try:
        document = tomllib.loads(text)
    except ValueError as error:
        raise InputError(f"this is not TOML: {error}", place=str(path), mend="correct the line") from None
    tools = document.get("tool", {})
    table = tools.get("xpgcheck", {}) if isinstance(tools, dict) else {}
    return table if isinstance(table, dict) else {}


def _default(command: click.Command, name: str, value: Any, place: str, folder: Path) -> tuple[str, Any]:
    """Return the parameter that *name* means, and its *value* as one of its type."""
    params = {spelling: param for param in command.params for spelling in _spellings(param)}
    if name not in params:
        mend = did_you_mean(name, params) or f"'xpgcheck {command.name} --help' lists the options"
        raise InputError(f"there is no option {shown(name)}", place=place, mend=mend)
    param = params[name]
    flag = isinstance(param, click.Option) and param.is_flag
    several = param.multiple if isinstance(param, click.Option) else param.nargs != 1
    if flag is not isinstance(value, bool):
        mend = "use true or false" if flag else "give it a value"
        raise InputError(f"{shown(name)} is {shown(value)}", place=place, mend=mend)
    if isinstance(value, list) and not several:
        raise InputError(f"{shown(name)} takes one value", place=place, mend="leave out the list")
    items = value if isinstance(value, list) else [value]
    if flag:
        return str(param.name), (value if f"--{name}" in param.opts else not value)
    for item in items:
        _check_value(param, item, f"{place} {name}")
    if isinstance(param.type, click.Path):
        items = [str(folder / item) for item in items]
    return str(param.name), (items if several else items[0])


def _spellings(param: click.Parameter) -> list[str]:
    if isinstance(param, click.Argument):
        return [str(param.name)]
    return [each.removeprefix("--") for each in (*param.opts, *param.secondary_opts) if each.startswith("--")]


def _check_value(param: click.Parameter, item: Any, place: str) -> None:
    try:
        param.type.convert(str(item), param, None)
    except click.BadParameter as error:
        raise InputError(error.message.rstrip("."), place=place, mend="correct the value") from None
