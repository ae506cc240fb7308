import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Benchmark, benchmarkProblems, openBenchmark } from "#benchmarks";
import { openCorpus } from "#corpus";
import { type Answer, chainProblems, type Evidence, type Hop, type Task, topologyOf } from "#domain";
import { lookAlikeDistance } from "#encoders";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import { photograph } from "#recipes";
import { sha256File } from "#store";
import { atlasFixture } from "../../test/atlas.ts";
import { longDescribe, longTest } from "../../test/long.ts";
import { encodePicture } from "./benchmark.ts";

let benchmark: Benchmark;
let knowledge: KnowledgeBase;
const evidence = new Map<string, Evidence>();

beforeAll(async () => {
	const fixture = await atlasFixture();
	benchmark = await openBenchmark(fixture.benchmark);
	knowledge = await openKnowledge(fixture.knowledge);
	for await (const item of (await openCorpus(fixture.corpus)).evidence()) evidence.set(item.id, item);
});
afterAll(() => knowledge?.close());

const hopsOf = (task: Task): Hop[] => task.chain?.hops ?? [];
const count = (suits: (task: Task) => boolean) => benchmark.tasks.filter(suits).length;
const isPicture = (hop: Hop) => hop.modality === "image" && (hop.relation === "flag" || hop.relation === "outline map");

/** Each question image once, with the stored images of its entity: those of the hop that identifies it. */
function pictures() {
	const found = new Map<string, { image: Task["images"][number]; hop: Hop }>();
	for (const task of benchmark.tasks) {
		const hops = hopsOf(task).filter(isPicture);
		for (const [index, image] of task.images.entries()) {
			const hop = hops[index];
			if (hop) found.set(image.id, { image, hop });
		}
	}
	return [...found.values()];
}

function folded(text: string): string {
	const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
	return ` ${plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}

longDescribe("counts", () => {
	test("at least 400 tasks of 2 to 5 hops, in all topologies", () => {
		expect(benchmark.tasks.length).toBeGreaterThanOrEqual(400);
		for (const task of benchmark.tasks) {
			expect(hopsOf(task).length, task.id).toBeGreaterThanOrEqual(2);
			expect(hopsOf(task).length, task.id).toBeLessThanOrEqual(5);
		}
		for (const hops of [2, 3, 4, 5]) expect(count((task) => hopsOf(task).length === hops)).toBeGreaterThanOrEqual(60);
		for (const topology of [
			"image-initiated-chain",
			"text-initiated-chain",
			"text-only-chain",
			"image-text-fork",
			"multi-image-fork",
			"text-fork",
		])
			expect(
				count((task) => task.chain !== undefined && topologyOf(task.chain) === topology),
				topology,
			).toBeGreaterThanOrEqual(40);
	});

	test("comparison and arithmetic of every kind", () => {
		const uses = (op: string) => count((task) => hopsOf(task).some((hop) => hop.compute?.op === op));
		for (const op of ["argmax", "argmin", "greater", "equal", "earlier", "add", "difference", "mean", "divide"])
			expect(uses(op), op).toBeGreaterThanOrEqual(8);
	});

	test("string, number (with unit and range), time and yes-or-no answers, the last evenly", () => {
		for (const type of ["string", "number", "time", "boolean"])
			expect(
				count((task) => task.answer.type === type),
				type,
			).toBeGreaterThanOrEqual(20);
		const numbers = benchmark.tasks.flatMap(({ answer }) => (answer.type === "number" ? [answer] : []));
		for (const { number, value } of numbers) {
			const [low, high] = number.range ?? [Number.NaN, Number.NaN];
			expect(low, value).toBeLessThanOrEqual(number.value);
			expect(high, value).toBeGreaterThanOrEqual(number.value);
			expect(high - low, value).toBeLessThanOrEqual(Math.abs(number.value) * 0.25);
		}
		expect(numbers.filter(({ number }) => number.unit !== undefined).length).toBeGreaterThan(60);
		const yes = count((task) => task.answer.value === "yes");
		expect(Math.abs(yes - count((task) => task.answer.value === "no"))).toBeLessThanOrEqual(0.1 * yes);
	});

	test("numbers say what they are: exact ones are counted or name something, ranges are of measures and shares", () => {
		const answers = benchmark.tasks.flatMap((task) => [task.answer, ...hopsOf(task).map(({ answer }) => answer)]);
		const kinds = new Set<string>();
		for (const answer of answers) {
			if (answer.type !== "number") continue;
			const { kind = "none", range: [low, high] = [0, 1] } = answer.number;
			kinds.add(kind);
			if (low < high) expect(["measure", "share"], answer.value).toContain(kind);
			else expect(["identifier", "count", "measure"], answer.value).toContain(kind);
		}
		expect([...kinds].sort()).toEqual(["count", "identifier", "measure", "share"]);
	});

	test("two languages", () => {
		expect(count((task) => task.tags.language === "en")).toBeGreaterThanOrEqual(250);
		expect(count((task) => task.tags.language === "es")).toBeGreaterThanOrEqual(80);
		for (const { question, tags, id } of benchmark.tasks) expect(/¿/.test(question), id).toBe(tags.language === "es");
	});

	test("ladders: the same chain at 2, 3 and 4 hops", () => {
		const ladders = new Map<string, Task[]>();
		for (const task of benchmark.tasks)
			if (task.ladder) ladders.set(task.ladder.id, [...(ladders.get(task.ladder.id) ?? []), task]);
		expect(ladders.size).toBeGreaterThanOrEqual(60);
		for (const rungs of ladders.values()) {
			rungs.sort((a, b) => (a.ladder?.level ?? 0) - (b.ladder?.level ?? 0));
			expect(rungs.map((task) => hopsOf(task).length)).toEqual([2, 3, 4]);
			expect(new Set(rungs.map((task) => `${task.cluster} ${task.images.map(({ id }) => id)}`)).size).toBe(1);
			for (const [index, task] of rungs.entries()) {
				const before = index === 0 ? [] : hopsOf(rungs[index - 1] as Task);
				for (const [place, hop] of before.entries()) {
					const { id, question, evidence: ids, answer } = hopsOf(task)[place] as Hop;
					expect([id, question, ids, answer.value]).toEqual([hop.id, hop.question, hop.evidence, hop.answer.value]);
				}
			}
		}
	});

	test("nothing takes over: no answer, relation or cluster dominates", () => {
		const most = (names: string[]) => {
			const counts = new Map<string, number>();
			for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
			return Math.max(...counts.values()) / names.length;
		};
		const { tasks } = benchmark;
		expect(
			most(tasks.filter(({ answer }) => answer.type !== "boolean").map(({ answer }) => answer.value)),
		).toBeLessThan(0.03);
		expect(
			most(tasks.map((task) => hopsOf(task).at(-1)?.relation ?? hopsOf(task).at(-1)?.compute?.op ?? "")),
		).toBeLessThan(0.15);
		expect(most(tasks.map(({ cluster }) => cluster ?? ""))).toBeLessThan(0.1);
		expect(new Set(tasks.map(({ question }) => question)).size).toBe(tasks.length);
	});
});

longDescribe("chains", () => {
	test("are sound, and every evidence resolves", () => {
		const resolves = (id: string) => evidence.has(id);
		for (const task of benchmark.tasks) expect(chainProblems(task, { resolves })).toEqual([]);
		expect(benchmarkProblems(benchmark, { resolves })).toEqual([]);
	});

	test("say of each hop the modality of its evidence", () => {
		for (const task of benchmark.tasks)
			for (const hop of hopsOf(task)) {
				const kinds = new Set(
					hop.evidence.map((id) => {
						const item = evidence.get(id);
						return item?.kind === "passage" ? (item.form === "table" ? "table" : "text") : item?.kind;
					}),
				);
				if (hop.modality === "compute") expect(kinds.size).toBe(0);
				else expect([...kinds], `${task.id} ${hop.question}`).toEqual(kinds.size === 1 ? [hop.modality] : [...kinds]);
				if (kinds.size > 1) expect(hop.modality).toBe("text");
			}
	});

	test("list every evidence that states a hop's fact: a scan of all texts finds no other", () => {
		const missing = new Set<string>();
		const scan = scanner([...evidence.values()]);
		const seen = new Set<string>();
		for (const task of benchmark.tasks)
			for (const hop of hopsOf(task)) {
				const said = `${hop.question} ${hop.answer.value}`;
				if (hop.modality === "compute" || isPicture(hop) || seen.has(said)) continue;
				seen.add(said);
				for (const id of scan(hop, task)) if (!hop.evidence.includes(id)) missing.add(`${said}: ${id}`);
			}
		expect([...missing]).toEqual([]);
	});

	test("list, for an image, every stored image of that kind that shows the entity", () => {
		for (const { hop } of pictures()) {
			const what = hop.relation === "flag" ? /^Flag of (?:the )?/ : /^Outline map of (?:the )?/;
			const names = hop.answer.accepted.map(folded);
			const stored = [...evidence.values()].filter(
				(item) =>
					item.kind === "image" && what.test(item.title) && names.includes(folded(item.title.replace(what, ""))),
			);
			expect(hop.evidence, hop.answer.value).toEqual(stored.map(({ id }) => id).sort());
		}
	});
});

longDescribe("questions", () => {
	test("say no answer and no answer on the way", () => {
		for (const task of benchmark.tasks) {
			const said = folded(task.question);
			for (const { answer } of [task, ...hopsOf(task)])
				for (const form of [answer.value, ...answer.accepted]) expect(said, task.id).not.toContain(folded(form));
		}
	});

	test("say no name that an image hides, in either language, nor do the images' files", () => {
		for (const task of benchmark.tasks) {
			const hops = hopsOf(task).filter(isPicture);
			expect(task.images.length, task.id).toBe(hops.length);
			for (const [index, { hides = [], file, id }] of task.images.entries()) {
				expect(hides).toContain(hops[index]?.answer.value);
				for (const name of hides) {
					expect(folded(task.question), task.id).not.toContain(folded(name));
					expect(folded(`${file} ${id}`)).not.toContain(folded(name));
				}
			}
		}
	});

	test("count their images in words", () => {
		for (const { question, images, id } of benchmark.tasks) {
			expect(/\b(image|imagen)\b/.test(question), id).toBe(images.length > 0);
			expect(/first image|primera imagen/.test(question), id).toBe(images.length > 1);
		}
	});
});

longDescribe("question images", () => {
	test("are not the stored ones, are turned by 20 degrees at most, and say how they were altered", async () => {
		const stored = new Set([...evidence.values()].flatMap((item) => (item.kind === "image" ? [item.sha256] : [])));
		expect(pictures().length).toBeGreaterThan(100);
		for (const { image } of pictures()) {
			expect(stored.has(image.sha256)).toBe(false);
			const turned = Number(/^turned ([\d.]+)°/.exec(image.alteration ?? "")?.[1]);
			expect(turned).toBeGreaterThan(1);
			expect(turned).toBeLessThanOrEqual(20);
			expect(image.alteration).toMatch(/cropped.*slant.*light.*blurred.*noisy.*JPEG/);
			expect(image.licence).toBeTruthy();
		}
	});

	test("differ from the stored ones in what they look like, not only in their bytes", async () => {
		for (const { image, hop } of pictures().slice(0, 20)) {
			const item = evidence.get(hop.evidence[0] ?? "");
			const file = item && (await knowledge.file(item));
			const small = (path: string) =>
				sharp(path).resize(64, 64, { fit: "fill" }).flatten().removeAlpha().raw().toBuffer();
			const [a, b] = [await small(join(benchmark.dir, image.file)), await small(file ?? "")];
			const away = a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
			expect(away, image.id).toBeGreaterThan(4);
		}
	});

	test("still show whom they show: image search finds the stored image among the first three", async () => {
		// every other one: a search reads the image at many angles
		const all = pictures().filter((_, index) => index % 2 === 0);
		let first = 0;
		let third = 0;
		for (const { image, hop } of all) {
			const results = await knowledge.search({ image: join(benchmark.dir, image.file), target: "image", k: 3 });
			if (hop.evidence.includes(results[0]?.id ?? "")) first += 1;
			if (results.some(({ id }) => hop.evidence.includes(id))) third += 1;
		}
		expect(third / all.length).toBeGreaterThanOrEqual(0.95);
		expect(first / all.length).toBeGreaterThanOrEqual(0.9);
	});

	test("come from no look-alike: the nearest image of another country is not too near", async () => {
		for (const { hop } of pictures()) {
			const own = evidence.get(hop.evidence[0] ?? "");
			const file = own && (await knowledge.file(own));
			if (!file) throw new Error(`no file for ${hop.evidence[0]}`);
			const results = await knowledge.search({ image: file, target: "image", k: 8 });
			const shows = (id: string) => /\/(flag|outline)$/.test(id) && evidence.get(id)?.document !== own.document;
			const near = results.find(({ id }) => shows(id));
			// the score is 1 / (1 + distance), to six digits
			const away = near === undefined ? Number.POSITIVE_INFINITY : 1 / near.score - 1;
			expect(away, `${own.id} and ${near?.id}`).toBeGreaterThanOrEqual(lookAlikeDistance - 1e-5);
		}
	});

	test("are made again byte for byte", async () => {
		for (const { image, hop } of pictures().slice(0, 8)) {
			const item = evidence.get(hop.evidence[0] ?? "");
			const { data } = await photograph((item && (await knowledge.file(item))) ?? "", { seed: image.id });
			expect((await encodePicture(data)).equals(await readFile(join(benchmark.dir, image.file)))).toBe(true);
			expect(await sha256File(join(benchmark.dir, image.file))).toBe(image.sha256);
		}
	});
});

longTest("the card names sources, terms, counts and limits", async () => {
	const card = await readFile(join(benchmark.dir, "card.md"), "utf8");
	for (const { name, attribution } of benchmark.manifest.sources) {
		expect(card).toContain(name);
		expect(card).toContain(attribution);
	}
	expect(card).toContain(`| all |`);
	expect(card).toContain(String(benchmark.tasks.length));
	expect(card).toMatch(/## Known limits/);
	expect(benchmark.manifest.licence).toBe("ODbL-1.0");
});

/**
 * Reads all passages and pages without the recipe's knowledge of what states what: a sentence (or table line) that says
 * the hop's answer with the words of its relation, in a text about the hop's subject or that names it, states it.
 */
function scanner(all: Evidence[]) {
	const texts = all.flatMap((item) => {
		if (item.kind === "image") return [];
		const sentences = item.text.split(/(?<=[.!?])\s+(?=\p{Lu})|\n+/u);
		return [
			{ id: item.id, title: folded(item.title), sentences: sentences.map((raw) => ({ raw, plain: folded(raw) })) },
		];
	});
	const titles = [...new Set(texts.map(({ title }) => title))].sort((a, b) => b.length - a.length);
	const byWord = new Map<string, Set<number>>();
	for (const [index, { sentences }] of texts.entries())
		for (const word of sentences.flatMap(({ plain }) => plain.trim().split(" "))) {
			const places = byWord.get(word) ?? new Set();
			byWord.set(word, places.add(index));
		}
	const saying = (form: string) => {
		const lists = form
			.trim()
			.split(" ")
			.map((word) => byWord.get(word) ?? new Set<number>());
		const [rarest = new Set<number>()] = lists.sort((a, b) => a.size - b.size);
		return rarest;
	};
	const longEnough = (form: string) => form.trim().length >= 4;

	return (hop: Hop, task: Task): string[] => {
		const cue = cues[hop.relation ?? ""];
		if (!cue) return [];
		const known = hop.needs.map((need) => hopsOf(task).find(({ id }) => id === need.hop)?.answer);
		const named = titles.find((title) => folded(hop.question).includes(title));
		const subjects = known[0] ? namesOf(known[0]) : named === undefined ? [] : [named];
		const objects = namesOf(hop.answer).filter(longEnough);
		const found = new Set<string>();
		for (const object of objects)
			for (const index of saying(object)) {
				const text = texts[index];
				if (!text) continue;
				for (const { raw, plain } of text.sentences) {
					if (!plain.includes(object) || !cue.test(raw)) continue;
					// "Germany sold most of its exports to France" is about Germany's exports, not about France's
					if (hop.relation === "export-partner" && plain.includes(`${object}sold `)) continue;
					const about = subjects.filter(longEnough).some((name) => plain.includes(name) || text.title === name);
					if (about) found.add(text.id);
				}
			}
		return [...found];
	};
}

const namesOf = (answer: Answer) => [...new Set([answer.value, ...answer.accepted].map(folded))];

/** Words that go with a relation in a sentence that states it, in both languages. */
const cues: Record<string, RegExp> = {
	capital: /\bcapital\b|governed from|gobierna desde/i,
	currency: /currency|moneda/i,
	"highest-point": /highest|culminat|más alto|culmina/i,
	"largest-city": /most populous|más poblada/i,
	"independent-from": /separated from|former ruling|became independent from|independizó de/i,
	"export-partner": /export/i,
	"airport-city": /serves|served|da servicio|atiende/i,
	namesake: /named after|its name|nombre/i,
	"namesake-country": /named after|its name|nombre/i,
	area: /km²/,
	population: /population|inhabitants|people|población|habitantes/i,
	"city-population": /urban area|área urbana|population/i,
	coastline: /coast|costa/i,
	"land-boundary": /boundar|frontier|fronter/i,
	independence: /independ/i,
	discovery: /discover|descubr/i,
	elevation: /\bm\b/,
	"atomic-number": /atomic number|número atómico|protons/i,
	"melting-point": /melt|fusión/i,
	"urban-share": /urban/i,
	"median-age": /median|mediana/i,
	anthem: /anthem|himno/i,
	"currency-code": /\bcode\b|código/i,
};
