"""Fine-tunes on {{file}}; only what the policy says is learned (assistant_only_loss).

Needs TRL 1.x with transformers 5.18 or newer, which learn only the assistant also where images are. Run it where it lies:
python {{script}} [--model NAME] [--output DIR]
Several cards: accelerate launch --num_processes 4 {{script}}

Search-Align as MC-Search's paper states it for Qwen2.5-VL-7B: learning rate 1e-4, 2 epochs, warm-up 0.1, cosine, one row a
device, 8 accumulated, 4 cards. Whether an adapter or all weights were trained it does not say: `tuning` is our choice.
"""

import argparse
import json
import os

# Rows with images are never cut: images would lose their places. The longest row has about {{longest}} tokens by estimate.
max_length = {{max_length}}
# Keep it the same at training, in episodes and at evaluation.
max_pixels = {{max_pixels}}
# "full": all weights; "lora": an adapter beside them, which needs the package peft.
tuning = "{{tuning}}"
here = os.path.dirname(os.path.abspath(__file__))


def load_rows(name="{{file}}"):
    """Rows as a data set; without any image the messages are plain texts, as templates of text models want them."""
    from datasets import Dataset, Image, Sequence

    with open(os.path.join(here, name), encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    with_images = any(row["images"] for row in rows)
    for row in rows:
        row.pop("id", None)
        images = row.pop("images")
        if with_images:
            row["images"] = [os.path.join(here, path) for path in images]
        else:
            for message in row["messages"]:
                message["content"] = "".join(block["text"] for block in message["content"])
    data = Dataset.from_list(rows)
    return data.cast_column("images", Sequence(Image())) if with_images else data


# ChatML with the assistant's words marked, for text models whose own template does not mark them.
marked_chatml = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' }}"
    "{% if message['role'] == 'assistant' %}{% generation %}{{ message['content'] + '<|im_end|>' }}{% endgeneration %}"
    "{% else %}{{ message['content'] + '<|im_end|>' }}{% endif %}{{ '\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def mark_assistant(processor, with_images):
    """What the assistant says is learned where the chat template marks it; TRL marks those it knows by itself."""
    template = getattr(processor, "chat_template", None) or ""
    if not with_images and "generation %}" not in template and "<|im_start|>" in template:
        processor.chat_template = marked_chatml


def adapter():
    """What is trained beside the weights; None trains all of them."""
    if tuning != "lora":
        return None
    from peft import LoraConfig

    return LoraConfig(r=8, lora_alpha=16, target_modules="all-linear", task_type="CAUSAL_LM")


def main():
    import torch
    from transformers import AutoProcessor
    from trl import SFTConfig, SFTTrainer

    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="Qwen/Qwen2.5-VL-7B-Instruct")
    parser.add_argument("--output", default=os.path.join(here, "output"))
    options = parser.parse_args()
    settings = SFTConfig(
        output_dir=options.output,
        assistant_only_loss=True,
        max_length=max_length,
        learning_rate=1e-4,
        num_train_epochs=2,
        warmup_steps=0.1,  # a share of all steps
        lr_scheduler_type="cosine",
        per_device_train_batch_size=1,
        gradient_accumulation_steps=8,
        gradient_checkpointing=True,
        bf16=torch.cuda.is_available(),  # on a processor: float32
        use_cpu=not torch.cuda.is_available(),
        logging_steps=10,
        save_strategy="epoch",
    )
    processor = AutoProcessor.from_pretrained(options.model, max_pixels=max_pixels)
    rows = load_rows()
    mark_assistant(processor, "images" in rows.column_names)
    trainer = SFTTrainer(
        model=options.model,
        args=settings,
        train_dataset=rows,
        processing_class=processor,
        peft_config=adapter(),
    )
    trainer.train()
    trainer.save_model()


if __name__ == "__main__":
    main()
