import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import { buildKnowledge } from "#knowledge";
import { type ReplyServer, replyServer } from "#models";
import { sha256 } from "#store";
import { addGraph } from "./graph.ts";

let workspace: string;
let server: ReplyServer;
/** What the model's server does; each test sets its own. */
let reply: Extract<Parameters<typeof replyServer>[0], (...args: never[]) => unknown> = () => "{}";

const texts = {
	"film#0": ["The Salt Ferry", "It was directed by Ilse Varga."],
	"varga#0": ["Ilse Varga", "She was born in Tolmin."],
	"other#0": ["Weather", "It rained."],
} as const;

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-graph-command-"));
	const corpus = await createCorpus(join(workspace, "corpora/films"), {
		name: "films",
		licence: "CC0-1.0",
		sources: [],
	});
	for (const [id, [title, text]] of Object.entries(texts))
		corpus.add({
			kind: "passage",
			id,
			document: title,
			title,
			language: "en",
			sha256: sha256(text),
			provenance: { source: "test" },
			text,
			form: "prose",
		});
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/films"), join(workspace, "knowledge/films"));
});
afterAll(() => rm(workspace, { recursive: true, force: true }));
beforeEach(async () => {
	server = await replyServer((request, n) => reply(request, n));
	await rm(join(workspace, "cache"), { recursive: true, force: true });
	await rm(join(workspace, "knowledge/films/graph"), { recursive: true, force: true });
});
afterEach(() => server.close());

const triple = (subject: string, relation: string, object: string, quote: string) =>
	JSON.stringify({ triples: [{ subject, relation, object, quote, types: ["", ""] }], aliases: [] });
const good = ({ body }: { body: { messages: { content: unknown }[] } }) => {
	const asked = JSON.stringify(body.messages.at(-1)?.content);
	if (asked.includes("Title: The Salt Ferry"))
		return triple("The Salt Ferry", "was directed by", "Ilse Varga", "It was directed by Ilse Varga");
	return asked.includes("Title: Ilse Varga")
		? triple("Ilse Varga", "was born in", "Tolmin", "She was born in Tolmin")
		: '{"triples": []}';
};

async function run(...args: string[]) {
	const written: string[] = [];
	const said: string[] = [];
	let code = 0;
	const output = { write: (text: string) => void written.push(text), say: (text: string) => void said.push(text) };
	const program = new Command().exitOverride().configureOutput({ writeOut: output.write, writeErr: output.say });
	addGraph(program.command("graph"), { output, signal: new AbortController().signal }, (set) => {
		code = set;
	});
	const error = await program.parseAsync(["graph", ...args, "--workspace", workspace], { from: "user" }).then(
		() => undefined,
		(thrown: unknown) => thrown as { code: string; message: string; exitCode: number },
	);
	return { out: written.join("\n"), said: said.join("\n"), code, error };
}
const extractArgs = () => ["extract", "--knowledge", "films", "--model", `openai:toy@${server.url}`];

test("extract makes a graph, counts what it took, and asks for nothing twice", async () => {
	reply = good;
	const first = await run(...extractArgs());
	expect(first.error).toBeUndefined();
	expect(first.out).toContain(
		"2 triples between 3 entities, from 2 of 3 passages; 0 refused, 0 passages not extracted",
	);
	expect(first.out).toContain("3 calls, 30 tokens in, 15 out now; 3 calls, 30 tokens in, 15 out for the whole graph");
	const second = await run(...extractArgs(), "--json");
	expect(JSON.parse(second.out)).toMatchObject({
		counts: { triples: 2, passages: 3 },
		reason: "done",
		usage: { calls: 0 },
	});
	expect(server.requests).toHaveLength(3);

	await buildKnowledge(join(workspace, "corpora/films"), join(workspace, "knowledge/films"));
	expect(JSON.parse((await run(...extractArgs(), "--json")).out)).toMatchObject({
		usage: { calls: 0 },
		counts: { triples: 2 },
	});

	const summary = await run("show", "--knowledge", "films");
	expect(summary.out).toMatch(/films: 2 triples of 3 entities/);
	expect(summary.out).toMatch(/born in {2}1 {2}1\.00 {2}1\.00/);
	const entity = await run("show", "ILSE VARGA", "--knowledge", "films");
	expect(entity.out).toMatch(/was born in → Tolmin\n {6}varga#0: "She was born in Tolmin"/);
	expect(entity.out).toMatch(/← was directed by The Salt Ferry/);
	const json = JSON.parse((await run("show", "Ilse Varga", "--knowledge", "films", "--json")).out) as {
		entities: { degree: number }[];
	};
	expect(json.entities).toMatchObject([{ degree: 2, neighbours: [{}, {}] }]);
	expect((await run("show", "Varga", "--knowledge", "films")).error).toMatchObject({
		code: "unknown-entity",
		exitCode: 2,
		remedy: "Near it: Ilse Varga.",
	});
});

test("a budget leaves a graph of what was read, and says how to resume", async () => {
	reply = good;
	const { out, said } = await run(...extractArgs(), "--max-calls", "1", "--concurrency", "1");
	expect(out).toMatch(/2 passages not extracted/);
	expect(said).toMatch(/budget is spent/);
	expect((await run(...extractArgs())).out).toMatch(/0 passages not extracted/);
});

test("a model that fails throughout is one error and no graph", async () => {
	reply = () => ({ is: "status", status: 401, message: "no such key" });
	const { error } = await run(...extractArgs());
	expect(error).toMatchObject({ code: "model-failing", exitCode: 1 });
	expect(error?.message).toMatch(/failed 3 times and never replied: .*no such key/);
	expect((await run("show", "--knowledge", "films")).error).toMatchObject({ code: "no-graph" });
});

test("a call that fails is told and tried again by the same command", async () => {
	reply = (request, n) => (n === 1 ? { is: "status", status: 400, message: "too long" } : good(request));
	const { out, said } = await run(...extractArgs(), "--concurrency", "1");
	expect(out).toMatch(/1 passage not extracted/);
	expect(said).toMatch(/1 call failed, the last with: .*too long/);
	expect((await run(...extractArgs())).out).toMatch(/0 passages not extracted/);
});

test("import ties a ready graph to the passages and says what was lost", async () => {
	const file = join(workspace, "triples.csv");
	await writeFile(
		file,
		"subject,relation,object,source\nIlse Varga,born in,Tolmin,varga#0\nThe Salt Ferry,director,Ilse Varga,page 9\nA,b,C,\n",
	);
	const { out, said } = await run("import", file, "--knowledge", "films");
	expect(out).toMatch(/3 triples of 5 entities \(csv\); 0 refused/);
	expect(out).toMatch(/by quote 0, by source 1, by mention 1, not at all 1/);
	expect(said).toMatch(/warning: 1 triples are tied to passages that name both ends/);
	expect((await run("show", "Ilse Varga", "--knowledge", "films")).out).toMatch(/film#0 \(names both\)/);
	await writeFile(file, "nothing\n");
	expect((await run("import", file, "--knowledge", "films")).error).toMatchObject({ code: "no-triples", exitCode: 2 });
});

test("without a graph, a knowledge base or a model it says what to do", async () => {
	expect((await run("show", "--knowledge", "films")).error).toMatchObject({ code: "no-graph" });
	expect((await run("show", "--knowledge", "none")).error).toMatchObject({ code: "unknown-knowledge-base" });
	expect((await run("extract", "--knowledge", "films", "--model", "gpt")).error).toMatchObject({ code: "bad-model" });
	expect((await run("extract", "--knowledge", "films")).error).toMatchObject({ exitCode: 1 });
});
