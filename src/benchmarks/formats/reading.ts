import type { z } from "zod";
import { chainProblems, Evidence, type Source, Task } from "#domain";
import { clustered } from "./clusters.ts";
import type { Media, Reading, Refusal, WaitingPicture } from "./format.ts";
import type { BrokenRow, Row } from "./rows.ts";

/** What one row became: tasks with the evidence they came with, or nothing, and why. */
export type ReadRow =
	| { refused: string; id?: string }
	| {
			/** None where the row holds evidence alone. */
			tasks: TaskInput[];
			evidence?: Evidence[];
			media?: Media[];
			waiting?: WaitingPicture[];
			/** Conversion warnings: what was not carried over or was assumed; each is told behind the id of the row's first task. */
			losses?: string[];
	  };
export type TaskInput = z.input<typeof Task>;

/** A kind of row that a format reads. */
export interface RowReader<Record> {
	schema: z.ZodType<Record>;
	source: Source;
	/** A row that says the same as one before it is kept under an id of its own and told; else it is refused. */
	repeats?: "kept";
	read(record: Record, at: Row): ReadRow | Promise<ReadRow>;
}

/**
 * Reads rows with one reader. A row that does not fit the schema, that the reader refuses or whose id was taken is a
 * refusal; a chain that is no graph with one sink is left out of its task and told as a conversion warning.
 */
export async function readingOf<Record>(
	rows: AsyncIterable<Row | BrokenRow> | Iterable<Row | BrokenRow>,
	{ schema, source, repeats, read }: RowReader<Record>,
): Promise<Reading> {
	const tasks = new Map<string, Task>();
	const evidence = new Map<string, Evidence>();
	const media = new Map<string, Media>();
	const waiting = new Map<string, WaitingPicture>();
	const refused: Refusal[] = [];
	const losses: string[] = [];
	let count = 0;
	for await (const row of rows) {
		count += 1;
		const { file, row: number } = row;
		const refuse = (reason: string, id?: string) =>
			refused.push({ file, row: number, reason, ...(id === undefined ? {} : { id }) });
		if ("reason" in row) {
			refuse(row.reason);
			continue;
		}
		if (isDeeper(row.value, mostDepth)) {
			refuse(`lists and fields within one another to more than ${mostDepth} levels`);
			continue;
		}
		const parsed = schema.safeParse(row.value);
		if (!parsed.success) {
			refuse(problemOf(parsed.error), namedId(row.value));
			continue;
		}
		const made = await read(parsed.data, row);
		if ("refused" in made) {
			refuse(made.refused, made.id ?? namedId(row.value));
			continue;
		}
		if (repeats === "kept") {
			for (const task of made.tasks) {
				const first = task.id;
				for (let place = 2; tasks.has(task.id); place += 1) task.id = `${first}-${place}`;
				if (task.id !== first) losses.push(`${task.id}: says the same as ${first}: kept as a task of its own`);
			}
		}
		const checked = made.tasks.map((task) => Task.safeParse(task));
		const failed = checked.find((one) => !one.success)?.error;
		const taken = made.tasks.find(({ id }) => tasks.has(id))?.id;
		if (failed || taken !== undefined) {
			refuse(failed ? problemOf(failed) : "another row has the same id", made.tasks[0]?.id);
			continue;
		}
		const wrong = (made.evidence ?? []).map((one) => evidenceProblem(one, evidence)).find((one) => one !== undefined);
		if (wrong !== undefined) {
			refuse(wrong, made.tasks[0]?.id);
			continue;
		}
		for (const { data } of checked) {
			if (!data) continue;
			const { task, warning } = withSoundChain(data);
			tasks.set(task.id, task);
			if (warning !== undefined) losses.push(warning);
		}
		for (const one of made.evidence ?? []) if (!evidence.has(one.id)) evidence.set(one.id, one);
		for (const one of made.media ?? []) media.set(`${one.in}/${one.to}`, one);
		for (const one of made.waiting ?? []) waiting.set(one.id, one);
		const id = made.tasks[0]?.id ?? `row ${number}`;
		for (const warning of made.losses ?? []) losses.push(`${id}: ${warning}`);
	}
	return {
		tasks: clustered([...tasks.values()]),
		evidence: [...evidence.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
		media: [...media.values()],
		waiting: [...waiting.values()].filter(({ id }) => !evidence.has(id)),
		rows: count,
		refused,
		losses,
		source,
	};
}

/** Records nested deeper do not occur; such a one would break whatever walks through it. */
const mostDepth = 100;

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
	return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Why an evidence cannot be kept: it is none, or another one was read under its id. */
function evidenceProblem(one: Evidence, known: ReadonlyMap<string, Evidence>): string | undefined {
	const before = known.get(one.id);
	if (before)
		return before.sha256 === one.sha256 ? undefined : `another evidence "${one.id.slice(0, 100)}" says something else`;
	const checked = Evidence.safeParse(one);
	return checked.success ? undefined : `its evidence "${one.id.slice(0, 100)}" ${problemOf(checked.error)}`;
}

function withSoundChain(task: Task): { task: Task; warning?: string } {
	const [problem] = chainProblems(task);
	if (!problem) return { task };
	const { chain: _chain, ...rest } = task;
	return { task: rest, warning: `${problem.message.replace(/^task /, "")}: kept without a chain` };
}

/** The first thing that does not fit, and where. */
export function problemOf(error: z.ZodError): string {
	const issue = error.issues[0];
	const where = issue && issue.path.length > 0 ? `at ${issue.path.join(".")}: ` : "";
	return `${where}${issue?.message ?? "does not fit"}`;
}

/** What a row that was not understood calls itself. */
function namedId(value: unknown): string | undefined {
	if (typeof value !== "object" || value === null) return undefined;
	for (const name of ["_id", "id", "uid", "qid", "idx", "question_id"]) {
		const id: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
		if (typeof id === "number" || (typeof id === "string" && id !== "")) return `${id}`.slice(0, 200);
	}
	return undefined;
}
