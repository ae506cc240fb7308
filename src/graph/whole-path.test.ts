import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { wordsOf } from "#corpus";
import { buildGraph, extract, extractedClaims, graphSearch, openGraph, writeGraph } from "#graph";
import { createChatModel, type ReplyServer, replyServer } from "#models";
import { passage, stream } from "../../test/support/graph.ts";
import { pathText } from "./graph-search.ts";

let dir: string;
let server: ReplyServer | undefined;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-graph-"));
});
afterEach(async () => {
	await server?.close();
	await rm(dir, { recursive: true, force: true });
});

const passages = [
	passage(
		"film#0",
		"The Salt Ferry",
		"The Salt Ferry is a 1961 drama. It was directed by Ilse Varga and shot in black and white.",
	),
	passage(
		"varga#0",
		"Ilse Varga",
		"Varga grew up among printers. She was born in Tolmin, where her mother kept a bindery.",
	),
	passage("tolmin#0", "Tolmin", "Tolmin lies on the river Soča, below steep meadows."),
	passage(
		"ferry#0",
		"Ferries",
		"A ferry carries salt, people and cattle; many a film director has loved the sight, and in many a city one was born.",
	),
	passage("lund#0", "Anders Lund", "Anders Lund directed The Glass Harbour. He was born in Bergen."),
	passage("printing#0", "Printing", "In the city the printers' guild taught boys and girls alike."),
	passage("harbour#0", "The Glass Harbour", "The Glass Harbour is a 1958 film about a pilot."),
];

/** What a careful model would say of each text, by its title. */
const replies: Record<string, object[]> = {
	"The Salt Ferry": [
		{
			subject: "The Salt Ferry",
			relation: "was directed by",
			object: "Ilse Varga",
			quote: "It was directed by Ilse Varga",
			types: ["work", "person"],
		},
		{
			subject: "The Salt Ferry",
			relation: "was released in",
			object: "1961",
			quote: "The Salt Ferry is a 1961 drama",
			types: ["work", "time"],
		},
	],
	"Ilse Varga": [
		{
			subject: "Ilse Varga",
			relation: "was born in",
			object: "Tolmin",
			quote: "She was born in Tolmin",
			types: ["person", "place"],
		},
		{
			subject: "Ilse Varga",
			relation: "won",
			object: "the Golden Lion",
			quote: "won the Golden Lion",
			types: ["person", "concept"],
		},
	],
	Tolmin: [
		{
			subject: "Tolmin",
			relation: "lies on",
			object: "Soča",
			quote: "Tolmin lies on the river Soča",
			types: ["place", "place"],
		},
	],
	"Anders Lund": [
		{
			subject: "Anders Lund",
			relation: "directed",
			object: "The Glass Harbour",
			quote: "Anders Lund directed The Glass Harbour",
			types: ["person", "work"],
		},
		{
			subject: "Anders Lund",
			relation: "was born in",
			object: "Bergen",
			quote: "He was born in Bergen",
			types: ["person", "place"],
		},
	],
};

test("from passages through a model's server to the evidence of the second hop", async () => {
	server = await replyServer(({ body }) => {
		const asked = body.messages.map(({ content }) => JSON.stringify(content)).join("");
		const title = Object.keys(replies).find((one) => asked.includes(`Title: ${one}\\n`)) ?? "";
		return JSON.stringify({ triples: replies[title] ?? [], aliases: [] });
	});
	const model = createChatModel(`openai:toy@${server.url}`);
	const cache = join(dir, "replies.jsonl");
	const end = await extract(stream(passages), { model, cache });
	expect(end).toMatchObject({ texts: passages.length, reused: 0, failed: 0, reason: "done", damaged: 0 });
	expect(end.usage).toMatchObject({ calls: passages.length, inputTokens: 10 * passages.length });

	const found = await extractedClaims(stream(passages), { model, cache });
	const built = buildGraph(found);
	const about = { name: "films", passages: found.passages, origins: [found.origin], usage: found.usage };
	const manifest = await writeGraph(
		join(dir, "graph"),
		{ ...built, rejected: [...found.rejected, ...built.rejected] },
		about,
	);
	expect(manifest.counts).toMatchObject({ triples: 6, statements: 6, passages: 7, rejected: 1, unextracted: 0 });

	const graph = await openGraph(join(dir, "graph"));
	const question = "In which city was the director of the film The Salt Ferry born?";
	const hits = graphSearch(graph, { text: question, k: 3 });
	expect(hits.map(({ evidenceId }) => evidenceId)).toEqual(["film#0", "varga#0", "tolmin#0"].slice(0, hits.length));
	expect(pathText(hits[1]?.path ?? [])).toBe("The Salt Ferry –was directed by→ Ilse Varga –was born in→ Tolmin");
	expect(hits[1]?.statement).toMatchObject({
		quote: "She was born in Tolmin",
		basis: "quote",
		grounds: { subject: "title" },
	});

	// by its words alone the question leads to the distractor, not to the second hop
	const asked = new Set(wordsOf(question));
	const shared = ({ title, text }: (typeof passages)[number]) =>
		new Set(wordsOf(`${title} ${text}`).filter((word) => asked.has(word))).size;
	const lexical = [...passages].sort((a, b) => shared(b) - shared(a)).map(({ id }) => id);
	expect(lexical.indexOf("ferry#0")).toBeLessThan(lexical.indexOf("varga#0"));

	// what was replied to is not asked again, and gives the same graph
	const again = await extract(stream(passages), { model, cache });
	expect(again).toMatchObject({ reused: passages.length, usage: { calls: 0 } });
	expect(server.requests).toHaveLength(passages.length);
});
