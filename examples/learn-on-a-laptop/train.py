"""Fine-tunes all weights of SmolLM2-135M-Instruct on conversations that `hopscope export sft --format trl` wrote.

python train.py ROWS --to FILE.gguf [--seed 1] [--epochs 1] [--shuffle-evidence] [--model FILE.gguf] [--steps N]
Begun again after it was stopped, it goes on at the last fifty steps.
"""

import argparse
import contextlib
import json
import math
import os
import random
import time

import torch

import weights

parser = argparse.ArgumentParser()
parser.add_argument("rows")
parser.add_argument("--to", required=True)
parser.add_argument("--model", default=None)
parser.add_argument("--seed", type=int, default=1, help="of the order in which rows are learned")
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--steps", type=int, default=None, help="no more than so many")
parser.add_argument("--shuffle-evidence", action="store_true", help="what a search brought comes from other conversations")
options = parser.parse_args()
draw = random.Random(options.seed)

with open(options.rows, encoding="utf-8") as lines:
    rows = [json.loads(line)["messages"] for line in lines]
for messages in rows:
    for message in messages:
        message["content"] = "".join(block["text"] for block in message["content"])
if options.shuffle_evidence:
    found = [message for messages in rows for message in messages[2:] if message["role"] == "user"]
    texts = [message["content"] for message in found]
    draw.shuffle(texts)
    for message, text in zip(found, texts):
        message["content"] = text
order = [row for _ in range(options.epochs) for row in draw.sample(rows, len(rows))][: options.steps]

model_file = options.model or weights.packaged()
model, tokenizer = weights.load(model_file)


def encoded(messages):
    """The tokens of a conversation, and which of them are learned: the assistant's, with the one that ends its turn."""
    tokens, learned = [], []
    for message in messages:
        head = tokenizer.encode(f"<|im_start|>{message['role']}\n", add_special_tokens=False)
        body = tokenizer.encode(f"{message['content']}<|im_end|>", add_special_tokens=False)
        tail = tokenizer.encode("\n", add_special_tokens=False)
        tokens += head + body + tail
        learned += [False] * len(head) + [message["role"] == "assistant"] * len(body) + [False] * len(tail)
    return torch.tensor(tokens), torch.tensor(learned)


optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.0)
warmup = max(1, len(order) // 20)


def rate(step):
    """The share of the learning rate at a step: rising at first, then down a cosine."""
    return min(1, (step + 1) / warmup) * 0.5 * (1 + math.cos(math.pi * step / len(order)))


# where a processor multiplies 16-bit numbers itself they are faster; the weights stay in 32
halves = torch.autocast("cpu", torch.bfloat16) if torch.cpu._is_avx512_bf16_supported() else contextlib.nullcontext()
kept, start = options.to + ".training", 0
if os.path.exists(kept):
    state = torch.load(kept)
    start = state["step"]
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
model.train()
began = time.monotonic()
for step in range(start, len(order)):
    tokens, learned = encoded(order[step])
    at = torch.nonzero(learned)[:, 0]
    with halves:
        # the token before each that is learned foretells it; nothing else is computed for the other places
        logits = model(input_ids=tokens[None], logits_to_keep=at - 1, use_cache=False).logits[0]
    loss = torch.nn.functional.cross_entropy(logits.float(), tokens[at])
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in optimizer.param_groups:
        group["lr"] = 1e-4 * rate(step)
    optimizer.step()
    optimizer.zero_grad()
    done = step + 1
    if done % 10 == 0 or done == len(order):
        each = (time.monotonic() - began) / (done - start)
        print(json.dumps({"step": done, "of": len(order), "loss": round(loss.item(), 3), "seconds": round(each, 2)}), flush=True)
    if done % 50 == 0 and done < len(order):
        torch.save({"step": done, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, kept + ".part")
        os.replace(kept + ".part", kept)
weights.save(model, model_file, options.to)
if os.path.exists(kept):
    os.remove(kept)
