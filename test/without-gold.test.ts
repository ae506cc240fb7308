import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DrawnPseudoHop, GoldFreeLine, PseudoHopReading } from "#domain";
import { replyServer, type ServedReply } from "#models";
import { longTest } from "./long.ts";
import { commandsOn } from "./support/commands.ts";
import { exported } from "./support/studio-export.ts";

/** Agents without a gold chain: Town n lies in Land n, and every third agent takes another land for it. */
const count = 12;
let workspace: string;
let run: string;
let server: Awaited<ReturnType<typeof replyServer>>;
/** What the judge says of a search that it is shown. */
let reply: (shown: { question: string; results: { text: string }[]; actions: { text: string }[] }) => ServedReply;
const hopscope = commandsOn(() => workspace);

const isWrong = (n: number) => n % 3 === 2;
const transcript = (n: number) => {
	const taken = isWrong(n) ? `Elsewhere${n}` : `Land${n}`;
	const docs = (...texts: string[]) =>
		`<|begin_of_documents|>\n${texts.map((text, at) => `(${at + 1})Page   ${text}`).join("\n")}\n<|end_of_documents|>`;
	const found = docs(`Town${n} lies in Land${n}.`, `Bread ${n} is made of flour.`);
	const ruler = docs(`The ruler of Land${n} is Queen${n}.`);
	return {
		question: `Who rules the land in which Town${n} lies?`,
		answer: `Queen${n}`,
		pred_ans: `Queen${n}`,
		gen_text_store: `<|begin_of_query|>In which land lies Town${n}?<|end_of_query|>\n\n${found}\n\nSo.<|begin_of_query|>Who rules ${taken}?<|end_of_query|>\n\n${ruler}\n\n<answer>Queen${n}</answer>`,
	};
};

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-blind-"));
	server = await replyServer(({ body }) => {
		const said = body.messages.find(({ role }) => role === "user")?.content;
		return reply(JSON.parse(typeof said === "string" ? said : ((said as { text: string }[])[0]?.text ?? "")));
	});
	const file = join(workspace, "traces.jsonl");
	await writeFile(file, Array.from({ length: count }, (_, n) => JSON.stringify(transcript(n))).join("\n"));
	const made = await hopscope("import", "r1-searcher", file, "--json");
	run = JSON.parse(made.out).run;
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});
beforeEach(async () => {
	for (const name of [`runs/${run}/gold-free-readings.jsonl`, `runs/${run}/labels`, "cache"])
		await rm(join(workspace, name), { recursive: true, force: true });
	server.requests.length = 0;
	reply = honest;
});

/** Judges as a careful reader would, by what stands in what it is shown. */
const honest: typeof reply = ({ question, results, actions }) => {
	const first = results.find(({ text }) => /lies in|ruler of/.test(text))?.text ?? "";
	const [, town] = /lies (Town\d+)\?/.exec(question) ?? [];
	const asked = actions.find(({ text }) => text.startsWith("Who rules"))?.text;
	const carried = town ? /Who rules (\w+)\?/.exec(asked ?? "")?.[1] : /Queen\d+/.exec(actions.at(-1)?.text ?? "")?.[0];
	const follows = carried !== undefined && first.includes(carried);
	return JSON.stringify({
		...{ reason: "As it says.", answers: "yes", answer: first, carried, written: town ? asked : carried },
		...{ follows: follows ? "yes" : "no", from: follows ? first : null },
	});
};

const diagnose = async (...more: string[]) => {
	const { code, out, err } = await hopscope("diagnose", run, "--without-gold", "--json", ...more);
	expect([code, err]).toEqual([0, expect.anything()]);
	return { report: JSON.parse(out), err };
};
const judge = (...more: string[]) => diagnose("--reader", `openai:judge@${server.url}`, ...more);
const linesOf = async (name: string) =>
	(await readFile(join(workspace, "runs", run, name), "utf8"))
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
const flagIn = (report: { flags: { flag: string }[] }, name: string) => report.flags.find(({ flag }) => flag === name);

test("hopscope diagnose tells of a run without gold what its records show, and nothing that only a chain could", async () => {
	const { out, code } = await hopscope("diagnose", run);
	expect(code).toBe(0);
	const text = out.replace(/\s+/g, " ");
	expect(text).toContain("12 records, 24 pseudo-hops");
	// a land that no result and not the question holds: 4 of the 12 second searches
	expect(text).toMatch(/unsupported by results 4\/36 11 \(\d+–\d+\) 0/);
	expect(text).toContain("Nothing here says whether an answer is right, which step is the cause,");
	expect(text).not.toMatch(/Error types|Earliest dominant failure|\bwrong name/);
	const { withoutGold } = JSON.parse((await hopscope("diagnose", run, "--json")).out);
	expect(withoutGold).toMatchObject({ records: 12, pseudoHops: 24, judge: null, agreement: null });
	expect(flagIn(withoutGold, "does-not-follow")).toBeUndefined();
	// of some tasks alone it is told, and what is kept of the whole stays
	const list = join(workspace, "list");
	await writeFile(list, "r1-searcher-1\n");
	const some = await diagnose("--task-list", list);
	expect(some.report).toMatchObject({ records: 1, pseudoHops: 2 });
	expect(some.report.file).toBeUndefined();
	expect(await linesOf("gold-free.jsonl")).toHaveLength(count);
});

longTest(
	"a judge says of each search whether its results answer it and whether what was carried on follows, with quotes",
	async () => {
		const { report, err } = await judge();
		expect(server.requests).toHaveLength(2 * count);
		expect(report.judge).toEqual({
			judge: expect.stringMatching(/^openai:judge@/),
			sameModel: false,
			asked: 24,
			unparsed: 0,
			failed: 0,
		});
		expect(flagIn(report, "not-answered")).toMatchObject({ hops: { count: 0, of: 24 } });
		expect(flagIn(report, "does-not-follow")).toMatchObject({
			hops: { count: 4, of: 24 },
			records: { count: 4, of: 12 },
		});
		expect(err).toContain("the judge was asked about 24 pseudo-hops");
		const lines = (await linesOf("gold-free.jsonl")).map((line) => GoldFreeLine.parse(line));
		expect(lines[2]?.hops[0]).toMatchObject({
			flags: ["unused-results", "does-not-follow"],
			judged: {
				...{
					by: expect.stringMatching(/^openai:judge@/),
					answers: true,
					answer: { quote: "Town2 lies in Land2." },
					follows: false,
					from: null,
				},
				carried: { value: "Elsewhere2", written: { quote: "Who rules Elsewhere2?", step: 1 } },
			},
		});
		expect((await linesOf("gold-free-readings.jsonl")).map((line) => PseudoHopReading.parse(line))).toHaveLength(24);
		// asked again, nothing is left to ask, and without a judge its last word stays
		server.requests.length = 0;
		expect((await judge()).report.flags).toEqual(report.flags);
		expect((await diagnose()).report.flags).toEqual(report.flags);
		expect(server.requests).toHaveLength(0);
		// it was shown neither the accepted answers nor what the rules say
		await rm(join(workspace, "runs", run, "gold-free-readings.jsonl"));
		await judge("--no-cache");
		for (const { body } of server.requests)
			expect(JSON.stringify(body.messages)).not.toMatch(/unsupported|unused|low-relevance|accepted/);
	},
);

longTest(
	"a yes without words that stand in a result is refused, asked for once more, and then counts as unusable",
	async () => {
		reply = (shown) => {
			const said = JSON.parse(String(honest(shown)));
			return JSON.stringify({ ...said, answer: "It is well known." });
		};
		const { report } = await judge();
		expect(server.requests).toHaveLength(4 * count);
		expect(report.judge).toMatchObject({ asked: 24, unparsed: 24 });
		expect(flagIn(report, "not-answered")).toBeUndefined();
	},
);

longTest(
	"failures are asked again, a budget ends the session, and what is left is asked by the same command",
	async () => {
		reply = (shown) =>
			shown.question.includes("Town5") ? { is: "status", status: 400, message: "no" } : honest(shown);
		const failing = await judge("--concurrency", "1");
		expect(failing.report.judge).toMatchObject({ asked: 24, failed: 1 });
		expect(failing.err).toContain("1 reading failed");
		server.requests.length = 0;
		reply = honest;
		expect((await judge()).report.judge).toMatchObject({ asked: 24, failed: 0 });
		expect(server.requests).toHaveLength(1);
		await rm(join(workspace, "runs", run, "gold-free-readings.jsonl"));
		const poor = await judge("--max-calls", "6", "--concurrency", "1", "--no-cache");
		expect(poor.report.judge).toMatchObject({ asked: 6 });
		expect(flagIn(poor.report, "not-answered")).toMatchObject({ hops: { of: 6 } });
		expect(poor.err).toContain("the budget is spent");
	},
);

longTest(
	"pseudo-hops are drawn by strata of flags, and labels of them correct the shares by what each stands for",
	async () => {
		await judge();
		const { report } = await diagnose("--draw", "16", "--seed", "3");
		const drawn = (await linesOf("labels/drawn-hops.jsonl")).map((line) => DrawnPseudoHop.parse(line));
		expect(report.drawn).toBe(drawn.length);
		expect(drawn.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(36);
		expect((await diagnose("--draw", "16", "--seed", "3")).report.flags).toEqual(report.flags);
		expect((await linesOf("labels/drawn-hops.jsonl")).map((line) => DrawnPseudoHop.parse(line))).toEqual(drawn);
		const truly = ({ task, step }: DrawnPseudoHop) => isWrong(Number(task.split("-").at(-1)) - 1) && step === 0;
		const labels = drawn
			.filter(({ step }) => step !== null)
			.map((one) => ({
				version: 1,
				task: one.task,
				step: one.step,
				flag: "does-not-follow",
				is: truly(one),
				rater: "ana",
			}));
		await writeFile(
			join(workspace, "runs", run, "labels/hops.jsonl"),
			labels.map((label) => JSON.stringify(label)).join("\n"),
		);
		const calibrated = (await diagnose()).report;
		expect(flagIn(calibrated, "does-not-follow")).toMatchObject({
			calibrated: { labelled: labels.length, labelsServe: false, correlation: { value: 1 } },
		});
		const share = (flagIn(calibrated, "does-not-follow") as unknown as { calibrated: { share: { value: number } } })
			.calibrated.share;
		expect(share.value).toBeCloseTo(4 / 24, 1);
		const { out } = await hopscope("diagnose", run, "--without-gold");
		expect(out).toContain("With labels");
	},
);

longTest(
	"the page of an answer tells of each search what it shows, with the judge's words, and what cannot be told",
	async () => {
		await judge();
		const pages = join(workspace, "pages");
		await hopscope("diagnose", run, "--format", "html", "--out", pages);
		const { tasks } = exported(join(pages, "index.html"), `${run}.tasks-0`);
		const wrong = tasks.find(({ question }: { question: string }) => question.includes("Town2 "));
		const says = (at: number, is: string) =>
			wrong.withoutGold[at].shows
				.filter((one: { is: string }) => one.is === is)
				.map((one: { says: string }) => one.says);
		expect(says(0, "flag")).toEqual([
			"Nothing that was written later takes up what only its results told.",
			expect.stringMatching(/: “Elsewhere2” was carried on, and does not follow from the results\.$/),
		]);
		expect(says(0, "plain")).toContainEqual(expect.stringMatching(/the results answer it: “Town2 lies in Land2\.”\.$/));
		expect(says(1, "flag")).toContain(
			"In no earlier result and not in the question: “Elsewhere2”. It may be right all the same.",
		);
	},
);
