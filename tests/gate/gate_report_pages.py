"""Checks of an HTML page."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from xpgcheck.gate.results import Report

VOID = {"meta", "br", "hr", "img", "input", "link"}
SVG_EMPTY = {"rect", "path", "circle", "polygon", "line", "ellipse"}
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "nav", "article"),
    *("h1", "h2", "h3", "p", "span", "strong", "b", "small", "bdi", "code", "pre", "mark", "dl", "dt", "dd", "div"),
    *("ul", "ol", "li", "a", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"),
    *("figure", "figcaption", "details", "summary", "svg", "g", "text", "tspan", *SVG_EMPTY),
}
CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class Page(HTMLParser):
    """A page, parsed strictly: what is opened is closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.problems: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        if self._open:
            self.problems.append(f"open at the end: {self._open}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.problems.append(f"an attribute of {tag} is given twice")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in SVG_EMPTY:
            self.problems.append(f"<{tag}/>")

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")
        if tag in ("td", "th", "dt", "dd", "li", "p"):
            self.texts.append(("", " "))

    def handle_data(self, data: str) -> None:
        self.texts.append((self._open[-1] if self._open else "", data))

    @property
    def text(self) -> str:
        """All that a reader can see, on one line."""
        return re.sub(r"\s+", " ", "".join(data for tag, data in self.texts if tag != "style"))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of each element of that name."""
        return [attributes for name, attributes in self.elements if name == tag]


def problems_of_page(text: str) -> Iterator[str]:
    """Yield what a page has that it must not have, or lacks: structure, policy, references, names for those who listen."""
    page = Page(text)
    yield from page.problems
    for tag, attributes in page.elements:
        if tag not in ALLOWED:
            yield f"<{tag}>"
        for name, value in attributes.items():
            if name.startswith("on") or name in ("src", "srcset", "action", "data", "style", "xlink:href"):
                yield f"{tag} {name}={value}"
            if name == "href" and not re.fullmatch(r"#finding-\d+", value or ""):
                yield f"href {value}"
    if not any(item.get("content") == CSP for item in page.all("meta")):
        yield "no content security policy"
    styles = "".join(data for tag, data in page.texts if tag == "style")
    yield from re.findall(r"url\(|@import|https?:|expression\(|\{\{|\{%", styles)
    ids = [value for _, attributes in page.elements for name, value in attributes.items() if name == "id"]
    if len(ids) != len(set(ids)):
        yield "an id is given twice"
    for name in ("aria-labelledby",):
        yield from (f"{name} {a[name]}" for _, a in page.elements if name in a and a[name] not in ids)
    if len(page.all("table")) != len(page.all("caption")):
        yield "a table without a caption"
    yield from ("an svg without a role" for item in page.all("svg") if item.get("role") != "img")
    yield from ("a th without a scope" for item in page.all("th") if item.get("scope") not in ("row", "col"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]
    if levels[:1] != [1] or any(after > before + 1 for before, after in itertools.pairwise(levels)):
        yield f"headings {levels}"
    if re.search(r"[^\n\t -\ufffd\U00010000-\U0010ffff]|[\u200e\u200f\u202a-\u202e]", text):
        yield "a control character"


def problems_of_content(report: Report, text: str) -> list[str]:
    """Return what a page lacks of *report*."""
    page = Page(text)
    expected = [report.subject or report.title, report.again]
    expected += [f"{n:,} {verdict}" for (_, verdict), n in report.counts.items()]
    for number, finding in enumerate(report.findings, 1):
        expected += [f"{number}. {finding.about}: {finding.verdict}", finding.text]
        expected += [f"Judge it again: xpgcheck replay '{finding.file}'"] if finding.file else []
    return [item for item in expected if " ".join(item.split()) not in page.text]
