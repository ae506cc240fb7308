import { type Child, startChild } from "./child.ts";
import { type Reach, requestOf } from "./job.ts";
import { linesOf, TooMuch } from "./lines.ts";
import { ProgramFailure } from "./program-failure.ts";
import { readReport } from "./reported.ts";
import { saidIn } from "./final-reply.ts";

/** How long a program may go on after its final line, and after it has closed its output. */
const patience = 2000;

/** A process for each task: the request as one line on its standard input, its steps on its standard output. */
export const overStreams: Reach = async (command, job) => {
	const { session, folder, environment, signal } = job;
	const request = requestOf(job, { images: folder.images, local: true });
	const child = startChild(command, { environment, input: `${JSON.stringify(request)}\n`, signal });
	try {
		const report = await readReport(linesOf(child.stdout), session);
		if (report) return saidIn(report);
		throw new ProgramFailure(`it ended without a final line${await ending(child)}`);
	} catch (error) {
		throw error instanceof ProgramFailure || error instanceof TooMuch ? withErrors(error.message, child) : error;
	} finally {
		await child.close({ patience: signal.aborted ? 0 : patience });
	}
};

/** How a program that has closed its output ended, for the end of a sentence. */
export async function ending(child: Child): Promise<string> {
	await child.close({ patience });
	const how = await child.ended;
	return how === undefined ? "" : `: ${how}`;
}

/** With what the program said on standard error, where people look first: from the last line that names a fault on. */
export function withErrors(message: string, child: Child): ProgramFailure {
	const said = child.errors();
	if (said === "") return new ProgramFailure(message);
	const lines = said.split("\n");
	const telling = lines.findLastIndex((line) =>
		/^\S.*(error|exception|fatal|not found|cannot|failed|killed)/i.test(line),
	);
	const shown = telling === -1 ? said.slice(-250) : lines.slice(telling).join("\n").slice(0, 250);
	return new ProgramFailure(`${message.slice(0, 200)}; standard error: ${shown.trim()}`);
}
