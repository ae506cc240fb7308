import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClean, type Trainer, trainingWriters } from "#training";
import { isLong } from "../../../test/long.ts";
import { type ReadRow, readBack } from "../../../test/training/read-back.ts";
import type { TrainingExample, TrainingMessage } from "../conversations/example.ts";

let root: string;
let next = 0;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "writers-"));
	const picture = sharp({ create: { width: 120, height: 80, channels: 3, background: "red" } });
	await picture.clone().png().toFile(join(root, "red.png"));
	await picture.clone().withMetadata({ orientation: 6 }).jpeg().toFile(join(root, "turned.jpg"));
});
afterAll(() => rm(root, { recursive: true }));

async function folder(): Promise<string> {
	next += 1;
	const dir = join(root, `set-${next}`);
	await mkdir(dir);
	return dir;
}

const text = (words: string) => ({ type: "text" as const, text: words });
const picture = { type: "image" as const, image: 0 };
const user = (...content: TrainingMessage["content"]): TrainingMessage => ({ role: "user", content, train: false });
const says = (words: string, more: Partial<TrainingMessage> = {}): TrainingMessage => ({
	role: "assistant",
	content: [text(words)],
	train: true,
	...more,
});
const result = (words: string): TrainingMessage => ({
	role: "tool",
	callId: "c",
	content: [text(words)],
	train: false,
});
const call = (args: string) => [{ id: "c", name: "text_search", arguments: args }];
const example = (messages: TrainingMessage[], more: Partial<TrainingExample> = {}): TrainingExample => ({
	id: "one",
	task: "one",
	source: { kind: "chain", benchmark: "toy", agent: "stepwise" },
	messages,
	images: [],
	tags: {},
	...more,
});
const tools = [{ name: "text_search", description: "Searches.", parameters: { type: "object" } }];
const red = () => ({ id: "red", file: join(root, "red.png") });

async function written(trainer: Trainer, examples: TrainingExample[]) {
	const dir = await folder();
	const writing = await trainingWriters[trainer].write(examples, dir);
	const lines = (await readFile(join(dir, "search_align.jsonl"), "utf8")).split("\n").filter((line) => line !== "");
	const rows: ReadRow[] = [];
	for await (const row of readBack[trainer](dir)) rows.push(row);
	return { dir, writing, rows, lines: lines.map((line) => JSON.parse(line)) };
}

const trainers: Trainer[] = ["llamafactory", "swift", "trl"];

/** Words that trainers take for their own, among any others. */
const words = fc.oneof(
	fc.string({ unit: "binary", maxLength: 30 }),
	fc
		.array(
			fc.constantFrom(
				..."<image>|<video>|< image>|<|im_end|>|<| im_end|>|<|image_pad|>|{{idx}}|{{QUERY}}|</tool_call>|<tool_call>|</img>|<".split(
					"|<",
				),
				"<",
				"|im_end|>",
				"image>",
				" ",
				"\\ud800",
				"\u0000",
				"ж",
			),
			{ maxLength: 8 },
		)
		.map((parts) => parts.join("")),
);

describe.each(trainers)("%s", (trainer) => {
	test("any conversation comes back as it was, and nothing of it is dropped", { tags: "longer" }, async () => {
		const turns = fc.array(fc.record({ shown: words, said: words, query: words, calls: fc.boolean() }), {
			minLength: 1,
			maxLength: 4,
		});
		await fc.assert(
			fc.asyncProperty(
				fc.record({ system: words, turns, pictured: fc.boolean() }),
				async ({ system, turns, pictured }) => {
					const messages = turns.flatMap(({ shown, said, query, calls }, index) => [
						user(...(pictured && index === 0 ? [picture] : []), text(shown)),
						says(said, calls ? { calls: call(JSON.stringify({ query })) } : {}),
					]);
					const { dir, rows, writing } = await written(trainer, [
						example(messages, { system, ...(pictured ? { images: [red()] } : {}) }),
					]);
					expect(writing.left).toEqual([]);
					const { whole, rows: count, images } = await trainingWriters[trainer].reread(dir);
					expect([whole, count, images]).toEqual([1, 1, pictured ? 1 : 0]);
					expect(rows[0]?.system).toBe(system);
					expect(rows[0]?.turns.map((turn) => turn.text)).toEqual(
						turns.flatMap(({ shown, said, query, calls }) => {
							const written = `<tool_call>\n${JSON.stringify({ name: "text_search", arguments: { query } })}\n</tool_call>`;
							return [shown, calls ? `${said}${said === "" ? "" : "\n"}${written}` : said];
						}),
					);
				},
			),
			{ numRuns: isLong ? 25 : 8 },
		);
	});

	test("copies images by content, crops cut and photographs turned upright", async () => {
		const images = [
			red(),
			{ id: "again", file: join(root, "red.png") },
			{ id: "part", file: join(root, "red.png"), box: [10, 10, 500, 40] as [number, number, number, number] },
			{ id: "turned", file: join(root, "turned.jpg") },
			{ id: "unshown", file: join(root, "missing.png") },
		];
		const shown = images.slice(0, 4).map((_, image) => ({ type: "image" as const, image }));
		const { dir, writing, rows } = await written(trainer, [example([user(...shown), says("Red.")], { images })]);
		expect(writing.images).toBe(3);
		expect(writing.losses.join()).toContain("images that no turn shows");
		const paths = rows[0]?.images ?? [];
		expect(paths[0]).toBe(paths[1]);
		const sizes = await Promise.all(paths.map((path) => sharp(join(dir, path)).metadata()));
		expect(sizes.map(({ width, height, orientation }) => [width, height, orientation ?? 1])).toEqual([
			[120, 80, 1],
			[120, 80, 1],
			[110, 30, 1],
			[80, 120, 1],
		]);
	});

	test("leaves out with a reason what cannot be learned from", async () => {
		const { writing } = await written(trainer, [
			example([user(text("?"))], { id: "silent" }),
			example([says("First.")], { id: "first" }),
			example([user(picture), says("?")], { id: "pictureless" }),
			example([user(picture), says("?")], { id: "lost", images: [{ id: "x", file: join(root, "none.png") }] }),
			example([user(text("?")), says("Yes."), user(text("More."))], { id: "kept" }),
		]);
		expect(writing.rows).toBe(1);
		expect(writing.left.map(({ id }) => id)).toEqual(["silent", "first", "pictureless", "lost"]);
		expect(writing.losses).toEqual(["1 row: end in what the policy is shown; that end is left out"]);
	});
});

describe("LLaMA-Factory", () => {
	const searched = () =>
		example(
			[
				user(text("Who?")),
				says("I look.", { calls: call('{"query":"<image>"}') }),
				result("Ann <image>"),
				says("Ann."),
			],
			{
				tools,
			},
		);

	test("keeps the thought before its calls and states every tag", async () => {
		const { dir, lines } = await written("llamafactory", [searched()]);
		expect(lines[0].messages).toEqual([
			{ role: "user", content: "Who?" },
			{
				role: "function_call",
				content: 'I look.\n<tool_call>[{"name":"text_search","arguments":{"query":"\\u003c image>"}}]</tool_call>',
			},
			{ role: "observation", content: "Ann < image>" },
			{ role: "assistant", content: "Ann." },
		]);
		const info = JSON.parse(await readFile(join(dir, "dataset_info.json"), "utf8"));
		expect(info.search_align).toMatchObject({
			formatting: "sharegpt",
			tags: { role_tag: "role", user_tag: "user", function_tag: "function_call" },
		});
	});

	test("carries the paper's hyper-parameters", async () => {
		const { dir } = await written("llamafactory", [searched()]);
		const [intern, qwen] = await Promise.all(
			["internvl3_5-8b", "qwen2_5-vl-7b"].map((model) => readFile(join(dir, `search-align-${model}.yaml`), "utf8")),
		);
		expect(intern).toMatch(
			/learning_rate: 1.0e-5\nnum_train_epochs: 1.0\nlr_scheduler_type: cosine\nwarmup_ratio: 0.1/,
		);
		expect(qwen).toMatch(/learning_rate: 1.0e-4\nnum_train_epochs: 2.0\nlr_scheduler_type: cosine\nwarmup_ratio: 0.1/);
		for (const text of [intern, qwen])
			expect(text).toMatch(/per_device_train_batch_size: 1\ngradient_accumulation_steps: 8\nbf16: true/);
	});

	/** Sixty rows of the Atlas, some broken, loaded by LLaMA-Factory 0.9.5 itself: it kept the others, or stopped. */
	const broken: [reason: string, did: "dropped" | "stopped", change: (row: SharegptRow) => void][] = [
		["unknown-role", "dropped", ({ messages }) => replace(messages, 0, { role: "human" })],
		["alternation", "dropped", ({ messages }) => void messages.splice(1, 0, { role: "user", content: "again" })],
		["alternation", "dropped", ({ messages }) => void messages.splice(2, 0, { role: "system", content: "s" })],
		["count", "dropped", ({ messages }) => void messages.push({ role: "user", content: "again" })],
		["count", "dropped", ({ messages }) => void messages.splice(0)],
		["count", "dropped", ({ messages, images }) => void images.push(`images/${messages.pop()?.role}.png`)],
		["image-count", "stopped", ({ messages }) => replace(messages, 0, { content: "<image>" })],
		["media-mark", "stopped", ({ messages }) => replace(messages, 0, { content: "<video>" })],
		[
			"missing-image",
			"stopped",
			({ messages, images }) => replace(messages, images.push("images/none.png") - 1, { content: "<image>" }),
		],
		["bad-call", "stopped", ({ messages }) => replace(messages, 1, { content: 'so <tool_call>{"name": </tool_call>' })],
		["bad-call", "stopped", ({ messages }) => replace(messages, 1, { content: '{"arguments": {}}' })],
		[
			"bad-call",
			"stopped",
			({ messages }) => replace(messages, 1, { content: 'I think\n{"name":"x","arguments":{}}' }),
		],
		["bad-tools", "stopped", (row) => void Object.assign(row, { tools: '{"name"' })],
		["wrong-shape", "stopped", ({ messages }) => replace(messages, 0, { content: null })],
	];
	test.each(broken)("foresees %s: %s", async (reason, did, change) => {
		const { dir, lines } = await written("llamafactory", [searched(), { ...searched(), id: "two" }]);
		change(lines[0]);
		await writeFile(join(dir, "search_align.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
		const preflight = await trainingWriters.llamafactory.reread(dir);
		expect(preflight.problems.map((problem) => [problem.reason, problem.rows])).toEqual([[reason, 1]]);
		expect(preflight).toMatchObject({ rows: 2, whole: 1, [did === "dropped" ? "drops" : "stops"]: 1 });
		expect(isClean(preflight)).toBe(false);
	});

	test("a line that is no JSON stops it; a thought in think tags before a bare call does not", async () => {
		const { dir, lines } = await written("llamafactory", [searched()]);
		replace(lines[0].messages, 1, { content: '<think>\nso\n</think>\n\n{"name":"x","arguments":{}}' });
		await writeFile(join(dir, "search_align.jsonl"), `${JSON.stringify(lines[0])}\n{"messages": [\n`);
		expect(await trainingWriters.llamafactory.reread(dir)).toMatchObject({ rows: 2, whole: 1, stops: 1 });
	});

	test("tells that the default cutoff loses the answer of a long conversation", async () => {
		const { dir, writing } = await written("llamafactory", [
			example([user(text("a ".repeat(4000))), says("I look."), user(text("b ".repeat(4000))), says("Ann.")]),
		]);
		expect(isClean(await trainingWriters.llamafactory.reread(dir))).toBe(true);
		const cut = await trainingWriters.llamafactory.reread(dir, { cutoff: 2048 });
		expect(cut.problems.map(({ reason }) => reason)).toEqual(["answer-cut", "turns-cut"]);
		expect(cut).toMatchObject({ rows: 1, cuts: 1, whole: 0 });
		expect(writing.longest.qwen2_vl).toBeGreaterThan(4500);
	});

	test("knows the hybrid template that teaches an empty thought", async () => {
		const { dir } = await written("llamafactory", [example([user(text("?")), says("Yes.")])]);
		const preflight = await trainingWriters.llamafactory.reread(dir, { template: "qwen3_vl" });
		expect(preflight).toMatchObject({ alters: 1, problems: [{ reason: "empty-thought" }] });
	});
});

describe("ms-swift", () => {
	test("a loss a message, the thought apart from its call", async () => {
		const { lines } = await written("swift", [
			example(
				[
					user(text("Who?")),
					says("I look.", { calls: call('{"query":"q"}'), train: false }),
					result("Ann"),
					says("Ann."),
				],
				{
					tools,
					system: "Search.",
				},
			),
		]);
		expect(lines[0].messages).toEqual([
			{ role: "system", content: "Search." },
			{ role: "user", content: "Who?" },
			{ role: "assistant", content: "I look.\n", loss: false },
			{ role: "tool_call", content: '{"name":"text_search","arguments":{"query":"q"}}', loss: false },
			{ role: "tool_response", content: "Ann" },
			{ role: "assistant", content: "Ann.", loss: true },
		]);
		expect(JSON.parse(lines[0].tools)).toEqual(tools);
	});
});

describe("TRL", () => {
	test("blocks of one shape, calls in words", async () => {
		const { lines, dir } = await written("trl", [
			example(
				[user(picture, text("Who?")), says("I look.", { calls: call('{"query":"q"}') }), result("Ann"), says("Ann.")],
				{
					images: [red()],
				},
			),
		]);
		expect(lines[0].messages.map((message: { role: string }) => message.role)).toEqual([
			"user",
			"assistant",
			"user",
			"assistant",
		]);
		expect(lines[0].messages[0].content[0]).toEqual({ type: "image", text: "" });
		expect(lines[0].messages[1].content[0].text).toBe(
			'I look.\n<tool_call>\n{"name":"text_search","arguments":{"query":"q"}}\n</tool_call>',
		);
		expect(lines[0].messages[2].content[0].text).toBe("<tool_response>\nAnn\n</tool_response>");
		expect(await trainingWriters.trl.reread(dir)).toMatchObject({ cutoff: null, whole: 1 });
	});
});

interface SharegptRow {
	messages: { role: string; content: string | null }[];
	images: string[];
	tools: string;
}

function replace(messages: SharegptRow["messages"], index: number, by: Partial<SharegptRow["messages"][number]>) {
	const message = messages[index];
	if (message) messages[index] = { ...message, ...by };
}

describe("what a script trains, in which precision, and whether a model takes the rows", () => {
	const plain = () => example([user(text("Who?")), says("Anna Rehn")]);

	test.each(
		trainers.flatMap((trainer) =>
			(["full", "lora"] as const).flatMap((tuning) =>
				(["gpu", "cpu"] as const).map((device) => [trainer, tuning, device] as const),
			),
		),
	)("%s, %s on a %s: the files and the prediction say the same", async (trainer, tuning, device) => {
		const dir = await folder();
		const { write, reread } = trainingWriters[trainer];
		const { files } = await write([plain()], dir, { tuning, device });
		const there = await reread(dir, { device });
		expect([there.setup?.tuning, there.ends, isClean(there)]).toEqual([tuning, [], true]);
		const precision = device === "cpu" ? "float32" : "bf16";
		expect(there.setup?.precision).toBe(trainer === "trl" ? "as-found" : precision);
		// what was written for a GPU ends at once without one, but for the script that looks for itself
		const ends = (await reread(dir, { device: "cpu" })).ends.map(({ reason }) => reason);
		expect(ends).toEqual(device === "gpu" && trainer !== "trl" ? ["precision"] : []);
		const scripts = await Promise.all(files.map((file) => readFile(join(dir, file), "utf8")));
		expect(scripts.join("\n")).not.toMatch(/\{\{\w+\}\}/);
	});

	async function modelFolder(files: Record<string, object | string>): Promise<string> {
		const dir = await folder();
		for (const [name, what] of Object.entries(files))
			await writeFile(join(dir, name), typeof what === "string" ? what : JSON.stringify(what));
		return dir;
	}
	// SmolLM2's files have the first two shapes, Qwen2.5-VL's the third
	const config = { architectures: ["LlamaForCausalLM"], model_type: "llama" };
	const chatml = "{% for m in messages %}{{ '<|im_start|>' + m['role'] + m['content'] + '<|im_end|>' }}{% endfor %}";
	const models: [string, Record<string, object | string>, string[], string[]][] = [
		[
			"no template",
			{ "config.json": config, "tokenizer_config.json": {} },
			["no-template"],
			["text-model", "no-template"],
		],
		[
			"ChatML",
			{ "config.json": config, "tokenizer_config.json": { chat_template: chatml } },
			[],
			["text-model", "unmarked-template"],
		],
		[
			"ChatML that looks",
			{ "config.json": { ...config, vision_config: {} }, "chat_template.jinja": chatml },
			[],
			["unmarked-template"],
		],
		[
			"marked",
			{ "config.json": { ...config, vision_config: {} }, "chat_template.jinja": `{% generation %}${chatml}` },
			[],
			[],
		],
		[
			"another form",
			{ "config.json": config, "tokenizer_config.json": { chat_template: [{ name: "default", template: "[INST]" }] } },
			["unmarked-template"],
			["text-model", "unmarked-template"],
		],
	];

	test.each(models)("%s: rows of text, and rows with pictures", async (_, files, ofText, ofPictures) => {
		const model = await modelFolder(files);
		const looking = example([user(picture, text("Who?")), says("Anna Rehn")], { images: [red()] });
		for (const [row, reasons] of [
			[plain(), ofText],
			[looking, ofPictures],
		] as const) {
			const dir = await folder();
			await trainingWriters.trl.write([row], dir);
			const told = await trainingWriters.trl.reread(dir, { model });
			expect(told.ends.map(({ reason }) => reason)).toEqual(reasons);
			expect(isClean(told)).toBe(reasons.length === 0);
			// these bring templates of their own: only pictures for a model of text end them
			await trainingWriters.swift.write([row], dir);
			const ends = (await trainingWriters.swift.reread(dir, { model })).ends.map(({ reason }) => reason);
			expect(ends).toEqual(reasons.filter((reason) => reason === "text-model"));
		}
	});

	test("a folder that is no model is told", async () => {
		const dir = await folder();
		await trainingWriters.trl.write([plain()], dir);
		await expect(trainingWriters.trl.reread(dir, { model: root })).rejects.toMatchObject({
			code: "no-model",
			exitCode: 2,
		});
	});
});
