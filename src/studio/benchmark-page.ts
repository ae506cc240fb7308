/** One task of a benchmark with its gold chain and all that was said of it; and what checks found, in words. */
import {
	type CheckRecord,
	clip,
	cut,
	type Evidence,
	excerpt,
	grouped,
	type Item,
	inDependencyOrder,
	type Task,
	topologyOf,
} from "#domain";
import { modalityName, topologyName } from "#reports";
import { evidenceMedia, imageMedia } from "./media-names.ts";
import type { EvidenceCard } from "./pages.ts";
import type { BenchmarkCheck, BenchmarkFinding, BenchmarkTask, GoldHop, ItemCheck } from "./sources-pages.ts";
import { quote } from "./where.ts";

/** A report of checks, as `benchmark check` has it. */
export interface CheckedBenchmark {
	counts: Record<BenchmarkFinding["severity"], number>;
	checks: {
		name: string;
		about: string;
		skipped?: string;
		looked: number;
		codes: { code: string; severity: BenchmarkFinding["severity"]; count: number; tasks: number }[];
		figures: { name: string; value: number | null; of?: number; unit?: "share" | "mean"; reason?: string }[];
		notes: string[];
	}[];
	findings: {
		check: string;
		code: string;
		severity: BenchmarkFinding["severity"];
		task?: string;
		hop?: string;
		message: string;
	}[];
}

/** Findings of one check that its page lists; the tasks of all of them are a filter away. */
const mostFindings = 30;

export function checkPage({ counts, checks, findings }: CheckedBenchmark): BenchmarkCheck {
	const byCheck = grouped(findings, ({ check }) => check);
	return {
		counts,
		checks: checks.map(({ name, about, skipped, looked, codes, figures, notes }) => ({
			...{ name, about, looked },
			skipped: skipped ?? null,
			codes: codes.map((one) => ({ ...one, where: one.tasks > 0 ? `problem:${quote(one.code)}` : "" })),
			figures: figures.map((figure) => ({ name: figure.name, value: figureText(figure) })),
			notes: notes.map((note) => clip(note, 400)),
			findings: (byCheck.get(name) ?? []).slice(0, mostFindings).map(findingOf),
		})),
	};
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function figureText({ value, of, unit, reason }: CheckedBenchmark["checks"][number]["figures"][number]): string {
	if (value === null) return `unknown${reason ? `: ${clip(reason, 200)}` : ""}`;
	if (unit === "share") return `${percent(value)}${of === undefined ? "" : ` of ${of}`}`;
	if (unit === "mean") return value.toFixed(2);
	return of === undefined ? String(value) : `${value} of ${of}${of === 0 ? "" : ` (${percent(value / of)})`}`;
}

const findingOf = ({ check, code, severity, task = "", hop = "", message }: CheckedBenchmark["findings"][number]) => ({
	...{ check, code, severity, task, hop },
	message: clip(message, 600),
});

const gravity: BenchmarkFinding["severity"][] = ["error", "warning", "note"];

/** What was found of each task, and how grave the gravest of it is. */
export function problemsByTask({ findings }: CheckedBenchmark) {
	const found = new Map<string, { codes: string[]; severity: string; count: number }>();
	for (const { task, code, severity } of findings) {
		if (task === undefined) continue;
		const before = found.get(task) ?? { codes: [], severity, count: 0 };
		if (!before.codes.includes(code)) before.codes.push(code);
		before.count += 1;
		if (gravity.indexOf(severity) < gravity.indexOf(before.severity as BenchmarkFinding["severity"]))
			before.severity = severity;
		found.set(task, before);
	}
	return found;
}

export function benchmarkTask(
	task: Task,
	{
		checked,
		item,
		review,
		ladder,
	}: {
		checked: CheckedBenchmark | undefined;
		/** What it was in its build; absent where it was not made here. */
		item: Item | undefined;
		review: string;
		ladder: BenchmarkTask["ladder"];
	},
): BenchmarkTask {
	const { chain, answer, tags, images } = task;
	return {
		task: task.id,
		question: cut(task.question, 20_000),
		images: images.map((image, at) => imageMedia(task, image, at)),
		tags: Object.entries(tags)
			.slice(0, 40)
			.map(([name, value]) => ({ name: clip(name, 60), value: clip(String(value), 200) })),
		topology: chain ? topologyName(topologyOf(chain)) : "no gold chain",
		answer: {
			type: answer.type,
			value: cut(answer.value, 4000),
			accepted: answer.accepted.slice(0, 60).map((one) => clip(one, 300)),
			asOf: answer.asOf ?? "",
		},
		hops: goldHops(task),
		sink: chain?.sink ?? "",
		supporting: task.supporting?.length ?? 0,
		findings: checked
			? checked.findings
					.filter((finding) => finding.task === task.id)
					.slice(0, 100)
					.map(findingOf)
			: null,
		checks: item ? item.checks.slice(-200).map(itemCheck) : null,
		wordings: (item?.questions ?? [])
			.slice(0, -1)
			.slice(-20)
			.map(({ text, by, why = "" }) => ({ text: cut(text, 4000), by: clip(by, 100), why: clip(why, 400) })),
		review,
		ladder,
		source: clip(task.source, 300),
		rights: clip(task.rights, 300),
	};
}

function goldHops({ chain, images }: Task): GoldHop[] {
	return (chain ? inDependencyOrder(chain) : []).map((hop, at): GoldHop => {
		const { id, question, modality, answer, needs, evidence, region, relation, compute } = hop;
		const image = images.findIndex((one) => one.id === region?.image);
		return {
			id,
			place: at + 1,
			question: cut(question, 2000),
			modality: modalityName(modality),
			gold: clip(answer.value, 400),
			accepted: answer.accepted.slice(0, 40).map((one) => clip(one, 200)),
			relation: compute ? [compute.op, compute.unit].filter(Boolean).join(" in ") : clip(relation ?? "", 200),
			needs: needs.map(({ hop: needed, role }) => ({ hop: needed, role })),
			evidence: evidence.length,
			region: region && image >= 0 ? { image, box: region.box } : null,
		};
	});
}

const itemCheck = ({
	check,
	on,
	verdict,
	reason,
	detail,
	score,
	threshold,
	models,
	trials,
}: CheckRecord): ItemCheck => ({
	...{ check, verdict },
	on: on === "item" ? "item" : on.hop,
	reason: reason ?? "",
	detail: cut(detail ?? "", 2000),
	score: score ?? null,
	threshold: threshold ?? null,
	models: (models ?? []).slice(0, 10),
	trials: (trials ?? []).slice(0, 40).map(({ condition, model, output, score: scored }) => ({
		condition: clip(condition, 100),
		model: clip(model, 100),
		output: cut(output, 2000),
		score: scored,
	})),
});

/** Gold evidence, cut around what it states. */
export function goldCard(id: string, evidence: Evidence | undefined, accepted: readonly string[]): EvidenceCard {
	if (!evidence) return { id, kind: "unknown", title: "", text: "", length: 0, document: "", picture: null };
	const text = evidence.kind === "image" ? evidence.caption : evidence.text;
	return {
		id,
		kind: evidence.kind,
		title: clip(evidence.title, 200),
		text: excerpt(text, [...accepted], 1600),
		length: text.length,
		document: evidence.document,
		picture: evidenceMedia(evidence),
	};
}
