import { sha256 } from "#store";

/** The id of a task whose source names none: by what it says, so that it is the same in every file. */
export function taskName(format: string, ...said: string[]): string {
	return `${format}-${sha256(JSON.stringify(said)).slice(0, 12)}`;
}
