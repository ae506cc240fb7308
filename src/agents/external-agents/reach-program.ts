import { type IncomingMessage, request as overPlain } from "node:http";
import { request as overTls } from "node:https";
import { type Child, startChild } from "./child.ts";
import { type Reach, requestOf } from "./job.ts";
import { ProgramFailure, readReport, saidIn } from "./report.ts";
import { linesOf, TooMuch } from "./stream-lines.ts";
import { byValue } from "./work-folder.ts";

/** A request for each task; the steps come back as lines of the answer's body, as soon as they are taken. */
export const overHttp: Reach = async (url, job) => {
	const { session, folder, headers, signal } = job;
	const local = isHere(url);
	const body = JSON.stringify(requestOf(job, { images: await byValue(folder.images), local }));
	const response = await post(url, body, headers, signal).catch((error: Error) => {
		throw new ProgramFailure(`${url} cannot be reached: ${error.message}`);
	});
	try {
		const { statusCode = 0 } = response;
		const lines = linesOf(response);
		if (statusCode !== 200) {
			const { value = "" } = await lines.next();
			throw new ProgramFailure(`${url} answered with status ${statusCode}: ${String(value).slice(0, 200)}`);
		}
		const report = await readReport(lines, session);
		if (!report) throw new ProgramFailure(`${url} ended its answer without a final line`);
		return saidIn(report);
	} catch (error) {
		if (error instanceof TooMuch) throw new ProgramFailure(error.message);
		if ((error as NodeJS.ErrnoException).code === "ECONNRESET") throw new ProgramFailure(`${url} broke off its answer`);
		throw error;
	} finally {
		response.destroy();
	}
};

/** On this machine, from where the gateway can be reached. */
const isHere = (url: string) => /^(localhost|127\.[\d.]+|\[::1\])$|\.localhost$/i.test(new URL(url).hostname);

/** Without `fetch`, which gives up when nothing is said for five minutes; redirects are not followed. */
function post(
	url: string,
	body: string,
	headers: Record<string, string>,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	const send = url.startsWith("https:") ? overTls : overPlain;
	return new Promise((resolve, reject) => {
		const fixed = { "content-type": "application/json", accept: "application/x-ndjson" };
		const request = send(url, { method: "POST", headers: { ...headers, ...fixed }, signal, agent: false }, resolve);
		request.on("error", reject);
		request.end(body);
	});
}

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
