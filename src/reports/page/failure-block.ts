/** A failure, hop by hop: the gold chain on the left, on the right what the agent did about each hop and what it rests on. */
import { clip, isBroken, stepsOfHop } from "#domain";
import { findingSentence, hopSentence, hopsBefore } from "../diagnosis/case-text.ts";
import { findingWords, orBefore, primaryName, verdictWords } from "../diagnosis/diagnosis-words.ts";
import type { EvidenceView, Failure, HopView, RunReport, StepView } from "../report-data.ts";
import { endingNames, modalityName, plural, topologyName } from "../wording.ts";
import type { FailurePictures, Picture } from "./pictures.ts";
import { type Content, html, type Markup } from "./template.ts";

/** A failure with what its parts are drawn with. */
interface Shown {
	failure: Failure;
	pictures: FailurePictures;
	/** Where a step stands on the page, and the first place of an evidence; undefined where they are not shown. */
	stepAnchor(index: number): string | undefined;
	evidenceAnchor(id: string): string | undefined;
	/** Names places within the failure. */
	anchor: string;
}

/** One failure as a folded block; open where `open` is set. `anchor` names it on the page. */
export function failureBlock(
	failure: Failure,
	options: { pictures: FailurePictures | undefined; open: boolean; anchor: string },
): Markup {
	const { pictures = { question: new Map(), evidence: new Map() }, anchor } = options;
	const steps = new Set(failure.steps.map(({ index }) => index));
	const places = [
		...failure.hops.flatMap(({ evidence }, place) =>
			evidence.map(({ id }, at) => [id, goldAnchor(anchor, place, at)] as const),
		),
		...failure.steps.flatMap((step) =>
			step.results.map(({ rank, evidence }) => [evidence.id, resultAnchor(anchor, step, rank)] as const),
		),
	].reverse();
	const byEvidence = new Map(places);
	const shown: Shown = {
		failure,
		pictures,
		anchor,
		stepAnchor: (index) => (steps.has(index) ? `${anchor}-s${index}` : undefined),
		evidenceAnchor: (id) => byEvidence.get(id),
	};
	const retrieving = failure.hops.filter((hop) => hop.state !== "computed");
	const found = retrieving.filter((hop) => hop.state === "found").length;
	const hops = plural(retrieving.length, "hop");
	const chain = failure.topology
		? `${topologyName(failure.topology)} · ${isIdle(failure) ? `${hops}, no search` : `${found} of ${hops} found`}`
		: "no gold chain";
	const named = failure.diagnosis?.primary && ` · ${primaryName(failure.diagnosis.primary)}`;
	return html`<details id="${anchor}"${options.open ? html` open` : ""}><summary><span class="ask" dir="auto">${failure.question}</span>
<span class="facts-line">${chain}${named}</span></summary>
<div class="case">${asked(shown)}${
		failure.hops.length > 0 && failure.brokenHop === null && html`<p class="unbroken">${unbroken(failure)}</p>`
	}${findingsList(shown)}${chainView(shown)}</div></details>
`;
}

const goldAnchor = (anchor: string, place: number, at: number) => `${anchor}-h${place}-${at}`;
const resultAnchor = (anchor: string, { index }: StepView, rank: number) => `${anchor}-s${index}-${rank}`;

/** Whether the agent took no step: it was handed the evidence, or answered from what it knew. */
const isIdle = (failure: Failure) => failure.steps.length === 0 && failure.moreSteps === 0;

function unbroken({ diagnosis, hops }: Failure): string {
	if (!diagnosis) return "The evidence of every hop came back; the answer is wrong all the same.";
	if (hops.every((hop) => hop.diagnosis?.is !== "judged")) return "No hop could be judged.";
	const open = hops.flatMap(({ id }, at) => (diagnosis.unobserved.includes(id) ? [at + 1] : []));
	if (open.length > 0)
		return `No hop is seen to be broken; nothing shows how ${open.length > 1 ? "hops" : "hop"} ${open.join(", ")} went.`;
	return "No hop is seen to be broken; the answer is wrong all the same.";
}

const imageOf = ({ uri, width, height }: Picture, alt: string) =>
	html`<img src="${uri}" width="${Math.round(width / 2)}" height="${Math.round(height / 2)}" alt="${alt}">`;

function asked({ failure, pictures }: Shown): Markup {
	const images = failure.images.map((image, index) => {
		const picture = pictures.question.get(image.file);
		const name = `Question image ${index + 1}`;
		const caption = image.alteration ? `${name}: ${image.alteration}` : name;
		if (!picture) return html`<p class="muted small">${caption} (not shown)</p>`;
		return html`<figure class="picture">${imageOf(picture, caption)}<figcaption>${caption}</figcaption></figure>`;
	});
	const facts: [string, Content][] = [
		[
			"Answered",
			html`<bdi>${failure.given ?? "nothing"}</bdi> <span class="tag bad">${endingNames[failure.ending]}</span>`,
		],
		["Accepted", html`<bdi>${failure.accepted.join(" · ")}</bdi>`],
		["Error", failure.error !== null && html`<bdi>${failure.error}</bdi>`],
		["Plan", failure.plan !== null && html`<bdi>${failure.plan}</bdi>`],
		["Task", html`<span class="id">${failure.task}${failure.repeat > 0 && ` (repeat ${failure.repeat})`}</span>`],
	];
	return html`<div class="asked">${images}<dl class="given">${facts.map(
		([term, value]) => value !== false && html`<dt>${term}</dt><dd>${value}</dd>`,
	)}</dl></div>`;
}

/** The findings of a failure, each with its links; nothing where no diagnosis was made. */
function findingsList(shown: Shown): Markup | undefined {
	const { diagnosis, hops, brokenHop } = shown.failure;
	if (!diagnosis) return undefined;
	if (diagnosis.findings.length === 0) return html`<p class="muted small">The diagnosis found nothing.</p>`;
	const rows = diagnosis.findings.map(({ is, hop, says, steps, evidence }) => {
		const place = hops.findIndex(({ id }) => id === hop);
		const first = diagnosis.primary === is && (hop === undefined || hop === brokenHop);
		return html`<li><a class="tag ${is === "lucky" ? "" : "bad"}" href="#says-${is}">${findingWords[is].name}</a> ${place >= 0 && html`<span class="muted">hop ${place + 1}</span> `}<bdi>${place >= 0 ? findingSentence(says) : says}</bdi> <span class="muted">${stepLinks(steps, shown)} ${evidenceLinks(evidence, shown)}${first && " · named first"}</span></li>`;
	});
	const before = orBefore(hopsBefore({ hops, diagnosis, brokenHop }));
	return html`<div class="found"><h4>Findings</h4><ul>${rows}</ul>${
		before !== "" && html`<p class="muted small">The first broken hop is the first that shows it: ${before}.</p>`
	}</div>`;
}

function chainView(shown: Shown): Content {
	const { failure } = shown;
	const placed = new Set<StepView>();
	const rows = failure.hops.map((hop, place) => {
		const beside = stepsOf(hop, failure).filter((step) => !placed.has(step));
		for (const step of beside) placed.add(step);
		const broken = hop.id === failure.brokenHop && !(isIdle(failure) && !failure.diagnosis);
		const idle = isIdle(failure) && place === 0 && html`<p class="muted small">It answered without searching.</p>`;
		return html`<li class="${broken ? "hop broken" : "hop"}"><div>${goldHop(hop, { place, broken, shown })}</div>
<div>${idle}${besideHop(hop, shown)}${beside.map((step) => stepView(step, shown))}</div></li>`;
	});
	const left = failure.steps.filter((step) => !placed.has(step));
	if (rows.length === 0 && left.length === 0) return html`<p class="muted small">No steps were recorded.</p>`;
	return html`${
		rows.length > 0 &&
		html`<div class="column-heads"><h4>Gold chain</h4><h4>What the agent did</h4></div><ol class="hops">${rows}</ol>`
	}${
		left.length > 0 &&
		html`<div class="others"><h4>${rows.length > 0 ? "Other steps" : "Steps"}</h4><ol>${left.map(
			(step) => html`<li>${stepView(step, shown)}</li>`,
		)}</ol></div>`
	}${failure.moreSteps > 0 && html`<p class="muted small">${plural(failure.moreSteps, "more step")} not shown.</p>`}`;
}

/** The steps that a hop's verdict rests on; without a diagnosis the step that it is matched with. */
function stepsOf({ diagnosis, state, step }: HopView, { steps, diagnosis: made }: Failure): StepView[] {
	const own = diagnosis?.is === "judged" ? stepsOfHop(diagnosis) : !made && state === "found" ? [step] : [];
	return steps.filter(({ index }) => own.includes(index)).slice(0, 4);
}

function goldHop(
	{ modality, question, answer, evidence, more }: HopView,
	{ place, broken, shown }: { place: number; broken: boolean; shown: Shown },
): Markup {
	const items = evidence.map((one, at) => ({ evidence: one, gold: false, id: goldAnchor(shown.anchor, place, at) }));
	return html`<div class="line"><span>Hop ${place + 1}</span><span>${modalityName(modality)}</span>${
		broken && html`<span class="tag bad">first broken hop</span>`
	}</div><p class="q" dir="auto">${question}</p><p class="a"><span>Answer:</span> <bdi>${answer}</bdi></p>${evidenceList(items, more, shown)}`;
}

const stateWords: Record<HopView["state"], string> = {
	found: "Its evidence came back",
	shared: "Its evidence came back in a step that already counts for another hop",
	missed: "No step brought back acceptable evidence",
	computed: "Computed from the hops it needs: nothing to retrieve",
};

/** The verdict on a hop as a tag that leads to what it means, and in words; without a diagnosis what came back. */
function besideHop(hop: HopView, shown: Shown): Markup {
	const { diagnosis, state, step } = hop;
	if (!diagnosis) {
		const where = step !== null && state === "shared" ? ` (step ${step + 1})` : "";
		return html`<p class="muted small">${stateWords[state]}${where}.</p>`;
	}
	const why = html`<bdi>${hopSentence(hop, shown.failure)}</bdi>`;
	if (diagnosis.is !== "judged")
		return html`<p><span class="tag">not judged</span></p><p class="muted small">${why}</p>`;
	const { verdict, evidence } = diagnosis;
	const mood = isBroken(verdict) ? "bad" : verdict === "unobserved" ? "" : "good";
	return html`<p><a class="tag ${mood}" href="#says-${verdict}">${verdictWords[verdict].name}</a></p><p class="muted small">${why} ${stepLinks(stepsOfHop(diagnosis), shown)} ${evidenceLinks(evidence, shown)}</p>`;
}

/** "Step 2, 3", each a link where the step is shown. */
const stepLinks = (steps: readonly number[], { stepAnchor }: Shown): Content =>
	steps.map((index, at) => [
		at > 0 && ", ",
		linkTo(stepAnchor(index), at === 0 ? `Step ${index + 1}` : `${index + 1}`),
	]);

const evidenceLinks = (ids: readonly string[], { evidenceAnchor }: Shown): Content =>
	ids.map((id, at) => [
		at > 0 && ", ",
		linkTo(evidenceAnchor(id), html`<span class="id"><bdi>${clip(id, 80)}</bdi></span>`),
	]);

const linkTo = (anchor: string | undefined, name: Content) =>
	anchor === undefined ? name : html`<a href="#${anchor}">${name}</a>`;

function stepView(step: StepView, shown: Shown): Markup {
	const { index, tool, query, subQuestion, subAnswer, error, results, more } = step;
	const asks = subQuestion !== null && subQuestion !== query;
	const items = results.map((result) => ({ ...result, id: resultAnchor(shown.anchor, step, result.rank) }));
	const lines: [string, string | null][] = [
		["Query", query === "" ? null : query],
		["Sub-answer", subAnswer],
		["Error", error],
	];
	return html`<div class="tried"><div class="line" id="${shown.stepAnchor(index)}"><span>Step ${index + 1}</span>${tool !== null && html`<code>${tool}</code>`}</div>
${asks && html`<p class="q" dir="auto">${subQuestion}</p>`}${lines.map(
	([name, text]) => text !== null && html`<p class="a"><span>${name}:</span> <bdi>${text}</bdi></p>`,
)}${results.length > 0 ? evidenceList(items, more, shown) : html`<p class="muted small">Nothing came back.</p>`}</div>`;
}

function evidenceList(
	items: { rank?: number; gold: boolean; evidence: EvidenceView; id: string }[],
	more: number,
	{ pictures }: Shown,
): Markup {
	const rows = items.map(({ rank, gold, evidence, id }) => {
		const picture = pictures.evidence.get(evidence.id);
		const title = evidence.kind === "unknown" ? "Not in the knowledge base" : evidence.title;
		return html`<li id="${id}" class="${gold && "gold-one"}">${picture && imageOf(picture, evidence.text || evidence.title || "Image evidence")}<div class="what">${rank !== undefined && html`<span class="muted">${rank}.</span> `}<span class="title"><bdi>${title}</bdi></span> <span class="id"><bdi>${evidence.id}</bdi></span>${
			gold && html` <span class="tag gold">gold</span>`
		}${evidence.text !== "" && html`<p dir="auto">${evidence.text}</p>`}</div></li>`;
	});
	return html`<ul class="evidence">${rows}${more > 0 && html`<li><span class="what muted">and ${more} more</span></li>`}</ul>`;
}

/** What a section says of a run's failures before showing them. */
export function failuresNote(run: RunReport): string {
	const { of, shown } = run.failures;
	if (of === 0) {
		const abstained = run.outcomes.find((outcome) => outcome.ending === "abstained")?.count ?? 0;
		return abstained > 0 ? `No wrong answer: it abstained ${plural(abstained, "time")}.` : "No wrong answer.";
	}
	return of === shown.length ? `All ${of}.` : `The worst ${shown.length} of ${of}.`;
}
