/** What a method made of injected records, as tables. */
import {
	type Attributed,
	type AttributionRow,
	attributionOutcomes,
	attributionRows,
	isSound,
	unobservedSizes,
} from "#diagnosis";
import { clip, grouped, present } from "#domain";
import { shareCell } from "../views/diagnosed.ts";
import { numberColumn, percentColumn, type TableColumn, tableOf, textColumn } from "../views/table.ts";
import type { View } from "../views/view.ts";
import { spelt } from "../wording.ts";

/** A method beside others, with what it said of the same records. */
export interface Method {
	name: string;
	records: readonly Attributed[];
}

const plain: Pick<View, "plots" | "source" | "over"> = { plots: [], source: "the injector's log", over: "record" };
const titles = { right: "Right", partly: "Partly", unobserved: "Unobserved", off: "Off", missed: "Missed" };

const legend =
	"Right: the kind and the hop are named, or nothing where nothing is broken. Partly: one of the two. Unobserved: the hop is said not to show in the record, and no other is blamed. Off: another is blamed, a false alarm where nothing is broken. Missed: nothing is blamed.";

/** Shares of outcomes; `keys` head what a row is of. */
function outcomesTable(
	name: string,
	title: string,
	{ keys, rows }: { keys: readonly string[]; rows: readonly AttributionRow[] },
): View {
	const columns: TableColumn<AttributionRow>[] = [
		...keys.map((key, place) => textColumn<AttributionRow>(key.toLowerCase(), key, ({ of }) => spelt(of[place] ?? ""))),
		numberColumn("records", "n", ({ records }) => records),
		...attributionOutcomes.map((outcome) =>
			percentColumn<AttributionRow>(outcome, titles[outcome], ({ shares }) => shareCell(shares[outcome])),
		),
	];
	return { ...plain, name, title, describe: legend, notes: [], ...tableOf(rows, columns) };
}

/** What is broken in a record, as rows are called: a miss that no fault made is one of its own. */
const faultOf = ({ truth }: Attributed) => (truth.natural ? "natural-miss" : truth.fault);
const visual: ReadonlySet<string> = new Set(["wrong-modality", "wrong-image", "misread-chart"]);

/** The tables of one method; `uncapitalised`: the same of records in lower case throughout. */
export function attributionViews(
	records: readonly Attributed[],
	{ uncapitalised = [], beside = [] }: { uncapitalised?: readonly Attributed[]; beside?: readonly Method[] } = {},
): View[] {
	const broken = records.filter(({ truth }) => !isSound(truth));
	const groups: [string, readonly Attributed[]][] = [
		["all faults", broken],
		["visual faults", broken.filter(({ truth }) => visual.has(truth.fault))],
		["Spanish", broken.filter(({ truth }) => truth.language.startsWith("es"))],
		["nothing broken", records.filter(({ truth }) => isSound(truth))],
		["faults, lower case", uncapitalised.filter(({ truth }) => !isSound(truth))],
		["nothing broken, lower case", uncapitalised.filter(({ truth }) => isSound(truth))],
	];
	const grouped = groups.flatMap(([name, some]) =>
		attributionRows(some, ({ truth }) => [truth.observability]).map((row) => ({ ...row, of: [name, ...row.of] })),
	);
	const methods = [{ name: "the diagnosis", records }, ...beside].flatMap(({ name, records: of }) =>
		attributionRows(of, (record) => [
			isSound(record.truth) ? "nothing broken" : "all faults",
			record.truth.observability,
		]).map((row) => ({ ...row, of: [name, ...row.of] })),
	);
	return present([
		outcomesTable("attribution", "Attribution by what the record shows", { keys: ["Group", "Shown"], rows: grouped }),
		outcomesTable("attribution-faults", "Attribution by fault", {
			keys: ["Fault", "Shown"],
			rows: attributionRows(records, (record) => [faultOf(record), record.truth.observability]),
		}),
		outcomesTable("attribution-styles", "Attribution by fault and wording", {
			keys: ["Fault", "Shown", "Queries"],
			rows: attributionRows(records, (record) => [faultOf(record), record.truth.observability, record.truth.style]),
		}),
		beside.length !== 0 &&
			outcomesTable("attribution-baselines", "Beside trivial attributions", {
				keys: ["Method", "Group", "Shown"],
				rows: methods,
			}),
		sizesView(records),
		mistakesView(records),
	]);
}

function sizesView(records: readonly Attributed[]): View {
	const shown = [...new Set(records.map(({ truth }) => truth.observability))];
	const rows = shown.map((observability) => ({
		observability,
		sizes: unobservedSizes(records.filter(({ truth }) => truth.observability === observability)),
	}));
	const most = Math.max(1, ...rows.map(({ sizes }) => sizes.length));
	const columns: TableColumn<(typeof rows)[number]>[] = [
		textColumn("shown", "Shown", ({ observability }) => observability),
		...Array.from({ length: most }, (_, size) =>
			numberColumn<(typeof rows)[number]>(`${size}`, `${size}`, ({ sizes }) => sizes[size] ?? 0),
		),
	];
	return {
		...plain,
		name: "attribution-unobserved",
		title: "Sizes of unobserved sets",
		notes: [],
		describe: "Records by how many hops are said not to show in them.",
		...tableOf(rows, columns),
	};
}

const mostMistakes = 40;

/** The fault, how it shows, what was found instead and where. */
function mistakeOf(record: Attributed): string[] {
	const { said, truth } = record;
	const where = said.hop === truth.hop ? "there" : said.hop === null ? "nowhere" : "elsewhere";
	return [faultOf(record), truth.observability, said.kind ?? "nothing", where];
}

function mistakesView(records: readonly Attributed[]): View {
	const mistaken = records.filter(({ outcome }) => outcome !== "right" && outcome !== "unobserved");
	const kinds = grouped(mistaken, (record) => JSON.stringify(mistakeOf(record)));
	const sorted = [...kinds.values()].sort((a, b) => b.length - a.length);
	const shown = sorted
		.slice(0, mostMistakes)
		.flatMap((own) => own.slice(0, 1).map((example) => ({ said: mistakeOf(example), count: own.length, example })));
	const columns: TableColumn<(typeof shown)[number]>[] = [
		textColumn("fault", "Fault", ({ said: [fault = ""] }) => spelt(fault)),
		textColumn("shown", "Shown", ({ said: [, shownAs = ""] }) => shownAs),
		textColumn("found", "Found", ({ said: [, , found = ""] }) => spelt(found)),
		textColumn("where", "Hop", ({ said: [, , , where = ""] }) => where),
		numberColumn("count", "Records", ({ count }) => count),
		textColumn("task", "Task", ({ example: { truth } }) => `${truth.task} ${truth.repeat}`),
		textColumn("did", "Done", ({ example: { truth } }) => clip(truth.did, 160)),
	];
	return {
		...plain,
		name: "attribution-mistakes",
		title: "The commonest mistakes",
		describe: "With one record of each, and what the injector did there.",
		...tableOf(shown, columns),
		notes: sorted.length > mostMistakes ? [`${sorted.length - mostMistakes} rarer kinds are left out.`] : [],
	};
}
