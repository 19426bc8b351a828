"""A picture: shown by notebooks, saved as SVG, PNG or DOT."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from xpgcheck.arguments import PATH, count_from, instance_of_type, optional, takes
from xpgcheck.drawing.placing import place
from xpgcheck.drawing.plan import plan
from xpgcheck.drawing.svg import svg_text
from xpgcheck.drawing.view import View
from xpgcheck.errors import InputError
from xpgcheck.readers.files import PathLike, place_of
from xpgcheck.writers.atomic import write_atomically
from xpgcheck.writers.dot import dot_text

ENDINGS = {".svg": "svg", ".png": "png", ".dot": "dot", ".gv": "dot"}
"""The endings of files that a picture is written to, and their formats."""

MAX_TREE_NODES = 300
"""Nodes above which a picture of a tree folds some."""

MAX_SHARED_NODES = 80
"""The same where nodes are shared: lines cross, and fewer can be followed."""


class Picture:
    """A picture of a decision graph, worked out when it is first asked for.

    A notebook shows it as it is.  ``save`` writes it to a file; ``svg``, ``png()`` and ``dot()`` return the contents.
    """

    @takes(
        view=instance_of_type(View, "a view of a graph", "call xpgcheck.draw(model)"), max_nodes=optional(count_from(1))
    )
    def __init__(self, view: View, max_nodes: int | None = None) -> None:
        """Show *view*, folding what is beyond *max_nodes* nodes (default: 300 of a tree, 80 of other graphs).

        Raises ``InputError`` where that is below 1.
        """
        self.view = view
        self.max_nodes = max_nodes or (MAX_TREE_NODES if view.graph.is_tree() else MAX_SHARED_NODES)

    @property
    def svg(self) -> str:
        """The picture as SVG.  Raises ``MissingPackageError`` without the extra ``draw``."""
        return self._drawn[0]

    def png(self) -> bytes:
        """Return the picture as PNG.  Raises ``MissingPackageError`` without the extra ``draw``."""
        from xpgcheck.drawing.raster import png_bytes

        return png_bytes(*self._drawn)

    def dot(self) -> str:
        """Return the whole graph in DOT, nothing folded; needs no extra."""
        view = self.view
        edges = ((node, child) for node, children in enumerate(view.graph.children) for child in children)
        shut = {edge for edge in edges if not view.is_open(*edge)}
        return dot_text(view.graph, view.point, view.xp.features if view.xp else (), shut)

    @takes(path=PATH)
    def save(self, path: PathLike) -> None:
        """Write the picture to *path*, as its ending says (.svg, .png, .dot).  The file is whole or not there.

        Raises ``InputError`` on another ending and where the file cannot be written, ``MissingPackageError``.
        """
        write_atomically(path, self.content(format_of(path)))

    def content(self, form: str) -> str | bytes:
        """Return what a file of the format *form* (svg, png or dot) holds."""
        return self.dot() if form == "dot" else self.png() if form == "png" else self.svg

    @cached_property
    def _drawn(self) -> tuple[str, float, float]:
        planned = plan(self.view, self.max_nodes)
        return svg_text(planned, place(planned))

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture of {self.view.graph!r}>"


def format_of(path: PathLike) -> str:
    """Return the format that the ending of *path* says.  Raises ``InputError``."""
    form = ENDINGS.get(Path(path).suffix.lower())
    if form is None:
        mend = f"name a file that ends in one of {', '.join(ENDINGS)}"
        raise InputError("the ending says no format of pictures", place=place_of(path), mend=mend)
    return form
