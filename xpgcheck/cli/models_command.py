"""``xpgcheck models``."""

from __future__ import annotations

import click


@click.command("models")
def command() -> int:
    """List the embedded models: name, features, nodes, instances, and where each comes from."""
    from xpgcheck import embedded
    from xpgcheck.cli.columns import echo_wrapped

    click.echo(f"{'model':<16}features  nodes  instances  origin")
    for name in embedded.names():
        model = embedded.load(name)
        graph = model.graph
        start = f"{name:<16}{len(graph.features):>8}  {graph.node_count:>5}  {len(model.instances):>9}  "
        echo_wrapped(start, model.origin)
    return 0
