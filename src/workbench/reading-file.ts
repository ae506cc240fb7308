import { join } from "node:path";
import { type ReaderReport, withReadings } from "#diagnosis";
import { type Diagnosis, HopscopeError, SecondReading, type Task } from "#domain";
import { readAllJsonl } from "#store";

/** Where the readings of a run's second readers stand. */
export const readingsFile = (runDir: string): string => join(runDir, "readings.jsonl");

/** The readings given on a run, none where there is no file; a torn last line is told to `say`. */
export const readReadings = (runDir: string, say: (warning: string) => void): Promise<SecondReading[]> =>
	readAllJsonl(readingsFile(runDir), SecondReading, { onTorn: say, ifThere: true });

/**
 * The diagnoses of a whole run with what the last second reader said of it, where it can be believed; a file that cannot be
 * read costs its verdicts, not the report.
 */
export async function withKnownReadings(
	diagnoses: Diagnosis[],
	{ dir, tasks, say }: { dir: string; tasks: readonly Task[]; say(warning: string): void },
): Promise<{ diagnoses: Diagnosis[]; reader?: ReaderReport }> {
	try {
		const joined = withReadings(diagnoses, { readings: await readReadings(dir, say), tasks });
		return joined ? { diagnoses: joined.diagnoses, reader: joined.told } : { diagnoses };
	} catch (error) {
		if (!(error instanceof HopscopeError)) throw error;
		say(`${error.message}; the diagnosis goes without a second reader`);
		return { diagnoses };
	}
}
