"""What `make bench` says of its own figures: goals, intervals, and whether the machine was quiet enough."""

from __future__ import annotations

import pytest
from bench_goal import interval, judged
from bench_report import Measured, tables, verdict
from bench_sides import Round


def a_round(mean: float) -> Round:
    return Round(*[mean] * len(Round.__dataclass_fields__))


def measured(java: list[float], again: list[float], **more) -> Measured:
    """A work whose C++ takes 1000 ns in each round."""
    names = {"C++": [1000.0] * len(java), "C++ in the JVM": [1000.0] * len(java), "Java": java}
    names |= {"Python": [3000.0] * len(java), "C++ again": again}
    rounds = {name: [a_round(mean) for mean in means] for name, means in names.items()}
    return Measured("a work", "C++ in the JVM", more.pop("goal", None), rounds, **more)


def said(found: Measured) -> str:
    return next(iter(list(tables([found], []))[1].columns[-1].cells))


@pytest.mark.parametrize("count", [1, 2, 3, 15, 30, 150])
def test_the_interval_lies_around_the_median(count):
    low, high = interval([float(each) for each in reversed(range(count))])
    assert low + high == count - 1  # as many beyond one end as beyond the other


def test_the_interval_of_fifteen_is_from_the_fourth_to_the_fourth_last():
    # Of 15, the median of all lies between ranks 4 and 12 with 1 - 2 * P(B(15, 1/2) <= 3) = 96.5 %.
    assert interval([float(each) for each in range(1, 16)]) == (4, 12)


@pytest.mark.parametrize(
    ("least", "value", "answer"),
    [
        (False, 1.0, "reached"),
        (False, 1.2, "NOT REACHED"),
        (True, 1.0, "NOT REACHED"),
        (True, 1.2, "reached"),
    ],
)
def test_a_goal_has_a_direction(least, value, answer):
    assert f": {answer} (" in judged([value] * 5, 1.1, "of C++", least)


@pytest.mark.parametrize(("java", "answer"), [(1099.0, "reached"), (1101.0, "NOT REACHED")])
def test_a_ratio_is_judged_against_its_rival(java, answer):
    assert f"at most 1.10 of C++ in the JVM: {answer} (" in said(measured([java] * 5, [1000.0] * 5, goal=1.1))


@pytest.mark.parametrize(("java", "answer"), [(1149.0, "reached"), (1151.0, "NOT REACHED")])
def test_a_difference_is_judged_in_microseconds(java, answer):
    assert f"at most 0.15 µs over C++ in the JVM: {answer} (" in said(measured([java] * 5, [1000.0] * 5, over=0.15))


def test_a_work_without_a_goal_says_nothing():
    assert said(measured([1000.0] * 5, [1000.0] * 5)) == ""


@pytest.mark.parametrize(("again", "trusted"), [(1049.0, True), (1051.0, False), (951.0, True), (949.0, False)])
def test_ratios_are_trusted_when_cpp_equals_itself(again, trusted):
    assert ("TOO NOISY" not in verdict([measured([1000.0] * 5, [again] * 5)])) == trusted
