import { readUnit } from "./units.ts";

/**
 * Chinese and Japanese numbers, folded as by `foldText`: "1億2600万", "3.5亿", "三百二十万", "二〇一九", "三点五",
 * "百分之二十五", "三分の一".
 */
const digits = new Map<string, number>();
for (const [value, signs] of "〇零○ 一壱壹 二弐贰貳两兩 三参叁參 四肆 五伍 六陆陸 七柒 八捌 九玖".split(" ").entries())
	for (const sign of signs) digits.set(sign, value);
/** Signs that multiply what stands before them within a group of four digits, and those that close a group. */
const steps = new Map([..."十拾", ..."百佰", ..."千仟"].map((sign, index) => [sign, 10 ** (1 + (index >> 1))]));
const groups = new Map([
	["万", 1e4],
	["萬", 1e4],
	["億", 1e8],
	["亿", 1e8],
	["兆", 1e12],
]);
const digitSigns = [...digits.keys()].join("");
const scaleSigns = [...steps.keys(), ...groups.keys()].join("");
// kilogram, kilowatt, megawatt and the like begin with these signs in Chinese
const scale = `(?:[${scaleSigns.replace(/[千兆]/g, "")}]|[千兆](?![瓦赫焦欧歐帕字克米卡]))`;

const percent = new RegExp(`([百千])分之([\\d.${digitSigns}${scaleSigns}点點]+)`, "g");
const fraction = new RegExp(`([\\d${digitSigns}十百千]{1,8})分[之の]([\\d${digitSigns}十百千]{1,8})`, "g");
// the scale stands before the number
const degrees = /([摂攝摄華华])氏 ?((?:零下|氷点下|マイナス|-)? ?\d+(?:\.\d+)?) ?度/g;
const tenths = new RegExp(`([\\d${digitSigns}])割([\\d${digitSigns}])分`, "g");
const mixed = new RegExp(`\\d[\\d.,]*(?:${scale}{1,4}\\d[\\d.,]*)+${scale}{0,4}`, "g");
const written = new RegExp(`(?:[${digitSigns}]|${scale})(?:[${digitSigns}点點]|${scale})*`, "g");
const tokens = new RegExp(`\\d[\\d.,]*|[${digitSigns}${scaleSigns}]`, "g");
const scalesAfter = new RegExp(`^ ?(${scale}+)`);
/** Of what is counted: one sign alone is a number only before one of these, or where it is all there is. */
const counted =
	/^[个個人名位つ本枚匹頭头台年月日号號回次度歳岁件社校国國州省市県縣座条條只所家種种倍部冊册話话元円圓米公千平英海里哩吨噸升天周時时小分秒层層楼張张辆輛集届屆艘颗顆首篇曲巻卷階项項%‰割到至か~〜kcmg/-]/;
const alone = /^[\s約约大概大约ちょうと,.。、(「]*$/;

/** Rewrites parts and composed numbers ("百分之5" to "5%", "1億2600万" to "126000000"), leaving all else. */
export function digitsForMixedHan(text: string): string {
	if (!/\p{Script=Han}/u.test(text)) return text;
	return text
		.replace(percent, (_, base: string, part: string) => `${digitsOf(part) ?? part}${base === "百" ? "%" : "‰"}`)
		.replace(fraction, (all, below: string, above: string) => {
			const [a, b] = [digitsOf(above), digitsOf(below)];
			return a === undefined || b === undefined ? all : `${a}/${b}`;
		})
		.replace(degrees, (_, name: string, degree: string) => `${degree}${/[華华]/.test(name) ? "°f" : "°c"}`)
		.replace(tenths, (_, whole: string, part: string) => `${digitsOf(whole)}.${digitsOf(part)}割`)
		.replace(mixed, (run) => digitsOf(run) ?? run);
}

/** Rewrites numbers written in Han signs as digits; a closing 万, 億 or 兆 stays, for ranges that share it. */
export function digitsForHan(text: string, { chinese }: { chinese: boolean }): string {
	return text.replace(written, (run, at: number) => {
		const after = text.slice(at + run.length);
		if (run.length === 1) {
			const number = digits.has(run) || steps.has(run);
			const fits =
				counted.test(after) ||
				readUnit(after.slice(0, 60)) !== undefined ||
				(alone.test(text.slice(0, at)) && /^(?:[\s.。,、)」]|です)*$/.test(after));
			return number && fits ? (digitsOf(run) ?? run) : run;
		}
		// "三四" means three or four; two signs are a number only where zero or a year makes them digits
		if (
			run.length === 2 &&
			[...run].every((sign) => digits.has(sign)) &&
			!/[〇零○]/.test(run) &&
			!after.startsWith("年")
		)
			return run;
		const last = run.at(-1) ?? "";
		const head = run.slice(0, -1);
		if (groups.has(last) && ![...head].some((sign) => groups.has(sign))) return `${digitsOf(head) ?? head}${last}`;
		return digitsOf(run, { chinese }) ?? run;
	});
}

/** The signs 十 to 兆 that `text` starts with, as one factor, and how many characters they take. */
export function readHanScale(text: string): { factor: number; length: number } | undefined {
	const match = scalesAfter.exec(text);
	if (!match) return undefined;
	const factor = [...(match[1] ?? "")].reduce(
		(product, sign) => product * (steps.get(sign) ?? groups.get(sign) ?? 1),
		1,
	);
	return { factor, length: match[0].length };
}

function digitsOf(run: string, options: { chinese?: boolean } = {}): string | undefined {
	const [whole = "", decimals, more] = run.split(/[点點]/);
	if (more !== undefined) return undefined;
	const value = readHan(whole, options);
	if (value === undefined || decimals === undefined) return value === undefined ? undefined : String(value);
	const after = [...decimals].map((sign) => digits.get(sign) ?? Number.NaN);
	return after.length > 0 && after.every(Number.isFinite) ? `${value}.${after.join("")}` : undefined;
}

/** The value of one number; undefined where the signs do not make one. */
export function readHan(run: string, { chinese = false }: { chinese?: boolean } = {}): number | undefined {
	let total = 0;
	let group = 0;
	let number: number | undefined;
	let last = 0;
	let zero = false;
	for (const token of run.match(tokens) ?? []) {
		const digit = digits.get(token);
		const step = steps.get(token);
		const closes = groups.get(token);
		if (step !== undefined) {
			group += (number ?? 1) * step;
			number = undefined;
			last = step;
			zero = false;
		} else if (closes !== undefined) {
			const size = group + (number ?? 0);
			// 一万亿 is ten thousand times 1e8; otherwise groups only get smaller
			if (total > 0 && total < closes) total = (total + size) * closes;
			else total += (size || 1) * closes;
			[group, number, last, zero] = [0, undefined, closes, false];
		} else if (digit !== undefined) {
			zero ||= digit === 0 && number === undefined;
			number = number === undefined ? digit : number * 10 + digit;
		} else {
			const amount = Number(token.replace(/,(?=\d{3}(?!\d))/g, "").replace(/[.,]+$/, ""));
			if (number !== undefined || Number.isNaN(amount)) return undefined;
			number = amount;
		}
	}
	// in Chinese 两万五 leaves out the unit of its last digit
	const short = chinese && last >= 100 && !zero && number !== undefined && number < 10 && /[^\d]$/.test(run);
	const value = total + group + (short ? ((number ?? 0) * last) / 10 : (number ?? 0));
	return Number.isFinite(value) ? Number(value.toPrecision(15)) : undefined;
}
