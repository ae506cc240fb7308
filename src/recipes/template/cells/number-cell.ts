/** What parts whole digits from decimals; the other mark, a space or an apostrophe parts thousands. */
export type DecimalMark = "." | ",";
export const decimalMarks = [".", ","] as const;

export interface NumberRead {
	value: number;
	/** As it stands before or behind the digits: "€", "km", "%". */
	unit?: string;
}

const codes = "USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RUB|BRL|MXN|ZAR|TRY|KRW|SGD|HKD";
const before = `(?<before>\\p{Lu}{0,3}\\p{Sc}|(?:${codes})(?= ?[-+−–\\d.,])|Rs\\.?(?= ?\\d))`;
const scale = "(?<scale>thousand|million|billion|trillion|mn|bn|tn)(?!\\p{L})";
/** Of money a single letter is its scale; of anything else it is a unit. */
const letter = "(?<letter>[kKmMbB])";
const unit = '(?<unit>[%‰°′″\\p{Sc}\\p{L}][^\\d"?!;:()<>=+*]{0,29}?(?:\\^?[23])?)';
const scales: Record<string, number> = {
	...{ thousand: 1e3, k: 1e3 },
	...{ million: 1e6, mn: 1e6, m: 1e6 },
	...{ billion: 1e9, bn: 1e9, b: 1e9 },
	...{ trillion: 1e12, tn: 1e12 },
};
/** "1st" is a place, "5 or more" no number. */
const noUnit = /^(?:(?:st|nd|rd|th)$|(?:or|and|to|plus|per)(?: |$))/i;

const patterns = { ".": patternOf("."), ",": patternOf(",") };

function patternOf(decimal: DecimalMark): RegExp {
	const thousands = `[${decimal === "." ? "," : "."}'’ \\u00a0\\u2009\\u202f]`;
	const digits = `(?<whole>\\d{1,3}(?:(?<mark>${thousands})\\d{3})(?:\\k<mark>\\d{3})*|\\d*)(?:[${decimal}](?<decimals>\\d+))?`;
	return new RegExp(
		`^(?<sign>[-+−–])?(?:${before} ?)?(?<inner>[-+−–])?${digits}(?<power>e[-+]?\\d{1,3})?(?: ?${scale}|${letter}(?!\\p{L}))?(?: ?${unit})?$`,
		"iu",
	);
}

/**
 * The number that the whole cell is, by its decimal mark: "1,234.5", "-3 %", "€1.2 million", "12 km/h". Undefined where
 * anything else is in the cell, for codes with leading zeros and for more digits than a number keeps.
 */
export function readNumber(cell: string, decimal: DecimalMark): NumberRead | undefined {
	const text = cell.trim();
	if (text.length > 60) return undefined;
	const groups = patterns[decimal].exec(text)?.groups;
	if (!groups || (groups.sign !== undefined && groups.inner !== undefined)) return undefined;
	const whole = (groups.whole ?? "").replace(/\D/g, "");
	const { decimals = "", power = "" } = groups;
	if (whole + decimals === "" || /^0\d/.test(whole) || (whole + decimals).length > 15) return undefined;
	const money = groups.before;
	// "5m" and "5k" of anything but money are units
	const said = groups.letter === undefined || money !== undefined ? groups.unit : groups.letter + (groups.unit ?? "");
	if (money !== undefined && said !== undefined) return undefined;
	if (said !== undefined && (noUnit.test(said) || said.split(" ").length > 3)) return undefined;
	const times = groups.scale ?? (money === undefined ? undefined : groups.letter);
	const factor = times === undefined ? 1 : (scales[times.toLowerCase()] ?? 1);
	const size = Number((Number(`${whole || "0"}.${decimals || "0"}${power}`) * factor).toPrecision(15));
	if (!Number.isFinite(size)) return undefined;
	const value = /[-−–]/.test(groups.sign ?? groups.inner ?? "") ? -size : size;
	const named = (money ?? said)?.trim();
	return { value: value === 0 ? 0 : value, ...(named ? { unit: named } : {}) };
}
