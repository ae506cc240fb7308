import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, chainProblems, type Hop, Task, topologyOf } from "#domain";
import {
	composeTasks,
	type GraphEntity,
	type GraphRelation,
	type Language,
	photograph,
	type TypedGraph,
} from "#recipes";
import { longTest } from "../../../test/long.ts";
import type { ComposedTask } from "./compose.ts";
import { findLookAlikes } from "./look-alikes.ts";

/*
 * A fleet of ships: nothing here is a country. Ships have captains, captains come from ports, ports lie on rivers, and
 * only a picture of a ship states how many guns it has.
 */
function fleet(): TypedGraph {
	const entities = new Map<string, GraphEntity>();
	const facts: TypedGraph["facts"] = [];
	const add = (type: string, names: [en: string, es: string], aliases: string[] = []) => {
		const id = `${type}/${names[0]}`;
		const depictions =
			type === "ship"
				? ["flag", "badge"].map((what) => ({
						evidence: `${id}/${what}`,
						file: `/nowhere/${names[0]}-${what}.png`,
						what: { en: what, es: what },
						licence: "CC0-1.0",
					}))
				: [];
		entities.set(id, {
			id,
			type,
			names: { en: names[0], es: names[1] },
			aliases: { en: aliases, es: [] },
			depictions,
		});
		return id;
	};
	const state = (
		subject: string,
		relation: string,
		object: { entity: string } | { answer: Answer },
		modality: "text" | "image" | "table" = "text",
	) =>
		facts.push({
			subject,
			relation,
			object,
			statements: ["a", "b"].map((place) => ({
				evidence: `${subject}/${relation}/${place}`,
				modality,
				language: "en",
			})),
		});
	const syllables = ["Ka", "Lo", "Mi", "Ne", "Pu", "Ra", "Se", "Tu", "Vo", "Zi"];
	const name = (index: number, end: string) =>
		`${syllables[index % 10]}${syllables[(index * 3 + 1) % 10]?.toLowerCase()}${end}`;
	const rivers = Array.from({ length: 6 }, (_, index) =>
		add("river", [`River ${name(index, "wen")}`, `Río ${name(index, "wen")}`]),
	);
	const ports = Array.from({ length: 40 }, (_, index) =>
		add("port", [name(index, `port${index}`), name(index, `puerto${index}`)], index === 3 ? ["the"] : []),
	);
	for (const [index, port] of ports.entries()) state(port, "river", { entity: rivers[index % 6] ?? "" });
	for (const [index, port] of ports.entries()) state(port, "twin", { entity: ports[(index * 3 + 7) % 40] ?? "" });
	for (let index = 0; index < 40; index += 1) {
		const ship = add(
			"ship",
			[`Ship ${name(index, `a${index}`)}`, `Barco ${name(index, `a${index}`)}`],
			[`HMS ${index}x`],
		);
		const captain = add("person", [`Captain ${name(index, `o${index}`)}`, `Capitán ${name(index, `o${index}`)}`]);
		state(ship, "captain", { entity: captain });
		state(captain, "birthplace", { entity: ports[(index * 7) % 40] ?? "" });
		state(ship, "home", { entity: ports[(index * 11 + 5) % 40] ?? "" });
		state(ship, "length", { answer: number(50 + index * 9, "m") }, "table");
		state(ship, "guns", { answer: number(2 + index, undefined) }, "image");
		state(ship, "launch", { answer: year(1700 + index * 3) });
	}
	const relation = (
		id: string,
		[from, to]: [string, string],
		[en, es]: [string, string],
		more: Partial<GraphRelation> = {},
	): [string, GraphRelation] => [
		id,
		{
			id,
			from,
			to,
			single: true,
			inverseSingle: false,
			phrases: {
				en: { noun: [`the ${en} of {}`], question: [`What is the ${en} of {}?`] },
				es: { noun: [`el ${es} de {}`], question: [`¿Cuál es el ${es} de {}?`] },
			},
			...more,
		},
	];
	const comparison = {
		en: { more: "is longer", less: "is shorter" },
		es: { more: "es más largo", less: "es más corto" },
	};
	const captain = relation("captain", ["ship", "person"], ["captain", "capitán"], { inverseSingle: true });
	captain[1].phrases.en.inverseNoun = ["the ship led by {}"];
	captain[1].phrases.en.inverseQuestion = ["Which ship is led by {}?"];
	const pictureWords = (what: string) => ({
		en: { noun: [`the ship whose ${what} is shown in {}`], question: [`Which ship's ${what} is shown in {}?`] },
		es: { noun: [`el barco cuyo ${what} aparece en {}`], question: [`¿De qué barco es el ${what} de {}?`] },
	});
	return {
		entities,
		facts,
		relations: Object.fromEntries([
			captain,
			relation("birthplace", ["person", "port"], ["birthplace", "lugar de nacimiento"]),
			relation("home", ["ship", "port"], ["home port", "puerto base"]),
			relation("twin", ["port", "port"], ["twin port", "puerto hermanado"]),
			relation("river", ["port", "river"], ["river", "río"]),
			relation("length", ["ship", "number"], ["length", "largo"], { unit: "m", comparison }),
			relation("guns", ["ship", "number"], ["number of guns", "número de cañones"]),
			relation("launch", ["ship", "time"], ["launch year", "año de botadura"]),
		]),
		pictures: { flag: pictureWords("flag"), badge: pictureWords("badge") },
	};
}

function number(value: number, unit: string | undefined): Answer {
	const text = unit === undefined ? String(value) : `${value} ${unit}`;
	return {
		type: "number",
		value: text,
		accepted: [text],
		number: { value, ...(unit === undefined ? {} : { unit }) },
	};
}

const year = (value: number): Answer => ({
	type: "time",
	value: String(value),
	accepted: [String(value)],
	time: { iso: String(value), precision: "year" },
});

const folded = (text: string) =>
	` ${text
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim()} `;
const hopsOf = ({ task }: ComposedTask): Hop[] => task.chain?.hops ?? [];

describe("composing", () => {
	const graph = fleet();
	const composed = composeTasks(graph, { seed: 7, tasks: 160, ladders: 12 });

	test("gives whole tasks with sound chains", () => {
		expect(composed.length).toBe(160);
		for (const { task } of composed) {
			expect(Task.safeParse(task).success, task.id).toBe(true);
			expect(chainProblems(task)).toEqual([]);
			expect(task.chain?.hops.length).toBeGreaterThanOrEqual(2);
			expect(task.chain?.hops.length).toBeLessThanOrEqual(5);
			expect(task.tags).not.toHaveProperty("topology");
		}
		expect(new Set(composed.map(({ task }) => task.id)).size).toBe(composed.length);
	});

	test("covers every topology, question type, answer type and language", () => {
		const seen = (pick: (task: Task) => string | undefined) =>
			[...new Set(composed.map(({ task }) => pick(task)))].sort();
		expect(seen((task) => task.chain && topologyOf(task.chain))).toEqual([
			"image-initiated-chain",
			"image-text-fork",
			"multi-image-fork",
			"text-fork",
			"text-initiated-chain",
			"text-only-chain",
		]);
		expect(seen((task) => task.tags.questionType)).toEqual(["arithmetic", "bridge", "comparison"]);
		expect(seen((task) => task.answer.type)).toEqual(["boolean", "number", "string", "time"]);
		expect(seen((task) => task.tags.language)).toEqual(["en", "es"]);
	});

	longTest("is the same for the same seed and another for another", () => {
		expect(composeTasks(fleet(), { seed: 7, tasks: 160, ladders: 12 })).toEqual(composed);
		expect(composeTasks(fleet(), { seed: 8, tasks: 160, ladders: 12 })).not.toEqual(composed);
	});

	test("says no answer, no answer on the way and no hidden name", () => {
		for (const item of composed) {
			const question = folded(item.task.question);
			const secrets = [...hopsOf(item).flatMap((hop) => [hop.answer.value, ...hop.answer.accepted])];
			for (const secret of [...secrets, ...item.pictures.flatMap((picture) => picture.hides)])
				expect(question, item.task.id).not.toContain(folded(secret));
		}
	});

	test("names the hop's entity in its sub-question and every statement in its evidence", () => {
		for (const item of composed)
			for (const hop of hopsOf(item)) {
				expect(hop.question).toMatch(/^[A-Z¿].*\?$/);
				if (hop.modality === "compute") expect(hop.evidence).toEqual([]);
				else if (hop.relation === "flag" || hop.relation === "badge") expect(hop.evidence.length).toBe(1);
				else expect(hop.evidence.length).toBe(2);
				if (hop.relation === "guns") expect(hop.modality).toBe("image");
				if (hop.relation === "length") expect(hop.modality).toBe("table");
			}
	});

	test("extends each nested series by one hop a level, with the same image and cluster", () => {
		const ladders = new Map<string, ComposedTask[]>();
		for (const item of composed) {
			const id = item.task.ladder?.id;
			if (id !== undefined) ladders.set(id, [...(ladders.get(id) ?? []), item]);
		}
		expect(ladders.size).toBe(12);
		for (const levels of ladders.values()) {
			expect(levels.map(({ task }) => task.ladder?.level)).toEqual([1, 2, 3]);
			expect(levels.map((level) => hopsOf(level).length)).toEqual([2, 3, 4]);
			expect(new Set(levels.map(({ task }) => task.cluster)).size).toBe(1);
			const ids = levels.map(({ pictures }) => pictures.map((picture) => picture.id).join());
			expect(new Set(ids).size).toBe(1);
			for (const [index, level] of levels.slice(1).entries())
				expect(
					hopsOf(level)
						.slice(0, -1)
						.map((hop) => hop.question),
				).toEqual(hopsOf(levels[index] as ComposedTask).map((hop) => hop.question));
		}
	});

	test("puts tasks that share a leaf into one cluster", () => {
		const clusters = new Map<string, string>();
		for (const { task, pictures } of composed)
			for (const { depiction } of pictures) {
				const entity = depiction.evidence.replace(/\/\w+$/, "");
				expect(clusters.get(entity) ?? task.cluster).toBe(task.cluster);
				clusters.set(entity, task.cluster ?? "");
			}
	});

	test("computes what it asks, and keeps yes and no even", () => {
		const answers = { yes: 0, no: 0 };
		for (const item of composed) {
			const hops = hopsOf(item);
			const sink = hops.at(-1);
			if (!sink?.compute) continue;
			const operands = sink.needs.map((need) => hops.find((hop) => hop.id === need.hop)?.answer);
			const values = operands.map((answer) =>
				answer?.type === "number"
					? answer.number.value
					: answer?.type === "time"
						? Number(answer.time.iso)
						: Number.NaN,
			);
			const [a = 0, b = 0] = values;
			if (sink.answer.type === "boolean") {
				answers[sink.answer.value] += 1;
				const holds = { greater: a > b, earlier: a < b, equal: operands[0]?.value === operands[1]?.value }[
					sink.compute.op as "equal"
				];
				expect(sink.answer.value).toBe(holds ? "yes" : "no");
			} else if (sink.answer.type === "number") {
				const sum = values.reduce((total, value) => total + value, 0);
				const due = { add: sum, mean: sum / values.length, difference: Math.abs(a - b), divide: a / b }[
					sink.compute.op as "add"
				];
				const [low, high] = sink.answer.number.range ?? [0, 0];
				expect(sink.answer.number.value).toBeCloseTo(due, 3);
				expect(low).toBeLessThanOrEqual(due);
				expect(high).toBeGreaterThanOrEqual(due);
			} else {
				const index =
					sink.compute.op === "argmax" ? values.indexOf(Math.max(...values)) : values.indexOf(Math.min(...values));
				const chosen = hops.find((hop) => hop.id === sink.needs[index]?.hop)?.needs[0]?.hop;
				expect(sink.answer.value).toBe(hops.find((hop) => hop.id === chosen)?.answer.value);
			}
		}
		expect(answers.yes).toBeGreaterThan(5);
		expect(Math.abs(answers.yes - answers.no)).toBeLessThanOrEqual(4);
	});

	longTest("starts no question from an image that may not start one", () => {
		const barred = composeTasks(graph, {
			seed: 7,
			tasks: 60,
			ladders: 4,
			mayStart: (depiction) => depiction.what.en === "badge",
		});
		const used = barred.flatMap(({ pictures }) => pictures);
		expect(used.length).toBeGreaterThan(10);
		for (const { depiction } of used) expect(depiction.what.en).toBe("badge");
	});

	longTest("gives what a small graph yields, and nothing for an empty one", () => {
		expect(composeTasks({ ...graph, entities: new Map(), facts: [] }, { seed: 1 })).toEqual([]);
		expect(composeTasks({ ...graph, facts: graph.facts.slice(0, 60) }, { seed: 1, tasks: 40 }).length).toBeGreaterThan(
			0,
		);
	});

	longTest("asks nothing of a subject with two values or of an unsaid fact", () => {
		const doubled = fleet();
		for (const fact of [...doubled.facts])
			if (fact.relation === "home") doubled.facts.push({ ...fact, object: { entity: "port/none" } });
		for (const fact of [...doubled.facts])
			if (fact.relation === "home") doubled.facts.push({ ...fact, object: { entity: "river/River Kalowen" } });
		for (const fact of doubled.facts) if (fact.relation === "launch") fact.statements = [];
		const relations = composeTasks(doubled, { seed: 3, tasks: 80, ladders: 4 })
			.flatMap(hopsOf)
			.map((hop) => hop.relation);
		expect(relations).toContain("captain");
		expect(relations).not.toContain("home");
		expect(relations).not.toContain("launch");
	});
});

describe("photographing", () => {
	let dir: string;
	let flag: string;
	const hues = [0, 120, 240];
	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), "hopscope-photo-"));
		flag = join(dir, "flag.png");
		const stripe = (left: number, background: string) => ({
			input: { create: { width: 160, height: 320, channels: 3 as const, background } },
			left,
			top: 0,
		});
		await sharp({ create: { width: 480, height: 320, channels: 3, background: "white" } })
			.composite([stripe(0, "#d01010"), stripe(160, "#109010"), stripe(320, "#1010d0")])
			.png()
			.toFile(flag);
	});
	afterAll(() => rm(dir, { recursive: true, force: true }));

	test("gives the same bytes for the same seed, others for others, never the stored ones", async () => {
		const [first, again, other] = await Promise.all(["a", "a", "b"].map((seed) => photograph(flag, { seed })));
		expect(first?.data.equals(again?.data ?? Buffer.alloc(0))).toBe(true);
		expect(first?.data.equals(other?.data ?? Buffer.alloc(0))).toBe(false);
		expect(first?.data.equals(await readFile(flag))).toBe(false);
	});

	longTest("turns by 2 to 20 degrees and combines several alterations, told in words", async () => {
		for (let seed = 0; seed < 12; seed += 1) {
			const { alteration, description, data, width, height } = await photograph(flag, { seed: String(seed) });
			expect(Math.abs(alteration.turned)).toBeGreaterThanOrEqual(2);
			expect(Math.abs(alteration.turned)).toBeLessThanOrEqual(20);
			expect(Math.max(...alteration.cropped)).toBeLessThan(0.05);
			expect(description).toMatch(/^turned [\d.]+° (anti)?clockwise, cropped .*slant.*light.*blurred.*noisy.*JPEG/);
			const about = await sharp(data).metadata();
			expect([about.format, about.width, about.height]).toEqual(["jpeg", width, height]);
		}
	});

	test("keeps every hue where it was", async () => {
		for (let seed = 0; seed < 6; seed += 1) {
			const { data } = await photograph(flag, { seed: `hue ${seed}` });
			const pixels = await sharp(data).removeAlpha().raw().toBuffer();
			let vivid = 0;
			let kept = 0;
			for (let at = 0; at + 2 < pixels.length; at += 3) {
				const { hue, saturation } = hueOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
				if (saturation < 0.75) continue;
				vivid += 1;
				if (hues.some((due) => Math.min(Math.abs(hue - due), 360 - Math.abs(hue - due)) <= 12)) kept += 1;
			}
			expect(vivid).toBeGreaterThan(20_000);
			expect(kept / vivid).toBeGreaterThan(0.97);
		}
	});

	test("refuses what is no image, in words for people", async () => {
		const file = join(dir, "broken.png");
		await writeFile(file, "not an image");
		await expect(photograph(file, { seed: "x" })).rejects.toMatchObject({ code: "bad-image" });
	});

	test("tells look-alikes and near-blank images from distinct ones", async () => {
		const paint = async (name: string, svg: string) => {
			const file = join(dir, name);
			await sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${svg}</svg>`))
				.png()
				.toFile(file);
			return file;
		};
		const files = {
			red: await paint(
				"red.png",
				'<rect width="90" height="60" fill="#f8f8f8"/><rect width="90" height="30" fill="red"/>',
			),
			reddish: await paint(
				"reddish.png",
				'<rect width="90" height="60" fill="#f0f0f0"/><rect width="90" height="31" fill="#f00808"/>',
			),
			blue: await paint(
				"blue.png",
				'<rect width="90" height="60" fill="#fff"/><rect width="45" height="60" fill="blue"/>',
			),
			blank: await paint(
				"blank.png",
				'<rect width="90" height="60" fill="#fff"/><rect width="3" height="3" fill="black"/>',
			),
		};
		const entities = new Map(
			Object.entries(files).map(([id, file]) => {
				const names: Record<Language, string> = { en: id, es: id };
				const depictions = [{ evidence: id, file, what: { en: "flag", es: "bandera" } }];
				return [id, { id, type: "thing", names, aliases: { en: [], es: [] }, depictions }];
			}),
		);
		const describe_ = async (file: string) => {
			const pixels = await sharp(file).resize(6, 6, { fit: "fill" }).removeAlpha().raw().toBuffer();
			return Float32Array.from(pixels, (value) => value / 255);
		};
		const lookAlikes = await findLookAlikes(
			{ entities, facts: [], relations: {}, pictures: {} },
			{
				describe: describe_,
				search: async (file) => ["blue", "red"].map((id) => ({ id, distance: file === files.blue ? 0.5 : 9 })),
				closest: 3,
			},
		);
		const distinct = () =>
			[...entities.values()].filter(({ depictions }) => depictions.every(lookAlikes.distinct)).map(({ id }) => id);
		expect(distinct()).toEqual(["blue"]);
		expect(await lookAlikes.confirm(entities.get("blue")?.depictions ?? [])).toBe(1);
		expect(distinct()).toEqual([]);
	});
});

function hueOf(r: number, g: number, b: number): { hue: number; saturation: number } {
	const most = Math.max(r, g, b);
	const spread = most - Math.min(r, g, b);
	if (spread === 0) return { hue: 0, saturation: 0 };
	const sixth = most === r ? ((g - b) / spread) % 6 : most === g ? (b - r) / spread + 2 : (r - g) / spread + 4;
	return { hue: (sixth * 60 + 360) % 360, saturation: spread / most };
}

test("leaves nothing to the machine's language, clock or chance", async () => {
	const files = await readdir("src/recipes/template", { recursive: true });
	for (const name of files.filter((file) => /(?<!\.test)\.ts$/.test(file))) {
		const source = await readFile(join("src/recipes/template", name), "utf8");
		expect(source, name).not.toMatch(/toLocale|Intl\.|localeCompare|Math\.random|(?<!instanceof )\bDate\b/);
	}
});

longTest("composes for any seed without a giveaway", () => {
	const graph = fleet();
	fc.assert(
		fc.property(fc.integer(), (seed) => {
			for (const { task } of composeTasks(graph, { seed, tasks: 25, ladders: 2 })) {
				expect(chainProblems(task)).toEqual([]);
				expect(folded(task.question)).not.toContain(folded(task.answer.value));
			}
		}),
		{ numRuns: 8 },
	);
});
