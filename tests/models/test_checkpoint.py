"""Checkpoints of both families, saved by `transformers` and by us: the same logits, the same text."""

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers

from autograder.judging.rounding import one_unit_off
from autograder.judging.tolerance import bound, rounding_floor
from autograder.spec.user_error import UserError
from models.checkpoint import config_of, load_checkpoint, save_checkpoint
from models.speaking import Chat
from models.training import new_model

transformers = pytest.importorskip("transformers")

SIZES: dict[str, object] = {"vocab_size": 97, "num_hidden_layers": 2, "intermediate_size": 80}
LLAMA_3 = {
    "rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}  # fmt: skip
LLAMA: dict[str, object] = {"hidden_size": 72, "num_attention_heads": 9, "num_key_value_heads": 3}  # heads of width 8
LLAMA |= {"tie_word_embeddings": True, "rms_norm_eps": 1e-5}
QWEN: dict[str, object] = {"hidden_size": 112, "num_attention_heads": 14, "num_key_value_heads": 2}
QWEN |= {"tie_word_embeddings": True, "rms_norm_eps": 1e-6}
MADE: dict[str, tuple[str, dict[str, object]]] = {
    "llama, 9:3, tied": ("Llama", LLAMA),
    "llama 3, scaled, untied": ("Llama", LLAMA | {"tie_word_embeddings": False, "rope_parameters": LLAMA_3}),
    "llama, one head for each": ("Llama", LLAMA | {"num_key_value_heads": 9}),
    "qwen2, 14:2, tied": ("Qwen2", QWEN | {"rope_parameters": {"rope_type": "default", "rope_theta": 1e6}}),
    "qwen2, untied": ("Qwen2", QWEN | {"tie_word_embeddings": False}),
}


def theirs(name, seed=0):
    """A random model of `transformers`, all of whose weights and biases matter."""
    family, config = MADE[name]
    torch.manual_seed(seed)
    made = getattr(transformers, f"{family}ForCausalLM")(getattr(transformers, f"{family}Config")(**SIZES | config))
    for parameter in made.parameters():
        parameter.data += torch.randn_like(parameter) * 0.15
    return made.eval()


def tokenizer():
    made = Tokenizer(models.WordLevel({chr(97 + i % 26) + chr(97 + i // 26): i for i in range(97)}, unk_token="aa"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made


def saved(made, folder, **how):
    made.save_pretrained(folder, **how)
    tokenizer().save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(params=MADE)
def pair(request, tmp_path):
    """A model of `transformers`, and ours from what it saved."""
    made = theirs(request.param)
    return made, load_checkpoint(saved(made, tmp_path))[0]


def test_logits_are_equal_within_the_rule(pair):
    made, ours = pair
    tokens = torch.randint(97, (2, 50), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        plain = [made(tokens).logits]
        generator = torch.Generator().manual_seed(2)
        state = {name: x.clone() for name, x in made.state_dict().items()}
        for _ in range(5):  # as plain_runs does: weights are off by a unit in the last place
            made.load_state_dict({name: one_unit_off(x, generator) for name, x in state.items()})
            plain.append(made(tokens).logits)
        made.load_state_dict(state)
        truth = made.double()(tokens).logits
        got = ours.logits(tokens)
    worst = max((x - truth).abs().max() for x in plain)
    allowed = bound(2.0, float(worst), float(rounding_floor(truth.float(), truth).max()))
    assert (got - truth).abs().max() <= allowed
    assert allowed < 1e-3 * truth.abs().max()


def test_greedy_text_is_equal(pair):
    made, ours = pair
    prompt = [5, 17, 3, 60, 41]
    wanted = made.generate(torch.tensor([prompt]), max_new_tokens=30, do_sample=False, pad_token_id=0, eos_token_id=-1)
    assert list(ours.generate(prompt, 30)) == wanted[0, len(prompt) :].tolist()


def test_a_checkpoint_in_pieces_is_read(tmp_path):
    made = theirs("llama, 9:3, tied")
    saved(made, tmp_path, max_shard_size="20KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 2
    tokens = torch.arange(20)[None]
    torch.testing.assert_close(load_checkpoint(tmp_path)[0].logits(tokens), made(tokens).logits)


@pytest.mark.parametrize("name", ["llama 3, scaled, untied", "qwen2, 14:2, tied"])
def test_configs_of_older_versions_say_the_same(tmp_path, name):
    saved(theirs(name), tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    rope = config["rope_parameters"]
    older = {key: value for key, value in config.items() if key not in ("rope_parameters", "head_dim")}
    older |= {"rope_theta": rope["rope_theta"], "rope_scaling": rope if rope["rope_type"] == "llama3" else None}
    assert config_of(older) == config_of(config)


def test_sixteen_bits_are_read_as_thirty_two(tmp_path):
    made = theirs("qwen2, untied").to(torch.bfloat16)
    ours = load_checkpoint(saved(made, tmp_path))[0]
    assert {x.dtype for x in ours.weights.values()} == {torch.float32}
    tokens = torch.arange(20)[None]
    read = transformers.AutoModelForCausalLM.from_pretrained(tmp_path, local_files_only=True, dtype=torch.float32)
    torch.testing.assert_close(ours.logits(tokens), read(tokens).logits, rtol=1e-4, atol=1e-4)


def test_what_we_save_is_a_checkpoint_for_transformers_too(tmp_path):
    model = new_model()
    save_checkpoint(model, tokenizer(), tmp_path)
    again = load_checkpoint(tmp_path)[0]
    assert again.config == model.config
    assert all(torch.equal(x, again.weights[name]) for name, x in model.weights.items())
    read = transformers.AutoModelForCausalLM.from_pretrained(tmp_path, local_files_only=True)
    tokens = torch.arange(40)[None]
    torch.testing.assert_close(model.logits(tokens), read(tokens).logits)


def broken(folder, how):
    """The folder of a checkpoint, broken in one way."""
    config, weights = folder / "config.json", folder / "model.safetensors"
    changes = json.loads(config.read_text())
    if how == "empty":
        shutil.rmtree(folder)
    elif how == "garbled":
        config.write_text("{")
    elif how == "no weights":
        weights.unlink()
    elif how == "index without files":
        weights.rename(weights.with_name("model.safetensors.index.json")).write_text('{"weight_map": ["a"]}')
    elif how == "cut off":
        weights.write_bytes(weights.read_bytes()[:1000])
    elif how == "a weight is missing":
        save_file({name: x for name, x in load_file(weights).items() if "up_proj" not in name}, weights)
    elif how == "no tokenizer":
        (folder / "tokenizer.json").unlink()
    else:
        config.write_text(json.dumps(changes | json.loads(how)))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("empty", "is no checkpoint: it has no config.json"),
        ("garbled", "config.json cannot be read"),
        ("no weights", "model.safetensors cannot be read"),
        ("cut off", "model.safetensors cannot be read"),
        ("a weight is missing", "has not the weights that its config.json asks for"),
        ("no tokenizer", "tokenizer.json cannot be read"),
        ('{"model_type": "mamba"}', "model_type 'mamba'"),
        ('{"rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4}}', "rotation of type 'yarn'"),
        ('{"hidden_act": "gelu"}', "an activation other than silu"),
        ('{"attention_bias": true}', "biases in other places"),
        ('{"num_key_value_heads": 9}', "has not the weights"),
        ('{"vocab_size": null}', "does not state"),
        ('{"rms_norm_eps": null}', "does not state"),
        ('{"num_attention_heads": 0, "head_dim": null}', "does not state"),
        ('{"rope_scaling": "linear"}', "has a rope_scaling that cannot be read"),
        ("index without files", "index.json cannot be read"),
    ],
)
def test_a_folder_that_is_none_gets_one_sentence(tmp_path, how, said):
    saved(theirs("llama, 9:3, tied"), tmp_path)
    broken(tmp_path, how)
    with pytest.raises(UserError, match=said) as raised:
        load_checkpoint(tmp_path)
    assert "\n" not in str(raised.value)


def test_weights_are_looked_for_in_the_folder_alone(tmp_path):
    """An index is data from elsewhere: it may name no file outside."""
    inside = saved(theirs("llama, 9:3, tied"), tmp_path / "inside")
    shutil.move(inside / "model.safetensors", tmp_path / "other.safetensors")
    named = dict.fromkeys(load_file(tmp_path / "other.safetensors"), "../other.safetensors")
    (inside / "model.safetensors.index.json").write_text(json.dumps({"weight_map": named}))
    with pytest.raises(UserError, match="cannot be read"):
        load_checkpoint(inside)


def test_our_kernels_are_not_taken_for_hugging_faces():
    """Theirs is a package of that name; transformers asks for its version, and takes none of ours."""
    from transformers.utils.import_utils import is_kernels_available

    import kernels

    assert kernels.__file__ is not None and not is_kernels_available()


TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}> {{ m.content }} {% endfor %}{% if add_generation_prompt %}<me>{% endif %}"
)


def test_a_conversation_is_written_as_the_template_says_and_answers_are_remembered(tmp_path, capsys):
    folder = saved(theirs("qwen2, untied"), tmp_path)
    settings = {"chat_template": TEMPLATE, "eos_token": {"content": "zc"}}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    chat = Chat(folder, *load_checkpoint(folder))
    chat.say("ba ca", n=5)
    answer = chat.messages[-1]["content"]
    assert capsys.readouterr().out == answer + "\n" and 0 < len(answer.split()) <= 5
    chat.messages.append({"role": "user", "content": "da"})
    assert chat.written() == f"<user> ba ca <assistant> {answer} <user> da <me>"
    assert chat.tokenizer.token_to_id("zc") in chat.stops()


def test_a_template_cannot_reach_python(tmp_path):
    folder = saved(theirs("qwen2, untied"), tmp_path)
    template = "{{ messages.__class__.__mro__[1].__subclasses__() }}"
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": template}))
    with pytest.raises(UserError, match="cannot be followed"):
        Chat(folder, *load_checkpoint(folder)).say("ba")


def test_without_a_template_there_is_no_conversation(tmp_path):
    folder = saved(theirs("qwen2, untied"), tmp_path)
    with pytest.raises(UserError, match="has no chat template"):
        Chat(folder, *load_checkpoint(folder))
