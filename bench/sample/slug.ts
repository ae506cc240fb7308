import { unaccented } from "#recipes";

/** A name as part of an id: lower case, unaccented, hyphens. */
export const slugOf = (name: string) =>
	unaccented(name)
		.toLowerCase()
		.replace(/['.]/g, "")
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-|-$/g, "");
