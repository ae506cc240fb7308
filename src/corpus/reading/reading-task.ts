import type { SourceFile } from "../find-files.ts";
import type { Plan, ReadingOptions } from "../reader.ts";
import { readerNamed } from "../readers.ts";
import { type ReadingPlace, type Reporting, readUnit, type UnitReport } from "./read-unit.ts";
import type { Unit } from "./unit.ts";

/** What can be done here or in a process of its own: planned or read. */
export type ReadingTask =
	| { do: "plan"; tool: string; file: SourceFile; options: ReadingOptions }
	| { do: "read"; unit: Unit; place: ReadingPlace; skip?: [page: number, reason: string][] };

export type TaskValue<T extends ReadingTask> = T extends { do: "plan" } ? Plan : UnitReport;

export async function run<T extends ReadingTask>(task: T, how: Reporting = {}): Promise<TaskValue<T>> {
	if (task.do === "read")
		return (await readUnit(task.unit, task.place, {
			...how,
			...(task.skip ? { skip: new Map(task.skip) } : {}),
		})) as TaskValue<T>;
	const plan = await readerNamed(task.tool).plan?.(task.file, task.options);
	return (plan ?? { parts: [] }) as TaskValue<T>;
}
