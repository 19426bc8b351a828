// A small formal explainer that speaks xpgcheck's line protocol: docs/reference/protocol.md says what the lines mean.
//
// It follows the paper: the graph and the instance become an explanation graph, whose edges are labelled 1 where their
// literal holds at the instance.  A set of free features is a weak CXp if some path to another class has all of its edges
// labelled 0 on free features.  Numbers are exact: fractions of BigInts.

"use strict";
const readline = require("node:readline");

// Numbers: "-3", "2.45", "1e-3", "5/2" as [numerator, denominator], the denominator being positive.
function number(text) {
  const ratio = /^([+-]?\d+)\/(\d+)$/.exec(text);
  if (ratio) return [BigInt(ratio[1]), BigInt(ratio[2])];
  const decimal = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!decimal || decimal[2] + decimal[3] === "") throw new Error(`not a number: ${text}`);
  const digits = BigInt(decimal[2] + decimal[3]) * (decimal[1] === "-" ? -1n : 1n);
  const shift = BigInt(decimal[4] || 0) - BigInt(decimal[3].length);
  return shift >= 0n ? [digits * 10n ** shift, 1n] : [digits, 10n ** -shift];
}

function compare(a, b) {
  const difference = a[0] * b[1] - b[0] * a[1];
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

// Does the text of a value lie in an item of a literal: a value, a number, an interval?
function inItem(domain, value, item) {
  if (domain.type === "boolean" || domain.type === "categorical") return value === String(item);
  if (value === "missing" || item === "missing") return value === item;
  const span = /^\s*([[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])\s*$/.exec(String(item));
  if (!span) return compare(number(value), number(String(item))) === 0;
  const [, left, low, high, right] = span;
  const above = low === "-inf" ? 1 : compare(number(value), number(low));
  const below = high === "inf" ? 1 : compare(number(high), number(value));
  return above >= (left === "(" ? 1 : 0) && below >= (right === ")" ? 1 : 0);
}

// The explanation graph: nodes with their edges, each with its feature and its label; and the classes of terminals.
function explanationGraph(graph, instance) {
  const features = new Map(graph.features.map((feature, index) => [feature.name, index]));
  const domains = graph.features.map((feature) => feature.domain);
  const targets = new Set();
  const nodes = new Map();
  for (const node of graph.nodes) {
    const feature = features.get(node.feature);
    const edges = (node.edges || []).map((edge) => {
      targets.add(edge.to);
      return { to: edge.to, feature, holds: edge.in.some((item) => inItem(domains[feature], instance[node.feature], item)) };
    });
    nodes.set(node.id, { edges, classOf: node.class });
  }
  const root = graph.root !== undefined ? graph.root : graph.nodes.find((node) => !targets.has(node.id)).id;
  let own = root;
  while (nodes.get(own).edges.length > 0) own = nodes.get(own).edges.find((edge) => edge.holds).to;
  return { nodes, root, own: nodes.get(own).classOf, count: domains.length };
}

// Is there a path to another class while only the features of `free` may change?  (The paper's Algorithm 1.)
function pathToZero(xpg, free) {
  const seen = new Set([xpg.root]);
  const stack = [xpg.root];
  while (stack.length > 0) {
    const node = xpg.nodes.get(stack.pop());
    if (node.edges.length === 0 && node.classOf !== xpg.own) return true;
    for (const edge of node.edges) {
      if ((edge.holds || free.has(edge.feature)) && !seen.has(edge.to)) {
        seen.add(edge.to);
        stack.push(edge.to);
      }
    }
  }
  return false;
}

// Leave out one feature after the other, as long as `isWeak` holds of the rest.
function minimal(features, isWeak) {
  const kept = new Set(features);
  for (const feature of features) {
    kept.delete(feature);
    if (!isWeak(kept)) kept.add(feature);
  }
  return [...kept].sort((a, b) => a - b);
}

const everything = (xpg) => [...Array(xpg.count).keys()];
const isWeakCxp = (xpg) => (set) => pathToZero(xpg, set);
const isWeakAxp = (xpg) => (set) => !pathToZero(xpg, new Set(everything(xpg).filter((i) => !set.has(i))));
const axp = (xpg) => minimal(everything(xpg), isWeakAxp(xpg));
const cxp = (xpg) => (pathToZero(xpg, new Set(everything(xpg))) ? minimal(everything(xpg), isWeakCxp(xpg)) : null);

// The sets that hold no other one.
function smallest(sets) {
  const found = [];
  for (const set of [...sets].sort((a, b) => a.size - b.size)) {
    if (!found.some((other) => [...other].every((i) => set.has(i)))) found.push(set);
  }
  return found;
}

// All XPs: a path to another class gives the features of its edges labelled 0, and the smallest of those sets are the
// CXps; the AXps are their minimal hitting sets.
function enumerate(xpg) {
  const known = new Map();
  const below = (id) => {
    if (!known.has(id)) {
      const { edges, classOf } = xpg.nodes.get(id);
      let sets = edges.length === 0 && classOf !== xpg.own ? [new Set()] : [];
      for (const edge of edges) {
        sets = sets.concat(below(edge.to).map((set) => (edge.holds ? set : new Set([...set, edge.feature]))));
      }
      known.set(id, smallest(sets));
    }
    return known.get(id);
  };
  const cxps = below(xpg.root);
  let axps = [new Set()];
  for (const cxp of cxps) {
    axps = smallest(axps.flatMap((set) => ([...cxp].some((i) => set.has(i)) ? [set] : [...cxp].map((i) => new Set([...set, i])))));
  }
  const listed = (kind, sets) => sets.map((set) => [kind, [...set].sort((a, b) => a - b)]);
  return [...listed("AXp", axps), ...listed("CXp", cxps)];
}

const models = new Map();

function reply({ id, ask, model, graph, instance, forget }) {
  if (ask === "hello") return { id, protocol: 1, name: "explainer.js", version: "1", can: ["predict", "axp", "cxp", "enumerate"] };
  for (const name of forget || []) models.delete(name);
  if (graph !== undefined) models.set(model, graph);
  const xpg = explanationGraph(models.get(model), instance);
  if (ask === "predict") return { id, answer: models.get(model).classes.indexOf(xpg.own) };
  if (ask === "axp") return { id, answer: axp(xpg) };
  if (ask === "cxp") return { id, answer: cxp(xpg) };
  if (ask === "enumerate") return { id, answer: enumerate(xpg) };
  return { id, unsupported: `${ask} is not offered` };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const question = JSON.parse(line);
  try {
    process.stdout.write(JSON.stringify(reply(question)) + "\n");
  } catch (error) {
    process.stdout.write(JSON.stringify({ id: question.id, error: String(error) }) + "\n");
  }
});
