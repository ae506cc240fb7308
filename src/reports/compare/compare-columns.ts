/** What the tables of a comparison are headed by. */
import type { Column } from "../views/view.ts";

export const column = (
	key: string,
	title: string,
	unit: Column["unit"] = "text",
	more: Partial<Column> = {},
): Column => ({
	...{ key, title, unit },
	...more,
});
