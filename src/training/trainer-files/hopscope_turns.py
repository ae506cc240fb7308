"""Turns of an episode as a trainer has them: tokens cut behind an action, observations with their images opened."""

import base64
import io

from hopscope_client import text_of


def cut_behind(tokenizer, tokens, stop):
    """The shortest beginning of the tokens that holds a whole stop string, with an end mark; all where there is none."""
    if not any(one in tokenizer.decode(tokens) for one in stop):
        return tokens
    low, high = 1, len(tokens)
    while low < high:
        middle = (low + high) // 2
        if any(one in tokenizer.decode(tokens[:middle]) for one in stop):
            high = middle
        else:
            low = middle + 1
    return tokens[: low + 1] if tokens[low : low + 1] == [tokenizer.eos_token_id] else tokens[:low]


def observed(message):
    """A message of the server as a user turn of the chat template, and its images opened."""
    parts = message["content"]
    if all(part["type"] == "text" for part in parts):
        # templates of models that see nothing take no lists
        return {"role": "user", "content": text_of([message])}, []
    shown = [part if part["type"] == "text" else {"type": "image", "image": picture(part)} for part in parts]
    return {"role": "user", "content": shown}, [part["image"] for part in shown if part["type"] == "image"]


def picture(part):
    """The image of a message part, opened; needs Pillow, which every trainer that takes images has."""
    from PIL import Image

    data = base64.b64decode(part["url"].partition(",")[2])
    return Image.open(io.BytesIO(data)).convert("RGB")


def must_be_same(messages, opening):
    """Refuses a file that was exported of another setting: it would train on one prompt and be paid for another."""

    def words(message):
        # marks in texts are taken apart by blanks, and images stand as marks in some forms
        return message["role"], "".join(text_of([message]).replace("<image>", "").split()).replace("<image>", "")

    if [words(message) for message in messages] != [words(message) for message in opening]:
        raise ValueError("the server opens this episode otherwise than the file: export again with its agent and setting")
