import { usageError } from "#domain";
import type { Conventions, ConventionsRow } from "./conventions-row.ts";
import { rows } from "./conventions-table.ts";

/** Conventions by a model's name, a folder's path or a hub's id; undefined when no row knows it. */
export function conventionsFor(name: string): Conventions | undefined {
	// The last part of the name says most; a folder may be called `onnx` and its parent like the model.
	for (const part of name.split(/[/\\]/).filter(Boolean).slice(-2).reverse()) {
		const plain = plainName(part);
		let best: { row: ConventionsRow; model: string } | undefined;
		for (const row of rows)
			for (const model of Object.keys(row.models)) {
				if (!plain.includes(plainName(model))) continue;
				// "gte-base-en-v1.5" holds "gte-base" too: the longest name is meant.
				if (!best || plainName(model).length > plainName(best.model).length) best = { row, model };
			}
		if (best) return conventionsOf(best.row, best.model);
	}
	return undefined;
}

/** The row with this id, as a user names it. */
export function conventionsById(id: string): Conventions {
	const row = rows.find((one) => one.id === id);
	if (row) return conventionsOf(row);
	throw usageError(
		"unknown-conventions",
		`"${id.slice(0, 80)}" names no conventions`,
		`Known: ${rows.map((one) => one.id).join(", ")}.`,
	);
}

function conventionsOf(row: ConventionsRow, model?: string): Conventions {
	const { id, models, shortens, text, image, served, pages } = row;
	const own = model === undefined ? undefined : models[model];
	return {
		id,
		...(own && { dimensions: own.dimensions }),
		...(shortens && { shortens }),
		...(text && { text: { ...text, maxTokens: own?.maxTokens ?? text.maxTokens } }),
		...(image && { image: { ...image, size: own?.imageSize ?? image.size } }),
		...(served && { served }),
		...(pages && { pages }),
	};
}

/** `bge-small-en-v1.5` and `bge_small_en_v15` are the same model. */
const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
