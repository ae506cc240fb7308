import { join } from "node:path";
import { z } from "zod";
import { usageError, Verdict } from "#domain";
import { readAllJsonl } from "#store";

/** Where a run's verdicts stand. */
export const verdictsFile = (runDir: string): string => join(runDir, "verdicts.jsonl");

/** Lines of the first form knew one rubric and one prompt, which no judge is asked by any more. */
const Line = z.union([Verdict, z.object({ version: z.literal(1) })]);

/** The verdicts given on a run, none where there is no file; a torn last line is told to `say`. */
export async function readVerdicts(runDir: string, say: (warning: string) => void): Promise<Verdict[]> {
	const file = verdictsFile(runDir);
	return (await readAllJsonl(file, Line, { onTorn: say, ifThere: true })).map((line) => {
		if (line.version === 2) return line;
		throw usageError(
			"old-verdicts",
			`${file} holds verdicts of version 1, by a prompt that is asked no more`,
			"Rename or remove the file and judge again; cached responses are not paid for again where the prompt is the same.",
			{ facts: { file } },
		);
	});
}
