import { software } from "#domain";
import type { LoggedRun } from "../logged-run.ts";
import { type OtlpRequest, requestOf } from "./otlp-json.ts";
import { type Span, spansOf } from "./spans.ts";

/** A batch as it is sent: below what collectors take at once by default. */
const most = { spans: 500, characters: 3_000_000 } as const;

/** The traces of a run as requests of bounded size, a trace's spans in as few as possible. */
export async function* batchesOf(
	run: LoggedRun,
): AsyncGenerator<{ request: OtlpRequest; spans: number; answers: number }> {
	const { manifest } = run;
	const resource = {
		"service.name": "hopscope",
		"service.version": software().hopscope,
		"hopscope.run.id": manifest.id,
		"hopscope.benchmark.name": manifest.benchmark.name,
		"hopscope.benchmark.hash": manifest.benchmark.hash,
		"hopscope.knowledge.name": manifest.knowledge.name,
		// where Phoenix puts the traces
		"openinference.project.name": manifest.benchmark.name,
	};
	let held: Span[] = [];
	let characters = 0;
	let answers = 0;
	const batch = () => {
		const made = { request: requestOf(held, resource), spans: held.length, answers };
		[held, characters, answers] = [[], 0, 0];
		return made;
	};
	for (const answer of run.answers) {
		for (const span of await spansOf(answer, run)) {
			const size = JSON.stringify(span).length;
			if (held.length > 0 && (held.length >= most.spans || characters + size > most.characters)) yield batch();
			held.push(span);
			characters += size;
		}
		answers += 1;
	}
	if (held.length > 0) yield batch();
}
