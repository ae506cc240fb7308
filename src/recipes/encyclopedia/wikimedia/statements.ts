import type { Answer } from "#domain";
import { numberAnswer, stringAnswer } from "../../template/answers.ts";
import type { Edge } from "../encyclopedia.ts";
import { timeValue } from "../typed-value.ts";
import type { Claim, Snak } from "./entities.ts";

/** Kinds of value that identify or point elsewhere rather than say something. */
const silent: ReadonlySet<string> = new Set([
	"external-id",
	"url",
	"commonsMedia",
	"globe-coordinate",
	"geo-shape",
	"tabular-data",
	"musical-notation",
	"math",
	"wikibase-property",
]);

/** The item that a snak names. */
export const itemOf = ({ snaktype, datavalue }: Snak): string | undefined =>
	snaktype === "value" && datavalue?.type === "wikibase-entityid" && datavalue.value.id.startsWith("Q")
		? datavalue.value.id
		: undefined;

/** The unit's item of a quantity. */
export const unitOf = ({ datavalue }: Snak): string | undefined =>
	datavalue?.type === "quantity" ? /\/entity\/(Q\d+)$/.exec(datavalue.value.unit)?.[1] : undefined;

/** What a snak says, as an answer: undefined where it says nothing that can be asked for. */
export function answerOf(snak: Snak, unit: string | undefined, language: string): Answer | undefined {
	if (snak.snaktype !== "value" || silent.has(snak.datatype ?? "")) return undefined;
	const value = snak.datavalue;
	switch (value?.type) {
		case "time": {
			const iso = isoOf(value.value.time, value.value.precision);
			return iso === undefined ? undefined : timeValue(iso);
		}
		case "quantity": {
			const number = Number(value.value.amount);
			return Number.isFinite(number) ? numberAnswer(number, unit === undefined ? {} : { unit }) : undefined;
		}
		case "monolingualtext":
			return value.value.language === language ? stringAnswer(value.value.text) : undefined;
		case "string":
			return value.value.trim() === "" ? undefined : stringAnswer(value.value);
		default:
			return undefined;
	}
}

/** The statements of one property that hold: deprecated ones out, preferred ones first. */
export function heldClaims(claims: readonly Claim[]): Claim[] {
	const ranked = (rank: Claim["rank"]) => claims.filter((claim) => claim.rank === rank);
	return [...ranked("preferred"), ...ranked("normal")];
}

/** How many ends a property has among its statements of the best rank, which are those that count as true now. */
export function distinctEnds(held: readonly Claim[]): number {
	const best = held.filter(({ rank }) => rank === held[0]?.rank);
	return new Set(best.map(({ mainsnak }) => JSON.stringify(mainsnak.datavalue ?? mainsnak.snaktype))).size;
}

const start = "P580";
const end = "P582";
const moment = "P585";

/** The time that a statement is bounded to. */
export function duringOf({ qualifiers = {} }: Claim): Edge["during"] {
	const at = (property: string) => {
		const value = qualifiers[property]?.[0]?.datavalue;
		return value?.type === "time" ? isoOf(value.value.time, value.value.precision) : undefined;
	};
	const from = at(start) ?? at(moment);
	const to = at(end) ?? at(moment);
	if (from === undefined && to === undefined) return undefined;
	return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** `+1821-07-28T00:00:00Z` at the precision of a day (11), month (10) or year (9); coarser times are no answers. */
function isoOf(time: string, precision: number): string | undefined {
	const match = /^([+-])(\d{4,6})-(\d{2})-(\d{2})T/.exec(time);
	if (!match || precision < 9) return undefined;
	const [, sign, year = "", month, day] = match;
	const date = precision >= 11 ? `-${month}-${day}` : precision === 10 ? `-${month}` : "";
	return `${sign === "-" ? "-" : ""}${year}${date}`;
}
