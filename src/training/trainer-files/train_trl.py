"""GRPO with TRL on the episodes of a Hopscope server: python train_trl.py [--model NAME] [--output DIR] …

The tools are those that the protocol declares (tools.json); TRL writes their calls into the prompt, carries them out by
the methods made here, and masks what they bring back. The reward is the server's, of the whole episode.
"""

import argparse
import json
import os
from pathlib import Path

from datasets import Image, List, load_dataset
from hopscope_trl import environment_class, episode_reward
from trl import GRPOConfig, GRPOTrainer

here = Path(__file__).resolve().parent
TOLD = json.loads((here / "environment.json").read_text())


def settings(output, **changed):
    """The paper's setting as TRL has it, on one device; `changed` goes before it. What is DAPO's or ours: see the guide.

    256 groups of 8 make one update: on several devices divide the accumulation by their number.
    """
    values = {
        "output_dir": output,
        "learning_rate": 1e-6,
        "lr_scheduler_type": "constant",
        "num_train_epochs": 1,
        "num_generations": 8,
        "per_device_train_batch_size": 8,
        "gradient_accumulation_steps": 256,
        "beta": 0.0,
        "epsilon": 0.2,
        "epsilon_high": 0.28,
        "loss_type": "dapo",
        "scale_rewards": "group",
        "temperature": 1.0,
        "max_completion_length": 8192,
        "max_tool_calling_iterations": TOLD["limit"],
        "report_to": "none",
    }
    return GRPOConfig(**{**values, **changed})


def rows(split="train"):
    """The tasks of a split, with their images opened when they are read."""
    tasks = load_dataset("json", data_files=str(here / f"{split}.jsonl"), split="train")
    if "images" not in tasks.column_names:
        return tasks
    placed = tasks.map(lambda row: {"images": [str(here / file) for file in row["images"]]})
    return placed.cast_column("images", List(Image()))


def trainer(model, config, server=None, **more):
    """TRL's trainer with the tools, the episodes and the reward of the server."""
    server = server or os.environ.get("HOPSCOPE_URL") or TOLD["server"]
    environment = environment_class(json.loads((here / "tools.json").read_text()), server)
    return GRPOTrainer(
        model=model, args=config, environment_factory=environment, reward_funcs=[episode_reward], **more
    )


def main():
    told = argparse.ArgumentParser(description=__doc__)
    told.add_argument("--model", default="Qwen/Qwen2.5-VL-7B-Instruct")
    told.add_argument("--output", default=str(here / "trained"))
    told.add_argument("--server", default=None, help="default: HOPSCOPE_URL, or what environment.json says")
    given = told.parse_args()
    trainer(given.model, settings(given.output), given.server, train_dataset=rows()).train()


if __name__ == "__main__":
    main()
