import type { Task } from "#domain";

/** Fields of a released record as a task keeps them: under the name of the format that they belong to. */
export type NativeFields = NonNullable<Task["native"]>;

/** The fields to be kept, named for their format; values that JSON has no word for are left out. */
export function nativeFields(format: string, fields: Record<string, unknown>): { native: NativeFields } {
	return { native: { format, ...(JSON.parse(JSON.stringify(fields)) as NativeFields) } };
}

/** The kept fields of a task that came from this format; none where it came from elsewhere. */
export function nativeOf(task: Pick<Task, "native">, format: string): NativeFields | undefined {
	if (task.native?.format !== format) return undefined;
	const { format: _format, ...fields } = task.native;
	return fields;
}
