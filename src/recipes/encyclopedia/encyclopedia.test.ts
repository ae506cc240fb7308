import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Entity, Evidence, Triple } from "#domain";
import { createGraph, openGraph } from "#graph";
import { encyclopediaCases, encyclopediaSample, graphOfFacts, openEncyclopedia, writeFacts } from "#recipes";
import { sha256 } from "#store";
import { isLong, longTest } from "../../../test/long.ts";
import { servedWikimedia } from "../../../test/support/recipes/served-wikimedia.ts";
import { type Encyclopedia, EncyclopediaError } from "./encyclopedia.ts";
import { type LocalSource, localEncyclopedia } from "./local.ts";
import { recordedEncyclopedia } from "./recorded.ts";
import { typedValue } from "./typed-value.ts";
import { wikimediaEncyclopedia } from "./wikimedia/wikimedia.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "encyclopedia-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));
let folders = 0;
const folder = () => {
	folders += 1;
	return join(dir, `f${folders}`);
};
const contact = "operators@example.org";

/** The sample as a corpus with its graph. */
async function sampleSource(): Promise<LocalSource> {
	const { page, image, subjects, facts } = encyclopediaSample;
	const file = join(dir, "flag.png");
	await writeFile(file, image.data);
	const about = { document: page.subject, language: "en", provenance: { source: "sample", licence: page.licence } };
	const evidence: Evidence[] = page.sections.map(({ title, text }, index) => ({
		...{ kind: "passage", id: `${page.subject}#${index}`, title: page.title, text, form: "prose" },
		...{ ...about, sha256: sha256(text), section: title },
	}));
	evidence.push({
		...{ kind: "image", id: image.file, title: "Flag of Peru", caption: "", file: "flag.png", width: 1, height: 1 },
		...{ ...about, sha256: sha256(image.data), provenance: { source: "sample", licence: image.licence } },
	});
	const entities: Entity[] = subjects.map(({ id, name, aliases, type }) => {
		return { id, name, aliases: [...aliases], types: [type], kind: "entity" };
	});
	entities.push({ id: "value/1821", name: "28 July 1821", aliases: [], types: [], kind: "value" });
	const triples: Triple[] = facts.map((fact, index) => ({
		...{ id: `t${index}`, subject: fact.subject, relation: fact.label, directed: true },
		object: "object" in fact ? fact.object : "value/1821",
		statements: [
			{ evidence: `${page.subject}#0`, basis: "source", origin: "sample" },
			{ evidence: `${page.subject}#1`, basis: "mention", origin: "sample" },
		],
	}));
	const knowledge = {
		evidence: async (id: string) => evidence.find((one) => one.id === id),
		file: async () => file,
		manifest: { hash: "0123456789abcdef" } as LocalSource["knowledge"]["manifest"],
	};
	return {
		knowledge,
		async *evidence() {
			yield* evidence;
		},
		graph: createGraph({ entities, triples }),
	};
}

const makeLocal = async () => ({ encyclopedia: localEncyclopedia(await sampleSource()) });
async function makeLive() {
	const server = await servedWikimedia();
	const encyclopedia = wikimediaEncyclopedia({ contact, cache: folder(), at: server.url });
	return { encyclopedia, close: server.close };
}

describe("local", () => {
	for (const { name, run } of encyclopediaCases(makeLocal)) test(name, run);

	test("names the evidence that states an edge, not one that only mentions both ends", async () => {
		const { encyclopedia } = await makeLocal();
		for (const { evidence } of await encyclopedia.neighbours("Q419")) expect(evidence).toEqual(["Q419#0"]);
	});

	test("makes a picture no wider than asked, and says what is not in the corpus", async () => {
		const source = await sampleSource();
		const gone = localEncyclopedia({ ...source, knowledge: { ...source.knowledge, file: async () => undefined } });
		await expect(gone.image(encyclopediaSample.image.file)).rejects.toThrow(EncyclopediaError);
	});

	test("typed facts become entities, values and triples with their evidence", async () => {
		const lima = { id: "city/lima", type: "city", names: { en: "Lima", es: "Lima" } };
		const peru = { id: "country/peru", type: "country", names: { en: "Peru", es: "Perú" } };
		const rest = { aliases: { en: [], es: [] }, depictions: [] };
		const typed: Parameters<typeof graphOfFacts>[0] = {
			entities: new Map([lima, peru].map((one) => [one.id, { ...one, ...rest }])),
			facts: [
				{
					...{ subject: "country/peru", relation: "capital", object: { entity: "city/lima" } },
					statements: [
						{ evidence: "p1", modality: "text", language: "en" },
						{ evidence: "p1", modality: "table", language: "en" },
					],
				},
				{ subject: "country/peru", relation: "area", object: { answer: typedValue("1,285,216 km²") }, statements: [] },
			],
		};
		const graph = graphOfFacts(typed);
		const knowledge = folder();
		await writeFacts(knowledge, typed, { name: "sample" });
		const written = await openGraph(join(knowledge, "graph"));
		expect([...written.entities]).toEqual([...graph.entities]);
		expect(written.triples).toEqual(graph.triples);
		expect(graph.find("Perú").map(({ id }) => id)).toEqual(["country/peru"]);
		const source = await sampleSource();
		const edges = await localEncyclopedia({ ...source, graph }).neighbours("country/peru");
		expect(edges.map(({ label, evidence }) => [label, evidence]).sort()).toEqual([
			["area", []],
			["capital", ["p1"]],
		]);
	});
});

test.each([
	["28 July 1821", "time", { iso: "1821-07-28", precision: "day" }],
	["1821", "time", { iso: "1821", precision: "year" }],
	["1821-07", "time", { iso: "1821-07", precision: "month" }],
	["1,285,216 km²", "number", 1285216],
	["6,768 m", "number", 6768],
	["-12.5", "number", -12.5],
	["+51", "string", undefined],
	["PEN", "string", undefined],
])("a value is read by how it is written: %s", (text, type, content) => {
	const answer = typedValue(text);
	expect(answer.type).toBe(type);
	expect(answer.accepted).toContain(text);
	if (answer.type === "time") expect(answer.time).toEqual(content);
	if (answer.type === "number") expect(answer.number.value).toBe(content);
});

describe("wikimedia", () => {
	for (const { name, run } of encyclopediaCases(makeLive)) test(name, run);

	async function served(...given: Parameters<typeof servedWikimedia>) {
		const server = await servedWikimedia(...given);
		const cache = folder();
		const make = (days?: number) => wikimediaEncyclopedia({ contact, cache, at: server.url, retryFor: 2000, days });
		return { server, encyclopedia: make(), make };
	}

	test("names itself and whoever asks, asks for what is compressed and gives way to lag", async () => {
		const { server, encyclopedia } = await served();
		await encyclopedia.resolve("Peru");
		for (const { headers, parameters } of server.requests) {
			expect(headers["user-agent"]).toMatch(/^Hopscope\/\S+ \(operators@example\.org\) node\/\d/);
			expect(headers["accept-encoding"]).toBe("gzip");
			expect(parameters.get("maxlag")).toBe("5");
		}
		await server.close();
	});

	test("refuses to ask without a contact", () => {
		for (const bad of ["", "me", "a b@c.de", "http://example.org", "x@y.z) evil/1 ("])
			expect(() => wikimediaEncyclopedia({ contact: bad, cache: folder() })).toThrow(/address of whoever asks/);
	});

	longTest("asks at most three at a time, and the same thing once", async () => {
		const { server, encyclopedia, make } = await served(undefined, { delayMs: 15 });
		await Promise.all(["Peru", "Lima", "Cusco", "Cuzco", "A", "B", "C", "D"].map((name) => encyclopedia.resolve(name)));
		expect(server.mostTogether()).toBeLessThanOrEqual(3);
		expect(server.mostTogether()).toBeGreaterThan(1);
		await encyclopedia.neighbours("Q419");
		const asked = server.requests.length;
		await make().resolve("Peru");
		await make().neighbours("Q419");
		expect(server.requests.length).toBe(asked);
		// what names a revision is kept for good, the rest is asked anew when it is old
		await make(-1).neighbours("Q419", { direction: "out" });
		const again = server.requests.slice(asked).map(({ path }) => path);
		expect(again.length).toBeGreaterThan(0);
		expect(again.filter((path) => path.includes("EntityData"))).toEqual([]);
		await server.close();
	});

	test("waits as long as a refusal asks, then goes on", async () => {
		const { server, encyclopedia } = await served((_, n) =>
			n === 0 ? { status: 429, headers: { "retry-after": "0.2" }, body: "{}" } : undefined,
		);
		expect((await encyclopedia.resolve("Peru")).length).toBe(1);
		const [first, second] = server.requests;
		expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(195);
		await server.close();
	});

	test("tries again when the databases lag, though the status is 200", async () => {
		const body = JSON.stringify({ error: { code: "maxlag", info: "Waiting for a server: 6 seconds lagged." } });
		const { server, encyclopedia } = await served((_, n) =>
			n === 0 ? { headers: { "retry-after": "0.05" }, body } : undefined,
		);
		expect((await encyclopedia.resolve("Peru")).length).toBe(1);
		await server.close();
	});

	const faults = [
		["malformed JSON", { body: '{"search": [' }, /no JSON/],
		["another form", { body: '{"search": "none"}' }, /not of the form/],
		["an error of the service", { body: '{"error":{"code":"badvalue","info":"no such"}}' }, /badvalue: no such/],
		["a ban", { status: 403, body: "<h1>Forbidden</h1>" }, /status 403: .*Forbidden/],
		["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" }, /status 302/],
		["a body without end", { is: "endless" }, /longer than/],
		["a lost connection", { is: "reset" }, /fetch failed.*given up after 3/],
	] as const;
	// a lost connection is tried again, which takes seconds
	const tried = isLong ? faults : faults.slice(0, -1);
	test.each(tried)("%s is an error, never an answer, and not kept", { tags: "longer" }, async (_, instead, said) => {
		let broken = true;
		const { server, encyclopedia } = await served(() => (broken ? instead : undefined));
		const failure = await encyclopedia.resolve("Peru").catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(EncyclopediaError);
		expect(String(failure)).toMatch(said);
		broken = false;
		expect((await encyclopedia.resolve("Peru")).length).toBe(1);
		await server.close();
	});

	test("keeps only the text of what a file's page says of its terms", async () => {
		const { server, encyclopedia } = await served();
		expect((await encyclopedia.image(encyclopediaSample.image.file))?.attribution).toBe("Open & free");
		await server.close();
	});

	test("fetches pictures from the picture server only", async () => {
		const imageinfo = [{ url: "http://127.0.0.1:9/x.png", mime: "image/png" }];
		const body = JSON.stringify({ query: { pages: [{ title: "x", imageinfo }] } });
		const { server, encyclopedia } = await served(() => ({ body }));
		await expect(encyclopedia.image("x.png")).rejects.toThrow(/not fetched from/);
		expect(server.requests.length).toBe(1);
		await server.close();
	});

	test.each([
		"file:///etc/passwd",
		"http://upload.wikimedia.org/x.png",
		"https://upload.wikimedia.org@127.0.0.1/x.png",
		"https://upload.wikimedia.org:8443/x.png",
		"https://upload.wikimedia.org.example/x.png",
		"https://169.254.169.254/latest",
		"data:image/png;base64,AAAA",
		"x.png",
	])("fetches no picture from %s", async (url) => {
		const body = JSON.stringify({ query: { pages: [{ title: "x", imageinfo: [{ url, mime: "image/png" }] }] } });
		const { server, encyclopedia } = await served(() => ({ body }));
		await expect(encyclopedia.image("x.png")).rejects.toThrow(/a picture is not fetched from/);
		expect(server.requests.length).toBe(1);
		await server.close();
	});

	test("a picture that is none, one that is sent elsewhere, and an address that runs a script", async () => {
		let about: object = { mime: "text/html" };
		const { server, encyclopedia } = await served(({ path, host }) => {
			if (path.startsWith("/moved/")) return { status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" };
			if (path.startsWith("/here/")) return { headers: { "content-type": "image/png" }, body: "bytes" };
			if (host !== "commons.wikimedia.org") return undefined;
			return { body: JSON.stringify({ query: { pages: [{ imageinfo: [{ url: "https://x.example", ...about }] }] } }) };
		});
		await expect(encyclopedia.image("a.png")).rejects.toThrow(/no picture/);
		about = { mime: "image/png", url: `${server.url}/upload.wikimedia.org/moved/x.png` };
		await expect(encyclopedia.image("b.png")).rejects.toThrow(/status 302/);
		const url = `${server.url}/upload.wikimedia.org/here/x.png`;
		about = { mime: "image/png", url, descriptionurl: "javascript:alert(1)" };
		const found = await encyclopedia.image("c.png");
		expect(found?.data.toString()).toBe("bytes");
		expect(found).not.toHaveProperty("url");
		await server.close();
	});

	test("names are one bounded line, whatever is sent as one", async () => {
		const value = `Peru\u0007\u202e\n<b>${"x".repeat(100_000)}`;
		const entity = { id: "Q419", labels: { en: { value } }, aliases: { en: [{ value: "Peru" }] } };
		const { server, encyclopedia } = await served(({ parameters }) =>
			parameters.get("action") === "wbgetentities"
				? { body: JSON.stringify({ entities: { Q419: entity } }) }
				: undefined,
		);
		const [subject] = await encyclopedia.resolve("Peru");
		expect(subject?.name.length).toBeLessThanOrEqual(250);
		expect(subject?.name).not.toMatch(/[\p{Cc}\u202e]/u);
		await server.close();
	});

	test("looks at no more items of a name than it asked for", async () => {
		const search = Array.from({ length: 5000 }, (_, at) => ({ id: `Q${at + 1}` }));
		const { server, encyclopedia } = await served(({ parameters }) =>
			parameters.get("action") === "wbsearchentities" ? { body: JSON.stringify({ search }) } : undefined,
		);
		await encyclopedia.resolve("Peru");
		expect(server.requests.length).toBeLessThanOrEqual(3);
		await server.close();
	});

	test("texts that are made to keep an expression busy are read at once", async () => {
		const { server, encyclopedia } = await served(({ host, parameters }) => {
			if (host !== "en.wikipedia.org") return { status: 404, body: "<".repeat(4_000_000) };
			const extract = `== A ==\ntext\n==${" ".repeat(200_000)}x\nend`;
			return {
				body: JSON.stringify({ query: { pages: [{ title: parameters.get("titles"), extract, lastrevid: 1 }] } }),
			};
		});
		const began = process.cpuUsage();
		expect((await encyclopedia.page("Peru"))?.sections).toMatchObject([
			{ title: "A", text: expect.stringMatching(/end$/) },
		]);
		await expect(encyclopedia.resolve("Peru")).rejects.toThrow(/status 404/);
		expect(process.cpuUsage(began).user / 1000).toBeLessThan(5000);
		await server.close();
	});

	test("puts nothing but ids and plain titles into addresses", async () => {
		const { server, encyclopedia } = await served();
		expect(await encyclopedia.neighbours("Q1/../../x")).toEqual([]);
		expect(await encyclopedia.page("A|B")).toBeUndefined();
		expect(await encyclopedia.page("Peru", { language: "evil.example/" })).toBeUndefined();
		expect(server.requests.length).toBe(0);
		await server.close();
	});
});

describe("recorded", () => {
	/** Asks everything that the kit asks of the local source, so that a replay has it. */
	async function recording(): Promise<string> {
		const place = folder();
		const recorder = await recordedEncyclopedia(place, { from: localEncyclopedia(await sampleSource()) });
		for (const { run } of encyclopediaCases(async () => ({ encyclopedia: recorder }))) await run();
		return place;
	}
	let place: Promise<string> | undefined;
	const makeReplay = async () => {
		place ??= recording();
		return { encyclopedia: await recordedEncyclopedia(await place) };
	};
	for (const { name, run } of encyclopediaCases(makeReplay)) test(name, run);

	test("goes by the same id while recording and afterwards", async () => {
		const { encyclopedia } = await makeReplay();
		expect(encyclopedia.id).toBe("recorded:local:0123456789abcdef");
	});

	test("refuses what was not recorded, and what is damaged", async () => {
		const { encyclopedia } = await makeReplay();
		await expect(encyclopedia.resolve("Quito")).rejects.toThrow(/"Quito".* was not recorded/);
		const pictures = join(await recording(), "pictures");
		const [file = ""] = await readdir(pictures);
		await writeFile(join(pictures, file), "other");
		const again = await recordedEncyclopedia(join(pictures, ".."));
		await expect(again.image(encyclopediaSample.image.file)).rejects.toThrow(/damaged/);
		await expect(recordedEncyclopedia(folder())).rejects.toThrow(/no recorded encyclopedia/);
	});
});

describe("opening", () => {
	test("asks nobody that was not named", async () => {
		await expect(openEncyclopedia({ spec: "local" })).rejects.toThrow(/needs a knowledge base/);
		await expect(openEncyclopedia({ spec: "dbpedia" })).rejects.toThrow(/no encyclopedia is called/);
		await expect(openEncyclopedia({ spec: "wikimedia@file:///etc" })).rejects.toThrow(/no encyclopedia is called/);
		await expect(openEncyclopedia({ spec: "wikimedia", cache: folder() })).rejects.toThrow(/address of whoever asks/);
	});

	test("opens each kind by its name, and records what it is told", async () => {
		const server = await servedWikimedia();
		const local = await sampleSource();
		const record = folder();
		const kinds: Encyclopedia[] = [
			await openEncyclopedia({ spec: "local", local }),
			await openEncyclopedia({ spec: `wikimedia@${server.url}`, contact, cache: folder() }),
			await openEncyclopedia({ spec: "local", local, record }),
			await openEncyclopedia({ spec: `recorded:${record}` }),
		];
		expect(kinds.map(({ id }) => id.split(":")[0])).toEqual(["local", "wikimedia", "recorded", "recorded"]);
		for (const kind of kinds)
			expect((await kind.resolve("Lima")).map(({ id }) => id).sort()).toEqual(["Q132840", "Q2868"]);
		expect(JSON.parse(await readFile(join(record, "encyclopedia.json"), "utf8")).source).toBe("local:0123456789abcdef");
		await server.close();
	});
});
