"""Run it with: python -m unittest test_hopscope_filter"""

import unittest

from hopscope_filter import dropped, keeps, keeps_as_dapo


class FilterTest(unittest.TestCase):
    def test_keeps_a_group_with_a_right_answer(self):
        self.assertTrue(keeps([0, 0, 0, 1]))
        self.assertTrue(keeps([0.0, 1.0]))

    def test_keeps_a_group_that_is_all_right_which_dapo_drops(self):
        self.assertTrue(keeps([1, 1, 1, 1]))
        self.assertFalse(keeps_as_dapo([1, 1, 1, 1]))

    def test_drops_a_group_without_a_right_answer(self):
        self.assertFalse(keeps([0, 0, 0, 0]))
        self.assertFalse(keeps_as_dapo([0, 0]))

    def test_drops_an_empty_group(self):
        self.assertFalse(keeps([]))
        self.assertFalse(keeps_as_dapo([]))

    def test_names_what_is_dropped(self):
        groups = {"a": [1, 0], "b": [0, 0], "c": [1, 1]}
        self.assertEqual(dropped(groups), {"b"})
        self.assertEqual(dropped(groups, keeps_as_dapo), {"b", "c"})


if __name__ == "__main__":
    unittest.main()
