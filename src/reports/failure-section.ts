/** A run's worst failures, hop by hop: the gold chain on the left, on the right what the agent did about each hop. */
import type { FailurePictures } from "./media.ts";
import type { EvidenceView, Failure, HopView, RunReport, StepView } from "./report-data.ts";
import { type Content, html, type Markup } from "./template.ts";
import { endingNames, modalityName, plural, topologyName } from "./wording.ts";

const none: FailurePictures = { question: new Map(), evidence: new Map() };

/** One failure as a folded block; open where `open` is set. */
export function failureBlock(
	failure: Failure,
	options: { pictures: FailurePictures | undefined; open: boolean },
): Markup {
	const { pictures = none } = options;
	const retrieving = failure.hops.filter((hop) => hop.state !== "computed");
	const found = retrieving.filter((hop) => hop.state === "found").length;
	const hops = plural(retrieving.length, "hop");
	const chain = failure.topology
		? `${topologyName(failure.topology)} · ${isIdle(failure) ? `${hops}, no search` : `${found} of ${hops} found`}`
		: "no gold chain";
	return html`<details${options.open ? html` open` : ""}><summary><span class="ask" dir="auto">${failure.question}</span>
<span class="facts-line">${chain}</span></summary>
<div class="case">${asked(failure, pictures)}${
		failure.hops.length > 0 &&
		failure.brokenHop === null &&
		html`<p class="unbroken">The evidence of every hop came back; the answer is wrong all the same.</p>`
	}${chainView(failure, pictures)}</div></details>
`;
}

function asked(failure: Failure, pictures: FailurePictures): Markup {
	const images = failure.images.map((image, index) => {
		const picture = pictures.question.get(image.file);
		const name = `Question image ${index + 1}`;
		const caption = image.alteration ? `${name}: ${image.alteration}` : name;
		if (!picture) return html`<p class="muted small">${caption} (not shown)</p>`;
		return html`<figure class="picture"><img src="${picture.uri}" width="${Math.round(picture.width / 2)}" height="${Math.round(picture.height / 2)}" alt="${caption}"><figcaption>${caption}</figcaption></figure>`;
	});
	return html`<div class="asked">${images}<dl class="given">
<dt>Answered</dt><dd>${failure.given === null ? html`<span class="muted">nothing</span>` : html`<bdi>${failure.given}</bdi>`} <span class="tag bad">${endingNames[failure.ending]}</span></dd>
<dt>Accepted</dt><dd><bdi>${failure.accepted.join(" · ")}</bdi></dd>
${failure.error !== null && html`<dt>Error</dt><dd><bdi>${failure.error}</bdi></dd>`}
<dt>Task</dt><dd class="id">${failure.task}${failure.repeat > 0 && ` (repeat ${failure.repeat + 1})`}</dd></dl></div>`;
}

function chainView(failure: Failure, pictures: FailurePictures): Content {
	const matched = new Set(failure.hops.flatMap((hop) => (hop.state === "found" ? [hop.step] : [])));
	const others = failure.steps.filter((step) => !matched.has(step.index));
	if (failure.hops.length === 0 && others.length === 0) return html`<p class="muted small">No steps were recorded.</p>`;
	const idle = isIdle(failure);
	const broken = idle ? -1 : failure.hops.findIndex((hop) => hop.id === failure.brokenHop);
	const tried = new Set(triedAt(failure, broken, others));
	const left = others.filter((step) => !tried.has(step));
	const stepOf = (hop: HopView) => failure.steps.find((step) => hop.state === "found" && step.index === hop.step);
	const rows = failure.hops.map(
		(
			hop,
			place,
		) => html`<li class="${place === broken ? "hop broken" : "hop"}"><div>${goldHop(hop, place, place === broken, pictures)}</div>
<div>${idle ? place === 0 && html`<p class="muted small">It answered without searching.</p>` : besideHop(hop, stepOf(hop), place === broken ? [...tried] : [], pictures)}</div></li>`,
	);
	return html`${
		rows.length > 0 &&
		html`<div class="column-heads"><h4>Gold chain</h4><h4>What the agent did</h4></div><ol class="hops">${rows}</ol>`
	}${
		left.length > 0 &&
		html`<div class="others"><h4>${rows.length > 0 ? "Other steps" : "Steps"}</h4><ol>${left.map(
			(step) => html`<li>${stepView(step, pictures)}</li>`,
		)}</ol></div>`
	}${failure.moreSteps > 0 && html`<p class="muted small">${plural(failure.moreSteps, "more step")} not shown.</p>`}`;
}

/** Whether the agent took no step: it was handed the evidence, or answered from what it knew. */
const isIdle = (failure: Failure) => failure.steps.length === 0 && failure.moreSteps === 0;

function goldHop(hop: HopView, place: number, broken: boolean, pictures: FailurePictures): Markup {
	return html`<div class="line"><span>Hop ${place + 1}</span><span>${modalityName(hop.modality)}</span>${
		broken && html`<span class="tag bad">first broken hop</span>`
	}</div><p class="q" dir="auto">${hop.question}</p><p class="a"><span>Answer:</span> <bdi>${hop.answer}</bdi></p>${evidenceList(
		hop.evidence.map((evidence) => ({ evidence, gold: false })),
		hop.more,
		pictures,
	)}`;
}

function besideHop(hop: HopView, step: StepView | undefined, tried: StepView[], pictures: FailurePictures): Markup {
	if (step) return html`${stepView(step, pictures, html`<span class="tag good">evidence found</span>`)}`;
	if (hop.state === "computed")
		return html`<p class="muted small">Computed from the hops it needs: nothing to retrieve.</p>`;
	if (hop.state === "found" || hop.state === "shared")
		return html`<p class="muted small">Its evidence came back in step ${(hop.step ?? 0) + 1}${hop.state === "shared" && ", which already counts for another hop"}.</p>`;
	return html`<p><span class="tag bad">evidence not found</span></p><p class="muted small">No step brought back acceptable evidence.${
		tried.length > 0 && " At this point it tried:"
	}</p>${tried.map((one) => html`<div class="tried">${stepView(one, pictures)}</div>`)}`;
}

/** What stands beside the first broken hop: unmatched steps between the last step matched before it and the next. */
function triedAt(failure: Failure, broken: number, others: StepView[]): StepView[] {
	if (failure.hops[broken]?.state !== "missed") return [];
	const stepsOf = (hops: HopView[]) =>
		hops.flatMap((hop) => (hop.state === "found" && hop.step !== null ? [hop.step] : []));
	const from = Math.max(-1, ...stepsOf(failure.hops.slice(0, broken)));
	const to = Math.min(Number.POSITIVE_INFINITY, ...stepsOf(failure.hops.slice(broken)).filter((step) => step > from));
	return others.filter((step) => step.index > from && step.index < to).slice(0, 3);
}

function stepView(step: StepView, pictures: FailurePictures, tag?: Markup): Markup {
	const asks = step.subQuestion !== null && step.subQuestion !== step.query;
	return html`<div class="line"><span>Step ${step.index + 1}</span>${step.tool !== null && html`<code>${step.tool}</code>`}${tag}</div>
${asks && html`<p class="q" dir="auto">${step.subQuestion}</p>`}${
	step.query !== "" &&
	html`<p class="${asks ? "a" : "q"}">${asks && html`<span>Query:</span> `}<bdi>${step.query}</bdi></p>`
}${step.subAnswer !== null && html`<p class="a"><span>Sub-answer:</span> <bdi>${step.subAnswer}</bdi></p>`}${
	step.error !== null && html`<p class="a"><span>Error:</span> <bdi>${step.error}</bdi></p>`
}${step.results.length > 0 ? evidenceList(step.results, step.more, pictures) : html`<p class="muted small">Nothing came back.</p>`}`;
}

function evidenceList(
	items: { rank?: number; gold: boolean; evidence: EvidenceView }[],
	more: number,
	pictures: FailurePictures,
): Markup {
	const rows = items.map(({ rank, gold, evidence }) => {
		const picture = pictures.evidence.get(evidence.id);
		const image =
			picture &&
			html`<img src="${picture.uri}" width="${Math.round(picture.width / 2)}" height="${Math.round(picture.height / 2)}" alt="${evidence.text || evidence.title || "Image evidence"}">`;
		const title = evidence.kind === "unknown" ? "Not in the knowledge base" : evidence.title;
		return html`<li class="${gold && "gold-one"}">${image}<div class="what">${rank !== undefined && html`<span class="muted">${rank}.</span> `}<span class="title"><bdi>${title}</bdi></span> <span class="id"><bdi>${evidence.id}</bdi></span>${
			gold && html` <span class="tag gold">gold</span>`
		}${evidence.text !== "" && html`<p dir="auto">${evidence.text}</p>`}</div></li>`;
	});
	return html`<ul class="evidence">${rows}${more > 0 && html`<li><span class="what muted">and ${more} more</span></li>`}</ul>`;
}

/** What the section says of a run's failures before showing them. */
export function failuresNote(run: RunReport): string {
	const { of, shown } = run.failures;
	if (of === 0) {
		const abstained = run.outcomes.find((outcome) => outcome.ending === "abstained")?.count ?? 0;
		return abstained > 0 ? `No wrong answer: it abstained ${plural(abstained, "time")}.` : "No wrong answer.";
	}
	return of === shown.length ? `All ${of}.` : `The worst ${shown.length} of ${of}.`;
}
