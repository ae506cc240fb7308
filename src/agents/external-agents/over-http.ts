import { type IncomingMessage, request as overPlain } from "node:http";
import { request as overTls } from "node:https";
import { type Reach, requestOf } from "./job.ts";
import { linesOf, TooMuch } from "./lines.ts";
import { ProgramFailure } from "./program-failure.ts";
import { readReport } from "./reported.ts";
import { saidIn } from "./final-reply.ts";
import { byValue } from "./work-folder.ts";

/** A request for each task; the steps come back as lines of the answer's body, as soon as they are taken. */
export const overHttp: Reach = async (url, job) => {
	const { session, folder, headers, signal } = job;
	const local = isHere(url);
	const body = JSON.stringify(requestOf(job, { images: await byValue(folder.images), local }));
	const response = await post(url, { body, headers, signal }).catch((error: Error) => {
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
	{ body, headers, signal }: { body: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<IncomingMessage> {
	const send = url.startsWith("https:") ? overTls : overPlain;
	return new Promise((resolve, reject) => {
		const fixed = { "content-type": "application/json", accept: "application/x-ndjson" };
		const request = send(url, { method: "POST", headers: { ...headers, ...fixed }, signal, agent: false }, resolve);
		request.on("error", reject);
		request.end(body);
	});
}
