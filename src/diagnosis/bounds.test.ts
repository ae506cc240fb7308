/** Shares of causes hold what was planted, though a part of it cannot be seen. */
import { describe, expect, test } from "vitest";
import { type BoundedShare, type FailurePart, failureParts, summariseDiagnoses } from "#diagnosis";
import type { BrokenVerdict, Diagnosis, FindingKind, HopDiagnosis, HopVerdict, Task } from "#domain";
import { bridge, hop, taskOf } from "../../test/support/diagnosis/sample-chains.ts";
import { partOfCause } from "./causes.ts";
import { namedFirst } from "./verdicts/primary.ts";

/** Two or three hops that retrieve and one that computes the answer from the last. */
const three = [
	hop("h1", "Which city?", "Samara"),
	hop("h2", "Which country?", "Russia", { needs: [bridge("h1")] }),
	hop("h3", "How high is its highest mountain?", "5642", { needs: [bridge("h2")] }),
	hop("h4", "How high is that in feet?", "18510", { needs: [bridge("h3")], evidence: [] }),
];
const two = [...three.slice(0, 2), hop("h4", "How many letters has it?", "6", { needs: [bridge("h2")], evidence: [] })];

type Cause = Extract<
	FindingKind,
	"misread" | "unsupported" | "retrieval-miss" | "not-planned" | "composition" | "ended-without-answer"
>;
const causes: Cause[] = [
	...(["misread", "unsupported", "retrieval-miss", "not-planned", "composition", "ended-without-answer"] as const),
];

/** Draws that are the same on every machine. */
function drawsOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/**
 * A failure whose cause is known, as an agent shows it that lets see a reading with the probability `shown`. After a hop that
 * was read wrongly others are missed half of the time: an effect that is named where its cause is not seen.
 */
function failureOf(cause: Cause, { task, shown, draw }: { task: Task; shown: number; draw(): number }): Diagnosis {
	const chain = task.chain?.hops ?? [];
	const last = chain.length - 1;
	const struck = cause === "composition" || cause === "ended-without-answer" ? -1 : Math.floor(draw() * last);
	const verdictAt = (place: number, before: HopVerdict[]): HopVerdict => {
		if (place === last) return "unobserved";
		if (place === struck) {
			const isReading = cause === "misread" || cause === "unsupported";
			return isReading && draw() >= shown ? "unobserved" : (cause as BrokenVerdict);
		}
		const isEffect = place > struck && struck >= 0;
		if (isEffect && (before[struck] === "not-planned" || before[struck] === "retrieval-miss")) return "not-planned";
		// who carries a wrong value on gets the right one of the next hop by no means
		if (isEffect) return draw() < 0.5 ? "retrieval-miss" : "unobserved";
		return draw() < shown ? "solved" : "unobserved";
	};
	const verdicts: HopVerdict[] = [];
	for (const place of chain.keys()) verdicts.push(verdictAt(place, verdicts));
	// a hop that is solved vouches for those that it needs
	const vouching = verdicts.lastIndexOf("solved");
	for (const [place, verdict] of verdicts.entries())
		if (place < vouching && verdict === "unobserved") verdicts[place] = "solved";
	const came = (verdict: HopVerdict) => ["solved", "misread", "unsupported", "unobserved"].includes(verdict);
	const hops = chain.map(({ id, evidence }, place): HopDiagnosis => {
		const verdict = verdicts[place] ?? "unobserved";
		const brought = came(verdict) && evidence.length > 0;
		return {
			...{ is: "judged", hop: id, verdict, aimed: [place], brought: brought ? [place] : [] },
			evidence: brought ? evidence : [],
		};
	});
	const retrieving = verdicts.slice(0, last);
	const kinds: FindingKind[] = [
		...(cause === "ended-without-answer" ? (["ended-without-answer"] as const) : []),
		...(retrieving.every((one) => one === "solved") ? (["composition"] as const) : []),
		...(retrieving.includes("unobserved") ? (["unobserved"] as const) : []),
	];
	const findings = kinds.map((is) => ({ is, steps: [], evidence: [], says: "" }));
	return {
		...{ version: 2, task: task.id, repeat: 0, attempt: 0, diagnoser: "test", right: false, shows: "bare" },
		...{ hops, findings, notJudged: [] },
		...namedFirst({ task, hops, findings, right: false }),
	};
}

interface Mix {
	weights: Record<Cause, number>;
	shown: number;
	coverage: number;
	causes: Partial<Record<FindingKind | "nothing", BoundedShare>>;
	parts: Record<FailurePart, BoundedShare>;
}

function mixOf(seed: number): Mix {
	const draw = drawsOf(seed);
	const drawn = causes.map(() => 0.15 + draw());
	const sum = drawn.reduce((total, one) => total + one, 0);
	const weights = Object.fromEntries(causes.map((cause, at) => [cause, (drawn[at] ?? 0) / sum])) as Mix["weights"];
	const shown = seed % 2 === 0 ? 0.82 + 0.18 * draw() : 0.3 + 0.5 * draw();
	const pick = (at = draw()) => {
		let left = at;
		return (
			causes.find((cause) => {
				left -= weights[cause];
				return left < 0;
			}) ?? "misread"
		);
	};
	const items = Array.from({ length: 200 }, (_, at) => {
		const task = taskOf(draw() < 0.5 ? two : three, { id: `t${at}` });
		return { task, diagnosis: failureOf(pick(), { task, shown, draw }) };
	});
	const { failures, hops } = summariseDiagnoses(items);
	expect(failures.failures).toBe(200);
	return { weights, shown, coverage: hops.reading.seen.value ?? 0, ...failures };
}

const mixes = Array.from({ length: 20 }, (_, seed) => mixOf(1000 + seed));
const holds = ({ low, high, value }: BoundedShare, planted: number) =>
	// where nothing is named and nothing ruled out it is said that nothing is known
	value === null || ((low ?? 0) <= planted && planted <= (high ?? 1));
const part = (weights: Mix["weights"], wanted: FailurePart) =>
	causes.reduce((sum, cause) => sum + (partOfCause[cause] === wanted ? weights[cause] : 0), 0);

describe("shares of causes over 20 mixes of 200 failures whose readings are partly hidden", () => {
	test("hold the planted share at 93 % or more, by cause and by part", () => {
		const byCause = mixes.flatMap(({ causes: found, weights }) =>
			causes.map((cause) => {
				const share = found[cause];
				return share !== undefined && holds(share, weights[cause]);
			}),
		);
		const byPart = mixes.flatMap(({ parts, weights }) =>
			failureParts.map((one) => holds(parts[one], part(weights, one))),
		);
		for (const held of [byCause, byPart])
			expect(held.filter(Boolean).length / held.length).toBeGreaterThanOrEqual(0.93);
	});

	test("are at most 25 points wide where reading was seen at 84 % of hops, 31 from 80 % on; they hold what is named", () => {
		const covered = mixes.filter(({ coverage }) => coverage >= 0.8);
		expect(covered.length).toBeGreaterThanOrEqual(8);
		const width = ({ low, high }: BoundedShare) => (high ?? 1) - (low ?? 0);
		for (const { causes: found, parts, coverage } of covered)
			for (const share of [...Object.values(found), ...Object.values(parts)])
				expect(width(share)).toBeLessThanOrEqual(coverage >= 0.84 ? 0.25 : 0.31);
		for (const { causes: found, parts } of mixes)
			for (const { value, low, high, least, count, most } of [...Object.values(found), ...Object.values(parts)]) {
				expect(least <= count && count <= most).toBe(true);
				if (value !== null) expect((low ?? 0) <= value + 1e-9 && value <= (high ?? 1) + 1e-9).toBe(true);
			}
	});

	test("parts are narrower than causes: misread or unsupported is reading in either case", () => {
		const width = (share: BoundedShare | undefined) => (share?.most ?? 0) - (share?.least ?? 0);
		for (const { causes: found, parts } of mixes) {
			expect(width(parts.reading)).toBeLessThanOrEqual(width(found.misread) + width(found.unsupported));
			expect(parts.reading.least).toBeGreaterThanOrEqual((found.misread?.least ?? 0) + (found.unsupported?.least ?? 0));
		}
	});

	test("an agent that shows no reading has no share of it, and never 0 %", () => {
		const task = taskOf(three);
		const draw = drawsOf(7);
		const items = Array.from({ length: 40 }, () => ({
			task,
			diagnosis: failureOf("composition", { task, shown: 0, draw }),
		}));
		const { failures, hops, types } = summariseDiagnoses(items);
		for (const share of [failures.causes.misread, failures.causes.composition, failures.parts.reading])
			expect(share).toMatchObject({ count: 0, value: null, low: null, high: null, reason: "not observable" });
		expect(failures.unnamed).toBe(40);
		expect(hops.reading).toMatchObject({ seen: { count: 0, of: 120, value: 0 }, misread: { value: null, of: 0 } });
		expect(types["mc-search"]["evidence-misinterpretation"]).toMatchObject({ value: null, most: 40 });
		expect(types["mc-search"]["multi-hop-failure"]).toMatchObject({ value: null });
		expect(types.vistahop["fusion-calculation"]).toMatchObject({ count: 0, value: null });
	});
});
