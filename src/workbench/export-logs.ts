import { resolve } from "node:path";
import { attemptKey, type Evidence, remembering, usageError } from "#domain";
import type { InspectWritten, LoggedRun, OtlpProtocol } from "#logs";
import { batchesOf, headersFrom, sendTraces, tracesAddress, writeInspectLog } from "#logs";
import { writeJsonl } from "#store";
import { openForReport, whyNoKnowledge } from "./open.ts";
import type { Bench } from "./work.ts";

export interface OtlpOptions {
	/** An OTLP endpoint; with neither it nor `output` that of OTEL_EXPORTER_OTLP_ENDPOINT. */
	to?: string | undefined;
	/** A file of OTLP JSON, one request a line. */
	output?: string | undefined;
	/** `NAME=VALUE` each, beside those of OTEL_EXPORTER_OTLP_HEADERS. */
	header?: string[] | undefined;
	protocol?: OtlpProtocol | undefined;
	/** How long a receiver that fails is borne with, in milliseconds. */
	retryFor?: number | undefined;
}

/** What was written or sent. */
export interface OtlpExported {
	run: string;
	answers: number;
	spans: number;
	requests: number;
	/** Spans that the receiver did not take, and what it said. */
	rejected: number;
	said?: string;
	to: string;
}

/** Writes a run as OTLP traces, or sends it to a collector. */
export async function exportOtlp(name: string, options: OtlpOptions, bench: Bench): Promise<OtlpExported> {
	const { environment, signal } = bench;
	const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = environment;
	const { output, to = output === undefined ? endpoint : undefined, retryFor } = options;
	if (output !== undefined && options.to !== undefined)
		throw usageError("usage", "-o and --to are given", "A run is written to a file or sent: choose one.");
	if (output === undefined && to === undefined)
		throw usageError(
			"usage",
			"neither a file nor a receiver is named",
			"Give -o FILE.jsonl, or --to http://HOST:4318.",
		);
	const protocol = options.protocol ?? "http/protobuf";
	const receiver =
		to === undefined
			? undefined
			: { url: tracesAddress(to), headers: headersFrom(options.header ?? [], headers), protocol };
	return withLoggedRun(name, bench, async (run) => {
		const made = { run: run.manifest.id, answers: 0, spans: 0, requests: 0, rejected: 0, to: receiver?.url ?? "" };
		const progress = bench.progress(receiver ? "sending" : "writing");
		async function* requests() {
			for await (const { request, spans, answers } of batchesOf(run)) {
				signal.throwIfAborted();
				yield request;
				made.answers += answers;
				made.spans += spans;
				made.requests += 1;
				progress.update(made.answers, run.answers.length);
			}
		}
		try {
			if (receiver === undefined) {
				const file = resolve(output ?? "");
				await writeJsonl(file, requests());
				return { ...made, to: file };
			}
			const said = new Set<string>();
			for await (const request of requests()) {
				const partial = await sendTraces(request, receiver, { signal, retryFor });
				made.rejected += partial?.rejected ?? 0;
				if (partial && partial.message !== "") said.add(partial.message);
			}
			return { ...made, ...(said.size > 0 ? { said: [...said].slice(0, 3).join("; ") } : {}) };
		} finally {
			progress.end();
		}
	});
}

/** What was written of a run as an Inspect log. */
export type InspectExported = InspectWritten & { run: string; to: string };

/** Writes a run as an Inspect log: `.eval`, or `.json`. */
export async function exportInspect(
	name: string,
	{ output }: { output: string },
	bench: Bench,
): Promise<InspectExported> {
	if (!/\.(eval|json)$/.test(output))
		throw usageError("usage", `${output} ends neither in .eval nor in .json`, "Inspect tells its logs by that ending.");
	return withLoggedRun(name, bench, async (run) => {
		const to = resolve(output);
		return { run: run.manifest.id, to, ...(await writeInspectLog(run, to)) };
	});
}

/** A run with its scores, its diagnosis where that stands beside it or can be made, and the texts of what it found. */
async function withLoggedRun<Made>(
	name: string,
	bench: Bench,
	doing: (run: LoggedRun) => Promise<Made>,
): Promise<Made> {
	const { workspace, say, signal } = bench;
	const opened = await openForReport(workspace, name, say, { kept: true, signal });
	try {
		const { manifest, records, rows, diagnoses = [] } = opened;
		const missing = await whyNoKnowledge(workspace, manifest);
		if (missing !== undefined) say(`${missing}; documents go without their texts`);
		const evidence =
			missing === undefined
				? remembering(opened.evidence, { most: 10_000 })
				: async (): Promise<Evidence | undefined> => undefined;
		const tasks = new Map(opened.tasks.map((task) => [task.id, task]));
		const rowOf = new Map(rows.map((row) => [attemptKey(row), row]));
		const diagnosisOf = new Map(diagnoses.map((diagnosis) => [attemptKey(diagnosis), diagnosis]));
		const answers = records.flatMap((record) => {
			const task = tasks.get(record.task);
			const key = attemptKey(record);
			return task ? [{ task, record, row: rowOf.get(key), diagnosis: diagnosisOf.get(key) }] : [];
		});
		return await doing({ manifest, answers, evidence });
	} finally {
		await opened.close();
	}
}
