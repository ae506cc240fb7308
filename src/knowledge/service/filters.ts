import type { Filter } from "../query.ts";
import { noFilter } from "./http.ts";

/** The fields that must have one of some values; a filter that no field is named for is an error. */
export function filtersOf(
	filter: Filter | undefined,
	fields: { document?: string | string[] | undefined; language?: string | string[] | undefined },
	from: string,
): { field: string; values: string[] }[] {
	if (filter?.form !== undefined) throw noFilter(from);
	return (["document", "language"] as const).flatMap((name) => {
		const values = filter?.[name];
		if (values === undefined) return [];
		const [field] = [fields[name] ?? []].flat();
		if (field === undefined) throw noFilter(from);
		return [{ field, values: [values].flat() }];
	});
}
