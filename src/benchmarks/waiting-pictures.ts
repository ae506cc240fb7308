import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJsonl } from "#store";
import { WaitingPicture } from "./formats/format.ts";

/** Beside the tasks: what is known of evidence whose picture is not attached yet. */
export const pendingName = "pending.jsonl";

/** The evidence of a benchmark's folder that waits for its picture. */
export async function waitingPictures(dir: string): Promise<WaitingPicture[]> {
	const file = join(dir, pendingName);
	const waiting: WaitingPicture[] = [];
	if (existsSync(file)) for await (const one of readJsonl(file, WaitingPicture)) waiting.push(one);
	return waiting;
}
