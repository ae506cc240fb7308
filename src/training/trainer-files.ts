import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageFile } from "#domain";
import { writeWhole } from "#store";

/**
 * Programs and configurations for trainers, in languages of their own. They lie beside this source, which the package
 * ships: no build touches them.
 */
const folder = packageFile("src/training/trainer-files");

/** Copies one as it is. */
export async function copyTrainerFile(name: string, file: string): Promise<void> {
	await copyFile(join(folder, name), file);
}

/** Writes one with its `{{places}}` filled in. */
export async function fillTrainerFile(
	name: string,
	file: string,
	values: Readonly<Record<string, string | number>>,
): Promise<void> {
	const text = await readFile(join(folder, name), "utf8");
	const filled = text.replace(/\{\{(\w+)\}\}/g, (_, place: string) => {
		const value = values[place];
		if (value === undefined) throw new RangeError(`${name} has a place for "${place}", and nothing is given`);
		return String(value);
	});
	await writeWhole(file, filled);
}
