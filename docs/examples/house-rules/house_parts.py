"""A reader, a judge and an adapter of a house: what xpgcheck reads, hears and asks next to its own."""

import itertools
import json
import math

from xpgcheck.errors import FormatError
from xpgcheck.plugins import adapter, judge, reader
from xpgcheck.readers.json_model import parse_json

MOST_POINTS = 5_000


@reader(
    "house card",
    recognised="text that begins with HOUSE",
    sniff=lambda data: data.startswith(b"HOUSE"),
    extensions=(".house",),
)
def read_card(data, name):
    """A card: HOUSE, the Boolean features that are all needed, the class if they are there, and the class if not."""
    lines = data.decode("utf-8").split("\n")[1:]
    if len(lines) < 3:
        raise FormatError("the card ends too early", mend="write features, and the two classes, a line each")
    features = [feature.strip() for feature in lines[0].split(",")]
    last = len(features)
    nodes = [
        {"id": i, "feature": feature, "edges": [{"to": last + 1, "in": [0]}, {"to": i + 1, "in": [1]}]}
        for i, feature in enumerate(features)
    ]
    nodes += [{"id": last, "class": lines[1]}, {"id": last + 1, "class": lines[2]}]
    domains = [{"name": feature, "domain": {"type": "boolean"}} for feature in features]
    card = {"format": "decision-graph", "version": 1, "name": name, "features": domains, "classes": lines[1:3]}
    return parse_json(json.dumps({**card, "root": 0, "nodes": nodes}).encode())


def suffices(model, instance, fixed):
    """Tell whether every point that agrees with the instance on *fixed* has its class; None: there are too many."""
    free = [
        [instance[i]] if i in fixed else [cell.representative() for cell in cells]
        for i, cells in enumerate(model.cells)
    ]
    if math.prod(map(len, free)) > MOST_POINTS:
        return None
    own = model.kappa(instance)
    return all(model.kappa(point) == own for point in itertools.product(*free))


@judge("by every point")
def by_every_point(model, instance, kind, members):
    """The definitions (Eq. 1 and Eq. 2), by trying every point."""
    everything = frozenset(range(len(instance)))
    if suffices(model, instance, frozenset()) is None:
        return None
    if kind == "AXp":
        smaller = (members - {i} for i in members)
        return suffices(model, instance, members) and not any(suffices(model, instance, one) for one in smaller)
    larger = (everything - members | {i} for i in members)
    return not suffices(model, instance, everything - members) and all(suffices(model, instance, one) for one in larger)


def reasons(enough, row):
    """Stands for somebody else's package: drops names of fields as long as *enough* says that the others do."""
    kept = list(row)
    for field in row:
        if enough([other for other in kept if other != field]):
            kept.remove(field)
    return kept


@adapter("reasons")
class Reasons:
    """A subject made of that package: it deals in names, and the gate asks for features."""

    name = "reasons"

    def axp(self, graph, instance):
        """One AXp; graphs that are too large are declined."""
        if suffices(graph, instance, ()) is None:
            raise NotImplementedError("too many points")
        place = {feature.name: i for i, feature in enumerate(graph.features)}
        kept = reasons(lambda fields: suffices(graph, instance, {place[field] for field in fields}), list(place))
        return {place[field] for field in kept}
