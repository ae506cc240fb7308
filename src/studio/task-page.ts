/** One answer with everything that was recorded and found of it, as its page shows it. */
import {
	type Chain,
	clip,
	counted,
	cut,
	type Diagnosis,
	type Evidence,
	escapeRegExp,
	excerpt,
	type Hop,
	type HopDiagnosis,
	inDependencyOrder,
	isBroken,
	isSearch,
	type Passage,
	pageIdsOf,
	type RunManifest,
	type RunRecord,
	type ScoreRow,
	type Step,
	type Task,
	topologyOf,
	type Verdict,
} from "#domain";
import {
	causeText,
	findingSentence,
	findingWords,
	hopSentence,
	modalityName,
	orBefore,
	topologyName,
	verdictMarks,
} from "#reports";
import { scorers, typedAccuracy } from "#scoring";
import { evidenceMedia, imageMedia } from "./media-names.ts";
import { goldBoxes, type HopAsking } from "./page-boxes.ts";
import type { EvidenceCard, TaskHop, TaskPage, TaskStep } from "./pages.ts";

export interface AnswerShown {
	manifest: RunManifest;
	task: Task;
	record: RunRecord;
	row: ScoreRow | undefined;
	diagnosis: Diagnosis | undefined;
	verdicts: readonly Verdict[];
	evidence(id: string): Promise<Evidence | undefined>;
}

const mostSteps = 400;
const mostResults = 20;
const mostWanted = 12;
const mostText = 1600;

export async function taskPage(shown: AnswerShown): Promise<TaskPage> {
	const { manifest, task, record, row, diagnosis } = shown;
	const { trajectory } = record;
	const chain = task.chain && (diagnosis ? inDependencyOrder(task.chain) : task.chain.hops);
	const hops = (chain ?? []).map((hop, at) => hopOf(hop, at + 1, shown));
	const steps = trajectory.steps.slice(0, mostSteps).map((step) => stepOf(step, hops, shown));
	const { usage } = trajectory;
	return {
		run: manifest.id,
		task: task.id,
		repeat: record.repeat,
		repeats: manifest.repeats,
		attempt: record.attempt,
		tags: tagsOf(task),
		question: cut(task.question, 20_000),
		images: task.images.map((image) => imageMedia(task, image)),
		outcome: row?.outcome ?? "missing",
		answer: trajectory.answer === null ? null : cut(trajectory.answer, 4000),
		accepted: task.answer.accepted.slice(0, 20).map((answer) => clip(answer, 400)),
		...headOf(hops, shown),
		hops,
		steps,
		evidence: await cardsOf(hops, steps, shown),
		findings: otherFindings(hops, diagnosis),
		notJudged: (diagnosis?.notJudged ?? []).map(
			({ what, reason }) => `${what.map((kind) => findingWords[kind].name).join(", ")}: ${clip(reason, 400)}`,
		),
		plan: trajectory.plan === undefined ? null : cut(trajectory.plan, 4000),
		error: trajectory.error ? `${trajectory.error.boundary}: ${clip(trajectory.error.message, 2000)}` : null,
		stop: trajectory.stop,
		ms: trajectory.ms,
		tokens: usage.inputTokens + usage.outputTokens,
		calls: usage.calls,
		cost: usage.cost ?? null,
		currency: manifest.price?.currency ?? null,
		scores: scoresOf(row),
		judged: shown.verdicts.map(judgedLine),
		messages: trajectory.messages.length,
	};
}

function tagsOf({ tags, chain }: Task): string[] {
	const { language, ...others } = tags;
	const shape = chain ? [topologyName(topologyOf(chain)), counted(chain.hops.length, "hop")] : ["no gold chain"];
	return [...(language === "und" ? [] : [language]), ...shape, ...Object.values(others).slice(0, 6)].map((tag) =>
		clip(tag, 40),
	);
}

type Judged = Extract<HopDiagnosis, { is: "judged" }>;

function hopOf(hop: Hop, place: number, { task, record, diagnosis }: AnswerShown): TaskHop {
	const said = diagnosis?.hops.find((one) => one.hop === hop.id);
	const judged = said?.is === "judged" ? said : undefined;
	const came = new Set([...(judged?.evidence ?? []), ...(judged?.otherEvidence ?? [])]);
	const wanted = [...hop.evidence].sort((a, b) => Number(came.has(b)) - Number(came.has(a)));
	const image = task.images.findIndex(({ id }) => id === hop.region?.image);
	return {
		id: hop.id,
		place,
		question: clip(hop.question, 600),
		modality: modalityName(hop.modality),
		gold: clip(hop.answer.value, 300),
		needs: hop.needs.map(({ hop: needed, role }) => ({ hop: needed, role })),
		verdict: judged?.verdict ?? "not-judged",
		first: diagnosis?.firstBroken === hop.id,
		possible: diagnosis?.unobserved.includes(hop.id) ?? false,
		took: judged ? tookInstead(judged, { hop, task, steps: record.trajectory.steps }) : null,
		read: judged?.used === undefined ? null : clip(judged.used, 200),
		carried: judged?.carried === undefined ? null : clip(judged.carried, 200),
		why: hopSentence({ id: hop.id, diagnosis: said ?? null }, { diagnosis: diagnosis ?? null }),
		aimed: judged?.aimed ?? [],
		brought: judged?.brought ?? [],
		wanted: wanted.slice(0, mostWanted).map((id) => ({ id, came: came.has(id) })),
		more: Math.max(0, wanted.length - mostWanted),
		found: judged?.evidence.length ?? 0,
		region: hop.region && image >= 0 ? { image, box: hop.region.box } : null,
	};
}

/** The value that a broken hop's place was taken by: what the diagnosis saw, else what a step made for it states last. */
function tookInstead(
	{ verdict, used, carried, aimed }: Judged,
	{ hop, task, steps }: { hop: Hop; task: Task; steps: readonly Step[] },
): string | null {
	if (carried === undefined && !isBroken(verdict)) return null;
	const stated = steps.flatMap(({ index, subAnswer }) =>
		subAnswer !== undefined && aimed.includes(index) && !isRightFor(hop, subAnswer, task) ? [subAnswer] : [],
	);
	const value = carried ?? used ?? stated.at(-1);
	return value === undefined ? null : clip(value, 200);
}

const isRightFor = (hop: Hop, text: string, { tags }: Task): boolean =>
	typedAccuracy(text, hop.answer, { language: tags.language, question: hop.question }).value === 1;

/** The headline of an answer, with what it rests on. */
function headOf(
	hops: readonly TaskHop[],
	{ task, record, row, diagnosis }: AnswerShown,
): Pick<TaskPage, "title" | "tone" | "summary" | "before"> {
	const first = hops.find((hop) => hop.first);
	const right = row?.outcome === "right";
	const open = hops.flatMap(({ possible, place }) => (possible ? [place] : []));
	if (first) {
		const said = diagnosis?.hops.find((one) => one.hop === first.id);
		const plainly = verdictMarks[first.verdict as keyof typeof verdictMarks].plainly;
		const miss = said?.is === "judged" && said.miss ? ` (${causeText(said.miss)})` : "";
		const took = first.took === null ? "" : `, took “${first.took}”`;
		return {
			title: `${right ? "Right by luck; breaks" : "Breaks"} at hop ${first.place}: ${plainly}`,
			tone: "bad",
			summary: `${first.question} It needed “${first.gold}”${took}${miss}.`,
			before: orBefore(open),
		};
	}
	const worst = diagnosis?.findings.find(({ is }) => is === diagnosis.primary);
	const says = worst ? findingSentence(worst.says) : "";
	const primary = diagnosis?.primary ? findingWords[diagnosis.primary] : undefined;
	if (right && !primary) {
		const none = open.length > 0 ? "; of some hops nothing shows how they were read" : "";
		return {
			title: hops.length > 0 ? "Right, and no hop is seen to be broken" : "Right",
			tone: "ok",
			summary: says || `It answered as expected${none}.`,
			before: "",
		};
	}
	const places =
		open.length === 0
			? ""
			: ` It may have broken at ${open.length === 1 ? "hop" : "hops"} ${open.join(", ")}: nothing shows how ${open.length === 1 ? "it was" : "they were"} read.`;
	const ended =
		record.trajectory.answer === null
			? "No answer was given"
			: right
				? "Right"
				: row?.outcome === "wrong"
					? "Wrong"
					: "Not scored as right";
	return {
		title: primary
			? `${ended}: ${primary.name}`
			: task.chain
				? `${ended}, and no hop is seen to be broken`
				: `${ended}; the task has no gold chain`,
		tone: right ? "ok" : open.length > 0 || !row ? "dim" : "bad",
		summary: `${says || primary?.meaning || "Nothing in the record shows where it went wrong."}${places}`,
		before: "",
	};
}

function stepOf(step: Step, hops: readonly TaskHop[], { task, diagnosis }: AnswerShown): TaskStep {
	const aimed = hops.filter((hop) => hop.aimed.includes(step.index)).map(({ id }) => id);
	const brought = hops.filter((hop) => hop.brought.includes(step.index)).map(({ id }) => id);
	const wantedBy = (id: string) =>
		(task.chain?.hops ?? []).filter(({ evidence }) => evidence.includes(id)).map((hop) => hop.id);
	const listed = [...step.results].sort((a, b) => a.rank - b.rank);
	const results = listed.slice(0, mostResults).map(({ id, rank, score }) => {
		const wanting = wantedBy(id);
		// evidence of a hop that another step was made for is another hop's, unless no step was made for anything
		const own = wanting.some((hop) => aimed.includes(hop));
		return {
			id,
			rank,
			score,
			hops: wanting,
			is: wanting.length === 0 ? "other" : own || aimed.length === 0 ? "gold" : "other-hop",
		} as const;
	});
	const repeated =
		diagnosis?.findings.some(({ is, steps }) => is === "repeated-query" && steps.includes(step.index)) ?? false;
	const searches = step.call !== undefined && isSearch(step.call.tool);
	return {
		index: step.index,
		round: step.round ?? null,
		role: step.role ?? null,
		tool: step.call ? clip(step.call.tool.replaceAll("_", " "), 60) : null,
		query: spansOf(queryOf(step), step.index, hops),
		subQuestion: step.subQuestion === undefined ? null : clip(step.subQuestion, 600),
		thought: step.thought === undefined ? null : cut(step.thought, 4000),
		read: readOf(step, hops, task),
		ms: step.ms,
		tokens: step.usage ? step.usage.inputTokens + step.usage.outputTokens : null,
		error: step.error === undefined ? null : clip(step.error, 1000),
		results,
		more: listed.length - results.length,
		aimed,
		brought,
		stray: diagnosis !== undefined && hops.length > 0 && searches && aimed.length === 0 && brought.length === 0,
		repeated,
		call: step.call ? cut(JSON.stringify(step.call.arguments, null, 2), 2000) : null,
		crop: cropOf(step, task),
	};
}

/** The part of a question image that was cut out. */
function cropOf({ crop }: Step, { images }: Task): TaskStep["crop"] {
	const image = images.findIndex(({ id, file }) => id === crop?.image || file === crop?.image);
	return crop && image >= 0 ? { image, box: crop.box } : null;
}

/** What a call asked for, in words: its query, else its arguments as they were given. */
function queryOf({ call }: Step): string {
	if (!call) return "";
	const { query, k: _, ...rest } = call.arguments;
	if (typeof query === "string") return clip(query, 600);
	if (typeof rest.image === "number") return `What does image ${rest.image + 1} show?`;
	return Object.keys(rest).length === 0 ? "" : clip(JSON.stringify(rest), 600);
}

/** A query in pieces: values that were taken wrongly in earlier steps are told apart. */
function spansOf(query: string, index: number, hops: readonly TaskHop[]): TaskStep["query"] {
	if (query === "") return [];
	const wrong = hops
		.filter(({ aimed, brought }) => index > Math.min(...aimed, ...brought))
		.flatMap(({ took, gold }) => (took !== null && took.length > 1 && !placeIn(query, gold) ? [took] : []))
		.sort((a, b) => b.length - a.length);
	const [place] = wrong.flatMap((value) => placeIn(query, value) ?? []);
	if (!place) return [{ text: query, wrong: false }];
	const { from, to } = place;
	return [
		{ text: query.slice(0, from), wrong: false },
		{ text: query.slice(from, to), wrong: true },
		{ text: query.slice(to), wrong: false },
	].filter(({ text }) => text !== "");
}

/** Where whole words stand in a text, capitals or not. */
function placeIn(text: string, words: string): { from: number; to: number } | undefined {
	const found = new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(words)}(?![\\p{L}\\p{N}])`, "iu").exec(text);
	return found ? { from: found.index, to: found.index + found[0].length } : undefined;
}

/** What was read in a step: what it states, else what the diagnosis saw; right where the gold answer says so. */
function readOf(step: Step, hops: readonly TaskHop[], task: Task): TaskStep["read"] {
	const own = hops.filter(({ aimed, brought }) => aimed.includes(step.index) || brought.includes(step.index));
	if (step.subAnswer !== undefined) {
		const text = clip(step.subAnswer, 300);
		const gold = own.map(({ id }) => goldOf(task.chain, id)).filter((hop) => hop !== undefined);
		if (gold.length === 0) return { text, right: null };
		const right = gold.some((hop) => isRightFor(hop, text, task));
		return { text, right };
	}
	const seen = own.find(({ read, brought, aimed }) => read !== null && (brought.at(-1) ?? aimed.at(-1)) === step.index);
	if (!seen?.read) return null;
	return { text: seen.read, right: seen.verdict === "solved" ? true : seen.took === null ? null : false };
}

const goldOf = (chain: Chain | undefined, id: string): Hop | undefined => chain?.hops.find((hop) => hop.id === id);

/** Findings that are no verdict on a hop. */
function otherFindings(hops: readonly TaskHop[], diagnosis: Diagnosis | undefined): TaskPage["findings"] {
	const verdicts = new Set(hops.map(({ id, verdict }) => `${verdict} ${id}`));
	return (diagnosis?.findings ?? [])
		.filter(({ is, hop }) => !verdicts.has(`${is} ${hop}`))
		.slice(0, 40)
		.map(({ is, says, steps, evidence }) => ({
			kind: is,
			says: clip(says, 600),
			steps: steps.slice(0, 60),
			evidence: evidence.slice(0, 20),
		}));
}

function scoresOf(row: ScoreRow | undefined): TaskPage["scores"] {
	if (!row) return [];
	const headings = new Map(scorers.map(({ name, heading }) => [name, heading]));
	return Object.entries(row.scores).map(([name, score]) => ({
		name,
		heading: headings.get(name) ?? name,
		...(score.is === "scored" ? { value: score.value } : { value: null, reason: clip(score.reason, 300) }),
	}));
}

function judgedLine({ judge, judgement }: Verdict): TaskPage["judged"][number] {
	const { model, rubric } = judge;
	const named = { judge: clip(model, 80), rubric };
	if (judgement.is === "unscored") return { ...named, said: "not scored", reason: clip(judgement.reason, 1000) };
	const said = judgement.grade ?? (judgement.labels.join(", ") || "no label");
	return { ...named, said, reason: cut(judgement.reason, 2000) };
}

async function cardsOf(
	hops: readonly TaskHop[],
	steps: readonly TaskStep[],
	{ task, evidence }: AnswerShown,
): Promise<TaskPage["evidence"]> {
	const asking = hops.map(({ id, place }): HopAsking => {
		const hop = goldOf(task.chain, id);
		return { place, evidence: hop?.evidence ?? [], accepted: hop?.answer.accepted ?? [] };
	});
	const ids = new Set([
		...hops.flatMap(({ wanted }) => wanted.map(({ id }) => id)),
		...steps.flatMap(({ results }) => results.map(({ id }) => id)),
	]);
	const all = await Promise.all([...ids].map(async (id) => [id, await found(evidence, id)] as const));
	const isGold = (id: string) => asking.some((hop) => hop.evidence.includes(id));
	const gold = all.flatMap(([id, one]) => (one && isGold(id) ? [one] : []));
	const cards = all.map(async ([id, one]) => {
		const accepted = asking.flatMap((hop) => (hop.evidence.includes(id) ? hop.accepted : []));
		const card = cardOf(id, one, accepted);
		// a passage has no picture of its own; a gold one is shown on its page
		const page = one?.kind === "passage" && isGold(id) ? await pageOf(one, evidence) : one;
		if (page?.kind !== "page") return [id, card] as const;
		const picture = evidenceMedia(page);
		const boxes = picture ? goldBoxes(page, { hops: asking, evidence: one === page ? gold : [one] }) : [];
		return [id, { ...card, picture, ...(boxes.length > 0 ? { boxes } : {}) }] as const;
	});
	return Object.fromEntries(await Promise.all(cards));
}

/** The page on which a passage stands, where the knowledge base holds it and says where it stands there. */
async function pageOf(passage: Passage, evidence: AnswerShown["evidence"]): Promise<Evidence | undefined> {
	if (passage.regions === undefined) return undefined;
	for (const id of pageIdsOf(passage)) {
		const page = await found(evidence, id);
		if (page?.kind === "page") return page;
	}
	return undefined;
}

function cardOf(id: string, evidence: Evidence | undefined, accepted: string[]): EvidenceCard {
	if (!evidence) return { id, kind: "unknown", title: "", text: "", length: 0, document: "", picture: null };
	const text = evidence.kind === "image" ? evidence.caption : evidence.text;
	return {
		id,
		kind: evidence.kind,
		title: clip(evidence.title, 200),
		text: accepted.length > 0 ? excerpt(text, accepted, mostText) : clip(text, mostText / 2),
		length: text.length,
		document: clip(evidence.document, 200),
		picture: evidenceMedia(evidence),
	};
}

/** A knowledge base that cannot be read costs the texts, not the page. */
async function found(evidence: AnswerShown["evidence"], id: string): Promise<Evidence | undefined> {
	try {
		return await evidence(id);
	} catch {
		return undefined;
	}
}
