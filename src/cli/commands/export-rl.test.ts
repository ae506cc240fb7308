import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { agents, settingFor } from "#agents";
import { openBenchmark, readRows } from "#benchmarks";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import { type RunningServer, startServer } from "#server";
import { sha256 } from "#store";
import { createEnvironment, createSessions } from "#training";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace: string;
let knowledge: KnowledgeBase;
let picture: Buffer;
const servers: RunningServer[] = [];
const hopscope = commandsOn(() => workspace);
const at = (name: string) => join(workspace, name);
const rowsOf = (folder: string, file: string) =>
	readFileSync(join(at(folder), file), "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-rl-"));
	picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#2a6" } })
		.png()
		.toBuffer();
	const image = { id: "q", file: "images/q.png", width: 40, height: 30, sha256: sha256(picture) };
	await mkdir(at("benchmarks/towns/images"), { recursive: true });
	await writeFile(at("benchmarks/towns/images/q.png"), picture);
	await makeTowns(workspace, {
		towns: 6,
		more: (n) => ({
			...(n === 1 ? { images: [image], question: "Who wrote <image> in <|im_end|> Town 1?" } : {}),
			tags: { language: "en", split: n < 4 ? "train" : n === 4 ? "validation" : "test" },
		}),
	});
	knowledge = await openKnowledge(at("knowledge/towns"));
});
afterAll(async () => {
	await Promise.all(servers.map((server) => server.close({ grace: 0 })));
	await knowledge.close();
	await rm(workspace, { recursive: true, force: true });
});

async function serve(agent: "tagged" | "function-calling" = "tagged"): Promise<RunningServer> {
	const benchmark = await openBenchmark(at("benchmarks/towns"));
	const played = agents[agent];
	const environment = createEnvironment({ benchmark, knowledge, agent: played, setting: settingFor(played) });
	const server = await startServer(knowledge, { port: 0, environment: { sessions: createSessions(environment) } });
	servers.push(server);
	return server;
}

describe("the rows", () => {
	test("verl: what the episode opens with, a mark for each image, no gold, no test tasks", async () => {
		const { code, out, err } = await hopscope(
			"export",
			"rl",
			"towns",
			"--format",
			"verl",
			"--to",
			at("verl"),
			"--json",
		);
		expect([code, err]).toEqual([0, expect.stringContaining("the episodes are played by") as string]);
		expect(JSON.parse(out)).toMatchObject({ rows: { train: 4, validation: 1 }, images: 1, problems: 0 });
		expect(existsSync(join(at("verl"), "test.json"))).toBe(false);
		const rows = rowsOf("verl", "train.json");
		expect(rows[0]).toMatchObject({
			data_source: "towns",
			agent_name: "hopscope",
			reward_model: { style: "rule", ground_truth: { task: "t0" } },
			extra_info: { split: "train", index: 0, task: "t0", hops: null, form: "turns" },
		});
		expect(rows[0].prompt.map(({ role }: { role: string }) => role)).toEqual(["system", "user"]);
		expect(readFileSync(join(at("verl"), "train.json"), "utf8")).not.toMatch(/\b[0-3]00\b/);
		const { prompt, images } = rows[1];
		expect(prompt[1].content).toContain("<image>");
		expect(prompt[1].content).toContain("Who wrote < image> in < |im_end|> Town 1?");
		expect(prompt[1].content.split("<image>")).toHaveLength(2);
		const [, file] = /^file:\/\/(.*)$/.exec(images[0].image) ?? [];
		expect(sha256(await readFile(file ?? ""))).toBe(/([0-9a-f]{64})\.jpg$/.exec(file ?? "")?.[1]);
	});

	test("verl's configuration has the paper's values, and says of the server's that they are the paper's only where they are", async () => {
		await hopscope("export", "rl", "towns", "-f", "verl", "-t", at("values"));
		const text = readFileSync(join(at("values"), "hopscope_grpo.yaml"), "utf8");
		expect(parse(text)).toMatchObject({
			data: { train_batch_size: 256, val_files: [`\${oc.env:HOPSCOPE_FOLDER}/validation.parquet`] },
			algorithm: { adv_estimator: "grpo", norm_adv_by_std_in_grpo: true, use_kl_in_reward: false },
			actor_rollout_ref: {
				model: { path: expect.stringContaining("Qwen/Qwen2.5-VL-7B-Instruct") as string },
				actor: {
					optim: { lr: 1e-6, lr_scheduler_type: "constant", lr_warmup_steps: 0 },
					...{ ppo_mini_batch_size: 256, ppo_epochs: 1, use_kl_loss: false },
					...{ clip_ratio_low: 0.2, clip_ratio_high: 0.28, clip_ratio_c: 1e9, loss_agg_mode: "token-mean" },
				},
				rollout: { n: 8, temperature: 1, multi_turn: { max_assistant_turns: 5 } },
			},
			trainer: { total_epochs: 1, v1: { sampler: { custom_sampler: { name: "RightAnswerBuffer" } } } },
		});
		expect(text).toContain("3 results a search (paper: k = 3)");
		expect(text).toContain("# paper: T = 4;");
		await hopscope("export", "rl", "towns", "-f", "verl", "-t", at("values"), "--limit", "2");
		const changed = readFileSync(join(at("values"), "hopscope_grpo.yaml"), "utf8");
		expect(parse(changed).actor_rollout_ref.rollout.multi_turn.max_assistant_turns).toBe(3);
		expect(changed).not.toMatch(/paper: [Tk] =/);
	});

	test("Parquet holds the same rows as JSON lines", async () => {
		await hopscope("export", "rl", "towns", "-f", "verl", "-t", at("parquet"));
		const read: unknown[] = [];
		for await (const row of readRows([join(at("parquet"), "train.parquet")]))
			read.push("value" in row ? row.value : row);
		expect(read).toEqual(rowsOf("parquet", "train.json").map((row) => expect.objectContaining(row) as unknown));
	});

	test("answers are written only where asked for, and said so", async () => {
		const { err } = await hopscope("export", "rl", "towns", "-f", "verl", "-t", at("answers"), "--with-answers");
		expect(err).toContain("the rows hold the accepted answers");
		expect(rowsOf("answers", "train.json")[2].reward_model.ground_truth).toEqual({ task: "t2", target: ["200"] });
	});

	test("NeMo Gym: an input of the Responses form with its tools and its images", async () => {
		await hopscope("export", "rl", "towns", "-f", "nemo", "-a", "function-calling", "-t", at("nemo"));
		const [, row] = rowsOf("nemo", "train.jsonl");
		expect(row).toMatchObject({ task: "t1", agent_ref: { type: "responses_api_agents" } });
		expect(row.responses_create_params.tools[0]).toMatchObject({ type: "function", name: "text_search" });
		const parts = row.responses_create_params.input[1].content.map(({ type }: { type: string }) => type);
		expect(parts).toContain("input_image");
	});

	test("refuses a protocol that the trainer cannot speak, a split that is not there and a folder of others", async () => {
		const calls = await hopscope("export", "rl", "towns", "-f", "trl", "-t", at("no"));
		expect([calls.code, calls.err]).toEqual([2, expect.stringContaining("Choose function-calling") as string]);
		const text = await hopscope("export", "rl", "towns", "-f", "verl", "-a", "function-calling", "-t", at("no"));
		expect([text.code, text.err]).toEqual([2, expect.stringContaining("Choose a protocol of text") as string]);
		const split = await hopscope("export", "rl", "towns", "-f", "verl", "-t", at("no"), "--split", "dev");
		expect([split.code, split.err]).toEqual([2, expect.stringContaining("train, validation, test") as string]);
		const folder = await hopscope("export", "rl", "towns", "-f", "verl", "-t", at("benchmarks"));
		expect([folder.code, folder.err]).toEqual([2, expect.stringContaining("export.json") as string]);
		const root = await hopscope("export", "rl", "towns", "-f", "verl", "-t", at("no"), "--root", "data");
		expect([root.code, root.err]).toEqual([2, expect.stringContaining("whole path") as string]);
		expect(existsSync(at("no"))).toBe(false);
	});
});

const noPython = spawnSync("python3", ["--version"]).status !== 0;
const run = promisify(execFile);

describe.skipIf(noPython)("the programs, by Python's standard library", () => {
	let verl: string;
	let trl: string;
	beforeAll(async () => {
		verl = at("for-verl");
		trl = at("for-trl");
		await hopscope("export", "rl", "towns", "-f", "verl", "-t", verl);
		await hopscope("export", "rl", "towns", "-f", "trl", "-a", "function-calling", "-t", trl);
	});
	const python = async (cwd: string, code: string, url = "http://127.0.0.1:9") =>
		(
			await run("python3", ["-c", code], { cwd, env: { ...process.env, HOPSCOPE_URL: url, no_proxy: "*" } })
		).stdout.trim();

	test("the rule of the filter passes its own tests", async () => {
		const { stderr } = await run("python3", ["-m", "unittest", "test_hopscope_filter"], { cwd: verl });
		expect(stderr).toMatch(/Ran 5 tests[\s\S]*OK/);
	});

	test("a whole episode, as the file has it; its reward with components; a task that is not there", async () => {
		const { url } = await serve();
		const code = `
import json
from hopscope_client import Client, HopscopeError
from hopscope_turns import must_be_same
client = Client()
for line in open("train.json"):
    row = json.loads(line)
    episode = client.open(row["extra_info"]["task"])
    must_be_same(row["prompt"], episode.opening)
    episode.close()
    episode.close()
try:
    must_be_same(row["prompt"][:1], episode.opening)
except ValueError:
    print("refused")
episode = client.open("t3")
found = episode.say("<think>x</think><text_search>Town 3</text_search>")
print("300 inhabitants" in found["observation"][0]["content"][0]["text"], found["over"], episode.reward)
episode.say("<think>x</think><answer>300</answer>")
print(episode.over, json.dumps({name: part for name, part in episode.reward.items() if part == part}))
print([name for name, part in episode.reward.items() if part != part])
try:
    client.open("t99")
except HopscopeError as error:
    print(error.status, error.code)
`;
		const [refused, before, after, unknown, missing] = (await python(verl, code, url)).split("\n");
		expect([refused, before]).toEqual(["refused", "True False None"]);
		expect(after).toMatch(/^True /);
		expect(JSON.parse(after?.slice(5) ?? "")).toMatchObject({ score: 2.25, acc: 1, outcome: 1, format: 1, tool: 1 });
		// its task states no chain: the name is there all the same, since verl takes a batch's names from its first sample
		expect(unknown).toBe("['requiredHops']");
		expect(missing).toMatch(/^404 unknown-task/);
	});

	test("verl's reward function pays by /score, and raises where the text has no reward", async () => {
		const { url } = await serve();
		const code = `
import hopscope_reward as h
from hopscope_client import HopscopeError
found = "<information>Town 2 has 200 inhabitants.</information>"
said = "<think>x</think><text_search>Town 2</text_search>" + found + "<think>y</think><answer>200</answer>"
print(h.compute_score("towns", said, {"task": "t2"}, {"task": "t2"})["score"])
print(h.compute_score("towns", said.replace(">200<", ">7<"), {"task": "t2"}, None)["score"])
try:
    h.compute_score("towns", said, {"task": "t99"}, None)
except HopscopeError as error:
    print(error.status)
`;
		expect((await python(verl, code, url)).split("\n")).toEqual(["2.25", "1.0", "404"]);
	});

	longTest(
		"a server that is busy, or loses an answer, is asked again and the move played once; one that is away raises",
		async () => {
			const { url } = await serve();
			const asked = { opens: 0, acts: 0 };
			const proxy = createServer(async (request, response) => {
				const chunks: Buffer[] = [];
				for await (const chunk of request) chunks.push(chunk as Buffer);
				if (request.url === "/v1/episodes" && asked.opens++ === 0)
					return void response.writeHead(503, { "content-type": "application/json" }).end('{"error":{"code":"busy"}}');
				const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
				const headers = { "content-type": "application/json" };
				const reply = await fetch(`${url}${request.url}`, { method: request.method ?? "GET", headers, ...body });
				// the move was played, and its answer is lost on the way
				if (request.url?.endsWith("/act") && asked.acts++ === 0) return void response.destroy();
				response.writeHead(reply.status, headers).end(await reply.text());
			});
			await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
			const { port } = proxy.address() as AddressInfo;
			const code = `
from hopscope_client import Client, HopscopeError
episode = Client(patience=10).open("t0")
print(episode.say("<think>x</think><text_search>Town 0</text_search>")["moves"])
print(episode.say("<think>x</think><answer>000</answer>")["moves"])
try:
    Client("http://127.0.0.1:9", patience=0.3).open("t0")
except HopscopeError as error:
    print(error.code, error.status)
`;
			const said = await python(verl, code, `http://127.0.0.1:${port}`).finally(() => proxy.close());
			expect(said.split("\n")).toEqual(["1", "2", "no-answer None"]);
			expect(asked).toEqual({ opens: 2, acts: 3 });
		},
	);

	test("TRL's environment has the declared tools as methods, and pays what TRL could not carry out as a wrong call", async () => {
		const { url } = await serve("function-calling");
		const code = `
import inspect, json
from hopscope_trl import environment_class, episode_reward
tools = json.load(open("tools.json"))
made = environment_class(tools)
methods = [name for name, _ in inspect.getmembers(made, inspect.isfunction) if name[0] != "_" and name != "reset"]
print(sorted(methods) == sorted(tool["name"] for tool in tools), inspect.signature(made.text_search))
row = json.loads(open("train.jsonl").readline())
def play(calls, answer):
    one = made()
    one.reset(**row)
    for name, given in calls:
        if name == "text_search":
            assert "Town 0 has 000 inhabitants" in one.text_search(**given)
    turns = [{"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": {"name": name, "arguments": given}}]} for name, given in calls]
    logged = {}
    paid = episode_reward([turns + [{"role": "assistant", "content": answer}]], [one], log_metric=logged.__setitem__)
    assert "hopscope/requiredHops" not in logged
    return paid[0], logged["hopscope/format"], logged["hopscope/tool"]
search = ("text_search", {"query": "Town 0"})
print(play([search], "Answer: 000"), play([search], "Answer: 1"), play([search, ("no_such", {})], "Answer: 000"))
print(play([], ""))
`;
		const [methods, paid, silent] = (await python(trl, code, url)).split("\n");
		expect(methods).toBe("True (self, query: str, k: int | None = None)");
		expect(paid).toBe("(2.25, 1.0, 1.0) (1.0, 1.0, 1.0) (1.0, 0.0, 1.0)");
		expect(silent).toMatch(/^\(0\.0, 0\.0/);
	});
});
