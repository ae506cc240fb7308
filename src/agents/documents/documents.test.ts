import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { agentProblems, createTools } from "#agents";
import { Evidence, Task, Trajectory, viewOf } from "#domain";
import { fakeKnowledge, type KnowledgeBase, type Query } from "#knowledge";
import {
	type ChatModel,
	type ChatRequest,
	createChatModel,
	type ReplyServer,
	replyServer,
	type ServedReply,
	scriptedModel,
} from "#models";
import { scoreTrajectory } from "#scoring";
import { documentPlayers } from "../../../test/support/agents/scripted-models/documents.ts";
import { asked } from "../../../test/support/agents/scripted-models/scripted-model.ts";
import type { Agent } from "../agent.ts";
import { settingFor } from "../settings.ts";
import { m3docrag } from "./m3docrag.ts";
import { answerAsPublished, cluesAsPublished, mdocagent } from "./mdocagent.ts";
import { pageGen } from "./page-gen.ts";
import { vidorag } from "./vidorag/agent.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const texts = ["Lighthouses of Ostral.", "The oldest lighthouse was lit in 1802.", "Keepers and their pay.", "Index."];
const pages = [...texts, "", "Another report on ferries."].map((text, n) =>
	Evidence.parse({
		kind: "page",
		id: `report#page=${n + 1}`,
		document: n < 5 ? "report" : "ferries",
		title: n < 5 ? "Report" : "Ferries",
		language: "en",
		sha256: hashOf(text),
		provenance: { source: "invented" },
		text,
		page: n,
	}),
);
const task = Task.parse({
	id: "lighthouse",
	question: "When was the oldest lighthouse lit?",
	answer: { type: "string", value: "1802", accepted: ["1802"] },
	chain: {
		hops: [
			{
				id: "a",
				question: "When was the oldest lighthouse lit?",
				modality: "page",
				evidence: ["report#page=2"],
				answer: { type: "string", value: "1802", accepted: ["1802"] },
				needs: [],
			},
		],
		sink: "a",
	},
});

let folder = "";
const files: Record<string, string> = {};
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "hopscope-documents-"));
	// the index page has a broken picture, the ferries' none
	for (const n of [0, 1, 2, 3, 4]) {
		const file = join(folder, `${n}.png`);
		files[`report#page=${n + 1}`] = file;
		if (n === 3) writeFileSync(file, "no picture");
		else
			await sharp({ create: { width: 30, height: 40, channels: 3, background: "ivory" } })
				.png()
				.toFile(file);
	}
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Pages found by their words; with `late`, also as pictures: the best page first, then by number. */
function knowledgeOf({ late = true, held = pages }: { late?: boolean; held?: Evidence[] } = {}): {
	knowledge: KnowledgeBase;
	searched: Query[];
} {
	const searched: Query[] = [];
	const base = fakeKnowledge(held, { files });
	const seen = {
		name: "late" as const,
		over: ["page" as const],
		encoder: { name: "eyes", version: "1" },
		metric: "maxsim",
		exact: true,
	};
	const knowledge: KnowledgeBase = {
		...base,
		manifest: late
			? {
					...base.manifest,
					indexes: [...base.manifest.indexes, seen],
					modes: { passage: "lexical", page: "hybrid", image: "lexical" },
				}
			: base.manifest,
		async search(query) {
			searched.push(query);
			if (query.mode !== "late") return base.search(query);
			const order = [4, 1, 0, 3, 5, 2].flatMap((n) => held.find(({ id }) => id === `report#page=${n + 1}`) ?? []);
			return order.slice(0, query.k).map((page, n) => {
				if (page.kind !== "page") throw new Error(page.id);
				const { id } = page;
				const { kind, document, title, language } = page;
				return { id, score: 20 - 3 * n, rank: n + 1, kind, document, title, snippet: "", language, page: page.page };
			});
		},
	};
	return { knowledge, searched };
}

type Reply = string | ((request: ChatRequest) => string);

async function play(
	agent: Agent,
	replies: Reply[] | ((request: ChatRequest, n: number) => string),
	{
		preset,
		late = true,
		held,
		overrides = {},
		model,
	}: { preset?: string; late?: boolean; held?: Evidence[]; overrides?: object; model?: ChatModel } = {},
) {
	const requests: ChatRequest[] = [];
	const scripted = scriptedModel((request, n) => {
		requests.push(request);
		if (typeof replies === "function") return replies(request, n);
		const reply = replies[n];
		if (reply === undefined) throw new Error(`no reply ${n}`);
		return typeof reply === "string" ? reply : reply(request);
	});
	const { knowledge, searched } = knowledgeOf({ late, ...(held ? { held } : {}) });
	const view = viewOf(task);
	const imagePath = (file: string) => file;
	const setting = settingFor(agent, { ...(preset === undefined ? {} : { name: preset }), overrides });
	const trajectory = await agent.answer(view, {
		tools: createTools(knowledge, view, imagePath),
		knowledge,
		model: model ?? scripted,
		setting,
		signal: new AbortController().signal,
		repeat: 0,
		imagePath,
	});
	expect(Trajectory.parse(JSON.parse(JSON.stringify(trajectory)))).toEqual(trajectory);
	expect(trajectory.usage.calls).toBeLessThanOrEqual(agent.card?.mostCalls(setting) ?? 0);
	return { trajectory, requests, searched };
}

const textOf = (request: ChatRequest | undefined) =>
	(request?.messages ?? [])
		.flatMap(({ content }) => content)
		.map((part) => (part.type === "text" ? part.text : `[${part.file}]`))
		.join("\n");
const roleOf = (request: ChatRequest | undefined) => /You are the (\w+)/.exec(textOf(request))?.[1];
const json = (value: object) => JSON.stringify(value);

describe("every document framework", () => {
	const agents = [pageGen, m3docrag, mdocagent, vidorag];
	test.each(agents.map((agent) => [agent.name, agent] as const))("%s keeps to the interface", async (_, agent) => {
		for (const reply of [
			'{"reason": "r", "summary": "s", "choice": [1], "answer": "Quill", "reference": [1], "Answer": "Quill"}',
			"{",
		])
			expect(await agentProblems(agent, { model: () => scriptedModel(() => reply) })).toEqual([]);
		expect(agent.promptHash).toMatch(/^[0-9a-f]{64}$/);
	});

	let server: ReplyServer | undefined;
	afterEach(() => server?.close());
	const overHttp = async (agent: Agent, replies: (body: Parameters<typeof asked>[1], n: number) => ServedReply) => {
		server = await replyServer(({ body }, n) => replies(body, n));
		return play(agent, [], { model: createChatModel(`openai:test@${server.url}`, { retryFor: 0 }) });
	};
	test.each(
		agents.map((agent) => [agent.name, agent] as const),
	)("%s with a competent model, over HTTP", async (name, agent) => {
		const player = documentPlayers[name as keyof typeof documentPlayers];
		const { trajectory } = await overHttp(agent, (body) => player.competent(asked(task, body)));
		expect(trajectory).toMatchObject({ answer: "1802", stop: "answered" });
		const { scores } = scoreTrajectory(task, trajectory);
		expect(scores.accuracy).toMatchObject({ value: 1 });
		expect(scores["hit@5"]).toMatchObject({ value: 1 });
	});
	test.each(
		agents.map((agent) => [agent.name, agent] as const),
	)("%s with hostile replies, over HTTP", async (name, agent) => {
		const { malformed } = documentPlayers[name as keyof typeof documentPlayers];
		for (let from = 0; from < malformed.length; from += 1) {
			const { trajectory } = await overHttp(agent, (_, n) => malformed[(from + n) % malformed.length] ?? "");
			expect(["answered", "turn-limit", "error"]).toContain(trajectory.stop);
			if (trajectory.stop === "error") expect(trajectory.error?.boundary).toBe("model");
			expect(trajectory.steps.some(({ results }) => results.length > 0)).toBe(true);
			await server?.close();
		}
	});
});

describe("page-gen and m3docrag", () => {
	test("look for pages as pictures and show these, text where a picture is missing or broken", async () => {
		const { trajectory, requests, searched } = await play(pageGen, ["It says so.\nAnswer: 1802"]);
		expect(searched).toMatchObject([{ target: "page", mode: "late", k: 5 }]);
		expect(trajectory.steps[0]?.results.map(({ id }) => id)).toEqual([
			"report#page=5",
			"report#page=2",
			"report#page=1",
			"report#page=4",
			"report#page=6",
		]);
		const told = textOf(requests[0]);
		expect(told).toContain("Page 2 (Report, page 2):\n[report#page=2]");
		expect(told).toContain("Page 4 (Report, page 4), its text: Index.");
		expect(told).toContain("Page 5 (Ferries, page 6), its text: Another report on ferries.");
		expect(trajectory.messages[1]?.content).toContainEqual({ type: "image", file: "report#page=5" });
	});
	test("without an index of pictures pages are found as the knowledge base does it; without eyes they are read", async () => {
		const { searched, requests } = await play(pageGen, ["Answer: 1802"], {
			late: false,
			overrides: { images: "captions" },
		});
		expect(searched[0]?.mode).toBeUndefined();
		expect(textOf(requests[0])).toContain("was lit in 1802");
		expect(textOf(requests[0])).not.toContain("[report#");
	});
	test("the whole reply is m3docrag's answer; its paper preset decodes as published", async () => {
		const { trajectory, requests } = await play(m3docrag, [" 1802\n"], { preset: "paper" });
		expect(trajectory).toMatchObject({ answer: "1802", stop: "answered" });
		expect(requests[0]).toMatchObject({ temperature: 0, maxTokens: 128 });
		expect(trajectory.steps[0]?.results).toHaveLength(4);
		expect(textOf(requests[0]).endsWith("lit?\nReply with the answer alone, in the language of the question.")).toBe(
			true,
		);
		expect((await play(m3docrag, ["unknown"])).trajectory).toMatchObject({ answer: null, abstained: true });
	});
});

describe("mdocagent", () => {
	const clue = json({ text: "lit in 1802", image: "the chart {top}" });
	const good = ["General: 1802", clue, "Text: 1802", "Image: 1802", json({ Answer: "1802" })];

	test("five agents in turn; clues go where they belong; both searches are recorded", async () => {
		const { trajectory, requests, searched } = await play(mdocagent, good);
		expect(trajectory).toMatchObject({ answer: "1802", abstained: false, stop: "answered" });
		expect(searched.map(({ mode }) => mode)).toEqual(["lexical", "late"]);
		expect(requests.map(roleOf)).toEqual(["general", "general", "text", "image", "summarising"]);
		const [general, critical, text, image, last] = requests.map(textOf);
		expect(general).toMatch(/its text: The oldest[\s\S]*\[report#page=5\]/);
		expect(critical?.startsWith(general ?? "?")).toBe(true);
		expect(text).toContain("lit in 1802");
		expect(text).not.toContain("[report#");
		expect(image).toContain("the chart {top}");
		expect(image).toContain("[report#page=2]");
		expect(last).toContain("Question: When was");
		expect(last).toContain("Text Agent:\nText: 1802");
		const conversations = new Set(trajectory.messages.map(({ conversation }) => conversation));
		expect([...conversations]).toEqual(["general", "critical", "text", "image", "summarising"]);
		expect(trajectory.steps.flatMap(({ role }) => role ?? [])).toEqual(["retriever", ...conversations]);
	});
	test("as published: the last agent is not shown the question, pages come in two messages, nothing is repaired", async () => {
		const { requests, trajectory } = await play(mdocagent, ["g", clue, "t", "i", "The answer is 1802."], {
			preset: "paper",
		});
		expect(requests).toHaveLength(5);
		expect(textOf(requests[4])).not.toContain("When was");
		expect(requests[0]?.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
		// the clue for the pictures holds a brace: the published reading ends there, so there is none
		expect(textOf(requests[2])).not.toContain("A clue");
		expect(textOf(requests[3])).not.toContain("the chart");
		expect(trajectory.answer).toBe("The answer is 1802.");
		expect(requests[0]).toMatchObject({ temperature: 0, maxTokens: 256 });
	});
	test("one repair of each JSON; clues that stay unreadable are none, a summary that does is the answer", async () => {
		const replies = ["g", "no clue", "still none", "t", "i", "1802", "It is 1802"];
		const { trajectory, requests } = await play(mdocagent, replies);
		expect(requests).toHaveLength(7);
		expect(textOf(requests[3])).not.toContain("A clue");
		expect(trajectory.answer).toBe("It is 1802");
	});
	test("k pages altogether: those of either ranking by turns, and hit@k is over them", async () => {
		const { trajectory, requests } = await play(mdocagent, good, { overrides: { k: 2 } });
		const [text, seen, shared] = trajectory.steps;
		expect([text, seen].map((step) => step?.results.length)).toEqual([2, 2]);
		expect(shared?.merges).toEqual([0, 1]);
		// by its words report#page=2 comes first, by its picture report#page=5
		expect(shared?.results.map(({ id }) => id)).toEqual(["report#page=2", "report#page=5"]);
		expect(new Set(textOf(requests[0]).match(/Report, page \d+/g))).toEqual(
			new Set(["Report, page 2", "Report, page 5"]),
		);
		const { scores } = scoreTrajectory(task, trajectory);
		expect([scores["hit@1"], scores["hit@5"]]).toMatchObject([{ value: 1 }, { value: 1 }]);
		const other = Task.parse({
			...task,
			chain: { ...task.chain, hops: [{ ...task.chain?.hops[0], evidence: ["report#page=1"] }] },
		});
		expect(scoreTrajectory(other, trajectory).scores["hit@5"]).toMatchObject({ value: 0 });
	});
	test("one search where text and picture cannot differ, and no page twice", async () => {
		const { searched, requests } = await play(mdocagent, good, { late: false });
		expect(searched).toHaveLength(1);
		expect(textOf(requests[0]).match(/oldest lighthouse was lit/g)).toHaveLength(1);
	});
	test("unknown abstains", async () => {
		const { trajectory } = await play(mdocagent, ["g", clue, "t", "i", json({ Answer: "Unknown" })]);
		expect(trajectory).toMatchObject({ answer: null, abstained: true });
	});

	test.each([
		['{"text": "a", "image": "b"}', { text: "a", image: "b" }],
		['Clues: {"text": "a", "image": "b"} as asked', { text: "a", image: "b" }],
		['```json\n{"text": "ä", "image": ""}\n```', { text: "ä", image: "" }],
		['{"text": "a}", "image": "b"}', { text: "", image: "" }],
		['{"text": "a"}', { text: "", image: "" }],
		['{"text": 1, "image": "b"}', { text: "", image: "" }],
		["{'text': 'a', 'image': 'b'}", { text: "", image: "" }],
		['{"text": "a", "image": {"b": 1}}', { text: "", image: "" }],
		['} {"text": "a", "image": "b"}', { text: "a", image: "b" }],
		['{"text": "cut', { text: "", image: "" }],
		["no clue", { text: "", image: "" }],
		["", { text: "", image: "" }],
	])("clues as published: %j", (reply, clues) => {
		expect(cluesAsPublished(reply)).toEqual(clues);
	});
	test.each([
		['{"Answer": "1802"}', "1802"],
		['```json\n{"Answer": "1802"}\n```', '```json\n{"Answer": "1802"}\n```'],
		['{"answer": "1802"}', '{"answer": "1802"}'],
		[" 1802 ", "1802"],
	])("an answer as published: %j", (reply, answer) => {
		expect(answerAsPublished(reply)).toBe(answer);
	});
});

describe("vidorag", () => {
	const seek = (choice: number[]) => json({ reason: "r", summary: "s", choice });
	const accept = (reference: number[]) => json({ reason: "r", answer: "1802", reference });
	const ask = (choice: number[]) => json({ reason: "r", information: "the year", choice });

	test("what the inspector bears out by all pages chosen is the answer, and it cites them", async () => {
		const { trajectory, requests, searched } = await play(vidorag, [seek([1, 2]), accept([2, 1])]);
		expect(trajectory).toMatchObject({ answer: "1802", stop: "answered" });
		expect(searched.map(({ mode, k }) => [mode, k])).toEqual([
			["lexical", 20],
			["late", 20],
		]);
		const [, , given] = trajectory.steps;
		expect(given?.call).toBeUndefined();
		expect(given?.role).toBe("retriever");
		const candidates = given?.results.map(({ id }) => id) ?? [];
		expect(candidates[0]).toBe("report#page=2");
		expect(trajectory.cited).toEqual(candidates.slice(0, 2));
		expect(requests.map(roleOf)).toEqual(["seeker", "inspector"]);
		expect(textOf(requests[0])).toMatch(/The picture shows \d pages in/);
		expect(textOf(requests[1])).toMatch(/The picture shows 2 pages in 2 row\(s\) and 1 column\(s\)/);
		expect([...new Set(trajectory.messages.map(({ conversation }) => conversation))]).toEqual([
			"seeker 1",
			"inspector 1",
		]);
	});
	test("an answer that some of the pages bear out goes to the synthesizer as a candidate, with those pages", async () => {
		const { trajectory, requests } = await play(vidorag, [seek([1, 2, 3]), accept([1]), accept([1])]);
		expect(requests.map(roleOf)).toEqual(["seeker", "inspector", "synthesizer"]);
		expect(textOf(requests[2])).toContain("proposed, not certain to be right: 1802");
		expect(textOf(requests[2])).toContain("The picture shows page 1.");
		expect(trajectory.cited).toHaveLength(1);
	});
	test("each at most twice: what is missing goes back to the seeker with the pages left, then the last word", async () => {
		const { trajectory, requests } = await play(vidorag, [seek([1]), ask([1]), seek([2]), ask([1, 2]), accept([2])]);
		expect(requests.map(roleOf)).toEqual(["seeker", "inspector", "seeker", "inspector", "synthesizer"]);
		expect(textOf(requests[2])).toContain("What is still missing: the year");
		expect(textOf(requests[2])).not.toMatch(/page 1[,;.]/);
		expect(textOf(requests[3])).toMatch(/page 1[\s\S]*page 2/);
		expect(trajectory).toMatchObject({ answer: "1802", usage: { calls: 5 } });
	});
	test("a seeker that takes all pages leaves nothing to choose from: the synthesizer goes on", async () => {
		const { trajectory, requests } = await play(vidorag, [seek([1, 2, 3, 4, 5, 6]), ask([1, 2]), accept([1])]);
		expect(requests.map(roleOf)).toEqual(["seeker", "inspector", "synthesizer"]);
		expect(trajectory.answer).toBe("1802");
	});
	test("no page of use is an abstention; an unreadable seeker is none", async () => {
		expect((await play(vidorag, [seek([])])).trajectory).toMatchObject({
			answer: null,
			abstained: true,
			stop: "answered",
		});
		const { trajectory } = await play(vidorag, ["?", "{}"]);
		expect(trajectory).toMatchObject({ answer: null, abstained: false, stop: "turn-limit", usage: { calls: 2 } });
		expect(trajectory.steps.at(-1)?.error).toContain("bad-json");
	});
	test.each([
		["pages that were not shown", [seek([99]), seek([1])], { answer: null, abstained: true }, 1],
		["an inspector that cannot be understood", [seek([1]), "?", '{"reason": "r"}', accept([1])], { answer: "1802" }, 4],
		[
			"an answer without a page, repaired",
			[seek([1]), json({ reason: "r", answer: "x", reference: [] }), accept([1])],
			{ answer: "1802" },
			3,
		],
		["a reference to no page", [seek([1]), accept([77]), accept([1])], { answer: "1802" }, 3],
		[
			"a synthesizer that cannot be understood",
			[seek([1, 2]), accept([1]), "?", "?"],
			{ answer: "1802", stop: "answered" },
			4,
		],
		[
			"neither candidate nor synthesizer",
			[seek([1]), "?", "?", "?", "?"],
			{ answer: null, abstained: false, stop: "turn-limit" },
			5,
		],
		["nothing kept, nothing left", [seek([1, 2, 3, 4, 5, 6]), ask([])], { answer: null, abstained: true }, 2],
		[
			"unknown",
			[seek([1]), json({ reason: "r", answer: "unknown", reference: [1] })],
			{ answer: null, abstained: true },
			2,
		],
		[
			"a fence and unicode",
			[`\`\`\`json\n${seek([1])}\n\`\`\``, json({ reason: "だ", answer: "1802 年", reference: [1] })],
			{ answer: "1802 年" },
			2,
		],
		[
			"null in place of what does not apply",
			[
				seek([1]),
				json({ reason: "r", answer: null, reference: null, information: "x", choice: [1] }),
				seek([]),
				accept([1]),
			],
			{ answer: "1802" },
			4,
		],
	])("%s", async (_, replies, expected, calls) => {
		const { trajectory } = await play(vidorag, replies);
		expect(trajectory).toMatchObject({ ...expected, usage: { calls } });
	});
	test("as published: pages stand by document", async () => {
		const { trajectory } = await play(vidorag, [seek([])], { preset: "paper" });
		expect(trajectory.steps[2]?.results.map(({ id }) => id)).toEqual([
			"report#page=1",
			"report#page=2",
			"report#page=3",
			"report#page=4",
			"report#page=5",
			"report#page=6",
		]);
	});
	test("five pages in Double-Bench's setting, out of both rankings, and hit@5 is over them", async () => {
		const { trajectory } = await play(vidorag, [seek([])], { preset: "double-bench" });
		const given = trajectory.steps.find(({ merges }) => merges);
		expect(given?.results).toHaveLength(5);
		expect(given?.merges).toEqual([0, 1]);
	});
	test("nothing found is nothing asked", async () => {
		const { trajectory, requests } = await play(vidorag, [], { held: [] });
		expect(requests).toHaveLength(0);
		expect(trajectory).toMatchObject({ answer: null, abstained: true, stop: "answered" });
	});
	test("no more searches than the setting allows", async () => {
		const { searched } = await play(vidorag, [seek([])], { overrides: { limit: 1 } });
		expect(searched).toHaveLength(1);
	});
});

test("a model that rambles fills neither the next agent's context nor the steps", async () => {
	const long = "word ".repeat(100_000);
	const clue = json({ text: `<answer>${"word ".repeat(5000)}`, image: "" });
	const { trajectory, requests } = await play(mdocagent, [long, clue, long, long, long, long]);
	expect(requests.map(roleOf)).toEqual(["general", "general", "text", "image", "summarising", "summarising"]);
	for (const request of [requests[2], requests[4]]) expect(textOf(request).length).toBeLessThan(30_000);
	expect(textOf(requests[2])).toContain("&lt;answer>word");
	expect(json(trajectory.steps).length).toBeLessThan(100_000);
	expect(trajectory.answer?.length).toBeLessThanOrEqual(2000);
});

test("the conversation of a role only grows", async () => {
	const { requests } = await play(mdocagent, ["g", "?", "{}", "t", "i", "?", json({ Answer: "x" })]);
	for (const [at, request] of requests.entries()) {
		const before = requests[at - 1];
		if (!before || roleOf(before) !== roleOf(request)) continue;
		expect(json(request.messages.slice(0, before.messages.length))).toBe(json(before.messages));
	}
});
