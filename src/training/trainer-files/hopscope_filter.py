"""Which groups of trajectories enter an update: pure functions, tested by test_hopscope_filter.py.

MMhops-R1 keeps a group with at least one right answer (its equation 4); groups that are all right stay, since format and
calls still tell them apart. verl's own rule keeps a group whose metric varies: with metric `acc` it would drop the groups
that are all right, with the whole reward it would keep groups without any right answer whose format varies.
"""


def keeps(outcomes):
    """Whether a group is kept; `outcomes` has 1 for each right answer and 0 for each wrong one."""
    return any(outcome > 0 for outcome in outcomes)


def keeps_as_dapo(outcomes):
    """DAPO's rule for comparison: neither all right nor all wrong."""
    return len({outcome > 0 for outcome in outcomes}) == 2


def dropped(groups, rule=keeps):
    """Ids of the groups that are not kept; `groups` maps an id to its outcomes."""
    return {group for group, outcomes in groups.items() if not rule(outcomes)}
