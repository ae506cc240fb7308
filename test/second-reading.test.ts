import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { DiagnosedRecord } from "#diagnosis";
import { noUsage, RunManifest, type RunRecord, SecondReading } from "#domain";
import { openKnowledge } from "#knowledge";
import { replyServer, type ServedReply } from "#models";
import { diagnosisReport, terminalDiagnosis } from "#reports";
import { writeJson, writeJsonl } from "#store";
import type { ReaderOptions } from "../src/workbench/ask-reader.ts";
import { openDiagnosed } from "../src/workbench/diagnosed-run.ts";
import { readReadings, withKnownReadings } from "../src/workbench/reading-file.ts";
import { secondReading } from "../src/workbench/second-reading.ts";
import { longTest } from "./long.ts";
import { benchOn } from "./support/bench.ts";
import { commandsOn, makeTowns } from "./support/commands.ts";
import { exported } from "./support/studio-export.ts";

/** Towns 10 to 45: of those below 42 the rules see how they were read, every second wrongly; of the others nothing. */
const [first, seen, towns] = [10, 42, 46];
const id = "made-up";
let workspace: string;
let dir: string;
let server: Awaited<ReturnType<typeof replyServer>>;
/** What the reader says of an answer that it is shown as the last action. */
let reply: (answer: string) => ServedReply;
const hopscope = commandsOn(() => workspace);

const wrong = (n: number) => n % 2 === 1;
const answerOf = (n: number) => `It has ${wrong(n) ? 7 : n}00 inhabitants.`;

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-reader-"));
	await makeTowns(workspace, {
		towns,
		more: (n) => ({
			chain: {
				sink: "h1",
				hops: [
					{
						...{ id: "h1", question: `How many inhabitants has Town ${n}?`, modality: "text", evidence: [`town#${n}`] },
						answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
					},
				],
			},
		}),
	});
	server = await replyServer(({ body }) => {
		const said = body.messages.find(({ role }) => role === "user")?.content;
		const text = typeof said === "string" ? said : JSON.stringify(said);
		return reply(/It has \d+ inhabitants\./.exec(text.slice(text.indexOf("actions")))?.[0] ?? "");
	});
	const knowledge = await openKnowledge(join(workspace, "knowledge/towns"));
	const { hash } = JSON.parse(await readFile(join(workspace, "benchmarks/towns/benchmark.json"), "utf8"));
	dir = join(workspace, "runs", id);
	await writeJson(
		join(dir, "run.json"),
		RunManifest.parse({
			...{ version: 1, id, agent: { name: id, version: "1" }, model: "openai:solver", setting: { name: "k1", k: 1 } },
			benchmark: { name: "towns", hash, folder: "../../benchmarks/towns" },
			knowledge: { name: "towns", hash: knowledge.manifest.hash, folder: "../../knowledge/towns" },
			tasks: Array.from({ length: towns - first }, (_, at) => `t${first + at}`),
			...{ repeats: 1, seed: 0, software: { hopscope: "0", node: "20" }, at: "2026" },
		}),
	);
	await knowledge.close();
	await writeJsonl(
		join(dir, "records.jsonl"),
		Array.from({ length: towns - first }, (_, at) => recordOf(first + at)),
	);
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});
beforeEach(async () => {
	for (const file of [join(dir, "readings.jsonl"), join(workspace, "cache"), join(workspace, "hopscope.json")])
		await rm(file, { recursive: true, force: true });
	server.requests.length = 0;
	reply = (answer) => replied(answer);
});

const replied = (answer: string, parts: object = {}) =>
	JSON.stringify({ reason: "It says so.", value: /\d+/.exec(answer)?.[0], written: answer, read: null, ...parts });

function recordOf(n: number): RunRecord {
	const call = { tool: "text_search", arguments: { query: `inhabitants of Town ${n}`, k: 1 }, valid: true };
	const steps = [{ index: 0, call, results: [{ id: `town#${n}`, score: 1, rank: 1 }], ms: 1 }];
	const trajectory = { steps, answer: answerOf(n), abstained: false, stop: "answered" as const, usage: noUsage };
	return {
		...{ version: 1, task: `t${n}`, repeat: 0, attempt: 0, at: "2026-01-01T00:00:00.000Z" },
		trajectory: { ...trajectory, ms: 1, messages: [] },
	};
}

/** As the rules would leave it: of the last towns nothing shows how they were read. */
function asSeen(one: DiagnosedRecord): DiagnosedRecord {
	const n = Number(one.task.id.slice(1));
	const base = { is: "judged" as const, hop: "h1", aimed: [0], brought: [0], evidence: [`town#${n}`] };
	const hop =
		n < seen
			? { ...base, verdict: wrong(n) ? ("unsupported" as const) : ("solved" as const), seen: { by: "answer" as const } }
			: { ...base, verdict: "unobserved" as const, why: "silent" };
	const none = { findings: [], firstBroken: null, primary: null, unobserved: [] };
	return { ...one, diagnosis: { ...one.diagnosis, ...none, hops: [hop] } };
}

async function read(parts: Partial<ReaderOptions> = {}, signal = new AbortController().signal) {
	const said: string[] = [];
	const bench = benchOn(workspace, { say: (text) => void said.push(text), signal });
	const { run, diagnosed } = await openDiagnosed(id, {}, bench);
	const options = { reader: `openai:reader@${server.url}`, readerSample: 60, concurrency: 4, ...parts };
	try {
		const found = await secondReading({ run, diagnosed: diagnosed.map(asSeen) }, options, bench);
		const told = await diagnosisReport(run);
		return { found, reader: run.reader, err: said.join("\n"), text: terminalDiagnosis(told), told };
	} finally {
		await run.close();
	}
}
const verdictsIn = (found: DiagnosedRecord[]) =>
	found.slice(seen - first).map(({ diagnosis: { hops } }) => (hops[0]?.is === "judged" ? hops[0].verdict : "?"));
const lines = async () =>
	(await readFile(join(dir, "readings.jsonl"), "utf8"))
		.trim()
		.split("\n")
		.map((line) => SecondReading.parse(JSON.parse(line)));

longTest("reads what nothing shows, and is believed since it agrees with the rules where they speak", async () => {
	const { found, reader, text, told, err } = await read();
	expect(server.requests).toHaveLength(towns - first);
	expect(verdictsIn(found)).toEqual(["solved", "unsupported", "solved", "unsupported"]);
	expect(found.at(-1)?.diagnosis).toMatchObject({ primary: "unsupported", firstBroken: "h1" });
	expect(reader?.agreement).toMatchObject({ asked: 32, read: 32, same: 32, kappa: { value: 1 } });
	expect(reader?.agreement.doubt).toBeUndefined();
	expect(text.replace(/\s+/g, " ")).toContain(
		"read 4 of 4 hops whose reading nothing shows: 2 solved, 0 misread, 2 unsupported, 0 left open. These verdicts count",
	);
	expect(told.reader).toEqual(reader);
	expect(err).toMatch(/the reader was asked about 36 hops: \d+ tokens/);
	expect((await lines())[0]).toMatchObject({
		reader: { served: "reader" },
		outcome: { is: "read", stands: expect.any(Boolean) },
	});
});

longTest("shows the reader neither the gold answer's place nor what the rules say", async () => {
	await read();
	for (const { body } of server.requests) {
		const said = JSON.stringify(body.messages);
		expect(said).not.toMatch(/unobserved|unsupported|"gold|silent/);
	}
});

longTest(
	"leaves its verdicts out, and says why, where it does not agree with the rules or quotes what stands nowhere",
	async () => {
		reply = (answer) => replied(answer.replace("700", "800"), { written: answer, value: "100" });
		const unusable = await read();
		// asked once more for each what it cannot show
		expect(server.requests).toHaveLength(2 * (towns - first));
		expect(unusable.reader?.agreement).toMatchObject({ asked: 32, read: 0, unparsed: 32 });
		expect(unusable.reader?.unobserved).toMatchObject({ asked: 4, unparsed: 4, solved: 0 });
		expect(verdictsIn(unusable.found)).toEqual(Array(4).fill("unobserved"));
		expect(unusable.text.replace(/\s+/g, " ")).toContain(
			"None of these verdicts counts: it was compared with the rules on 0 hops, and 30 are needed",
		);
		await rm(join(dir, "readings.jsonl"));
		// of every second hop it takes other words for the value: 8 of 16 solved ones are lost, kappa (.75 - .5) / .5
		let n = 0;
		reply = (answer) => {
			n += 1;
			return n % 2 === 0 ? replied(answer) : replied(answer, { value: "It has" });
		};
		const doubtful = await read({ concurrency: 1, cache: false });
		expect(doubtful.reader?.agreement.doubt).toBe("its agreement with the rules is κ = 0.50, and 0.6 is needed");
		expect(verdictsIn(doubtful.found)).toEqual(Array(4).fill("unobserved"));
	},
);

longTest(
	"asks only for what is missing after a kill, a torn line and a failing provider, and never twice for what is kept",
	async () => {
		const stopping = new AbortController();
		reply = (answer) => {
			if (server.requests.length === 10) stopping.abort(new Error("stop"));
			return replied(answer);
		};
		await expect(read({ concurrency: 1 }, stopping.signal)).rejects.toThrow("stop");
		const kept = (await lines()).length;
		expect(kept).toBeGreaterThanOrEqual(9);
		expect(kept).toBeLessThan(towns - first);
		await appendFile(join(dir, "readings.jsonl"), '{"version":1,"task":"t');
		server.requests.length = 0;
		reply = (answer) => (answer.includes("4200") ? { is: "status", status: 400, message: "no" } : replied(answer));
		const again = await read({ cache: false });
		expect(server.requests).toHaveLength(towns - first - kept);
		expect(again.err).toContain("1 reading failed, the last with:");
		expect(again.reader?.unobserved).toMatchObject({ asked: 4, failed: 1 });
		expect(verdictsIn(again.found)[0]).toBe("unobserved");
		server.requests.length = 0;
		reply = (answer) => replied(answer);
		expect(verdictsIn((await read({ cache: false })).found)).toEqual([
			"solved",
			"unsupported",
			"solved",
			"unsupported",
		]);
		expect(server.requests).toHaveLength(1);
	},
);

test("asks a model that answers nobody no more", async () => {
	reply = () => ({ is: "status", status: 401, message: "wrong key" });
	const { err, reader } = await read({ concurrency: 1 });
	expect(err).toMatch(/stopped, since the reader answers no call: .*HTTP 401: wrong key; the same command resumes/);
	expect(server.requests).toHaveLength(20);
	expect(reader?.agreement).toMatchObject({ read: 0, failed: 20 });
});

longTest("keeps to a budget, reads the hops to be compared first, and resumes with more", async () => {
	const prices = { currency: "EUR", models: { "openai:reader": { input: 1e5, output: 0 } } };
	await writeFile(join(workspace, "hopscope.json"), JSON.stringify({ prices }));
	const poor = await read({ concurrency: 1, maxCost: 1 });
	expect(poor.err).toContain("the budget is spent; with a larger one the same command resumes");
	expect(poor.err).toMatch(/the reader was asked about 1 hop: \d+ tokens, \d+\.\d\d EUR/);
	expect(poor.reader).toMatchObject({ agreement: { asked: 1 }, unobserved: { asked: 0 } });
	const more = await read({ concurrency: 1, maxCalls: 31 });
	expect(more.reader).toMatchObject({ agreement: { asked: 32 }, unobserved: { asked: 0 } });
	expect((await read({ maxCalls: 2, concurrency: 1 })).reader?.unobserved).toMatchObject({ asked: 2 });
	await rm(join(workspace, "hopscope.json"));
	await expect(read({ maxCost: 1 })).rejects.toThrow("no price of openai:reader");
});

longTest(
	"is joined by what reads the run later, without asking; a file that cannot be read costs its verdicts alone",
	async () => {
		const { found } = await read();
		server.requests.length = 0;
		const later = await read({ reader: undefined });
		expect(later.found.map(({ diagnosis }) => diagnosis)).toEqual(found.map(({ diagnosis }) => diagnosis));
		const said: string[] = [];
		const say = (text: string) => void said.push(text);
		const tasks = found.map(({ task }) => task);
		const plain = found.map((one) => asSeen(one).diagnosis);
		const joined = await withKnownReadings(plain, { dir, tasks, say });
		expect(joined.diagnoses).toEqual(found.map(({ diagnosis }) => diagnosis));
		expect(joined.reader?.unobserved.asked).toBe(4);
		expect(server.requests).toHaveLength(0);
		await writeFile(join(dir, "readings.jsonl"), '{"version":9}\n{"version":9}\n');
		expect(await withKnownReadings(plain, { dir, tasks, say })).toEqual({ diagnoses: plain });
		expect(said.join("\n")).toContain("the diagnosis goes without a second reader");
		expect(await readReadings(join(dir, "elsewhere"), say)).toEqual([]);
	},
);

longTest("refuses the run's own model unless insisted on, and marks it then", async () => {
	const own = { reader: `openai:solver@${server.url}` };
	await expect(read(own)).rejects.toThrow("is the model that gave the answers");
	expect(existsSync(join(dir, "readings.jsonl"))).toBe(false);
	const marked = await read({ ...own, allowSameModel: true });
	expect(marked.reader?.sameModel).toBe(true);
	expect(marked.text).toContain("It is the model that it reads");
	expect((await lines()).every(({ sameModel }) => sameModel)).toBe(true);
});

longTest("stands beside the other options of hopscope diagnose, and on the page", async () => {
	const reader = `openai:reader@${server.url}`;
	expect(await hopscope("diagnose", id, "--max-cost", "1")).toMatchObject({
		code: 2,
		err: expect.stringContaining("Add --reader"),
	});
	for (const more of [["--task", "t10"], ["--replay"]])
		expect(await hopscope("diagnose", id, "--reader", reader, ...more)).toMatchObject({
			code: 2,
			err: expect.stringContaining("reads the whole run"),
		});
	const { code } = await hopscope("diagnose", id, "--reader", reader, "--json");
	expect(code).toBe(0);
	await read();
	const pages = join(workspace, "pages");
	expect((await hopscope("diagnose", id, "--format", "html", "--out", pages)).code).toBe(0);
	expect(exported(join(pages, "index.html"), `${id}.tasks-0`).tasks).toHaveLength(20);
	expect((await hopscope("diagnose", id, "--task", "t10")).code).toBe(0);
});
