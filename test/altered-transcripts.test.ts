/**
 * Values altered in recorded transcripts: an agent of somebody else's that knows nothing of the diagnosis. Bamboogle has
 * no gold chains, so a chain of two hops is made of a transcript's own first two searches where its judge calls the answer
 * right: the first hop's value is the name that the first search brought and that stands in the second query but neither
 * in the question nor in the first query; its evidence are the results that hold it. The second hop's value is the
 * answer, its evidence the results of the second search that hold it. Then that value is replaced, in all that the agent
 * wrote after it had read it, by another name or figure of the same results, or by a made-up name. What came back stays.
 */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { importTranscripts } from "#benchmarks";
import { attribute, attributionRows, diagnoseRecords, predictionOf } from "#diagnosis";
import { type Passage, type RunRecord, Task, type TruthLine } from "#domain";
import { scorerVersion, scoreTrajectory } from "#scoring";

const file = "../shared/data/trajectories/r1searcher_bamboogle_qwen.jsonl";
const madeUp = ["Orlando Vexley", "Kerstania", "Belquist", "Hestrade Marlow"];

interface Chained {
	task: Task;
	record: RunRecord;
	/** Values of the two hops, and what came back for each. */
	values: [string, string];
	texts: [string, string];
}

const names = (text: string) =>
	[...text.matchAll(/\p{Lu}[\p{L}'’-]+(?:(?: (?:of|the|de|von|van))* \p{Lu}[\p{L}'’.-]*)*/gu)].map(([name]) =>
		name.replace(/[.'’]s?$/, ""),
	);
const holds = (text: string, value: string) => text.toLowerCase().includes(value.toLowerCase());

function chained(task: Task, record: RunRecord, passages: ReadonlyMap<string, Passage>): Chained[] {
	const [first, second] = record.trajectory.steps.filter(({ call }) => call?.valid);
	const answer = record.trajectory.answer?.trim();
	if (!first || !second || !answer) return [];
	const textOf = (id: string) => `${passages.get(id)?.title} ${passages.get(id)?.text}`;
	const holding = (step: typeof first, value: string) =>
		step.results.flatMap(({ id }) => (holds(textOf(id), value) ? [id] : []));
	const queries = [first, second].map(({ call }) => String(call?.arguments.query));
	const [asked = "", then = ""] = queries;
	const value = names(`- ${then}`).find(
		(name) => !holds(task.question, name) && !holds(asked, name) && holding(first, name).length > 0,
	);
	if (value === undefined || holds(value, answer) || holding(second, answer).length === 0) return [];
	const string = (text: string, more: string[] = []) => ({ type: "string", value: text, accepted: [text, ...more] });
	const text = { modality: "text" };
	return [
		{
			task: Task.parse({
				...task,
				answer: string(answer, task.answer.accepted),
				chain: {
					hops: [
						{ ...text, id: "h1", question: asked, evidence: holding(first, value), answer: string(value) },
						{
							...{ ...text, id: "h2", question: then, evidence: holding(second, answer) },
							...{ needs: [{ hop: "h1", role: "bridge" }], answer: string(answer, task.answer.accepted) },
						},
					],
					sink: "h2",
				},
			}),
			record,
			values: [value, answer],
			texts: [first, second].map(({ results }) => results.map(({ id }) => textOf(id)).join("\n")) as [string, string],
		},
	];
}

/** Another value of the same results: a figure for a figure, a name of as many words for a name. */
function another({ task, values, texts }: Chained, hop: 0 | 1): string | undefined {
	const value = values[hop];
	const written = /^\d{4}$/.test(value)
		? [...texts[hop].matchAll(/\b1\d{3}\b/g)].map(([year]) => year)
		: names(texts[hop]);
	return written.find(
		(other) =>
			(/^\d/.test(other) || other.split(" ").length >= 2) &&
			!values.some((one) => holds(one, other) || holds(other, one)) &&
			!holds(task.question, other),
	);
}

/** The record with a value replaced in all that the agent wrote after its n-th search. */
function altered(record: RunRecord, { from, by, after }: { from: string; by: string; after: number }): RunRecord {
	const replaced = (text: string) =>
		text.replaceAll(new RegExp(from.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "gi"), by);
	let searches = 0;
	const { steps, answer } = record.trajectory;
	const written = steps.map((step) => {
		const later = searches >= after;
		if (step.call?.valid) searches += 1;
		if (!later) return step;
		const query = step.call?.arguments.query;
		return {
			...step,
			...(step.thought === undefined ? {} : { thought: replaced(step.thought) }),
			...(step.call && typeof query === "string"
				? { call: { ...step.call, arguments: { ...step.call.arguments, query: replaced(query) } } }
				: {}),
		};
	});
	return {
		...record,
		trajectory: {
			...record.trajectory,
			steps: written,
			answer: answer === null ? null : replaced(answer),
			messages: [],
		},
	};
}

test.skipIf(!existsSync(file))("values altered in recorded transcripts are attributed", async () => {
	const { tasks, passages, records, judged } = await importTranscripts(file, "r1-searcher");
	const right = new Set(judged.flatMap(({ task, said }) => (said === "True" ? [task] : [])));
	const byId = new Map(passages.map((passage) => [passage.id, passage]));
	const all = records.flatMap((record, at) => {
		const task = tasks[at];
		return task && right.has(task.id) ? chained(task, record, byId) : [];
	});
	expect(all.length).toBeGreaterThan(15);
	const made: { record: RunRecord; truth: TruthLine }[] = [];
	const add = (one: Chained, record: RunRecord, truth: Pick<TruthLine, "fault" | "hop" | "expected" | "value">) => {
		const repeat = made.filter(({ truth: { task } }) => task === one.task.id).length;
		const key = { version: 1 as const, task: one.task.id, repeat };
		const about = { observability: "thought" as const, style: "keyword" as const, language: "en" };
		made.push({
			record: { ...record, ...key },
			truth: { ...key, ...about, did: truth.value ?? "nothing", natural: false, also: [], ...truth },
		});
	};
	for (const [place, one] of all.entries()) {
		add(one, one.record, {
			fault: "none",
			hop: null,
			expected: [],
			value: null,
		});
		for (const hop of [0, 1] as const) {
			const by = another(one, hop);
			const change = (value: string) => altered(one.record, { from: one.values[hop], by: value, after: hop + 1 });
			const at = hop === 0 ? "h1" : "h2";
			if (by !== undefined) {
				const record = change(by);
				const wrote = JSON.stringify(record.trajectory.steps.map(({ thought, call }) => [thought, call]));
				expect(holds(wrote + record.trajectory.answer, by)).toBe(true);
				add(one, record, { fault: "misread", hop: at, expected: ["misread"], value: by });
			}
			const invented = madeUp[place % madeUp.length] ?? "";
			if (!/\d/.test(one.values[hop]))
				add(one, change(invented), {
					fault: "hallucinated-entity",
					hop: at,
					expected: ["unsupported"],
					value: invented,
				});
		}
	}
	const chains = all.map(({ task }) => task);
	const own = made.map(({ record }) => record);
	const rows = own.flatMap(({ task: id, repeat, attempt, trajectory }) => {
		const task = chains.find((other) => other.id === id);
		if (!task) return [];
		const scored = scoreTrajectory(task, trajectory);
		return [{ version: 1 as const, task: id, repeat, attempt, scorer: scorerVersion, ...scored }];
	});
	const found = await diagnoseRecords({ tasks: chains, records: own, rows, evidence: async (id) => byId.get(id) });
	const attributed = attribute(
		made.map(({ truth }) => truth),
		{ tasks: chains, predictions: found.map(({ diagnosis }) => predictionOf(diagnosis)) },
	);
	expect(attributed).toHaveLength(made.length);
	const table = attributionRows(attributed, ({ truth }) => [truth.fault, truth.hop ?? "-"]);
	process.stderr.write(
		[
			`${all.length} transcripts, ${made.length} records`,
			...table.map(
				({ of, records: n, shares }) =>
					`${of.join(" ")}: n ${n}, ${Object.entries(shares)
						.map(([name, { count }]) => `${name} ${count}`)
						.join(", ")}`,
			),
		]
			.join("\n")
			.concat("\n"),
	);
});
