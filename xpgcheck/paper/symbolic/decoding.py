"""From a model of a formula back to a graph, and the theorem's negation replayed on it by plain evaluation."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from xpgcheck.paper.symbolic import plain
from xpgcheck.paper.symbolic.graphs import Size
from xpgcheck.paper.symbolic.plain import Features, Table


@dataclass(frozen=True, slots=True)
class SymbolicCounterexample:
    """A graph, and the sets of features that matter, by name."""

    table: Table
    sets: dict[str, Features]


def decoded(size: Size, true: Collection[str], sets: Collection[str]) -> SymbolicCounterexample:
    """Return the graph and the *sets* that the names of the *true* variables stand for.

    Raises ``ValueError`` where a node does not test exactly one feature: those are models of no such formula.
    """
    tested = [[i for i in range(size.features) if f"tests_n{r}_f{i}" in true] for r in range(size.nodes)]
    if any(len(features) != 1 for features in tested):
        raise ValueError("a node does not test exactly one feature")
    feature = tuple(features[0] for features in tested)
    leads = tuple(
        tuple(tuple(q for q in size.below(r) if f"leads_n{r}_v{k}_{size.name(q)}" in true) for k in range(size.values))
        for r in range(size.nodes)
    )
    members = {name: frozenset(i for i in range(size.features) if f"{name}_f{i}" in true) for name in sets}
    return SymbolicCounterexample(Table(size, feature, leads), members)


def replayed(key: str, part: str, found: SymbolicCounterexample) -> str | None:
    """Return what is wrong with the theorem called *key* on this graph, in words; None where nothing is."""
    table, sets = found.table, found.sets
    everything = frozenset(range(table.size.features))
    if plain.other_class(table, (0,) * table.size.features):
        return None
    if key in ("sufficient", "necessary"):
        s = sets["s"]
        sigma, suffices = plain.sigma(table, s), plain.suffices(table, s)
        if (sigma and not suffices) if key == "sufficient" else (suffices and not sigma):
            where = f": point {_point(plain.witness(table, s))}" if not suffices else ""
            return f"s = {_set(s)}: σ(s) = {int(sigma)}, and Eq. 1 {'holds' if suffices else 'does not hold'}{where}"
        return None
    if key == "monotone":
        low, high = sets["lower"], sets["upper"]
        wrong = low <= high and plain.sigma(table, low) and not plain.sigma(table, high)
        return f"σ({_set(low)}) = 1, σ({_set(high)}) = 0" if wrong else None
    if key == "one terminal":
        lost = next((x for x in plain.points(table.size) if plain.end(table, x) is None), None)
        return None if lost is None else f"point {_point(lost)} reaches no terminal"
    seed = sets["seed"]
    if key == "Algorithm 2":
        result = plain.algorithm_2(table, seed)
        weak = {name: plain.suffices(table, members) for name, members in _around(seed, result).items()}
    else:
        result = plain.algorithm_3(table, seed)
        around = _around(seed, result).items()
        weak = {name: not plain.suffices(table, everything - members) for name, members in around}
    kind = "AXp" if key == "Algorithm 2" else "CXp"
    if not weak.pop("seed") or result != sets["result"]:
        return None
    start = f"from the weak {kind} {_set(seed)} comes {_set(result)}"
    if part == "weak":
        return None if weak["result"] else f"{start}, which is no weak {kind}"
    member = int(part.removeprefix("minimal-"))
    spare = member in result and weak[f"without {member}"]
    return f"{start}, which is a weak {kind} without feature {member + 1} too" if spare else None


def _around(seed: Features, result: Features) -> dict[str, Features]:
    return {"seed": seed, "result": result, **{f"without {i}": result - {i} for i in result}}


def _set(members: Features) -> str:
    return "{" + ", ".join(str(i + 1) for i in sorted(members)) + "}"


def _point(point: tuple[int, ...] | None) -> str:
    return str(tuple(point or ()))
