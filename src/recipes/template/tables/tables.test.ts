import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCorpus } from "#corpus";
import { chainProblems, type Item, questionOf, taskOf, topologyOf } from "#domain";
import { graphFolder, openGraph } from "#graph";
import { openKnowledge } from "#knowledge";
import type { ChatModel } from "#models";
import {
	guessPhrases,
	phrasesYaml,
	readPhrases,
	readTables,
	readTypes,
	runRecipe,
	tableKnowledge,
	typesYaml,
	typeTables,
} from "#recipes";
import { longTest } from "../../../../test/long.ts";
import { player } from "../../../../test/support/recipes/player.ts";
import { template } from "../../template.ts";

let place: string;
beforeAll(async () => {
	place = await mkdtemp(join(tmpdir(), "hopscope-tables-"));
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** Makes knowledge of tables and runs the recipe over it, as `hopscope make template --graph` does. */
async function made(name: string, path: string, params: object = {}, solver?: ChatModel) {
	const tables = typeTables(await readTables(path));
	const phrases = guessPhrases(tables);
	const places = { corpus: join(place, name, "corpus"), knowledge: join(place, name, "knowledge") };
	const counts = await tableKnowledge(tables, phrases, places, { name });
	const knowledge = await openKnowledge(places.knowledge);
	const corpus = await openCorpus(places.corpus);
	const graph = await openGraph(join(places.knowledge, graphFolder));
	try {
		const build = await runRecipe(
			template,
			{ knowledge, evidence: () => corpus.evidence(), graph },
			join(place, name, "build"),
			{ params: { phrases, ...params }, models: solver ? { solver } : {} },
		);
		const texts = new Map<string, string>();
		for await (const one of corpus.evidence()) texts.set(one.id, one.kind === "image" ? one.title : one.text);
		return { tables, phrases, counts, build, texts };
	} finally {
		await knowledge.close();
	}
}

async function tableFile(folder: string, name: string, rows: string[]): Promise<void> {
	await writeFile(join(folder, name), `${rows.join("\n")}\n`);
}

longTest("columns and tables may be called as what every object inherits", async () => {
	const folder = await mkdtemp(join(place, "odd-"));
	await tableFile(folder, "constructor.csv", [
		"name,constructor,__proto__,toString",
		...["Ash", "Birch", "Cedar"].map((name, at) => `${name},Maker ${at},${1900 + at},${10 + at}`),
	]);
	await tableFile(folder, "planes.jsonl", [
		'{"name": "Kite", "constructor": "Maker 0", "__proto__": "1950"}',
		'{"name": "Lark"}',
	]);
	const tables = typeTables(await readTables(folder));
	expect(tables.map(({ columns }) => columns)).toEqual([
		["name", "constructor", "__proto__", "toString"],
		["name", "constructor", "__proto__"],
	]);
	expect(tables.flatMap(({ refused }) => refused)).toEqual([]);
	const phrases = guessPhrases(tables);
	expect(Object.keys(phrases.relations)).toEqual([
		...["constructor.constructor", "constructor.__proto__", "toString"],
		...["plane.constructor", "plane.__proto__"],
	]);
	const file = join(folder, "phrases.yaml");
	await writeFile(file, phrasesYaml(phrases));
	const read = await readPhrases(file);
	expect(Object.keys(read.relations)).toEqual(Object.keys(phrases.relations));
	expect(read).toEqual(phrases);
	const { texts, counts } = await made("odd", folder, { tasks: 6, ladders: 0 });
	expect(counts.rows).toBe(5);
	const told = [...texts.values()];
	expect(told.find((text) => text.includes("Birch"))).toContain("__proto__: 1901");
	expect(told.find((text) => text.includes("Lark"))).toBe("Plane: Lark");
});

describe("moons, planets and astronomers as CSV", () => {
	let moons: Awaited<ReturnType<typeof made>>;
	beforeAll(async () => {
		moons = await made("moons", "examples/tables", { tasks: 60, ladders: 4 });
	});

	test("columns say what they lead to: other tables' subjects, numbers, years", () => {
		const { tables, relations } = moons.phrases;
		expect(tables["moons.csv"]).toMatchObject({ subject: "name", type: "moon" });
		expect(relations.planet?.to).toBe("planet");
		expect(relations.discoverer?.to).toBe("astronomer");
		expect(relations.discovered).toMatchObject({ to: "time", question: ["When was {} discovered?"] });
		expect(relations["moon.diameter"]?.to).toBe("number");
		expect(relations["planet.diameter"]?.to).toBe("number");
	});

	test("phrases are the same after a person has read and saved them", async () => {
		const file = join(place, "phrases.yaml");
		await writeFile(file, phrasesYaml(moons.phrases));
		expect(await readPhrases(file)).toEqual(moons.phrases);
		await writeFile(file, "relations:\n  planet:\n    noun: the planet\n");
		await expect(readPhrases(file)).rejects.toMatchObject({ code: "bad-phrases", exitCode: 2 });
	});

	test("every row is a passage, and every hop's evidence says its answer", () => {
		expect(moons.counts).toMatchObject({ rows: 56, images: 0 });
		expect(moons.texts.get("moons/titan")).toBe(
			"Moon: Titan\nplanet: Saturn\ndiscovered: 1655\ndiscoverer: Christiaan Huygens\ndiameter: 5150",
		);
		expect(moons.build.items.length).toBe(60);
		for (const item of moons.build.items) {
			expect(chainProblems(taskOf(item)), item.id).toEqual([]);
			for (const hop of item.chain.hops.filter(({ compute }) => !compute))
				for (const id of hop.evidence)
					expect(
						hop.answer.accepted.some((form) => moons.texts.get(id)?.includes(form)),
						`${hop.question} ${id}`,
					).toBe(true);
		}
	});

	test("no passage answers two hops, chains and forks are there, and nothing is said of images", () => {
		const shapes = new Set(moons.build.items.map(({ chain }) => topologyOf(chain)));
		expect([...shapes].sort()).toEqual(["text-fork", "text-only-chain"]);
		for (const { chain } of moons.build.items) {
			const all = chain.hops.flatMap(({ evidence }) => evidence);
			expect(new Set(all).size).toBe(all.length);
		}
	});

	test("an astronomer of many moons is not the discoverer of one: the inverse is not asked", () => {
		for (const { chain } of moons.build.items)
			for (const hop of chain.hops) expect(hop.question).not.toMatch(/moon whose discoverer|has .* as its discoverer/);
	});

	test("checks that need a model are skipped, not passed", () => {
		for (const { checks } of moons.build.items) {
			expect(checks.find(({ check }) => check === "one-valued")?.verdict).toBe("pass");
			for (const name of ["closed-book", "solvable", "every-hop-needed"])
				expect(checks.find(({ check }) => check === name)?.verdict).toBe("skipped");
		}
	});

	longTest("a model that knows some answers by heart costs those questions, one that reads nothing all", async () => {
		const plan = [{ topology: "text-only-chain", hops: 2, count: 20 }];
		const params = { tasks: 20, ladders: 0, plan };
		const { items } = (await made("unsolved", "examples/tables", params)).build;
		const plainly = (text = "") => text.replace(/\s+/g, " ");
		const knowing = (known: string[]) =>
			player({
				"answer-from-evidence": ({ material }) => {
					const item = items.find((one) => questionOf(one) === material.question);
					const gold = item?.chain.hops.flatMap(({ evidence }) => evidence) ?? [];
					const shown = gold.every((id) => plainly(material.evidence).includes(plainly(moons.texts.get(id))));
					const knows = item !== undefined && known.includes(item.id);
					return { answer: item && (shown || knows) ? item.answer.value : null };
				},
			});
		const ids = items.map(({ id }) => id);
		const { build } = await made("solved", "examples/tables", params, knowing(ids.slice(0, 5)));
		expect(build.items.map(({ id }) => id)).toEqual(ids.slice(5));
		expect(build.funnel.rows.find(({ stage }) => stage === "closed-book")?.dropped).toEqual({ closed_book: 5 });
		expect(build.items.every(({ checks }) => checks.every(({ verdict }) => verdict === "pass"))).toBe(true);
		const blind = player({ "answer-from-evidence": () => ({ answer: null }) });
		const nothing = await made("blind", "examples/tables", params, blind);
		expect(nothing.build.items).toEqual([]);
		expect(nothing.build.funnel.rows.find(({ stage }) => stage === "solvable")?.dropped).toEqual({
			not_solvable: 20,
		});
	});

	longTest("the same tables give the same items", async () => {
		const again = await made("again", "examples/tables", { tasks: 60, ladders: 4 });
		expect(again.build.items).toEqual(moons.build.items);
	});
});

describe("what tables may hold", () => {
	longTest("JSON lines and Parquet give the items that CSV gives", async () => {
		const rows = Array.from({ length: 12 }, (_, n) => ({
			name: `Ship ${"ABCDEFGHIJKL"[n]}one`,
			captain: `Captain ${"ABCDEFGHIJKL"[n]}two`,
			length: 40 + n * 13,
		}));
		const folders = await Promise.all(["csv", "jsonl", "parquet"].map((form) => mkdtemp(join(place, `${form}-`))));
		const [csv = "", jsonl = "", parquet = ""] = folders;
		await tableFile(csv, "ships.csv", ["name,captain,length", ...rows.map((row) => Object.values(row).join(","))]);
		await tableFile(
			jsonl,
			"ships.jsonl",
			rows.map((row) => JSON.stringify(row)),
		);
		const columnData = (["name", "captain", "length"] as const).map((name) => ({
			name,
			data: rows.map((row) => row[name]),
		}));
		await writeFile(join(parquet, "ships.parquet"), Buffer.from(parquetWriteBuffer({ columnData })));
		const params = { tasks: 12, ladders: 0 };
		const [a, b, c] = [
			await made("csv", csv, params),
			await made("jsonl", jsonl, params),
			await made("parquet", parquet, params),
		];
		const questions = (items: readonly Item[]) => items.map((item) => [questionOf(item), item.answer.value]);
		expect(a.build.items.length).toBeGreaterThan(5);
		expect(questions(b.build.items)).toEqual(questions(a.build.items));
		expect(questions(c.build.items)).toEqual(questions(a.build.items));
	});

	longTest("a subject with two values is not asked for one", async () => {
		const folder = await mkdtemp(join(place, "two-"));
		const rows = Array.from(
			{ length: 20 },
			(_, n) => `Port ${String.fromCharCode(65 + n)}xen,Land ${n % 7}v,${1700 + n}`,
		);
		await tableFile(folder, "ports.csv", ["name,country,founded", ...rows, "Port Axen,Land 9v,1700"]);
		const { build } = await made("two", folder, { tasks: 40, ladders: 0 });
		expect(build.items.length).toBeGreaterThan(5);
		for (const { chain } of build.items)
			for (const hop of chain.hops) if (hop.relation === "country") expect(hop.question).not.toContain("Port Axen");
	});

	longTest("pictures in a column start questions", async () => {
		const folder = await mkdtemp(join(place, "pictures-"));
		const rows: string[] = [];
		for (let n = 0; n < 12; n += 1) {
			const cell = (x: number, y: number) => ((n * 2654435761 + x * 40503 + y * 9973) >>> 3) % 5 < 2;
			const boxes = Array.from({ length: 36 }, (_, at) => [at % 6, Math.floor(at / 6)] as const)
				.filter(([x, y]) => cell(x, y))
				.map(([x, y]) => `<rect x="${x * 40}" y="${y * 40}" width="40" height="40" fill="hsl(${n * 30},80%,40%)"/>`);
			const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240"><rect width="240" height="240" fill="white"/>${boxes.join("")}</svg>`;
			await sharp(Buffer.from(svg))
				.png()
				.toFile(join(folder, `${n}.png`));
			rows.push(
				`Clan ${String.fromCharCode(65 + n)}rum,${n}.png,Chief ${String.fromCharCode(75 + n)}bal,${120 + n * 31}`,
			);
		}
		await tableFile(folder, "clans.csv", ["name,badge,chief,members", ...rows]);
		const plan = [
			{ topology: "image-initiated-chain", hops: 2, count: 4 },
			{ topology: "multi-image-fork", hops: 5, count: 2 },
		];
		const { build, phrases } = await made("pictures", folder, { tasks: 6, ladders: 0, plan });
		expect(phrases.relations.badge).toEqual({ to: "image" });
		const seen = build.items.filter(({ images }) => images.length > 0);
		expect(seen.length).toBeGreaterThan(2);
		for (const item of seen) expect(questionOf(item)).toMatch(/whose badge is shown in the (first )?image/);
		expect(build.items.some(({ chain }) => topologyOf(chain) === "image-initiated-chain")).toBe(true);
	});

	longTest("days, money and words for nothing come out as what they are", async () => {
		const folder = await mkdtemp(join(place, "projects-"));
		const truth = Array.from({ length: 40 }, (_, n) => ({
			name: `Plan ${String.fromCharCode(65 + (n % 26))}${n < 26 ? "ora" : "umi"}`,
			start: `${2000 + (n % 20)}-${String((n % 12) + 1).padStart(2, "0")}-${String(((n * 7) % 28) + 1).padStart(2, "0")}`,
			budget: 10_000 + n * 1234,
			lead: n % 9 === 0 ? undefined : `Lead ${String.fromCharCode(65 + (n % 26))}${n < 26 ? "an" : "ek"}`,
		}));
		const rows = truth.map(({ name, start, budget, lead }) =>
			[name, start.split("-").reverse().join("/"), `"€${budget.toLocaleString("en")}"`, lead ?? "n/a"].join(","),
		);
		await tableFile(folder, "plans.csv", ["name,start date,budget,lead", ...rows]);
		const { build, texts, phrases } = await made("plans", folder, { tasks: 60 });
		expect(phrases.relations["start date"]).toMatchObject({ to: "time", form: ["dd/mm/yyyy"] });
		expect(phrases.relations.budget).toMatchObject({ to: "number", unit: "€" });
		expect(texts.get("plans/plan-bora")).toContain("start date: 08/02/2001 (8 February 2001)\nbudget: €11,234\nlead:");
		expect(texts.get("plans/plan-aora")).not.toContain("lead");
		expect(build.items.length).toBe(60);
		const day = (iso: string) => Date.parse(iso) / 86_400_000;
		const hops = build.items.flatMap(({ chain }) => chain.hops.map((hop) => ({ hop, hops: chain.hops })));
		for (const { hop, hops: all } of hops) {
			const { answer, compute, relation } = hop;
			const owner = truth.find(
				({ name, lead }) => hop.question.includes(name) || (lead && hop.question.includes(lead)),
			);
			expect(JSON.stringify(hop)).not.toContain("n/a");
			if (relation === "start date" && answer.type === "time") expect(answer.time.iso).toBe(owner?.start);
			else if (relation === "start date") throw new Error(`${hop.question} has no time for an answer`);
			if (relation === "budget") expect(answer).toMatchObject({ number: { value: owner?.budget, unit: "€" } });
			const operands = hop.needs.flatMap(({ hop: id }) => all.find((other) => other.id === id)?.answer ?? []);
			const [a, b] = operands.flatMap((one) => (one.type === "time" ? [one.time.iso] : []));
			if (compute?.op === "earlier" && a && b) expect(answer.value).toBe(day(a) < day(b) ? "yes" : "no");
			if (compute?.op === "difference" && a && b)
				expect(answer).toMatchObject({ number: { value: Math.abs(day(a) - day(b)), unit: "days" } });
		}
		expect(hops.some(({ hop }) => hop.question.startsWith("By how many days do"))).toBe(true);
	});

	test("what columns leave open is refused with every column, and read as it is said to be", async () => {
		const folder = await mkdtemp(join(place, "open-"));
		const letters = [..."ABCDEFGH"];
		await tableFile(folder, "a.csv", [
			"name,start,weight",
			...letters.map((letter, n) => `Item ${letter}x,0${n + 1}/0${n + 2}/2020,${n + 1}.${n}25`),
		]);
		const tables = await readTables(folder);
		expect(() => typeTables(tables)).toThrow(
			expect.objectContaining({
				code: "ambiguous-column",
				exitCode: 2,
				message: expect.stringMatching(/a\.csv, column "start".*01\/02\/2020.*; a\.csv, column "weight".*1\.025/),
				remedy: expect.stringContaining("--types"),
			}),
		);
		const file = join(folder, "types.yaml");
		await writeFile(file, typesYaml(typeTables(tables, { open: true })));
		const asked = await readTypes(file);
		expect(() => typeTables(tables, { types: asked })).toThrow(/start/);
		await writeFile(file, '{"a.csv": {"start": {"form": "mm/dd/yyyy"}, "weight": {"decimal": ","}}}');
		const [table] = typeTables(tables, { types: await readTypes(file) });
		expect(table?.types.map(({ samples }) => samples[0]?.as)).toEqual(["Item Ax", "2 January 2020", "1,025"]);
		await writeFile(file, '{"a.csv": {"end": {"form": "mm/dd/yyyy"}}}');
		const wrong = await readTypes(file);
		expect(() => typeTables(tables, { types: wrong })).toThrow(/no column "end"/);
		await writeFile(file, '{"a.csv": {"start": {"form": "soon"}}}');
		await expect(readTypes(file)).rejects.toMatchObject({ code: "bad-types", exitCode: 2 });
	});

	test("a spreadsheet of semicolons, decimal commas, lines within cells and a mark at its start", async () => {
		const folder = await mkdtemp(join(place, "semicolons-"));
		const rows = [
			'Ort Aheim;01.02.1801;12,5 km²;1.234;"eine\r\nZeile"',
			"Ort Bheim;12.03.1802;3,75 km²;12.345;-",
			"Ort Cheim;25.12.1803;1.100,0 km²;99.000;NA",
		];
		await writeFile(join(folder, "orte.csv"), `\ufeffName;founded;area;people;note\r\n${rows.join("\r\n")}\r\n`);
		const [table] = typeTables(await readTables(folder));
		expect(
			table?.types.map(({ column, type, unit, form, decimal }) => [column, type, unit, form?.[0], decimal]),
		).toEqual([
			["Name", "name", undefined, undefined, undefined],
			["founded", "time", undefined, "dd.mm.yyyy", undefined],
			["area", "number", "km²", undefined, ","],
			["people", "number", undefined, undefined, ","],
			["note", "name", undefined, undefined, undefined],
		]);
		expect(table?.types[2]?.samples[2]).toEqual({ cell: "1.100,0 km²", as: "1,100 km²" });
		expect(table?.types[4]).toMatchObject({ read: 1, empty: 2, emptyWords: { "-": 1, NA: 1 } });
		expect(table?.rows[0]?.note).toBe("eine Zeile");
	});

	test("numbers of JSON leave no mark open, columns of one name and other encodings are refused", async () => {
		const folder = await mkdtemp(join(place, "forms-"));
		const rows = [1.234, 2.345].map((weight, n) => JSON.stringify({ name: `Item ${n}`, weight, country: "NA" }));
		await writeFile(join(folder, "a.jsonl"), rows.join("\n"));
		const tables = await readTables(join(folder, "a.jsonl"));
		expect(typeTables(tables)[0]?.types[1]?.samples[0]?.as).toBe("1.234");
		expect(typeTables(tables)[0]?.rows[0]?.country).toBe("");
		const types = { "a.jsonl": { country: { nulls: [] } } };
		expect(typeTables(tables, { types })[0]?.rows[0]?.country).toBe("NA");
		await tableFile(folder, "b.csv", ["name,date,date", "A,1,2"]);
		await expect(readTables(join(folder, "b.csv"))).rejects.toMatchObject({
			message: expect.stringContaining('"date"'),
		});
		await writeFile(join(folder, "c.csv"), Buffer.from("name,town\nA,Orl\xe9ans\n", "latin1"));
		await expect(readTables(join(folder, "c.csv"))).rejects.toMatchObject({
			message: expect.stringContaining("UTF-8"),
		});
	});

	longTest("what few rows cannot yield is counted, by its shape", async () => {
		const folder = await mkdtemp(join(place, "few-"));
		await tableFile(folder, "ships.csv", ["name,captain,length", "Ada,Bob,10", "Bea,Cy,20", "Con,Di,31"]);
		const plan = [{ topology: "text-fork", hops: 3, count: 1 }];
		const { build } = await made("few", folder, { tasks: 60, ladders: 0, plan });
		const row = build.funnel.rows.find(({ stage }) => stage === "compose");
		expect(row?.out).toBe(build.items.length);
		expect((row?.out ?? 0) + (row?.dropped.dead_end ?? 0)).toBe(60);
		expect(row?.dropped.dead_end).toBeGreaterThan(0);
	});

	test("what is no table is refused with what to do", async () => {
		await expect(readTables(join(place, "nowhere"))).rejects.toMatchObject({ code: "no-table", exitCode: 2 });
	});
});
