import { grouped } from "#domain";
import type { FileFormat, TranscriptFile, TranscriptsRead } from "../transcript.ts";
import { langfuseSpan, langfuseTrace } from "./langfuse.ts";
import { langsmithSpan } from "./langsmith.ts";
import { isProtobuf, otlpSpans, type SpansRead } from "./otlp.ts";
import { phoenixSpan } from "./phoenix.ts";
import { rowsIn } from "./rows.ts";
import { mostSpans, type Span } from "./span.ts";
import { traceTranscript } from "./trace-transcript.ts";
import { fieldOf, isFields, isTooDeep } from "./values.ts";

/** OpenTelemetry's protocol, with the attributes of its GenAI conventions, OpenInference, Langfuse or the AI SDK. */
export const otlpFormat = traceFormat({
	...{ name: "otlp", title: "OpenTelemetry traces", url: "https://opentelemetry.io/docs/specs/otlp/" },
	tried: "what real exporters sent; events up to 1.36 from documentation",
	spansOf: otlpSpans,
	// a request in protobuf holds ids, which no text does
	recognisesFile: ({ head }) =>
		(isProtobuf(head) && head.some((byte) => byte < 9)) || /"resource_?[sS]pans"/.test(head.toString("latin1")),
});

export const phoenixFormat = traceFormat({
	...{ name: "phoenix", title: "Phoenix spans", url: "https://arize.com/docs/phoenix" },
	tried: "documentation",
	spansOf: rowSpans(["data", "spans"], (row) => [phoenixSpan(row)]),
	recognisesFile: holding(/"(?:context\.)?trace_id"\s*:/, /"span_kind"\s*:/),
});

export const langfuseFormat = traceFormat({
	...{ name: "langfuse", title: "Langfuse observations", url: "https://langfuse.com/docs" },
	tried: "documentation (what its client sends is `otlp`, and was really sent)",
	spansOf: rowSpans(["data", "traces"], (row) => langfuseTrace(row)?.spans ?? [langfuseSpan(row)]),
	recognisesFile: holding(/"traceId"\s*:/, /"(?:parentObservationId|observations)"\s*:/),
});

export const langsmithFormat = traceFormat({
	...{ name: "langsmith", title: "LangSmith runs", url: "https://docs.langchain.com/langsmith" },
	tried: "runs of its real client, from a stub of its API",
	spansOf: rowSpans(["runs", "data", "post"], (row) => withChildren(row).map(langsmithSpan)),
	recognisesFile: holding(/"run_type"\s*:/, /"(?:trace_id|dotted_order)"\s*:/),
});

/** Recognises a file by fields that stand at its beginning, all of them. */
function holding(...marks: RegExp[]): FileFormat["recognisesFile"] {
	return ({ head }) => {
		const text = head.toString("latin1");
		return marks.every((mark) => mark.test(text));
	};
}

interface TraceForm {
	name: string;
	title: string;
	url: string;
	tried: string;
	spansOf(bytes: Buffer): SpansRead;
	recognisesFile: FileFormat["recognisesFile"];
}

/** A form of traces: the spans of all files together, each once, by trace; one trace is one attempt. */
function traceFormat({ name, title, url, tried, spansOf, recognisesFile }: TraceForm): FileFormat {
	return {
		name,
		source: { name: title, licence: "unknown", attribution: "whoever ran what was traced", url },
		...{ agent: name, language: "und" },
		documents: { licence: "unknown", attribution: "whoever owns what was searched" },
		cautions: [],
		tried,
		recognisesFile,
		readFiles: async (files) => readTraces(files, spansOf),
	};
}

function readTraces(files: readonly TranscriptFile[], spansOf: TraceForm["spansOf"]): TranscriptsRead {
	const refused: TranscriptsRead["refused"] = [];
	const spans = new Map<string, Span>();
	const counts = { all: 0, understood: 0, kept: 0, refused: 0 };
	let twice = 0;
	for (const { name, bytes } of files) {
		const read = spansOf(bytes);
		for (const { place, reason, spans: broken } of read.refused) {
			refused.push({ place: files.length === 1 ? place : `${name}, ${place}`, reason });
			counts.all += broken;
			counts.refused += broken;
		}
		for (const span of read.spans) {
			const key = `${span.trace} ${span.id}`;
			const before = spans.get(key);
			if (before) twice += 1;
			if (!before && spans.size >= mostSpans.file) {
				counts.all += 1;
				counts.refused += 1;
			} else if (!before || isWhole(span)) spans.set(key, span);
		}
	}
	counts.all += spans.size;
	const transcripts: TranscriptsRead["transcripts"] = [];
	for (const [trace, ofTrace] of grouped([...spans.values()], (span) => span.trace)) {
		const place = `trace ${trace}`;
		const read = traceTranscript(trace, ofTrace);
		if ("problem" in read) {
			refused.push({ place, reason: `${read.problem} (${ofTrace.length} spans)` });
			counts.refused += ofTrace.length;
			continue;
		}
		transcripts.push({ place, transcript: read.transcript });
		counts.understood += read.understood;
		counts.kept += ofTrace.length - read.understood;
	}
	transcripts.sort((a, b) => ((a.transcript.at ?? "") < (b.transcript.at ?? "") ? -1 : 1));
	const losses = [
		...(twice > 0 ? [`${twice} spans stand in the files more than once: each counts once`] : []),
		...(spans.size >= mostSpans.file ? [`more than ${mostSpans.file} spans: the rest is left out`] : []),
	];
	return { transcripts, refused, losses, spans: counts };
}

/** Of a span that was exported before it ended and again behind, the whole one counts. */
const isWhole = ({ end }: Span) => !Number.isNaN(end);

const mostLevels = 60;

/** Reads an export of rows, each some spans. */
function rowSpans(
	names: readonly string[],
	spansOf: (row: unknown) => readonly (Span | undefined)[],
): TraceForm["spansOf"] {
	return (bytes) => {
		const read = rowsIn(bytes, names);
		if ("problem" in read) return { spans: [], refused: [{ place: "the file", reason: read.problem, spans: 0 }] };
		const refused: SpansRead["refused"] = read.broken.map((line) => ({
			...{ place: `line ${line}`, reason: "not JSON", spans: 1 },
		}));
		const spans: Span[] = [];
		for (const [at, row] of read.rows.entries()) {
			const place = `row ${at + 1}`;
			const found = isTooDeep(row, mostLevels) ? [] : spansOf(row);
			const whole = found.filter((span) => span !== undefined);
			for (const span of whole) spans.push(span);
			const broken = found.length - whole.length;
			if (found.length === 0) refused.push({ place, reason: "it nests too deeply", spans: 1 });
			else if (broken > 0) refused.push({ place, reason: "no id, or no trace that it is of", spans: broken });
		}
		return { spans, refused };
	};
}

/** A run with those within it, where they were loaded with it. */
function withChildren(run: unknown): unknown[] {
	const children = fieldOf(run, "child_runs");
	if (!isFields(run) || !Array.isArray(children)) return [run];
	const { child_runs: _, ...own } = run;
	return [own, ...children.flatMap(withChildren)];
}
