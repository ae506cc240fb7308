import { z } from "zod";
import { Evidence, freeObject, type Source, Task, topologyOf } from "#domain";
import { parseLine } from "#store";
import type { Format, Written } from "./format.ts";
import { type ColumnType, writeParquet } from "./parquet-columns.ts";
import { evidenceToWrite, textOf } from "./passage.ts";
import { readingOf } from "./reading.ts";
import { type BrokenRow, type Row, readRows } from "./rows.ts";

const TaskRow = freeObject({ task: z.string() });
const EvidenceRow = freeObject({ evidence: z.string() });

const name = "parquet";
const source: Source = {
	name: "Hopscope benchmark",
	licence: "as the benchmark states",
	attribution: "as the benchmark states",
};

const taskColumns: Record<string, ColumnType> = {
	id: "string",
	question: "string",
	answer: "string",
	accepted: { list: "string" },
	answer_type: "string",
	topology: "string",
	hops: "integer",
	language: "string",
	task: "string",
};
const evidenceColumns: Record<string, ColumnType> = {
	id: "string",
	kind: "string",
	title: "string",
	text: "string",
	evidence: "string",
};

/** Our own tasks and evidence in columns that any table tool reads, whole records beside them as JSON. */
export const parquet: Format = {
	name,
	title: "Hopscope in Parquet",
	files: "tasks.parquet, with evidence.parquet for the documents",
	verified: "files",
	source,
	conventions: { pages: 0, boxes: "[x0, y0, x1, y1], pixels of images, points of pages" },
	losses: [{ field: "images", why: "pictures stand in files of their own, which are not written" }],
	async read(files, options = {}) {
		const tasks: (Row | BrokenRow)[] = [];
		const evidence = new Map<string, Evidence>();
		for await (const row of readRows(files, options.signal ? { signal: options.signal } : {})) {
			const held = "value" in row ? EvidenceRow.safeParse(row.value).data : undefined;
			const parsed = held === undefined ? undefined : parseLine(held.evidence, Evidence);
			if (!parsed) tasks.push(row);
			else if ("problem" in parsed) tasks.push({ ...row, reason: `its evidence: ${parsed.problem}` });
			else if (evidence.has(parsed.value.id))
				tasks.push({ ...row, reason: `another evidence is called "${parsed.value.id}"` });
			else evidence.set(parsed.value.id, parsed.value);
		}
		const reading = await readingOf(tasks, {
			schema: TaskRow,
			source,
			read: ({ task: text }) => {
				const parsed = parseLine(text, Task);
				if ("problem" in parsed) return { refused: `its task: ${parsed.problem}` };
				if (parsed.value.images.length > 0)
					return {
						refused: "its images are not in the file; import the benchmark's folder instead",
						id: parsed.value.id,
					};
				return { tasks: [parsed.value] };
			},
		});
		return { ...reading, evidence: [...evidence.values()].sort((a, b) => (a.id < b.id ? -1 : 1)) };
	},
	async write(content, dir) {
		const losses: string[] = [];
		const rows = content.tasks.map((task) => {
			if (task.images.length > 0) losses.push(`${task.id}: its ${task.images.length} images are named, not written`);
			return {
				...{ id: task.id, question: task.question, answer: task.answer.value, accepted: task.answer.accepted },
				...{ answer_type: task.answer.type, topology: task.chain ? topologyOf(task.chain) : null },
				...{ hops: task.chain?.hops.length ?? null, language: task.tags.language, task: JSON.stringify(task) },
			};
		});
		await writeParquet(`${dir}/tasks.parquet`, taskColumns, rows);
		const evidence = await evidenceRows(content, losses);
		if (evidence.length > 0) await writeParquet(`${dir}/evidence.parquet`, evidenceColumns, evidence);
		return {
			files: ["tasks.parquet", ...(evidence.length > 0 ? ["evidence.parquet"] : [])],
			rows: rows.length,
			losses,
		};
	},
};

async function evidenceRows(content: Written, losses: string[]): Promise<Record<string, unknown>[]> {
	const rows: Record<string, unknown>[] = [];
	for await (const one of evidenceToWrite(content, { warn: (what) => losses.push(what) }))
		rows.push({ id: one.id, kind: one.kind, title: one.title, text: textOf(one), evidence: JSON.stringify(one) });
	return rows;
}
