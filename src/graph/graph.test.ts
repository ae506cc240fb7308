import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Entity, Triple } from "#domain";
import { buildGraph, type Claim, createGraph, graphSearch, openGraph, writeGraph } from "#graph";
import { readJsonl } from "#store";
import { longTest } from "../../test/long.ts";
import { pathText } from "./graph-search.ts";
import { Rejected } from "./manifest.ts";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-graph-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** `Ann -knows-> Bo @a#0`, undirected with `--` on both sides. */
function claims(...lines: string[]): Claim[] {
	return lines.map((line) => {
		const [, subject = "", relation = "", arrow, object = "", evidence] =
			/^(.+?) -(.+?)-(-|>) (.+?)(?: @(\S+))?$/.exec(line) ?? [];
		const end = (said: string) => {
			const [name = "", type] = said.split(":");
			return { name, ...(type ? { type } : {}) };
		};
		const statement = evidence
			? {
					evidence,
					document: evidence.split("#")[0],
					basis: "quote" as const,
					quote: `${subject} ${relation} ${object}`,
					origin: "test",
				}
			: undefined;
		return {
			subject: end(subject),
			relation,
			object: end(object),
			directed: arrow === ">",
			...(statement ? { statement } : {}),
		};
	});
}
const graphOf = (...lines: string[]) => createGraph(buildGraph({ claims: claims(...lines) }));

describe("a graph", () => {
	const graph = graphOf(
		"Peru -has capital-> Lima @a#0",
		"Chile -has capital-> Santiago @a#1",
		"Lima -is twinned with-- Cardiff @b#0",
		"Lima -lies on-> Rímac @b#1",
		"Lima -has district-> Barranco @b#2",
		"Lima -has district-> Miraflores @b#2",
		"Lima -was founded in-> 1535:time @b#3",
		"Santiago -was founded in-> 1541:time @b#4",
		"Cusco -was refounded in-> 1535:time @b#5",
	);
	const names = (steps: { to: { name: string } }[]) => steps.map(({ to }) => to.name).sort();

	test("is walked out, in, both ways, and by relation in any wording", () => {
		expect(names(graph.neighbours("lima", { direction: "in" }))).toEqual(["Cardiff", "Peru"]);
		expect(names(graph.neighbours("lima", { direction: "out" }))).toEqual([
			"1535",
			"Barranco",
			"Cardiff",
			"Miraflores",
			"Rímac",
		]);
		expect(names(graph.neighbours("lima", { relation: "Twinned with" }))).toEqual(["Cardiff"]);
		expect(names(graph.neighbours("cardiff", { direction: "out" }))).toEqual(["Lima"]);
		expect(graph.neighbours("nobody")).toEqual([]);
	});
	test("finds entities by any spelling", () => {
		expect(graph.find("RIMAC").map(({ name }) => name)).toEqual(["Rímac"]);
		expect(graph.find("")).toEqual([]);
	});
	test("knows how far a relation determines its ends", () => {
		expect(graph.functionality("has capital")).toEqual({
			relation: "has capital",
			edges: 2,
			subjects: 2,
			objects: 2,
			functionality: 1,
			inverse: 1,
		});
		expect(graph.functionality("has district")).toMatchObject({ functionality: 0.5, inverse: 1 });
		expect(graph.functionality("twinned with")).toMatchObject({ edges: 2, subjects: 2 });
		expect(graph.functionality("invaded")).toBeUndefined();
		expect(graph.targets("lima", "has district")).toBe(2);
		expect(graph.targets("barranco", "has district", "in")).toBe(1);
	});
	test("knows its hubs", () => {
		expect(graph.hubPercentile("lima")).toBeGreaterThan(0.9);
		expect(graph.hubPercentile("barranco")).toBe(0);
		expect(graph.degree("lima")).toBe(6);
	});

	test("on random edges: neighbours are the edges", () => {
		const edge = fc.tuple(fc.nat(6), fc.constantFrom("r", "s"), fc.nat(6), fc.boolean());
		fc.assert(
			fc.property(fc.array(edge, { maxLength: 20 }), (edges) => {
				const built = graphOf(
					...edges.map(([a, relation, b, directed]) => `n${a} -${relation}-${directed ? ">" : "-"} n${b}`),
				);
				for (const id of built.entities.keys()) {
					const touching = built.triples.filter(({ subject, object }) => subject === id || object === id);
					expect(new Set(built.neighbours(id).map(({ triple }) => triple.id))).toEqual(
						new Set(touching.map((triple) => triple.id)),
					);
					expect(built.degree(id)).toBe(touching.length);
				}
				for (const { relation } of built.triples) {
					const { functionality = 0, inverse = 0 } = built.functionality(relation) ?? {};
					for (const value of [functionality, inverse]) expect(value > 0 && value <= 1).toBe(true);
				}
			}),
			{ numRuns: 100 },
		);
	});
});

describe("a graph on disk", () => {
	const made = () =>
		buildGraph({
			claims: claims("Peru -has capital-> Lima @a#0", "Lima -lies on-> Rímac @b#1", "The Lima -is-> Lima @b#2"),
		});
	const about = { name: "peru", origins: ["test"] };

	test("has a hash that does not depend on the address of the model that was asked", async () => {
		const askedAt = async (folder: string, model: string) => {
			const origin = `${model}#1234`;
			const told = claims("Peru -has capital-> Lima @a#0").map(({ statement, ...claim }) => ({
				...claim,
				...(statement ? { statement: { ...statement, origin } } : {}),
			}));
			const rejected = [
				{ kind: "passage" as const, evidence: "a#1", reason: "unextracted", detail: "no JSON", origin },
			];
			const graph = { ...buildGraph({ claims: told }), rejected };
			return (await writeGraph(join(dir, folder), graph, { name: "peru", origins: [origin] })).hash;
		};
		const hash = await askedAt("a", "openai:m@http://127.0.0.1:8000/v1");
		expect(await askedAt("b", "openai:m@http://127.0.0.1:9000/v1")).toBe(hash);
		expect(await askedAt("c", "openai:m")).toBe(hash);
		expect(await askedAt("d", "openai:other@http://127.0.0.1:8000/v1")).not.toBe(hash);
	});
	test("opens as it was written, and equal graphs give equal hashes", async () => {
		const first = await writeGraph(join(dir, "a"), made(), about);
		const second = await writeGraph(join(dir, "b"), made(), {
			...about,
			usage: { calls: 1, inputTokens: 2, outputTokens: 3 },
		});
		expect(second.hash).toBe(first.hash);
		const { entities, triples } = made();
		const opened = await openGraph(join(dir, "a"));
		expect([...opened.entities.values()]).toEqual(entities);
		expect(opened.triples).toEqual(triples);
		expect(opened.manifest?.counts).toEqual({
			entities: 3,
			triples: 2,
			statements: 2,
			evidence: 2,
			rejected: 1,
			passages: 0,
			unextracted: 0,
		});
		const rejected = [];
		for await (const one of readJsonl(join(dir, "a/rejected.jsonl"), Rejected)) rejected.push(one);
		expect(rejected).toMatchObject([{ reason: "same-ends", evidence: "b#2" }]);
		for (const entity of entities) expect(Entity.parse(entity)).toEqual(entity);
		for (const triple of triples) expect(Triple.parse(triple)).toEqual(triple);
	});
	test("is replaced at once, and does not replace what is no graph", async () => {
		await writeGraph(join(dir, "a"), made(), about);
		await writeGraph(join(dir, "a"), buildGraph({ claims: [] }), about);
		expect((await openGraph(join(dir, "a"))).triples).toEqual([]);
		expect(await readdir(dir)).toEqual(["a"]);
		await writeFile(join(dir, "mine.txt"), "");
		await expect(writeGraph(dir, made(), about)).rejects.toMatchObject({ code: "folder-in-use" });
	});
	test("that is missing, cut or changed does not open", async () => {
		await expect(openGraph(join(dir, "none"))).rejects.toMatchObject({ code: "no-graph", exitCode: 2 });
		await writeGraph(join(dir, "a"), made(), about);
		const file = join(dir, "a", "triples.jsonl");
		const whole = await readFile(file);
		await writeFile(file, whole.subarray(0, -20));
		await expect(openGraph(join(dir, "a"))).rejects.toMatchObject({ code: "bad-graph", exitCode: 2 });
		await writeFile(file, whole);
		await appendFile(file, '{"id":"x"}\n');
		await expect(openGraph(join(dir, "a"))).rejects.toMatchObject({ code: "bad-graph" });
		await writeFile(join(dir, "a", "graph.json"), "{}");
		await expect(openGraph(join(dir, "a"))).rejects.toMatchObject({ code: "bad-graph" });
	});
});

describe("graph search", () => {
	const graph = graphOf(
		"Solaris:work -was directed by-> Andrei Tarkovsky:person @solaris#0",
		"Solaris:work -was released in-> 1972:time @solaris#1",
		"Solaris:work -is based on a novel by-> Stanisław Lem:person @solaris#2",
		"Andrei Tarkovsky:person -was born in-> Zavrazhye:place @tarkovsky#0",
		"Andrei Tarkovsky:person -died in-> Paris:place @tarkovsky#1",
		"Stanisław Lem:person -was born in-> Lwów:place @lem#0",
		"Paris:place -is the capital of-> France:place @paris#0",
		"Ghost:work -was released in-> 1972:time @ghost#0",
		...Array.from({ length: 60 }, (_, n) => `Person ${n}:person -died in-> Paris:place @people#${n}`),
	);
	const ids = (text: string, k = 3) => graphSearch(graph, { text, k }).map(({ evidenceId }) => evidenceId);

	test("follows the relations that the question asks for", () => {
		expect(ids("Where was the director of Solaris born?", 2)).toEqual(["solaris#0", "tarkovsky#0"]);
		expect(ids("who wrote the novel that solaris is based on, and where was that author born", 8)).toContain("lem#0");
		expect(ids("In which year was Solaris released?", 1)).toEqual(["solaris#1"]);
		expect(ids("Stanislaw Lem's birthplace", 1)).toEqual(["lem#0"]);
	});
	test("puts the edge between two named entities first, whatever else they touch", () => {
		expect(ids("Did Person 7 die in Paris?", 1)).toEqual(["people#7"]);
		expect(ids("Tarkovsky Paris", 1)).toEqual(["tarkovsky#1"]);
	});
	test("does not go on through a year or a hub's crowd", () => {
		expect(ids("Where was the director of Solaris born?", 100)).not.toContain("ghost#0");
		const hits = ids("Where did Andrei Tarkovsky die?", 100);
		expect(hits[0]).toBe("tarkovsky#1");
		expect(hits.indexOf("paris#0")).toBeLessThan(hits.findIndex((id) => id.startsWith("people#")));
	});
	test("explains each hit by a path that begins at a named entity and ends with the edge stated there", () => {
		const hit = graphSearch(graph, { text: "Where was the director of Solaris born?", k: 2 })[1];
		expect(pathText(hit?.path ?? [])).toBe("Solaris –was directed by→ Andrei Tarkovsky –was born in→ Zavrazhye");
		expect(hit?.path.at(-1)?.triple.statements).toContain(hit?.statement);
	});
	test("keeps to what is accepted, to the hops and to k", () => {
		const accept = (id: string) => id.startsWith("solaris");
		expect(graphSearch(graph, { text: "Solaris", k: 10, accept })).toHaveLength(3);
		expect(
			graphSearch(graph, { text: "Solaris director born", k: 10, hops: 1 }).every(({ path }) => path.length === 1),
		).toBe(true);
		for (const k of [0, -1, Number.NaN]) expect(graphSearch(graph, { text: "Solaris", k })).toEqual([]);
	});
	test.each(["", " ", "the of and", "unknown words only", "🙂", "\u0000"])("finds nothing for %j", (text) => {
		expect(graphSearch(graph, { text, k: 5 })).toEqual([]);
	});
	test("gives equal scores by id, and the same list for the same question", () => {
		const hits = graphSearch(graph, { text: "Paris", k: 100 });
		for (const [at, hit] of hits.entries()) {
			const before = hits[at - 1];
			if (before)
				expect(before.score > hit.score || (before.score === hit.score && before.evidenceId < hit.evidenceId)).toBe(
					true,
				);
			expect(hit.score > 0 && hit.score <= 1).toBe(true);
		}
		const again = createGraph({
			entities: [...graph.entities.values()].reverse(),
			triples: [...graph.triples].reverse(),
		});
		expect(graphSearch(again, { text: "Paris", k: 100 })).toEqual(hits);
	});
	test("answers any text", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, k) => {
				expect(graphSearch(graph, { text: `${text} Paris ${text}`, k }).length).toBeLessThanOrEqual(k);
			}),
			{ numRuns: 50 },
		);
	});
});

longTest("a graph of 100,000 entities is searched in milliseconds", () => {
	let state = 1;
	const random = (below: number) => {
		state = (Math.imul(state, 1103515245) + 12345) >>> 0;
		return state % below;
	};
	const words = Array.from({ length: 3000 }, (_, n) => `w${n.toString(36)}x`);
	const entities = Array.from({ length: 100_000 }, (_, n) => ({
		id: `e${n}`,
		name: `${words[random(3000)]} ${words[random(3000)]} ${n % 7 === 0 ? words[random(3000)] : ""}`.trim(),
		aliases: [],
		types: ["person"],
		kind: "entity" as const,
	}));
	const triples = Array.from({ length: 120_000 }, (_, n) => ({
		id: `t${n}`,
		subject: `e${random(100_000)}`,
		relation: ["born in", "works for", "knows"][n % 3] ?? "",
		// every tenth edge leads to one of ten hubs
		object: `e${n % 10 === 0 ? random(10) : random(100_000)}`,
		directed: true,
		statements: [{ evidence: `p${n}`, basis: "source" as const, origin: "test" }],
	}));
	const graph = createGraph({ entities, triples });
	graphSearch(graph, { text: "warm up", k: 1 });
	let found = 0;
	const times = Array.from({ length: 40 }, (_, n) => {
		const text = `Where was the one who ${entities[n * 7]?.name} works for born?`;
		const from = process.cpuUsage();
		found += graphSearch(graph, { text, k: 10 }).length;
		return process.cpuUsage(from).user / 1000;
	}).sort((a, b) => a - b);
	expect(found).toBeGreaterThan(300);
	expect(times[20]).toBeLessThan(500);
	const hub = process.cpuUsage();
	expect(graphSearch(graph, { text: `${entities[3]?.name} knows`, k: 10 })).toHaveLength(10);
	expect(process.cpuUsage(hub).user / 1000).toBeLessThan(5000);
});
