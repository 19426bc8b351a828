"""Pages in HTML that need nothing else: one template engine, one style, the macros that pages share."""

from __future__ import annotations

import functools
from typing import Any

import jinja2

from xpgcheck.reports.conclusion import SIGNS
from xpgcheck.reports.lines import line
from xpgcheck.version import __version__


def page(package: str, template: str, **values: Any) -> str:
    """Return the page that *template*, of the folder ``templates`` in *package*, makes of *values*.

    Every text is escaped by the engine, and a name that is not given is an error.
    """
    return environment(package).get_template(template).render(version=__version__, **values)


@functools.cache
def environment(package: str) -> jinja2.Environment:
    """Return the template engine for the templates of *package* and those of the kit."""
    engine = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(package), jinja2.PackageLoader("xpgcheck.reports")]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    engine.filters.update({"sign": SIGNS.__getitem__, "line": line, "number": lambda number: f"{number:,}"})
    return engine
