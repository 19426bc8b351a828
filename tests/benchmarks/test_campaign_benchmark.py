"""The campaign's benchmarks at tiny sizes: what they count is right, and the simulated cluster obeys arithmetic."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import campaign, campaign_simulation, campaign_soak
from benchmarks.simulated_cluster import Costs, Setting, heavy_tailed, resampled, simulate

FREE = Costs(driver=0.0, journal=0.0, scheduler=0.0, between=0.0, message=0.0)


def always(seconds):
    return lambda _: seconds


def test_without_costs_everybody_is_busy():
    found = simulate(Setting(FREE, workers=20), always(1.0), seconds=50, warm_up=10)
    assert found.busy == pytest.approx(1.0)
    assert (found.driver, found.scheduler) == (0.0, 0.0)
    assert found.finished == pytest.approx(20 * 50, abs=20)


def test_one_in_flight_waits_for_the_way_there_and_back():
    """Between two units of 1 s: two ways through the scheduler and the fetching of the result, 8 messages of 10 ms."""
    costs = replace(FREE, message=0.01)
    found = simulate(Setting(costs, workers=1, in_flight=1), always(1.0), seconds=1000, warm_up=100)
    assert found.busy == pytest.approx(1 / 1.08, rel=0.01)
    # With two, one waits while the other is carried out.
    assert simulate(Setting(costs, workers=1), always(1.0), seconds=1000, warm_up=100).busy == pytest.approx(1.0)


@pytest.mark.parametrize("server", ["driver", "journal", "scheduler"])
def test_a_server_that_is_too_slow_is_what_decides(server):
    """100 workers with units of 1 s make 100 units per second; a server at 20 ms each lets half of them through."""
    costs = replace(FREE, **{server: 0.02})
    found = simulate(Setting(costs, workers=100), always(1.0), seconds=200, warm_up=50)
    assert found.busy == pytest.approx(0.5, abs=0.02)
    assert getattr(found, "scheduler" if server == "scheduler" else "driver") == pytest.approx(1.0, abs=0.02)


def test_lost_workers_lose_what_they_were_at():
    """A worker that lasts 20 s on average finishes fewer units of 10 s than it begins; none is lost for good."""
    setting = Setting(FREE, workers=50, lost_every=20.0, noticed=5.0, back=10.0, units=300)
    found = simulate(setting, always(10.0), seconds=1e6)
    assert found.finished == 300
    # The expected part of time in units that end, while there are more units than workers.
    endless = simulate(replace(setting, units=None), always(10.0), seconds=20_000, warm_up=1000)
    assert endless.busy == pytest.approx(0.5 / (2.718281828**0.5 - 1), abs=0.02)


def test_a_finite_plan_has_a_tail():
    """30 units of 1 s for 20 workers take 2 s, of which half of the workers idle for one."""
    found = simulate(Setting(FREE, workers=20, units=30), always(1.0), seconds=1e6)
    assert (found.finished, found.seconds) == (30, pytest.approx(2.0))
    assert found.busy == pytest.approx(0.75)


def test_it_is_deterministic_and_its_seed_counts():
    setting = Setting(campaign_simulation.RECORDED, workers=30, lost_every=100.0)
    lengths = heavy_tailed(10.0)
    first = simulate(setting, lengths, 300, 50, seed=1)
    assert simulate(setting, lengths, 300, 50, seed=1) == first
    assert simulate(setting, lengths, 300, 50, seed=2) != first


def test_recorded_lengths_are_scaled():
    import random

    recorded = campaign_simulation.recorded_lengths()
    assert len(recorded) >= 10
    draw, lengths = random.Random(0), resampled(recorded, 3.0)
    assert sum(lengths(draw) for _ in range(4000)) / 4000 == pytest.approx(3.0, rel=0.02)


def test_the_simulation_meets_its_target_and_says_what_breaks():
    report = campaign_simulation.run(workers=60, units=4, costs=campaign_simulation.RECORDED)
    assert all(len(row) == len(report.columns) for row in report.rows)
    assert [target.met for target in report.targets] == [True]
    slow = replace(campaign_simulation.RECORDED, driver=10.0)
    assert not campaign_simulation.run(workers=60, units=4, costs=slow).targets[0].met


@pytest.mark.slow
def test_the_benchmark_counts_all_units():
    report = campaign.run(examples=12, unit=3, rounds=1, profiled=5, empty=10)
    assert all(len(row) == len(report.columns) for row in report.rows)
    assert sum(row[1] for row in report.rows if row[0].startswith("layer: ")) == pytest.approx(100)


@pytest.mark.parametrize(
    ("file", "layer"),
    [
        ("/somewhere/site-packages/z3/z3core.py", "SAT and SMT solvers, pySMT"),
        ("/somewhere/xpgcheck/xpg/traversal.py", "XpGs and explainer"),
        ("/somewhere/xpgcheck/judging/xp_judge.py", "oracles, encodings for SMT"),
        ("/somewhere/xpgcheck/properties/strategies/growing.py", "generation"),
        ("/somewhere/xpgcheck/properties/statements/sigma.py", "properties"),
        ("/somewhere/python3.11/fractions.py", "standard library, others"),
    ],
)
def test_layers_are_told_by_files(file, layer):
    assert campaign.layer_of(file) == layer


def test_growth_is_measured_after_the_warm_up():
    def sampled(memory):
        samples = [campaign_soak.Sample(float(s), 100.0, memory(s)) for s in range(0, 3600, 10)]
        return campaign_soak.Soaked(samples, 1, 1, 0)

    flat = sampled(lambda s: 200.0 if s >= 590 else 50.0)
    assert (flat.growth("driver"), flat.growth("workers")) == (0.0, 0.0)
    # Workers that are replaced, at times larger and at times smaller ones.
    assert abs(sampled(lambda s: 180.0 + 90 * (s // 420 % 2)).growth("workers")) < 0.05
    leaking = sampled(lambda s: 200.0 + s / 100)
    assert leaking.growth("workers") > campaign_soak.MOST_GROWTH


@pytest.mark.slow
def test_a_short_soak_samples_driver_and_workers():
    soaked = campaign_soak.soak(4.0, jobs=1, arguments=["--unit", "5"], every=0.5)
    assert soaked.cases == 5 * soaked.units > 0
    assert soaked.findings == 0
    assert min(soaked.samples[-1].driver, soaked.samples[-1].workers) > 10
