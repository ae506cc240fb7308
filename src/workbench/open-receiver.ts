import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { otlpRequest } from "#benchmarks";
import { trackWork } from "#domain";
import { openAppender } from "#store";
import { type ImportedTranscripts, importTranscriptFiles, mustBeFree } from "./import-transcripts.ts";
import type { Bench } from "./work.ts";

export interface ReceivedOptions {
	/** Of the file, the benchmark, the knowledge base and the run. */
	name: string;
	/** Milliseconds of quiet after which the run is brought up to date. */
	quiet: number;
	/** Hears what came, and what became of it. */
	onEvent(event: ReceivedEvent): void;
}

export type ReceivedEvent =
	| { event: "spans"; spans: number; traces: number; all: { spans: number; traces: number } }
	| { event: "run"; made: ImportedTranscripts }
	| { event: "problem"; message: string };

export interface Receiver {
	file: string;
	/** Resolves when what a request brought is on disk. */
	keep(bytes: Buffer, of: { protobuf: boolean }): Promise<{ spans: number } | { problem: string } | { full: number }>;
	/** Brings the run up to date and lets go of the file. */
	close(): Promise<void>;
}

/** As much as one import reads. */
const mostBytes = 1024 * 1024 * 1024;
/** Ids of traces that are told apart in what is said. */
const mostTraces = 1_000_000;

/**
 * Keeps what comes by OTLP in the workspace, one request a line, and makes a run of it that is brought up to date when
 * nothing came for a while. What was kept under the name before is gone on with.
 */
export async function openReceiver({ name, quiet, onEvent }: ReceivedOptions, bench: Bench): Promise<Receiver> {
	const { workspace } = bench;
	const file = workspace.traces(name);
	await mustBeFree({ workspace, name, id: name, force: existsSync(file) }, "Choose another --name.");
	const appender = await openAppender(file);
	const traces = new Set<string>();
	let { size } = await stat(file);
	let spans = 0;
	let isBehind = size > 0;
	let timer: NodeJS.Timeout | undefined;
	let importing: Promise<void> = Promise.resolve();
	const work = trackWork(file);

	/** One after the other; the last one after Ctrl-C too, which ends the receiving and loses nothing. */
	function bringUp(): Promise<void> {
		importing = importing.then(async () => {
			if (!isBehind) return;
			isBehind = false;
			const unhurried = { ...bench, signal: new AbortController().signal };
			try {
				const made = await importTranscriptFiles([file], "otlp", { name, run: name, force: true }, unhurried);
				onEvent({ event: "run", made });
			} catch (error) {
				onEvent({ event: "problem", message: (error as Error).message });
			}
		});
		return importing;
	}

	async function keep(...[bytes, of]: Parameters<Receiver["keep"]>): ReturnType<Receiver["keep"]> {
		if (size >= mostBytes) return { full: size };
		let read: ReturnType<typeof otlpRequest>;
		try {
			read = otlpRequest(bytes, of);
		} catch (error) {
			return { problem: (error as Error).message };
		}
		if (read.spans === 0) return { spans: 0 };
		await appender.append(read.request);
		size = (await stat(file)).size;
		isBehind = true;
		for (const trace of read.traces) if (traces.size < mostTraces) traces.add(trace);
		spans += read.spans;
		onEvent({
			...{ event: "spans", spans: read.spans, traces: read.traces.length },
			all: { spans, traces: traces.size },
		});
		clearTimeout(timer);
		timer = setTimeout(bringUp, quiet);
		return { spans: read.spans };
	}

	return {
		file,
		keep: (bytes, of) => work.run(() => keep(bytes, of)),
		// a request that is cut off is still kept, and would set the clock again
		close: () =>
			work.close(async () => {
				clearTimeout(timer);
				await bringUp();
				await appender.close();
			}),
	};
}
