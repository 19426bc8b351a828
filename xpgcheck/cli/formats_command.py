"""``xpgcheck formats``."""

from __future__ import annotations

import click


@click.command("formats")
def command() -> int:
    """List the formats of models that are read: name, extension, how the content is recognised, and the extra needed.

    The content decides, then the extension.  How an extra is installed stands below the table.
    """
    from xpgcheck.cli.columns import echo_wrapped
    from xpgcheck.extras import install
    from xpgcheck.readers.formats import FORMATS, plugin_formats

    click.echo(f"{'format':<28}{'extension':<11}{'extra':<8}recognised by")
    for known in (*FORMATS, *plugin_formats()):
        extra = known.extra or ("-" if known.plugin is None else "plug-in")
        start = f"{known.name:<28}{' '.join(known.extensions):<11}{extra:<8}"
        echo_wrapped(start, known.recognised)
    click.echo()
    for extra in dict.fromkeys(known.extra for known in FORMATS if known.extra):
        echo_wrapped(f"The extra {extra}: ", install(extra))
    echo_wrapped(
        "From Python objects: ",
        "scikit-learn trees (from_sklearn), Orange trees (from_orange), dd functions (from_dd).",
    )
    echo_wrapped("Never loaded: ", "pickle and joblib files; store the tree with skops, or export it to ONNX.")
    return 0
