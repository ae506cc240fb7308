/** What the tables of a comparison are headed by. */
import type { Column } from "../views/view.ts";
import { metricWords } from "../wording.ts";

export const column = (
	key: string,
	title: string,
	unit: Column["unit"] = "text",
	more: Partial<Column> = {},
): Column => ({
	...{ key, title, unit },
	...more,
});

/** A score as tables call it; by its own name where they have no word for it. */
export const metricName = (metric: string): string =>
	Object.hasOwn(metricWords, metric) ? metricWords[metric as keyof typeof metricWords].heading : metric;
