"""Writes a model of SmolLM2's kind with few and random weights, which knows nothing: python tiny.py FILE"""

import sys

import torch
from transformers import AutoModelForCausalLM

import weights

packaged = weights.packaged()
config = weights.load(packaged)[0].config
config.update({"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2})
config.update({"num_key_value_heads": 1, "head_dim": 32})
torch.manual_seed(0)
weights.save(AutoModelForCausalLM.from_config(config), packaged, sys.argv[1])
