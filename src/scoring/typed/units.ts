/** A unit as a linear map to its dimension's base: base = (x + offset) * factor. */
export interface Unit {
	dimension: string;
	factor: number;
	offset: number;
	/** A single letter, which may be no unit at all: it converts, but never makes an answer wrong. */
	doubtful: boolean;
}

// [factor to the base, aliases, lower-case without accents; "^" only before a power]
const table: Record<string, [number, string][]> = {
	length: [
		[0.001, "mm|millimeter|millimetre|milimetro"],
		[0.01, "cm|centimeter|centimetre|centimetro"],
		[1, "m|meter|metre|metro"],
		[1000, "km|kilometer|kilometre|kilometro|kms"],
		[0.0254, "inch|inches|pulgada"],
		[0.3048, "ft|foot|feet|pie"],
		[0.9144, "yd|yard|yarda"],
		[1609.344, "mi|mile|milla"],
		[1852, "nmi|nautical mile|milla nautica"],
	],
	area: [
		[1e-4, "cm^2|cm2|sq cm|square centimeter|square centimetre|centimetro cuadrado|centimetros cuadrados"],
		[1, "m^2|m2|sq m|square meter|square metre|metro cuadrado|metros cuadrados"],
		[1e6, "km^2|km2|sq km|sq. km|square km|square kilometer|square kilometre|kilometro cuadrado|kilometros cuadrados"],
		[1e4, "ha|hectare|hectarea"],
		[4046.8564224, "acre"],
		[2589988.110336, "mi^2|mi2|sq mi|sq. mi|square mile|milla cuadrada|millas cuadradas"],
		[0.09290304, "ft^2|ft2|sq ft|square foot|square feet|pie cuadrado|pies cuadrados"],
	],
	volume: [
		[1e-6, "ml|milliliter|millilitre|mililitro|cm^3|cm3|cubic centimeter|cubic centimetre"],
		[1e-3, "l|liter|litre|litro"],
		[1, "m^3|m3|cubic meter|cubic metre|metro cubico|metros cubicos"],
		[1e9, "km^3|km3|cubic kilometer|cubic kilometre|kilometro cubico|kilometros cubicos"],
		[0.003785411784, "gallon|us gallon|galon|galones"],
	],
	flow: [[1, "m^3/s|m3/s|cubic meters per second|cubic metres per second|metros cubicos por segundo"]],
	mass: [
		[1e-6, "mg|milligram|miligramo"],
		[1e-3, "g|gram|gramme|gramo"],
		[1, "kg|kilogram|kilogramme|kilo|kilogramo"],
		[1000, "t|tonne|metric ton|tonelada"],
		[0.45359237, "lb|lbs|pound|libra"],
		[0.028349523125, "oz|ounce|onza"],
	],
	time: [
		[1, "s|sec|second|segundo"],
		[60, "min|mins|minute|minuto"],
		[3600, "h|hr|hrs|hour|hora"],
		[86400, "day|dia"],
		[604800, "week|semana"],
		[31557600, "yr|yrs|year|ano"],
	],
	speed: [
		[1, "m/s|meters per second|metres per second|metros por segundo"],
		[1 / 3.6, "km/h|kph|kmh|kilometers per hour|kilometres per hour|kilometros por hora"],
		[0.44704, "mph|miles per hour|millas por hora"],
		[0.514444, "kn|kt|knot|nudo"],
	],
	share: [
		[0.01, "%|percent|per cent|por ciento|pct"],
		[0.001, "‰|per mille|por mil"],
	],
	power: [
		[1, "w|watt|vatio"],
		[1e3, "kw|kilowatt|kilovatio"],
		[1e6, "mw|megawatt|megavatio"],
		[1e9, "gw|gigawatt|gigavatio"],
	],
	frequency: [
		[1, "hz|hertz|hercio"],
		[1e3, "khz|kilohertz"],
		[1e6, "mhz|megahertz"],
		[1e9, "ghz|gigahertz"],
	],
	temperature: [
		[1, "k|kelvin|kelvins"],
		[1, "°c|degrees celsius|degree celsius|degrees c|celsius|grados celsius|grados centigrados"],
		[5 / 9, "°f|degrees fahrenheit|degree fahrenheit|degrees f|fahrenheit|grados fahrenheit"],
	],
};
const offsets: Record<string, number> = { "°c": 273.15, "°f": 459.67 };

const aliases = new Map<string, Unit>();
for (const [dimension, rows] of Object.entries(table)) {
	for (const [factor, names] of rows) {
		const list = names.split("|");
		const offset = offsets[list[0] ?? ""] ?? 0;
		for (const name of list) {
			const unit = { dimension, factor, offset, doubtful: /^\p{L}$/u.test(name) };
			for (const form of name.length > 2 ? [name, `${name}s`] : [name]) if (!aliases.has(form)) aliases.set(form, unit);
		}
	}
}
const longest = Math.max(...[...aliases.keys()].map((alias) => alias.length));
const perArea = /^(?:(?:people|persons?|inhabitants?|residents|habitantes|personas|hab\.?) ?)?(?:(?:per|por) |\/ ?)/;

/** Reads the unit that `text` (lower-case, accents removed) starts with, and how many characters it takes. */
export function readUnit(text: string): { unit: Unit; length: number } | undefined {
	// "percent" and "por ciento" are units themselves, so a density is what is left
	const density = perArea.exec(text)?.[0].length;
	return readUnitAfter(text, 0) ?? (density === undefined ? undefined : readUnitAfter(text, density));
}

/** Skips the `density` characters of "people per" and the like; only areas follow these. */
function readUnitAfter(text: string, density: number): { unit: Unit; length: number } | undefined {
	for (let length = Math.min(longest, text.length - density); length > 0; length--) {
		const unit = aliases.get(text.slice(density, density + length));
		if (!unit || /^[\p{L}\p{N}^]/u.test(text.slice(density + length))) continue;
		if (density === 0) return { unit, length };
		if (unit.dimension !== "area") continue;
		return {
			unit: { dimension: "per area", factor: 1 / unit.factor, offset: 0, doubtful: false },
			length: density + length,
		};
	}
	return undefined;
}

/** Expresses `value`, given in `from`, in `to`; undefined when they measure different things. */
export function convertUnit(value: number, from: Unit, to: Unit): number | undefined {
	if (from.dimension !== to.dimension) return undefined;
	if (from.factor === to.factor && from.offset === to.offset) return value;
	return ((value + from.offset) * from.factor) / to.factor - to.offset;
}
