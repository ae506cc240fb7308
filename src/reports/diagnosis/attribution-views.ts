/** What a method made of injected records, as tables. */
import {
	type Attributed,
	type AttributionRow,
	attributionOutcomes,
	attributionRows,
	isSound,
	unobservedSizes,
} from "#diagnosis";
import { clip } from "#domain";
import type { Column, View } from "../views/view.ts";
import { countCell, intervalCell, textCell } from "../views/view-cells.ts";

/** A method beside others, with what it said of the same records. */
export interface Method {
	name: string;
	records: readonly Attributed[];
}

const plain: Pick<View, "plots" | "source" | "over"> = { plots: [], source: "the injector's log", over: "record" };
const text = (key: string, title: string): Column => ({ key, title, unit: "text" });
const words = (name: string) => name.replaceAll("-", " ");
const titles = { right: "Right", partly: "Partly", unobserved: "Unobserved", off: "Off", missed: "Missed" };

const columnsFor = (keys: readonly string[]): Column[] => [
	...keys.map((key) => text(key.toLowerCase(), key)),
	{ key: "records", title: "n", unit: "number" },
	...attributionOutcomes.map((outcome): Column => ({ key: outcome, title: titles[outcome], unit: "percent" })),
];

const rowsFor = (keys: readonly string[], rows: readonly AttributionRow[]): View["rows"] =>
	rows.map(({ of, records, shares }) => ({
		cells: {
			...Object.fromEntries(keys.map((key, place) => [key.toLowerCase(), textCell(words(of[place] ?? ""))])),
			records: countCell(records),
			...Object.fromEntries(
				attributionOutcomes.map((outcome) => {
					const { of: n, ...share } = shares[outcome];
					return [outcome, intervalCell({ ...share, n })];
				}),
			),
		},
	}));

const legend =
	"Right: the kind and the hop are named, or nothing where nothing is broken. Partly: one of the two. Unobserved: the hop is said not to show in the record, and no other is blamed. Off: another is blamed, a false alarm where nothing is broken. Missed: nothing is blamed.";

function table(
	name: string,
	title: string,
	{ keys, records, by }: { keys: string[]; records: readonly Attributed[]; by: (record: Attributed) => string[] },
): View {
	return {
		...{ ...plain, name, title, describe: legend, notes: [] },
		columns: columnsFor(keys),
		rows: rowsFor(keys, attributionRows(records, by)),
	};
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
	return [
		{
			...{ ...plain, name: "attribution", title: "Attribution by what the record shows", describe: legend, notes: [] },
			columns: columnsFor(["Group", "Shown"]),
			rows: rowsFor(["Group", "Shown"], grouped),
		},
		table("attribution-faults", "Attribution by fault", {
			keys: ["Fault", "Shown"],
			records,
			by: (record) => [faultOf(record), record.truth.observability],
		}),
		table("attribution-styles", "Attribution by fault and wording", {
			keys: ["Fault", "Shown", "Queries"],
			records,
			by: (record) => [faultOf(record), record.truth.observability, record.truth.style],
		}),
		...(beside.length === 0
			? []
			: [
					{
						...{
							...plain,
							name: "attribution-baselines",
							title: "Beside trivial attributions",
							describe: legend,
							notes: [],
						},
						columns: columnsFor(["Method", "Group", "Shown"]),
						rows: rowsFor(["Method", "Group", "Shown"], methods),
					},
				]),
		sizesView(records),
		mistakesView(records),
	];
}

function sizesView(records: readonly Attributed[]): View {
	const shown = [...new Set(records.map(({ truth }) => truth.observability))];
	const rows = shown.map((observability) => ({
		observability,
		sizes: unobservedSizes(records.filter(({ truth }) => truth.observability === observability)),
	}));
	const most = Math.max(1, ...rows.map(({ sizes }) => sizes.length));
	return {
		...{ ...plain, name: "attribution-unobserved", title: "Sizes of unobserved sets", notes: [] },
		describe: "Records by how many hops are said not to show in them.",
		columns: [
			text("shown", "Shown"),
			...Array.from({ length: most }, (_, size): Column => ({ key: `${size}`, title: `${size}`, unit: "number" })),
		],
		rows: rows.map(({ observability, sizes }) => ({
			cells: {
				shown: textCell(observability),
				...Object.fromEntries(Array.from({ length: most }, (_, size) => [`${size}`, countCell(sizes[size] ?? 0)])),
			},
		})),
	};
}

const mostMistakes = 40;

function mistakesView(records: readonly Attributed[]): View {
	const kinds = new Map<string, { count: number; example: Attributed }>();
	for (const record of records) {
		if (record.outcome === "right" || record.outcome === "unobserved") continue;
		const where = record.said.hop === record.truth.hop ? "there" : record.said.hop === null ? "nowhere" : "elsewhere";
		const key = JSON.stringify([faultOf(record), record.truth.observability, record.said.kind ?? "nothing", where]);
		const known = kinds.get(key);
		if (known) known.count += 1;
		else kinds.set(key, { count: 1, example: record });
	}
	const sorted = [...kinds].sort((a, b) => b[1].count - a[1].count);
	return {
		...{ ...plain, name: "attribution-mistakes", title: "The commonest mistakes" },
		describe: "With one record of each, and what the injector did there.",
		columns: [
			...[text("fault", "Fault"), text("shown", "Shown"), text("found", "Found"), text("where", "Hop")],
			...[{ key: "count", title: "Records", unit: "number" } as const, text("task", "Task"), text("did", "Done")],
		],
		rows: sorted.slice(0, mostMistakes).map(([key, { count, example }]) => {
			const [fault = "", shown = "", found = "", where = ""] = JSON.parse(key) as string[];
			return {
				cells: {
					...{
						fault: textCell(words(fault)),
						shown: textCell(shown),
						found: textCell(words(found)),
						where: textCell(where),
					},
					...{ count: countCell(count), task: textCell(`${example.truth.task} ${example.truth.repeat}`) },
					did: textCell(clip(example.truth.did, 160)),
				},
			};
		}),
		notes: sorted.length > mostMistakes ? [`${sorted.length - mostMistakes} rarer kinds are left out.`] : [],
	};
}
