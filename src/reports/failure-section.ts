/** A run's worst failures, hop by hop: the gold chain on the left, on the right what the agent did about each hop. */
import { stepsOfHop } from "#domain";
import { primaryName } from "./diagnosis/diagnosis-words.ts";
import { type Anchors, anchorsOf, findingsList, verdictTag, verdictText } from "./diagnosis/failure-diagnosis.ts";
import type { FailurePictures } from "./media.ts";
import type { EvidenceView, Failure, HopView, RunReport, StepView } from "./report-data.ts";
import { type Content, html, type Markup } from "./template.ts";
import { endingNames, modalityName, plural, topologyName } from "./wording.ts";

const none: FailurePictures = { question: new Map(), evidence: new Map() };

/** One failure as a folded block; open where `open` is set. `anchor` names it on the page. */
export function failureBlock(
	failure: Failure,
	options: { pictures: FailurePictures | undefined; open: boolean; anchor: string },
): Markup {
	const { pictures = none, anchor } = options;
	const shown: Shown = { pictures, anchors: anchorsOf(failure, anchor) };
	const retrieving = failure.hops.filter((hop) => hop.state !== "computed");
	const found = retrieving.filter((hop) => hop.state === "found").length;
	const hops = plural(retrieving.length, "hop");
	const chain = failure.topology
		? `${topologyName(failure.topology)} · ${isIdle(failure) ? `${hops}, no search` : `${found} of ${hops} found`}`
		: "no gold chain";
	const named = failure.diagnosis?.primary && ` · ${primaryName(failure.diagnosis.primary)}`;
	return html`<details id="${anchor}"${options.open ? html` open` : ""}><summary><span class="ask" dir="auto">${failure.question}</span>
<span class="facts-line">${chain}${named}</span></summary>
<div class="case">${asked(failure, pictures)}${
		failure.hops.length > 0 && failure.brokenHop === null && html`<p class="unbroken">${unbroken(failure)}</p>`
	}${findingsList(failure, shown.anchors)}${chainView(failure, shown)}</div></details>
`;
}

/** What the parts of a failure are drawn with. */
interface Shown {
	pictures: FailurePictures;
	anchors: Anchors;
}

function unbroken({ diagnosis, hops }: Failure): string {
	if (!diagnosis) return "The evidence of every hop came back; the answer is wrong all the same.";
	if (hops.every((hop) => hop.diagnosis?.is !== "judged")) return "No hop could be judged.";
	const open = hops.flatMap(({ id }, at) => (diagnosis.unobserved.includes(id) ? [at + 1] : []));
	if (open.length > 0)
		return `No hop is seen to be broken; nothing shows how ${open.length > 1 ? "hops" : "hop"} ${open.join(", ")} went.`;
	return "No hop is seen to be broken; the answer is wrong all the same.";
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
${failure.plan !== null && html`<dt>Plan</dt><dd><bdi>${failure.plan}</bdi></dd>`}
<dt>Task</dt><dd class="id">${failure.task}${failure.repeat > 0 && ` (repeat ${failure.repeat})`}</dd></dl></div>`;
}

function chainView(failure: Failure, shown: Shown): Content {
	const beside = stepsBeside(failure);
	const placed = new Set(beside.flat());
	const left = failure.steps.filter((step) => !placed.has(step));
	if (failure.hops.length === 0 && left.length === 0) return html`<p class="muted small">No steps were recorded.</p>`;
	const idle = isIdle(failure);
	const broken = idle && !failure.diagnosis ? -1 : failure.hops.findIndex((hop) => hop.id === failure.brokenHop);
	const rows = failure.hops.map((hop, place) => {
		const here = beside[place] ?? [];
		const said = idle
			? html`${failure.diagnosis && html`<p>${verdictTag(hop)}</p>`}${place === 0 && html`<p class="muted small">It answered without searching.</p>`}`
			: besideHop(hop, here, { failure, ...shown });
		return html`<li class="${place === broken ? "hop broken" : "hop"}"><div>${goldHop(hop, place, place === broken, shown)}</div>
<div>${said}</div></li>`;
	});
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

/** What stands beside each hop; every step stands in one place. By the diagnosis, or without one by evidence alone. */
function stepsBeside(failure: Failure): StepView[][] {
	const { hops, steps } = failure;
	if (failure.diagnosis) {
		const taken = new Set<number>();
		return hops.map(({ diagnosis }) => {
			const own = diagnosis?.is === "judged" ? stepsOfHop(diagnosis) : [];
			const here = steps.filter(({ index }) => own.includes(index) && !taken.has(index)).slice(0, 4);
			for (const { index } of here) taken.add(index);
			return here;
		});
	}
	const matched = (hop: HopView) => steps.filter((step) => hop.state === "found" && step.index === hop.step);
	const placed = new Set(hops.flatMap(matched));
	const others = steps.filter((step) => !placed.has(step));
	const broken = isIdle(failure) ? -1 : hops.findIndex((hop) => hop.id === failure.brokenHop);
	const tried = triedAt(failure, broken, others);
	return hops.map((hop, place) => (place === broken ? tried : matched(hop)));
}

/** Whether the agent took no step: it was handed the evidence, or answered from what it knew. */
const isIdle = (failure: Failure) => failure.steps.length === 0 && failure.moreSteps === 0;

function goldHop(hop: HopView, place: number, broken: boolean, { pictures, anchors }: Shown): Markup {
	return html`<div class="line"><span>Hop ${place + 1}</span><span>${modalityName(hop.modality)}</span>${
		broken && html`<span class="tag bad">first broken hop</span>`
	}</div><p class="q" dir="auto">${hop.question}</p><p class="a"><span>Answer:</span> <bdi>${hop.answer}</bdi></p>${evidenceList(
		hop.evidence.map((evidence, at) => ({ evidence, gold: false, anchor: anchors.gold(place, at) })),
		hop.more,
		pictures,
	)}`;
}

function besideHop(hop: HopView, steps: StepView[], { failure, ...shown }: Shown & { failure: Failure }): Markup {
	if (hop.diagnosis)
		return html`<p>${verdictTag(hop)}</p>${verdictText(hop, failure, shown.anchors)}${steps.map(
			(one) => html`<div class="tried">${stepView(one, shown)}</div>`,
		)}`;
	const [step] = steps;
	if (step && hop.state === "found")
		return html`${stepView(step, shown, html`<span class="tag good">evidence found</span>`)}`;
	if (hop.state === "computed")
		return html`<p class="muted small">Computed from the hops it needs: nothing to retrieve.</p>`;
	if (hop.state === "found" || hop.state === "shared")
		return html`<p class="muted small">Its evidence came back in step ${(hop.step ?? 0) + 1}${hop.state === "shared" && ", which already counts for another hop"}.</p>`;
	return html`<p><span class="tag bad">evidence not found</span></p><p class="muted small">No step brought back acceptable evidence.${
		steps.length > 0 && " At this point it tried:"
	}</p>${steps.map((one) => html`<div class="tried">${stepView(one, shown)}</div>`)}`;
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

function stepView(step: StepView, { pictures, anchors }: Shown, tag?: Markup): Markup {
	const asks = step.subQuestion !== null && step.subQuestion !== step.query;
	const results = step.results.map((result) => ({ ...result, anchor: anchors.result(step, result.rank) }));
	return html`<div class="line"${idOf(anchors.step(step.index))}><span>Step ${step.index + 1}</span>${step.tool !== null && html`<code>${step.tool}</code>`}${tag}</div>
${asks && html`<p class="q" dir="auto">${step.subQuestion}</p>`}${
	step.query !== "" &&
	html`<p class="${asks ? "a" : "q"}">${asks && html`<span>Query:</span> `}<bdi>${step.query}</bdi></p>`
}${step.subAnswer !== null && html`<p class="a"><span>Sub-answer:</span> <bdi>${step.subAnswer}</bdi></p>`}${
	step.error !== null && html`<p class="a"><span>Error:</span> <bdi>${step.error}</bdi></p>`
}${step.results.length > 0 ? evidenceList(results, step.more, pictures) : html`<p class="muted small">Nothing came back.</p>`}`;
}

const idOf = (anchor: string | undefined) => anchor !== undefined && html` id="${anchor}"`;

function evidenceList(
	items: { rank?: number; gold: boolean; evidence: EvidenceView; anchor: string | undefined }[],
	more: number,
	pictures: FailurePictures,
): Markup {
	const rows = items.map(({ rank, gold, evidence, anchor }) => {
		const picture = pictures.evidence.get(evidence.id);
		const image =
			picture &&
			html`<img src="${picture.uri}" width="${Math.round(picture.width / 2)}" height="${Math.round(picture.height / 2)}" alt="${evidence.text || evidence.title || "Image evidence"}">`;
		const title = evidence.kind === "unknown" ? "Not in the knowledge base" : evidence.title;
		return html`<li${idOf(anchor)} class="${gold && "gold-one"}">${image}<div class="what">${rank !== undefined && html`<span class="muted">${rank}.</span> `}<span class="title"><bdi>${title}</bdi></span> <span class="id"><bdi>${evidence.id}</bdi></span>${
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
