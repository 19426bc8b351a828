"""``xpgcheck models``."""

from __future__ import annotations

import click


@click.command("models")
def command() -> int:
    """List the embedded models: name, features, nodes, instances, and where each comes from."""
    from xpgcheck import embedded

    for name in embedded.names():
        model = embedded.load(name)
        graph = model.graph
        click.echo(
            f"{name:<14} {len(graph.features):>3} features {graph.node_count:>4} nodes "
            f"{len(model.instances):>5} instances  {model.origin}"
        )
    return 0
