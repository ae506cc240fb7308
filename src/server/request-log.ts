import { openAppender } from "#store";

/** One request in the log: enough to ask it again and to compare the answers. */
export interface LogEntry {
	/** ISO 8601, when the request came. */
	time: string;
	route: string;
	/** HTTP status; 499 when the client went away before the answer. */
	status: number;
	ms: number;
	/** Hash of the index that answered. */
	hash: string;
	/** What was searched, and the ids and scores of each list; a query that failed has its error's code. */
	searches: { query: object; results?: [id: string, score: number][]; error?: string }[];
	error?: string;
	/** What else a route notes, e.g. the episode, and the move that was made. */
	[more: string]: unknown;
}

export interface RequestLog {
	write(entry: LogEntry): void;
	close(): Promise<void>;
}

/** Appends to a JSON-lines file. A disk that is full does not stop the serving; `onProblem` hears of it, once. */
export async function openRequestLog(file: string, onProblem: (message: string) => void): Promise<RequestLog> {
	const appender = await openAppender(file, { flush: false });
	let failing = false;
	return {
		write(entry) {
			appender.append(entry).catch((error: unknown) => {
				if (!failing) onProblem(`the request log cannot be written: ${(error as Error).message}`);
				failing = true;
			});
		},
		close: () => appender.close(),
	};
}
