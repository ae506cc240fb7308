/**
 * Faults injected into what a model says, rather than into records: a model that is played over HTTP walks a gold chain
 * as the injected agent does, in a protocol's own words, and reads what the protocol shows it of its results. The run is
 * real; the player's log is the truth.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	agents,
	type Cell,
	externalAgent,
	type Injected,
	inject,
	injectedFaults,
	settingFor,
	type Tools,
} from "#agents";
import type { Benchmark } from "#benchmarks";
import {
	type Attributed,
	attribute,
	attributionOutcomes,
	attributionRows,
	diagnoseRecords,
	predictionOf,
} from "#diagnosis";
import {
	inDependencyOrder,
	type Prediction,
	type RunRecord,
	type ScoreRow,
	type Step,
	type Task,
	type Trajectory,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { createChatModel, replyServer, type ServedReply, type ServedRequest } from "#models";
import { executeRun, openRun, planRun, scoreRun } from "#runs";
import { scorerVersion, scoreTrajectory } from "#scoring";
import { rephrased } from "../src/agents/injected/rephrasings.ts";
import { renderSearch, sayStepwise } from "../src/agents/stepwise/action.ts";
import { sayTagged } from "../src/agents/tagged/action.ts";
import { searchR1Tags } from "../src/agents/tagged/tag-set.ts";
import { harmless } from "../src/agents/tools/harmless.ts";
import { drawn } from "../src/agents/walker/drawn.ts";
import { called } from "./support/agents/scripted-models/function-calling.ts";
import { asked } from "./support/agents/scripted-models/scripted-model.ts";

export const playedFaults = [
	"misread",
	"hallucinated-entity",
	"bad-query",
	"skipped-hop",
	"stop-early",
	"no-answer",
	"none",
] as const satisfies Cell["fault"][];
export type PlayedFault = (typeof playedFaults)[number];

type Result = Awaited<ReturnType<Tools["text_search"]>>["results"][number];

/** One thing that the walk wants said. */
type Turn =
	| { is: "search"; query: string; thought: string; subQuestion: string; before: readonly Step[] }
	| { is: "answer"; text: string; thought: string; before: readonly Step[] };

export interface PlayedProtocol {
	/** As the tables call it. */
	name: string;
	agent: string;
	setting?: string;
	observability: Cell["observability"];
	/** The turn in the protocol's words; several where one needs turns of its own before it. */
	say(turn: Turn): ServedReply[];
}

const textReply = (text: string): ServedReply => ({ is: "reply", text });

const calling = (turn: Turn): ServedReply[] => {
	if (turn.is === "answer") return [textReply(`${turn.thought}\nAnswer: ${turn.text}`.trim())];
	const reply = called(["text_search", { query: turn.query }]);
	return [typeof reply === "object" && reply.is === "reply" ? { ...reply, text: turn.thought } : reply];
};

const stepwiseSearches = ["text", "none"] as const;

/** A sub-question that needs no search has a turn of its own; sub-answers open the turn after. */
function stepwiseTurns(turn: Turn): ServedReply[] {
	const lastSearch = turn.before.findLastIndex(({ call }) => call !== undefined);
	const unsaid = turn.before.slice(lastSearch + 1);
	let former = turn.before[lastSearch]?.subAnswer;
	const replies: string[] = [];
	for (const { subQuestion = "", subAnswer } of unsaid) {
		const said = former === undefined ? "" : `<Sub-Answer> ${former}\n`;
		replies.push(
			`${said}<Thought> This follows from what is known.\n<Sub-Question> ${subQuestion}\n${renderSearch({ is: "none" })}`,
		);
		former = subAnswer;
	}
	if (turn.is === "answer") {
		const act = { is: "answer" as const, text: turn.text };
		replies.push(sayStepwise({ thought: "Nothing more is needed.", subAnswer: former, act }, { searches: [] }) ?? "");
	} else {
		const { subQuestion: query } = turn;
		const act = { is: "search" as const, tool: "text_search" as const, query };
		const said = sayStepwise(
			{ thought: "One fact is missing.", subAnswer: former, act },
			{ searches: stepwiseSearches },
		);
		replies.push(
			(said ?? "").replace(renderSearch({ is: "text", query }), renderSearch({ is: "text", query: turn.query })),
		);
	}
	return replies.map(textReply);
}

export const playedProtocols: readonly PlayedProtocol[] = [
	{ name: "function-calling, silent", agent: "function-calling", observability: "bare", say: calling },
	{ name: "function-calling, with words", agent: "function-calling", observability: "thought", say: calling },
	{
		name: "search-r1",
		agent: "search-r1",
		observability: "thought",
		say({ thought, ...turn }) {
			const act =
				turn.is === "answer"
					? { is: "answer" as const, text: turn.text }
					: { is: "search" as const, tool: "text_search" as const, query: turn.query };
			return [textReply(sayTagged({ thought, act }, searchR1Tags, { first: turn.before.length === 0 }) ?? "")];
		},
	},
	{ name: "stepwise", agent: "stepwise", setting: "top-3", observability: "stated", say: stepwiseTurns },
	{ name: "an observed program", agent: "observe", observability: "thought", say: calling },
];

/** A program as people write them: a loop over a model's calls, its tools from an MCP server. It knows nothing of us. */
const observedProgram = `
const ask = async (url, body, headers) => {
	const response = await fetch(url, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers } });
	if (!response.ok) throw new Error(url + ": " + response.status + " " + (await response.text()));
	return response.json();
};
let id = 0;
const mcp = (method, params) => ask(process.env.HOPSCOPE_MCP_URL, { jsonrpc: "2.0", id: (id += 1), method, params }, {}).then(({ result }) => result);
(async () => {
	await mcp("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "loop", version: "1" } });
	const { tools } = await mcp("tools/list", {});
	const declared = tools.map(({ name, description, inputSchema }) => ({ type: "function", function: { name, description, parameters: inputSchema } }));
	const messages = [{ role: "system", content: "Find out with the tools." }, { role: "user", content: "Question: " + process.env.HOPSCOPE_QUESTION }];
	for (let turn = 0; turn < 14; turn += 1) {
		const { choices: [{ message }] } = await ask(process.env.OPENAI_BASE_URL + "/chat/completions", { model: process.env.OPENAI_MODEL, messages, tools: declared }, { authorization: "Bearer " + process.env.OPENAI_API_KEY });
		messages.push(message);
		if (!message.tool_calls) {
			const text = message.content || "";
			require("node:fs").writeFileSync(process.env.HOPSCOPE_ANSWER_FILE, text.slice(text.lastIndexOf("Answer: ") + 8));
			return;
		}
		for (const call of message.tool_calls) {
			const { content } = await mcp("tools/call", { name: call.function.name, arguments: JSON.parse(call.function.arguments) });
			messages.push({ role: "tool", tool_call_id: call.id, content: content.map((part) => part.text || "").join("\\n") });
		}
	}
	require("node:fs").writeFileSync(process.env.HOPSCOPE_ANSWER_FILE, "unknown");
})();
`;

/** Tasks that words alone can solve, each with a question of its own. */
export function wordTasks(tasks: readonly Task[]): Task[] {
	const times = new Map<string, number>();
	for (const { question } of tasks) times.set(question, (times.get(question) ?? 0) + 1);
	return tasks.filter(
		({ question, images, chain }) =>
			chain &&
			images.length === 0 &&
			times.get(question) === 1 &&
			chain.hops.every(({ modality, evidence }) => evidence.length === 0 || modality === "text"),
	);
}

/** Passages as a model may meet them in its messages. */
export interface Passages {
	/** Those whose title and text stand in a message, in the order in which they do. */
	readIn(message: string): Result[];
}

interface PassageLike {
	id: string;
	kind: string;
	document: string;
	title: string;
	language: string;
	text?: string;
}

export async function passagesOf(evidence: AsyncIterable<PassageLike> | Iterable<PassageLike>): Promise<Passages> {
	const known: { title: string; text: string; result: Result }[] = [];
	for await (const { id, kind, document, title, language, text } of evidence) {
		if (kind !== "passage" || !text) continue;
		known.push({
			title: harmless(title),
			text: harmless(text),
			result: { id, score: 0, rank: 0, kind: "passage", document, title, snippet: "", language, text },
		});
	}
	return {
		readIn(message) {
			const found = known.flatMap(({ title, text, result }) => {
				const at = message.indexOf(text);
				if (at === -1) return [];
				return message.slice(Math.max(0, at - title.length - 80 - result.id.length), at).includes(title)
					? [{ at, result }]
					: [];
			});
			found.sort((a, b) => a.at - b.at);
			return found.map(({ result }, index) => ({ ...result, rank: index + 1, score: 1 / (index + 1) }));
		},
	};
}

/** What the player did in one task. */
export interface Played {
	task: Task;
	injected?: Injected;
	/** It wanted to search on when the protocol let it only answer. */
	cut: boolean;
	/** Searches that it asked for, with what it read of their results. */
	searches: { query: string; read: string[] }[];
}

interface Playing {
	played: Played;
	/** What is still to be said of the turn, after what has been said. */
	replies: ServedReply[];
	turn?: Turn;
	/** The next thing that the walk wants said. */
	next(): Promise<Turn>;
	heard(results: Result[]): void;
	/** Ends the walk where it stands. */
	stop(): void;
	/** What it searches for on and on, always in new words, instead of an answer. */
	restless?: string[];
}

const lastTurn = /No (?:calls|searches|turns) are left/;

export function createPlayer(given: {
	protocol: PlayedProtocol;
	fault: PlayedFault;
	/** The whole benchmark. */
	tasks: readonly Task[];
	passages: Passages;
	seed: number;
}) {
	const { protocol, fault, tasks, passages, seed } = given;
	const { observability } = protocol;
	const byQuestion = new Map(wordTasks(tasks).map((task) => [task.question, task]));
	const playing = new Map<string, Playing>();
	const cell: Cell = { fault, observability, style: "keyword" };

	function begin(task: Task): Playing {
		const played: Played = { task, cut: false, searches: [] };
		let give: (turn: Turn) => void = () => {};
		let turn = new Promise<Turn>((resolve) => {
			give = resolve;
		});
		let hear: { results(found: Result[]): void; stop(): void } = { results: () => {}, stop: () => {} };
		let about: { thought: string; subQuestion: string; before: readonly Step[] } = {
			thought: "",
			subQuestion: "",
			before: [],
		};
		const search = ({ query }: { query: string }) => {
			give({ is: "search", query, ...about });
			played.searches.push({ query, read: [] });
			return new Promise<{ results: Result[] }>((resolve, reject) => {
				hear = { results: (results) => resolve({ results }), stop: () => reject(new Error("no turn is left")) };
			});
		};
		const none = () => Promise.reject(new Error("words alone are searched"));
		const tools: Tools = {
			text_search: search,
			page_search: none,
			image_search_by_text: none,
			image_search_by_image: none,
		};
		const own: Playing = {
			played,
			replies: [],
			async next() {
				const now = await turn;
				turn = new Promise<Turn>((resolve) => {
					give = resolve;
				});
				return now;
			},
			heard: (results) => hear.results(results),
			stop: () => hear.stop(),
		};
		inject(task, cell, {
			tasks,
			tools: () => tools,
			onSearch: ({ thought = "", subQuestion = "" }, before) => {
				about = { thought, subQuestion, before: structuredClone(before) as Step[] };
			},
			seed,
			signal: new AbortController().signal,
		}).then(
			(injected) => {
				played.injected = injected;
				give(answerOf(injected, own));
			},
			(error: Error) => {
				if (error.message !== "no turn is left") throw error;
			},
		);
		return own;
	}

	/** How the walk ends; a fault that never answers declines, or searches on in other words. */
	function answerOf(injected: Injected, own: Playing): Turn {
		if (injected.is !== "struck") return { is: "answer", text: "unknown", thought: "", before: [] };
		const { trajectory } = injected.record;
		const thought = trajectory.steps.findLast(({ call }) => call === undefined)?.thought ?? "";
		const { task } = own.played;
		if (fault === "no-answer" && drawn(task.id, seed, "restless") < 0.5) {
			const hops = (task.chain ? inDependencyOrder(task.chain) : []).reverse();
			const words = hops.flatMap(({ question, answer }) => [
				rephrased(question, 0),
				rephrased(question, 1),
				answer.value,
			]);
			own.restless = [...new Set([...words, task.question])];
		}
		return { is: "answer", text: trajectory.answer ?? "unknown", thought, before: trajectory.steps };
	}

	/** `before`: what the walk has come to and not said yet. */
	function restlessTurn({ restless = [], played }: Playing, before: readonly Step[] = []): Turn {
		const query = restless.shift();
		if (query === undefined) return { is: "answer", text: "unknown", thought: "", before };
		played.searches.push({ query, read: [] });
		const thought = observability === "thought" ? "I want to be surer of this." : "";
		return { is: "search", query, thought, subQuestion: query, before };
	}

	return {
		played: () => [...playing.values()].map(({ played }) => played),
		async reply({ body }: Pick<ServedRequest, "body">): Promise<ServedReply> {
			const said = asked({} as Task, body).said;
			const all = said.map(({ text }) => text).join("\n");
			const task = [...byQuestion.values()].find(({ question }) => all.includes(question));
			if (!task) return { is: "status", status: 400, message: "nobody knows that question" };
			const known = playing.get(task.id);
			const own = known ?? begin(task);
			playing.set(task.id, own);
			const since = said.slice(said.findLastIndex(({ role }) => role === "assistant") + 1);
			const came = since.map(({ text }) => text).join("\n");
			const mayOnlyAnswer = lastTurn.test(came) || body.tool_choice === "none";
			const speak = (turn: Turn): ServedReply => {
				const [first = "", ...others] = protocol.say(turn);
				own.turn = turn;
				own.replies = others;
				return first;
			};
			const cut = (): ServedReply => {
				own.played.cut = true;
				own.stop();
				return speak({ is: "answer", text: "unknown", thought: "", before: [] });
			};
			if (own.replies.length > 0) {
				if (mayOnlyAnswer && (own.replies.length > 1 || own.turn?.is !== "answer")) return cut();
				return own.replies.shift() ?? "";
			}
			if (known) {
				const results = passages.readIn(came);
				const last = own.played.searches.at(-1);
				if (last) last.read = results.map(({ id }) => id);
				if (!own.restless) own.heard(results);
			}
			const turn = own.restless ? restlessTurn(own) : await own.next();
			if (own.restless) return speak(turn.is === "answer" ? restlessTurn(own, turn.before) : turn);
			if (mayOnlyAnswer && (turn.is === "search" || protocol.say(turn).length > 1)) return cut();
			return speak(turn);
		},
	};
}

export interface PlayedRun {
	protocol: PlayedProtocol;
	fault: PlayedFault;
	/** Records in which the fault struck, with what the diagnosis made of them. */
	attributed: Attributed[];
	/** How much the records show, as the diagnosis says. */
	shows: Record<string, number>;
	counts: { asked: number; struck: number; missed: number; cut: number };
	/** Where the record is not what the player did; none is expected. */
	differences: string[];
	/** Of what struck, how often the player's own log of it is diagnosed as the run's record is. */
	asLogged: { same: number; differing: { task: string; record: Prediction; log: Prediction }[] };
}

/** Runs one protocol with one fault over the tasks that it can strike, for real, and holds the diagnosis against the log. */
export async function runPlayed(
	{ protocol, fault }: { protocol: PlayedProtocol; fault: PlayedFault },
	parts: {
		benchmark: Benchmark;
		knowledge: KnowledgeBase;
		passages: Passages;
		dir: string;
		tasks: readonly Task[];
		seed?: number;
	},
): Promise<PlayedRun> {
	const { benchmark, knowledge, passages, dir, seed = 1 } = parts;
	const some = parts.tasks.filter(
		(task) => task.chain && injectedFaults[fault].strikes(task, inDependencyOrder(task.chain)).length > 0,
	);
	const player = createPlayer({ protocol, fault, tasks: benchmark.tasks, passages, seed });
	const server = await replyServer((request) => player.reply(request));
	const folder = mkdtempSync(join(tmpdir(), "hopscope-played-"));
	try {
		const name = `played-${fault}`;
		const model = createChatModel(`openai:${name}@${server.url}`);
		const program = join(folder, "program.cjs");
		writeFileSync(program, observedProgram);
		const agent =
			protocol.agent === "observe"
				? externalAgent(`observe:"${process.execPath}" "${program}"`)
				: Object.values(agents).find((one) => one.name === protocol.agent);
		if (!agent) throw new Error(`there is no agent ${protocol.agent}`);
		const setting = settingFor(agent, protocol.setting === undefined ? {} : { name: protocol.setting });
		const only = some.map(({ id }) => id);
		const manifest = planRun({ agent, model, setting, benchmark, knowledge, only });
		const upstream = { model: name, baseUrl: server.url, headers: () => ({}) };
		const run = { dir, manifest, agent, model, benchmark, knowledge, concurrency: 4 };
		for await (const event of executeRun({ ...run, ...(protocol.agent === "observe" ? { upstream } : {}) }))
			if (event.event === "task-end" && event.error) throw new Error(event.error);
		return await attributed({ protocol, fault }, { ...parts, played: player.played() });
	} finally {
		await server.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function attributed(
	{ protocol, fault }: Pick<PlayedRun, "protocol" | "fault">,
	parts: { dir: string; benchmark: Benchmark; knowledge: KnowledgeBase; played: Played[] },
): Promise<PlayedRun> {
	const { dir, benchmark, knowledge, played } = parts;
	const recorded = await openRun(dir);
	const rows = await scoreRun(recorded, benchmark);
	const { tasks } = benchmark;
	const { records } = recorded;
	const found = await diagnoseRecords({ tasks, records, rows, evidence: (id) => knowledge.evidence(id) });
	const shows: Record<string, number> = {};
	for (const { diagnosis } of found) shows[diagnosis.shows] = (shows[diagnosis.shows] ?? 0) + 1;
	const byTask = new Map(records.map((record) => [record.task, record]));
	const sound = played.filter(({ cut }) => !cut);
	const truths = sound.flatMap(({ injected }) => (injected?.is === "struck" ? [{ ...injected.truth, repeat: 0 }] : []));
	const predictions = found.map(({ diagnosis }) => predictionOf(diagnosis));
	return {
		...{ protocol, fault, shows },
		asLogged: await asLogged(sound, { predictions, benchmark, knowledge }),
		attributed: attribute(truths, { tasks, predictions }),
		counts: {
			asked: played.length,
			struck: truths.length,
			missed: sound.filter(({ injected }) => injected?.is === "missed-its-mark").length,
			cut: played.length - sound.length,
		},
		differences: sound.flatMap((one) => {
			const record = byTask.get(one.task.id);
			return record ? differencesOf(one, record.trajectory) : [`${one.task.id}: no record`];
		}),
	};
}

/** The player's log as records of the injected agent, diagnosed: what a protocol's record lacks shows as a difference. */
async function asLogged(
	played: readonly Played[],
	{ predictions, benchmark, knowledge }: { predictions: Prediction[]; benchmark: Benchmark; knowledge: KnowledgeBase },
): Promise<PlayedRun["asLogged"]> {
	const { tasks } = benchmark;
	const records = played.flatMap(({ injected }): RunRecord[] =>
		injected?.is === "struck" ? [{ ...injected.record, repeat: 0 }] : [],
	);
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const rows = records.flatMap(({ task: id, repeat, attempt, trajectory }): ScoreRow[] => {
		const task = byId.get(id);
		const about = { version: 1 as const, task: id, repeat, attempt, scorer: scorerVersion };
		return task ? [{ ...about, ...scoreTrajectory(task, trajectory) }] : [];
	});
	const found = await diagnoseRecords({ tasks, records, rows, evidence: (id) => knowledge.evidence(id) });
	const ofRecord = new Map(predictions.map((prediction) => [prediction.task, prediction]));
	const differing = found.flatMap(({ diagnosis }) => {
		const log = predictionOf(diagnosis);
		const record = ofRecord.get(log.task);
		return record && JSON.stringify(record) !== JSON.stringify(log) ? [{ task: log.task, record, log }] : [];
	});
	return { same: found.length - differing.length, differing };
}

/** A query without the marks around it, which some protocols take for quotes. */
const unmarked = (query: unknown) => String(query).replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "");

/** Where a record differs from what the player asked for, read and answered. */
function differencesOf({ task, injected, searches }: Played, trajectory: Trajectory): string[] {
	const made = trajectory.steps.filter(({ call }) => call?.valid && call.tool === "text_search");
	const differing = searches.slice(0, made.length).flatMap(({ query, read }, place) => {
		const step = made[place];
		const ids = step?.results.map(({ id }) => id) ?? [];
		if (unmarked(step?.call?.arguments.query) !== unmarked(query))
			return [`${task.id}: searched ${step?.call?.arguments.query}, not ${query}`];
		// after the last answer the player reads nothing more
		return ids.join() === read.join() ? [] : [`${task.id}: ${ids.join()} came back, and ${read.join()} was read`];
	});
	if (injected?.is !== "struck") return differing;
	const { answer } = injected.record.trajectory;
	return answer === trajectory.answer
		? differing
		: [...differing, `${task.id}: answered ${trajectory.answer}, not ${answer}`];
}

const percent = (value: number | null, digits = 0) => (value === null ? "–" : (100 * value).toFixed(digits));
const shareOf = ({ value, low, high }: Record<"value" | "low" | "high", number | null>) =>
	`${percent(value, 1)} [${percent(low)}, ${percent(high)}]`;

/** A Markdown table of outcomes by protocol, how much its records show, and fault. */
export function playedTable(runs: readonly PlayedRun[]): string {
	const all = runs.flatMap((run) =>
		run.attributed.map((one) => ({ ...one, protocol: run.protocol.name, shown: Object.keys(run.shows).join(", ") })),
	);
	const of = new Map<Attributed, (typeof all)[number]>(all.map((one) => [one, one]));
	const rows = attributionRows(all, (one) => {
		const { protocol = "", shown = "" } = of.get(one) ?? {};
		return [protocol, shown, one.truth.natural ? "natural-miss" : one.truth.fault];
	});
	const titles = { right: "Named", partly: "Partly", unobserved: "Unobserved", off: "Off", missed: "Missed" };
	return [
		`| Protocol | Shown | Fault | n | ${attributionOutcomes.map((outcome) => titles[outcome]).join(" | ")} |`,
		`| :--- | :--- | :--- | ---: | ${attributionOutcomes.map(() => "---:").join(" | ")} |`,
		...rows.map(
			({ of: keys, records, shares }) =>
				`| ${keys.map((key) => key.replaceAll("-", " ")).join(" | ")} | ${records} | ${attributionOutcomes.map((outcome) => shareOf(shares[outcome])).join(" | ")} |`,
		),
	].join("\n");
}

/** Every kind of mistake with an example, most first. */
export function playedMistakes(runs: readonly PlayedRun[]): string {
	const kinds = new Map<string, { count: number; protocols: Set<string>; example: Attributed }>();
	for (const { protocol, attributed } of runs)
		for (const one of attributed) {
			if (one.outcome === "right") continue;
			const fault = one.truth.natural ? "natural-miss" : one.truth.fault;
			const where = one.said.hop === null ? "no hop" : one.said.hop === one.truth.hop ? "the hop" : "another hop";
			const key = `| ${fault} | ${one.said.kind ?? "nothing"} | ${where} |`.replaceAll("-", " ");
			const kind = kinds.get(key) ?? { count: 0, protocols: new Set(), example: one };
			kind.count += 1;
			kind.protocols.add(protocol.name);
			kinds.set(key, kind);
		}
	const most = [...kinds].sort(([, a], [, b]) => b.count - a.count).slice(0, 20);
	return [
		"| Fault | Said | Of | Records | Protocols | Example |",
		"| :--- | :--- | :--- | ---: | ---: | :--- |",
		...most.map(
			([
				key,
				{
					count,
					protocols,
					example: { task, truth },
				},
			]) =>
				`${key} ${count} | ${protocols.size} | ${task.id}, hop ${truth.hop ?? "–"}: ${truth.did.replaceAll("|", "/")} |`,
		),
	].join("\n");
}
