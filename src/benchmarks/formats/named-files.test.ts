import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { formats } from "#benchmarks";
import { sha256 } from "#store";
import { longTest } from "../../../test/long.ts";
import { readRowsAs } from "../../../test/support/benchmarks/rows-read.ts";
import { dynVqa } from "./dyn-vqa.ts";

let root = "";
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-named-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A picture that no other colour has. */
const picture = (colour: number) =>
	sharp({ create: { width: 4, height: 4, channels: 3, background: { r: colour % 256, g: colour >> 8, b: 9 } } })
		.png()
		.toBuffer();

let made = 0;
/** A folder with a picture of its own under each name. */
async function folder(names: readonly string[]): Promise<{ dir: string; shown: Record<string, string> }> {
	made += 1;
	const dir = join(root, `${made}`);
	await mkdir(dir);
	const shown: Record<string, string> = {};
	for (const name of names) {
		const bytes = await picture(made * 100 + Object.keys(shown).length);
		await mkdir(dirname(join(dir, name)), { recursive: true });
		await writeFile(join(dir, name), bytes);
		shown[name] = sha256(bytes);
	}
	return { dir, shown };
}

const row = (question_id: number, image_url: string) => ({
	...{ question_id, image_url, question: `What is it, ${question_id}?`, answer: ["a crane"] },
});
const read = (urls: readonly string[], images: string) =>
	readRowsAs(
		dynVqa,
		urls.map((url, index) => row(index + 1, url)),
		{ images },
		"DynVQA_en.202502.json",
	);

const [quay, other] = ["https://a.example/set-1/image_1.png", "https://a.example/set-2/image_1.png"];

describe("images by their names", () => {
	it("refuse every row whose file two addresses lead to, with both, and the rest comes in", async () => {
		const { dir, shown } = await folder(["image_1.png", "image_2.png"]);
		const { tasks, refused, media, rows } = await read([quay, "https://a.example/set-1/image_2.png", other, quay], dir);
		expect(rows).toBe(4);
		expect(tasks.map(({ id, images }) => [id, images[0]?.sha256])).toEqual([
			["dyn-vqa-2@2025-02", shown["image_2.png"]],
		]);
		expect(media).toHaveLength(1);
		expect(refused.map(({ row: number }) => number)).toEqual([1, 3, 4]);
		for (const address of [quay, other]) expect(refused[0]?.reason).toContain(`"${address}"`);
		expect(refused[0]?.reason).toContain(`name it "${sha256(quay)}.png"`);
		expect(refused[1]?.reason).toContain(`name it "${sha256(other)}.png"`);
	});

	it("lead each to its own under their hash, their path or their host and path", async () => {
		const query = "https://b.example/show?image=1";
		const names = [
			...[`${sha256(quay)}.png`, "set-2/image_1.png", "c.example/set-2/image_1.png"],
			...[`${sha256(query)}.png`, "image_1.png"],
		];
		const { dir, shown } = await folder(names);
		const { tasks, refused } = await read([quay, other, "https://c.example/set-2/image_1.png", query], dir);
		expect(refused).toEqual([]);
		expect(tasks.map(({ images }) => images[0]?.sha256)).toEqual(names.slice(0, 4).map((name) => shown[name]));
	});

	it("are the same name with http and https, in many rows", async () => {
		const { dir } = await folder(["image_1.png"]);
		const { tasks, refused } = await read([quay, quay.replace("https", "http"), quay], dir);
		expect([tasks.length, refused]).toEqual([3, []]);
	});

	it("refuse a name that several files may be, with the files; links to one file are one", async () => {
		const { dir } = await folder(["crane.png", "crane.jpg", "quay.png"]);
		await symlink(join(dir, "quay.png"), join(dir, "quay.jpg"));
		const { tasks, refused } = await read(["crane", "quay", "crane.png"], dir);
		expect(tasks.map(({ id }) => id)).toEqual(["dyn-vqa-2@2025-02", "dyn-vqa-3@2025-02"]);
		expect(refused).toMatchObject([{ row: 1, reason: expect.stringContaining('is "crane.jpg" and "crane.png" in') }]);
	});

	it("are refused in every format that names images", async () => {
		const { dir } = await folder(["i.png"]);
		const visual = { question: "Who built it?", answer: ["Vale"], dataset: "s" };
		const mapping = { id: "id", question: "question", answer: "answer", images: "image" };
		const about = { dataset_name: "landmarks", question_type: "automatic" };
		const pairs: Record<string, (name: string, id: string) => object> = {
			vistahop: (name, id) => ({ ...visual, id, image_path: name }),
			mmhops: (name, id) => ({ id, question: "q?", answer: "a", image: name }),
			infoseek: (name, id) => ({ data_id: id, image_id: name, question: "q?", answer: ["a"], answer_eval: ["a"] }),
			mmsearch: (name, id) => ({ sample_id: id, query: "q?", gt_answer: "a", query_image: name }),
			multimodalqa: (name, id) => ({ id, title: id, path: name }),
			"mc-search": (name, id) => ({
				...{ index: id, question: "q?", answer: "a", graph_type: "Text Chain", image: [name], image_ids: [id] },
				subqa_chain: [{ subquestion: "q?", answer: "a", modality: "image", supporting_fact_id: id }],
			}),
			vidore: (name, id) => ({ query: `q${id}?`, image: name, image_filename: id, answer: "a" }),
			"e-vqa": (name, id) => ({ ...about, question: `q${id}?`, answer: "a", dataset_image_ids: name }),
		};
		for (const [name, rowOf] of Object.entries(pairs)) {
			const format = formats[name];
			if (!format) throw new Error(name);
			const names = name === "e-vqa" ? ["i.png", "i"] : ["a/i.png", "b/i.png"];
			const rows = names.map((file, index) => rowOf(file, `r${index}`));
			const { tasks, evidence, refused } = await readRowsAs(format, rows, { images: dir, mapping });
			expect([name, tasks, evidence, refused.length]).toEqual([name, [], [], 2]);
			expect(refused[0]?.reason, name).toContain("both lead to");
		}
	});
});

const sample = join("..", "shared", "data", "forms", "DynVQA_en.202502.sample.jsonl");
const Address = z.object({ image_url: z.string() });

describe.skipIf(!existsSync(sample))("real addresses of Dyn-VQA", () => {
	const addresses = () =>
		readFileSync(sample, "utf8")
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => Address.parse(JSON.parse(line)).image_url);

	test("come in with their own pictures, flat, where no two end alike", async () => {
		const { dir, shown } = await folder(addresses().map((url) => basename(url)));
		const reading = await dynVqa.read?.([sample], { images: dir });
		expect([reading?.tasks.length, reading?.refused]).toEqual([40, []]);
		expect(reading?.tasks.map(({ images }) => images[0]?.sha256)).toEqual(
			addresses().map((url) => shown[basename(url)]),
		);
	});

	longTest("are refused, flat, where the other half of the file ends alike, and come in under their hash", async () => {
		const folders = ["Freshqa_en_zh/Freshqa_en_extracted_images", "Freshqa_zh/Freshqaextracted_images"] as const;
		const twins = addresses().map((url) =>
			url.includes(folders[0]) ? url.replace(folders[0], folders[1]) : url.replace(folders[1], folders[0]),
		);
		const urls = [...addresses(), ...twins];
		const flat = await folder(addresses().map((url) => basename(url)));
		const refusing = await read(urls, flat.dir);
		expect([refusing.tasks.length, refusing.refused.length]).toEqual([0, 80]);
		const hashed = await folder(urls.map((url) => `${sha256(url)}.jpeg`));
		const { tasks, refused } = await read(urls, hashed.dir);
		expect(refused).toEqual([]);
		expect(tasks.map(({ images }) => images[0]?.sha256)).toEqual(
			urls.map((url) => hashed.shown[`${sha256(url)}.jpeg`]),
		);
	});
});
