"""verl's reward function: asks the server's /score; for loops that play no episodes (e.g. verl's own tool_agent).

The text that verl hands over is the response alone, observations included and role marks dropped, so the server can read
actions and answer from it, not what was retrieved. Where an episode was played, hopscope_agent_loop.py has its reward.
"""

from hopscope_client import Client, numbers

_client = None


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **_):
    """`score` and its components; raises where the server cannot score or cannot be reached."""
    global _client
    _client = _client or Client()
    scored = _client.score(
        {
            "data_source": str(data_source),
            "solution_str": solution_str,
            "ground_truth": {"task": str(ground_truth["task"])},
            "extra_info": {"task": str(ground_truth["task"])},
        }
    )
    return numbers(scored["reward"], scored["components"])
