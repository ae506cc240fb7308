import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { buildKnowledge, openKnowledge } from "#knowledge";
import { type ReplyServer, replyServer } from "#models";
import { stampBenchmark } from "#recipes";
import { sha256 } from "#store";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace: string;
let server: ReplyServer;
const hopscope = commandsOn(() => workspace);

const size = (n: number, asOf?: string) => ({
	...{ type: "number", value: `${n}00`, accepted: [`${n}00`], number: { value: n * 100 } },
	...(asOf ? { asOf } : {}),
});

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-benchmark-recheck-"));
	await makeTowns(workspace, {
		towns: 8,
		more: (n) => ({
			// the last two say no day
			answer: size(n + 1, n < 6 ? "2026-01-01" : undefined),
			chain: {
				hops: [
					{
						...{ id: "h1", question: `How many inhabitants has Town ${n}?`, modality: "text", answer: size(n + 1) },
						evidence: [`town#${n}`],
					},
				],
				sink: "h1",
			},
		}),
	});
	const { dir, tasks } = await openBenchmark(join(workspace, "benchmarks/towns"));
	// Town N says N00 while the answers say (N+1)00: what it was made with was another text
	await knowledgeOf("then", (n) => `Town ${n} has ${n + 1}00 inhabitants.`, 8);
	const then = await openKnowledge(join(workspace, "knowledge/then"));
	await stampBenchmark(dir, tasks, then);
	await then.close();
	// one town stands as it was, one is worded anew, one is gone, three have other numbers
	await knowledgeOf(
		"now",
		(n) =>
			n === 0
				? "Town 0 has 100 inhabitants."
				: n === 1
					? "In Town 1 live 200 people."
					: `Town ${n} has grown to ${n}55.`,
		5,
	);
	server = await replyServer(({ body }) => {
		const text = JSON.stringify(body);
		if (text.includes("two times")) return '{"same": false}';
		return JSON.stringify({ answer: /grown to (\d+)/.exec(text)?.[1] ?? null });
	});
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});

async function knowledgeOf(name: string, text: (n: number) => string, towns: number): Promise<void> {
	const corpus = await createCorpus(join(workspace, "corpora", name), { name, licence: "CC0-1.0", sources: [] });
	for (let n = 0; n < towns; n += 1)
		corpus.add({
			...{ kind: "passage", id: `town#${n}`, document: `town-${n}`, title: `Town ${n}`, language: "en", form: "prose" },
			...{ text: text(n), sha256: sha256(text(n)), provenance: { source: "test" } },
		});
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora", name), join(workspace, "knowledge", name));
}

const recheck = (...args: string[]) => hopscope("benchmark", "recheck", "towns", "--day", "2027-01-01", ...args);

test("what was found right with the same texts holds", async () => {
	const { code, out, err } = await recheck("--knowledge", "then");
	expect(code, err).toBe(0);
	expect(out).toContain("towns on 2027-01-01: 6 answers looked at: 6 hold, 0 changed, 0 without evidence, 0 open");
	expect(out).toContain("2 of 8 tasks say no day");
});

test("changed and vanished evidence is told by task and hop, and is exit 1", async () => {
	const looks = join(workspace, "looks.jsonl");
	const { code, out } = await recheck("--knowledge", "now", "--looks", looks);
	expect(code).toBe(1);
	expect(out).toContain("6 answers looked at: 2 hold, 3 changed, 1 without evidence, 0 open");
	expect(out).toContain("t5 (2026-01-01) gone");
	expect(out).toMatch(/h1 changed: "300" does not stand in town#2, which changed/);
	expect((await readFile(looks, "utf8")).trim().split("\n")).toHaveLength(6);
});

test("a model reads the answers of today, and the next version has them", async () => {
	const model = ["--knowledge", "now", "--model", `openai:reader@${server.url}`, "--search", "0"];
	const ended = await recheck(...model, "--to", "towns-2027", "--json");
	expect(ended.code, ended.err).toBe(0);
	expect(ended.json()).toMatchObject({
		...{ counts: { holds: 1, changed: 3, gone: 1, open: 1 }, to: "towns-2027", version: 2 },
		...{ renewed: 1, changed: 3, kept: 3, removed: ["t5"] },
	});
	const next = await openBenchmark(join(workspace, "benchmarks/towns-2027"));
	const before = await openBenchmark(join(workspace, "benchmarks/towns"));
	expect(next.manifest).toMatchObject({ knowledge: "now", release: { version: 2, previous: before.manifest.hash } });
	const answers = Object.fromEntries(next.tasks.map(({ id, answer }) => [id, [answer.value, answer.asOf]]));
	expect(answers.t0).toEqual(["100", "2027-01-01"]);
	expect(answers.t3?.[1]).toBe("2027-01-01");
	expect(next.tasks.find(({ id }) => id === "t3")?.answer).toMatchObject({ type: "number", number: { value: 355 } });
	expect(answers.t6).toEqual(["700", undefined]);
	// what it was written from is written down with it: looked at again, everything holds
	const again = await hopscope("benchmark", "recheck", "towns-2027", "--json");
	expect(again.json().counts).toMatchObject({ changed: 0, gone: 0 });
});

test("mistakes are one line and exit 2", async () => {
	for (const [args, said] of [
		[["towns", "--day", "yesterday"], "YYYY-MM-DD"],
		[["towns", "--day", "2027-02-30"], "YYYY-MM-DD"],
		[["towns", "--knowledge", "nowhere"], "there is no knowledge base"],
		[["towns", "--to", "towns"], "its own next version"],
		[["nothing"], "there is no benchmark"],
	] as const) {
		const { code, err } = await hopscope("benchmark", "recheck", ...args);
		expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(said) });
	}
});
