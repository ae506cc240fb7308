import { extname } from "node:path";
import { type DateForm, formsOf, isShortYear, openOrders, readDate } from "./date-cell.ts";
import { type DecimalMark, decimalMarks, readNumber } from "./number-cell.ts";

/** What the cells of a column are; `text` stands in the passages and is never asked for. */
export const columnTypes = ["number", "time", "name", "text", "image"] as const;

/** How the cells of a column are read: all that a cell does not say by itself. */
export interface ColumnForm {
	type: (typeof columnTypes)[number];
	/** Of numbers: what stands beside the digits, or is meant where nothing does. */
	unit?: string | undefined;
	decimal?: DecimalMark | undefined;
	/** Of times. */
	form?: DateForm[] | undefined;
}

/** A column's form as its cells tell it. */
export interface ColumnTold extends ColumnForm {
	/** Why it is text, or what else a person should look at. */
	remark?: string;
	/** What the cells leave open, and nobody may guess; `remedy` is what to say of the column. */
	problem?: { says: string; samples: string[]; remedy: string };
}

interface Telling {
	/** The column's name: only one that speaks of times has years of four bare digits. */
	name: string;
	/** What somebody said of it; the rest is read off the cells. */
	given?: Partial<ColumnForm> | undefined;
	/** The decimal mark that is known otherwise: of values that came as numbers, or from the table's other columns. */
	decimal?: DecimalMark | undefined;
	/** Where all else is silent, what parts the cells of the file, "" where nothing is known of it: see `groupedBy`. */
	delimiter?: string | undefined;
}

/** At least this share of a column's values is of its type; the others are told, and never asked for. */
const enough = 0.9;
/** A column with this share of numbers or dates, and not enough of them, is a mixture, not a column of names. */
const mixed = 0.25;
/** Of so many values that are all one, none tells anything of its row. */
const fewest = 5;
/** A longer value is prose: it stands in the passage and is not asked for. */
const longestName = 80;
const pictures = new Set([".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".avif"]);
/** Names of relations whose bare four digits are years. */
const yearly = /year|date|born|birth|die[ds]|death|built|since|start|end|inception|launch|ed$/i;

/**
 * Tells from all values of a column what they are and how they are written. What only the column can tell (whether day
 * or month comes first, which mark is the decimal one) is settled by a single value that has one reading; where none
 * has, that is a problem, and not guessed.
 */
export function tellColumn(values: readonly string[], { name, given = {}, decimal, delimiter }: Telling): ColumnTold {
	const type = given.type ?? (given.form ? "time" : given.decimal ? "number" : undefined);
	if (type === "name" || type === "text" || type === "image") return { type };
	if (values.length === 0) return type ? { ...given, type } : { type: "text", remark: "empty" };
	const part = (count: number) => count / values.length;
	const dates = type === "number" ? undefined : tellTimes(values, { name, given });
	if (dates && (type === "time" || part(dates.fits) >= enough)) return dates.told;
	const numbers = type === "time" ? undefined : tellNumbers(values, { given, decimal, delimiter });
	if (numbers && (type === "number" || part(numbers.fits) >= enough)) return numbers.told;
	const short = values.filter(isShortYear);
	if (part(short.length) >= enough)
		return {
			type: "text",
			problem: {
				says: "years of two digits do not say their century",
				samples: short,
				remedy: "type: text, or write the years with four digits",
			},
		};
	if (values.every((value) => pictures.has(extname(value).toLowerCase()))) return { type: "image" };
	if (values.every((value) => /^(?:yes|no|true|false)$/i.test(value))) return { type: "text", remark: "yes or no" };
	if (values.some((value) => value.length > longestName)) return { type: "text", remark: "prose" };
	const most = Math.max(dates?.fits ?? 0, numbers?.fits ?? 0);
	if (part(most) >= mixed)
		return {
			type: "text",
			remark: `mixed: ${most} of ${values.length} values are ${most === dates?.fits ? "dates" : "numbers"}`,
		};
	if (values.length >= fewest && new Set(values).size === 1) return { type: "text", remark: "the same in every row" };
	return { type: "name" };
}

function tellTimes(
	values: readonly string[],
	{ name, given }: { name: string; given: Partial<ColumnForm> },
): { told: ColumnTold; fits: number } {
	const all = values.map(formsOf);
	if (given.form) {
		const { form } = given;
		return {
			told: { type: "time", form },
			fits: all.filter((forms) => forms.some((one) => form.includes(one))).length,
		};
	}
	const dated = all.filter((forms) => forms.some((form) => form !== "yyyy")).length;
	const years = given.type === "time" || yearly.test(name) || dated * 2 >= values.length;
	const read = all.map((forms) => (years ? forms : forms.filter((form) => form !== "yyyy")));
	const there = new Set(read.flat());
	const told: ColumnTold = { type: "time" };
	for (const [dayFirst, monthFirst] of openOrders) {
		const rows = values.map((value, at) => ({ value, forms: read[at] ?? [] }));
		const days = rows.filter(({ forms }) => forms.includes(dayFirst) && !forms.includes(monthFirst));
		const months = rows.filter(({ forms }) => forms.includes(monthFirst) && !forms.includes(dayFirst));
		const open = rows.filter(
			({ value, forms }) =>
				forms.includes(dayFirst) &&
				forms.includes(monthFirst) &&
				readDate(value, dayFirst) !== readDate(value, monthFirst),
		);
		const contradict = days.length > 0 && months.length > 0;
		if (contradict || (days.length === 0 && months.length === 0 && open.length > 0))
			told.problem = {
				says: contradict
					? `some dates can only be ${dayFirst} and others only ${monthFirst}`
					: `every date could be ${dayFirst} as well as ${monthFirst}`,
				samples: (contradict ? [...days.slice(0, 2), ...months.slice(0, 2)] : open).map(({ value }) => value),
				remedy: `form: ${dayFirst}, or form: ${monthFirst}`,
			};
		there.delete(months.length > 0 ? dayFirst : monthFirst);
	}
	// a form that is not settled stands nowhere, or it would pass for one that somebody said
	if (!told.problem) told.form = [...there];
	return { told, fits: read.filter((forms) => forms.length > 0).length };
}

function tellNumbers(
	values: readonly string[],
	{
		given,
		decimal,
		delimiter,
	}: { given: Partial<ColumnForm>; decimal: DecimalMark | undefined; delimiter: string | undefined },
): { told: ColumnTold; fits: number } {
	// postal codes and keys: a number that begins with 0 would lose it
	if (given.type !== "number" && values.some((value) => /^0\d+$/.test(value)))
		return { told: { type: "name" }, fits: 0 };
	const all = values.map((value) => decimalMarks.map((mark) => readNumber(value, mark)));
	const told: ColumnTold = { type: "number" };
	const only = (at: 0 | 1) => values.filter((_, row) => all[row]?.[at] && !all[row]?.[1 - at]);
	const [points, commas] = [only(0), only(1)];
	const open = values.filter((_, row) => all[row]?.[0] && all[row]?.[1] && all[row][0].value !== all[row][1].value);
	const remedy = 'decimal: ".", or decimal: ","';
	if (given.decimal) told.decimal = given.decimal;
	else if (points.length > 0 && commas.length > 0)
		told.problem = {
			says: 'some numbers have "." before their decimals and others ","',
			samples: [...points.slice(0, 2), ...commas.slice(0, 2)],
			remedy,
		};
	else if (points.length > 0 || commas.length > 0) told.decimal = points.length > 0 ? "." : ",";
	else if (open.length > 0) {
		const by = decimal ?? (delimiter === undefined ? undefined : groupedBy(open, delimiter));
		if (by) told.decimal = by;
		else told.problem = { says: "thousands or decimals could stand behind the mark", samples: open, remedy };
	}
	const mark = (told.decimal ?? ".") === "." ? 0 : 1;
	const reads = all.flatMap((pair) => pair[mark] ?? pair[1 - mark] ?? []);
	told.unit = given.unit ?? commonUnit(reads);
	const fits = reads.filter(({ unit }) => unit === undefined || unit === told.unit).length;
	if (told.unit === undefined) delete told.unit;
	return { told, fits };
}

/**
 * Commas that always stand before three digits part thousands where cells are parted by commas too: who writes decimal
 * commas parts them by something else. Where nothing is known of that, thousands have one digit before the comma here and
 * two or three there. Points are not told so, since decimals of three digits are common.
 */
function groupedBy(open: readonly string[], delimiter: string): DecimalMark | undefined {
	if (delimiter === ";" || !open.every((value) => value.includes(","))) return undefined;
	const sizes = new Set(open.map((value) => /(\d+),/.exec(value)?.[1]?.length));
	return delimiter === "," || sizes.size > 1 ? "." : undefined;
}

/** The unit that at least half of the numbers are written with. */
function commonUnit(reads: readonly { unit?: string }[]): string | undefined {
	const counts = new Map<string, number>();
	for (const { unit } of reads) if (unit !== undefined) counts.set(unit, (counts.get(unit) ?? 0) + 1);
	const [first] = [...counts].sort(([, a], [, b]) => b - a);
	return first && first[1] * 2 >= reads.length ? first[0] : undefined;
}

/** Whether a value fits its column: nothing else is asked for. */
export function fitsColumn(value: string, { type, form = [], decimal = ".", unit }: ColumnForm): boolean {
	if (type === "time") return form.some((one) => readDate(value, one) !== undefined);
	if (type !== "number") return true;
	const read = readNumber(value, decimal);
	return read !== undefined && (read.unit === undefined || read.unit === unit);
}
