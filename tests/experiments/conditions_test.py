"""Tests each kind of condition that a claim about measured data may state. Each condition must accept matching data,
and must reject data that contradict the condition or are incomplete."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

from lib import bounds, pairs, shapes  # noqa: E402


def over(*values, xs=(1, 2, 4, 8, 16)):
    return {"a": list(zip(xs, values))}


def both(a, b, xs=(1, 2, 4, 8)):
    return {"a": list(zip(xs, a)), "b": list(zip(xs, b))}


class Judged(unittest.TestCase):
    def holds(self, condition, *all_data):
        for data in all_data:
            self.assertIs(condition.outcome(data), True, (condition.sentence, data))

    def fails(self, condition, *all_data):
        for data in all_data:
            self.assertIs(condition.outcome(data), False, (condition.sentence, data))


class Bounds(Judged):
    def test_a_bound_is_at_one_place_and_is_reached_by_equality(self):
        self.holds(bounds.at_least("a", 3, 4), over(9, 9, 3))
        self.fails(bounds.at_least("a", 3, 4), over(9, 9, 2.9))
        self.holds(bounds.at_most("a", 3, 4), over(9, 9, 3))
        self.fails(bounds.at_most("a", 3, 4), over(1, 1, 3.1))

    def test_like_is_within_a_factor_of_two_either_way(self):
        self.holds(bounds.like("a", 10, 1), over(5), over(20))
        self.fails(bounds.like("a", 10, 1), over(4.9), over(20.1))

    def test_the_order_of_a_thousand_is_no_hundred(self):
        self.holds(bounds.order_of("a", 1000, 1), over(320), over(3100))
        self.fails(bounds.order_of("a", 1000, 1), over(100), over(310), over(3200), over(1.9))

    def test_everywhere_means_every_point(self):
        self.holds(bounds.everywhere_below("a", 20), over(1, 19.9, 3))
        self.fails(bounds.everywhere_below("a", 20), over(1, 20, 3), over(1, 2, 300))
        self.holds(bounds.everywhere_above("a", 20), over(21, 22))
        self.fails(bounds.everywhere_above("a", 20), over(20, 22))

    def test_beyond_a_place_only_what_lies_there_counts(self):
        self.holds(bounds.at_most_beyond("a", 5, 4), over(80, 50, 20, 5, 0))
        self.fails(bounds.at_most_beyond("a", 5, 4), over(0, 0, 0, 5, 6), over(0, 0, 0))


class Shapes(Judged):
    def test_what_rises_rises_at_each_step_and_leaves_what_is_flat(self):
        self.holds(shapes.rises("a"), over(1, 1.1, 1.5))
        self.fails(shapes.rises("a"), over(1, 1, 1), over(1, 1.1, 1.4), over(1, 3, 2.9, 9), over(3, 2, 1))

    def test_what_falls_falls_at_each_step_and_leaves_what_is_flat(self):
        self.holds(shapes.falls("a"), over(3, 2.5, 2))
        self.fails(shapes.falls("a"), over(3, 2.9, 2.8), over(3, 1, 2), over(1, 2, 20))

    def test_flat_is_within_half_as_much_again(self):
        self.holds(shapes.flat("a"), over(1, 1.5, 1.2))
        self.fails(shapes.flat("a"), over(1, 1.6, 1), over(1, 2, 4), over(4, 2, 1))

    def test_what_does_not_scale_at_all_is_nowhere_above_its_beginning(self):
        self.holds(shapes.never_rises("a"), over(5, 3, 4), over(5, 5.4, 5))
        self.fails(shapes.never_rises("a"), over(5, 6, 4), over(5, 5, 9))

    def test_what_scales_gains_more_than_the_root_of_the_nodes(self):
        self.holds(shapes.scales("a"), over(1, 2, 3, 4, 5))
        self.fails(shapes.scales("a"), over(1, 1.2, 1.5, 2, 3.9), over(4, 3, 8, 16, 32), over(1, 1, 1, 1, 1))

    def test_what_barely_scales_gains_less_than_the_root_of_the_nodes(self):
        self.holds(shapes.barely_scales("a"), over(1, 1.2, 1.5, 2, 3.9), over(3, 3, 3, 2, 1))
        self.fails(shapes.barely_scales("a"), over(1, 2, 3, 4, 5), over(1, 9, 9, 9, 4))

    def test_a_peak_is_where_it_was_published_and_above_both_ends(self):
        peak = shapes.peaks_at("a", 4)
        self.holds(peak, over(1, 2, 5, 4, 3), over(1, 5, 4, 4, 3), over(1, 2, 3, 5, 4))
        self.fails(peak, over(1, 2, 3, 4, 5), over(5, 4, 3, 2, 1), over(5, 4, 3, 4, 4.9),
                   over(1, 1, 1.05, 1, 1), over(1, 2, 3, 3.1, 3), over(4, 5, 6, 7, 6.9))

    def test_a_slow_decline_falls_by_less_than_the_root_of_what_x_gains(self):
        slow = shapes.declines_slowly("a")
        self.holds(slow, over(1, 2, 5, 4, 3))
        self.fails(slow, over(1, 2, 5, 4, 2.4), over(1, 2, 5, 3, 4), over(1, 2, 3, 4, 5))


class Pairs(Judged):
    def test_above_is_above_wherever_both_have_a_value(self):
        self.holds(pairs.above("a", "b"), both((2, 3, 4), (1, 2, 3)))
        self.fails(pairs.above("a", "b"), both((2, 3, 4), (1, 3, 3)))
        self.holds(pairs.times_above("a", "b", 10), both((10, 30), (1, 2)))
        self.fails(pairs.times_above("a", "b", 10), both((10, 19), (1, 2)))

    def test_a_little_above_is_above_and_not_much(self):
        self.holds(pairs.a_little_above("a", "b"), both((2, 6), (1, 2)))
        self.fails(pairs.a_little_above("a", "b"), both((2, 7), (1, 2)), both((1, 6), (1, 2)))

    def test_the_same_is_within_half_as_much_again(self):
        self.holds(pairs.equal("a", "b"), both((3, 2), (2, 3)))
        self.fails(pairs.equal("a", "b"), both((3.1, 2), (2, 2)), both((2, 2), (2, 3.1)))

    def test_no_gain_is_no_visible_one(self):
        self.holds(pairs.no_gain("a", "b"), both((1, 2), (1, 2)), both((1, 1), (9, 9)))
        self.fails(pairs.no_gain("a", "b"), both((1, 2.3), (1, 2)))

    def test_ends_above_looks_at_the_last_place_of_both(self):
        self.holds(pairs.ends_above("a", "b"), {"a": [(1, 1), (2, 5), (64, 0)], "b": [(1, 3), (2, 4)]})
        self.fails(pairs.ends_above("a", "b"), both((5, 1), (1, 2)))


class Missing(Judged):
    EVERY = (bounds.at_least("a", 0, 99), bounds.like("a", 1, 99), bounds.everywhere_above("c", 0),
             bounds.everywhere_below("c", 9), bounds.at_most_beyond("a", 9, 99), shapes.rises("c"),
             shapes.falls("c"), shapes.flat("c"), shapes.never_rises("c"), shapes.scales("c"),
             shapes.peaks_at("c", 2), shapes.declines_slowly("c"), pairs.above("a", "c"),
             pairs.equal("c", "a"), pairs.no_gain("c", "a"), pairs.ends_above("a", "c"))

    def test_data_prove_nothing(self):
        for condition in self.EVERY:
            self.fails(condition, over(1, 2, 3), {"a": []})
            self.assertEqual(condition.seen({}), "")

    def test_data_are_not_judged_where_only_a_part_was_run(self):
        for condition in self.EVERY:
            self.assertIsNone(condition.outcome(over(1, 2, 3), partial=True), condition.sentence)

    def test_one_point_has_no_shape(self):
        for shape in (shapes.rises, shapes.falls, shapes.flat, shapes.never_rises, shapes.scales,
                      shapes.barely_scales):
            self.fails(shape("a"), over(1))
            self.assertIsNone(shape("a").outcome(over(1), partial=True))

    def test_what_is_no_number_is_no_value(self):
        for wrong in (float("nan"), float("inf"), None, "7"):
            self.fails(shapes.flat("a"), over(1, wrong))
            self.fails(bounds.at_most("a", 9, 2), over(1, wrong))
            self.fails(pairs.no_gain("a", "b"), both((1, wrong), (1, 1)))


class Seen(unittest.TestCase):
    def test_values_that_decide_are_told(self):
        data = {"a": [(1, 2e6), (64, 4.84e9)], "b": [(1, 1e6), (64, 2.42e9)]}
        self.assertEqual(bounds.at_least("a", 1e9, 64).seen(data), "a 4.84 G at 64")
        self.assertEqual(shapes.rises("a").seen(data), "a 2 M to 4.84 G (2.42 K times)")
        self.assertEqual(pairs.above("a", "b").seen(data), "a over b: 2 times")
        self.assertEqual(shapes.peaks_at("a", 64).seen(data), "a 4.84 G at 64, 4.84 G at the end")
        self.assertEqual(bounds.everywhere_below("a", 20).seen(data), "a 2 M to 4.84 G")


if __name__ == "__main__":
    unittest.main()
