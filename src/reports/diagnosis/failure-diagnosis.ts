/** What the diagnosis says of a failure, on the page: every claim links to the step and the evidence it rests on. */
import { clip, isBroken, stepsOfHop } from "#domain";
import type { EvidenceView, Failure, HopView, StepView } from "../report-data.ts";
import { html, type Markup } from "../template.ts";
import { findingSentence, hopSentence, hopsBefore } from "./diagnosis-case.ts";
import { findingWords, orBefore, verdictWords } from "./diagnosis-words.ts";

/** Where a failure's steps and evidence stand on the page; undefined where they are not shown. */
export interface Anchors {
	step(index: number): string | undefined;
	result(step: StepView, rank: number): string | undefined;
	gold(place: number, at: number): string | undefined;
	evidence(id: string): string | undefined;
}

/** Anchors below a prefix that no other failure of the page has. */
export function anchorsOf({ steps, hops }: Failure, prefix: string): Anchors {
	const shown = new Set(steps.map(({ index }) => index));
	const step = (index: number) => (shown.has(index) ? `${prefix}-s${index}` : undefined);
	const gold = (place: number, at: number) => `${prefix}-h${place}-${at}`;
	const result = ({ index }: StepView, rank: number) => `${prefix}-s${index}-${rank}`;
	const places = new Map<string, string>();
	const note = ({ id }: EvidenceView, anchor: string) => {
		if (!places.has(id)) places.set(id, anchor);
	};
	for (const [place, hop] of hops.entries())
		for (const [at, evidence] of hop.evidence.entries()) note(evidence, gold(place, at));
	for (const one of steps) for (const { rank, evidence } of one.results) note(evidence, result(one, rank));
	return { step, gold, result, evidence: (id) => places.get(id) };
}

/** The verdict on a hop as a tag that leads to what it means, and in words. */
export function verdictTag({ diagnosis }: HopView): Markup {
	if (diagnosis?.is !== "judged") return html`<span class="tag">not judged</span>`;
	const { verdict } = diagnosis;
	const mood = isBroken(verdict) ? "bad" : verdict === "unobserved" ? "" : "good";
	return html`<a class="tag ${mood}" href="#says-${verdict}">${verdictWords[verdict].name}</a>`;
}

export function verdictText(hop: HopView, failure: Failure, anchors: Anchors): Markup {
	const { diagnosis } = hop;
	const why = html`<bdi>${hopSentence(hop, failure)}</bdi>`;
	if (diagnosis?.is !== "judged") return html`<p class="muted small">${why}</p>`;
	const { evidence } = diagnosis;
	const steps = stepsOfHop(diagnosis);
	return html`<p class="muted small">${why}${steps.length > 0 && html` ${stepLinks(steps, anchors)}.`}${
		evidence.length > 0 && html` Evidence: ${evidenceLinks(evidence, anchors)}.`
	}</p>`;
}

/** The findings of a failure, each with its links; nothing where no diagnosis was made. */
export function findingsList({ diagnosis, hops, brokenHop }: Failure, anchors: Anchors): Markup | undefined {
	if (!diagnosis) return undefined;
	if (diagnosis.findings.length === 0) return html`<p class="muted small">The diagnosis found nothing.</p>`;
	const rows = diagnosis.findings.map(({ is, hop, says, steps, evidence }) => {
		const place = hops.findIndex(({ id }) => id === hop);
		const first = diagnosis.primary === is && (hop === undefined || hop === brokenFirst({ hops }));
		return html`<li><a class="tag ${is === "lucky" ? "" : "bad"}" href="#says-${is}">${findingWords[is].name}</a> ${place >= 0 && html`<span class="muted">hop ${place + 1}</span> `}<bdi>${place >= 0 ? findingSentence(says) : says}</bdi>${
			steps.length > 0 && html` <span class="muted">${stepLinks(steps, anchors)}</span>`
		}${evidence.length > 0 && html` <span class="muted">${evidenceLinks(evidence, anchors)}</span>`}${
			first && html` <span class="muted">· named first</span>`
		}</li>`;
	});
	const before = orBefore(hopsBefore({ hops, diagnosis, brokenHop }));
	return html`<div class="found"><h4>Findings</h4><ul>${rows}</ul>${
		before !== "" && html`<p class="muted small">The first broken hop is the first that shows it: ${before}.</p>`
	}</div>`;
}

const brokenFirst = ({ hops }: Pick<Failure, "hops">) =>
	hops.find(({ diagnosis }) => diagnosis?.is === "judged" && isBroken(diagnosis.verdict))?.id;

/** "Step 2, 3", each a link where the step is shown. */
export function stepLinks(steps: readonly number[], anchors: Anchors): Markup {
	const links = steps.map((index, at) => {
		const anchor = anchors.step(index);
		const name = at === 0 ? `Step ${index + 1}` : `${index + 1}`;
		return html`${at > 0 && ", "}${anchor === undefined ? name : html`<a href="#${anchor}">${name}</a>`}`;
	});
	return html`${links}`;
}

function evidenceLinks(ids: readonly string[], anchors: Anchors): Markup {
	const links = ids.map((id, at) => {
		const anchor = anchors.evidence(id);
		const name = html`<span class="id"><bdi>${clip(id, 80)}</bdi></span>`;
		return html`${at > 0 && ", "}${anchor === undefined ? name : html`<a href="#${anchor}">${name}</a>`}`;
	});
	return html`${links}`;
}
