import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metrics } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { readDates } from "./date-text.ts";
import { readQuantities } from "./number-text.ts";

const typed = (prediction: string, answer: object, language?: string, mode?: string) =>
	metrics.typed?.measure({
		...{ prediction, answer },
		...(language === undefined ? {} : { language }),
		...(mode === undefined ? {} : { mode }),
	}).result;
/** A number within a tenth, in every mode. */
const number = (value: number, unit?: string) => ({
	type: "number",
	value: "-",
	number: { value, unit, tolerance: 0.1 },
});
const exact = (value: number, unit?: string) => ({
	type: "number",
	value: "-",
	number: { value, unit, tolerance: 1e-9 },
});
const day = (iso: string) => ({ type: "time", value: iso, time: { iso, precision: "day" } });
const month = (iso: string) => ({ type: "time", value: iso, time: { iso, precision: "month" } });
const year = (iso: string) => ({ type: "time", value: iso, time: { iso, precision: "year" } });
const text = (...accepted: string[]) => ({ type: "string", value: accepted[0], accepted });
const list = (...items: string[]) => ({ type: "list", items });
const yes = { type: "boolean", value: "yes" };
const no = { type: "boolean", value: "no" };
const none = { type: "none" };

describe("answers as people write them", () => {
	const cases: [language: string, prediction: string, answer: object, value: 0 | 1][] = [
		["en", "About 1.29 million square kilometres.", number(1285216, "km²"), 1],
		["en", "It was founded on 4 July 1776.", day("1776-07-04"), 1],
		["en", "5 miles", number(5, "km"), 0],
		["en", "5.2 billion euros", number(5.2e9, "USD"), 0],
		["en", "$5.2 billion", number(5.2e9, "USD"), 1],
		["en", "Yes, both are in France.", yes, 1],
		["es", "Mide 8.848,86 metros.", number(8848.86, "m"), 1],
		["es", "entre 10 y 12 millones de habitantes", number(11e6), 1],
		["es", "20 de julio de 1969", day("1969-07-20"), 1],
		["es", "en el año 44 antes de Cristo", year("-0044"), 1],
		["es", "«Cien años de soledad»", text("Cien años de soledad"), 1],
		["es", "Cien años", text("Cien años de soledad"), 0],
		["es", "No se puede determinar.", none, 1],
		["es", "unos tres mil millones de dólares", number(3e9, "USD"), 1],
		["fr", "environ 67,8 millions d'habitants", number(67.8e6), 1],
		["fr", "643 801 km²", exact(643801, "km²"), 1],
		["fr", "643 801 m²", exact(643801, "km²"), 0],
		["fr", "3,5 milliards d'euros", exact(3.5e9, "EUR"), 1],
		["fr", "3,5 Md€", exact(3.5e9, "EUR"), 1],
		["fr", "2 billions", exact(2e12), 1],
		["fr", "de 10 à 12 kilomètres", number(11, "km"), 1],
		["fr", "entre 10 et 12 km", number(11, "km"), 1],
		["fr", "quatre-vingt-dix-sept", exact(97), 1],
		["fr", "deux cent mille", exact(200000), 1],
		["fr", "trois virgule quatorze", exact(3.14), 1],
		["fr", "un million et demi", exact(1.5e6), 1],
		["fr", "vingt pour cent", exact(20, "%"), 1],
		["fr", "une centaine de personnes", exact(100), 1],
		["fr", "une dizaine de milliers", exact(10_000), 1],
		["fr", "deux ans et demi", exact(2.5, "ans"), 1],
		["en", "five and a half million people", exact(5.5e6), 1],
		["en", "5 and a half", exact(5.5), 1],
		["en", "minus five and a half degrees Celsius", exact(-5.5, "°C"), 1],
		["en", "roughly 3/4 of a mile", exact(0.75, "mi"), 1],
		["es", "un millón y medio", exact(1.5e6), 1],
		["es", "3 millones y medio", exact(3.5e6), 1],
		["es", "dos años y medio", exact(2.5, "años"), 1],
		["ar", "مليون ونصف", exact(1.5e6), 1],
		["zh", "零下五摄氏度", exact(-5, "°C"), 1],
		["zh", "五厘米", exact(5, "cm"), 1],
		["zh", "三层", exact(3), 1],
		["zh", "三成", exact(30, "%"), 1],
		["zh", "3成员", exact(3, "%"), 1],
		["ja", "三キロメートル", exact(3, "km"), 1],
		["en", "The answer is yes.", yes, 1],
		["es", "La respuesta es no.", yes, 0],
		["es", "La respuesta es no.", no, 1],
		["en", "The answer is not known.", no, 0],
		["en", "Exact figures were never published.", yes, 0],
		["fr", "-12 °C", exact(-12, "°C"), 1],
		["fr", "moins 12 degrés Celsius", exact(-12, "°C"), 1],
		["fr", "le 14 juillet 1789", day("1789-07-14"), 1],
		["fr", "1er août 1291", day("1291-08-01"), 1],
		["fr", "14 juin 1789", day("1789-07-14"), 0],
		["fr", "juillet 1789", month("1789-07"), 1],
		["fr", "en 44 av. J.-C.", year("-0044"), 1],
		["fr", "44 après J.-C.", year("-0044"), 0],
		["fr", "le 15 mars 44 av. J.-C.", day("-0044-03-15"), 1],
		["en", "March 15, 44 BC", day("-0044-03-15"), 1],
		["en", "15 March 44 BC", day("-0044-03-14"), 0],
		["fr", "Oui, les deux.", yes, 1],
		["fr", "Non.", yes, 0],
		["fr", "Non précisé", no, 0],
		["fr", "Je ne sais pas.", none, 1],
		["fr", "Paris", none, 0],
		["fr", "« Le Petit Prince »", text("Le Petit Prince"), 1],
		["fr", "la France, l'Espagne et le Portugal", list("la France", "l'Espagne", "le Portugal"), 1],
		["fr", "la France et l'Espagne", list("la France", "l'Espagne", "le Portugal"), 0],
		["ar", "٢٠ يوليو ١٩٦٩", day("1969-07-20"), 1],
		["ar", "في 20 تموز/يوليو 1969", day("1969-07-20"), 1],
		["ar", "20 من يوليو عام 1969م", day("1969-07-20"), 1],
		["ar", "20 كانون الثاني 1969", day("1969-01-20"), 1],
		["ar", "20 جويلية 1969", day("1969-07-20"), 1],
		["ar", "٢١ يوليو ١٩٦٩", day("1969-07-20"), 0],
		["ar", "44 ق.م", year("-0044"), 1],
		["ar", "عام ٤٤ قبل الميلاد", year("-0044"), 1],
		["ar", "15 رمضان 1390 هـ", year("1390"), 0],
		["ar", "سنة 1390 هـ الموافق 1970 م", year("1970"), 1],
		["ar", "١٫٥ مليون نسمة", exact(1.5e6), 1],
		["ar", "١٬٢٨٥٬٢١٦ كم²", exact(1285216, "km²"), 1],
		["ar", "120 كيلومترًا", exact(120, "km"), 1],
		["ar", "١٢٠ ميلاً", exact(120, "km"), 0],
		["ar", "5 ملايين و200 ألف نسمة", exact(5.2e6), 1],
		["ar", "مئتان وخمسون ألفًا", exact(250000), 1],
		["ar", "ثلاثة وعشرون", exact(23), 1],
		["ar", "أحد عشر", exact(11), 1],
		["ar", "٢٥ في المئة", exact(25, "%"), 1],
		["ar", "٢٥٪", exact(25, "%"), 1],
		["ar", "من 10 إلى 12 كم", number(11, "km"), 1],
		["ar", "بين 10 و12 كم", number(11, "km"), 1],
		["ar", "3 مليارات دولار أمريكي", exact(3e9, "USD"), 1],
		["ar", "نعم، كلاهما", yes, 1],
		["ar", "لا، ليسا في البلد نفسه", no, 1],
		["ar", "لا أعرف", no, 0],
		["ar", "لا أعرف.", none, 1],
		["ar", "مُحَمَّد عبده", text("محمد عبده"), 1],
		["ar", "احمد شوقي", text("أحمد شوقي"), 1],
		["ar", "حافظ إبراهيم", text("أحمد شوقي"), 0],
		["ar", "مصر والسودان، وليبيا", list("مصر", "السودان", "ليبيا"), 1],
		["ar", "البوسنة والهرسك، كرواتيا", list("كرواتيا", "البوسنة والهرسك"), 1],
		["ar", "واشنطن ولندن", list("لندن", "واشنطن"), 1],
		["ar", "مصر والسودان", list("مصر", "السودان", "ليبيا"), 0],
		["zh", "1969年7月20日", day("1969-07-20"), 1],
		["zh", "一九六九年七月二十日", day("1969-07-20"), 1],
		["zh", "1969年7月21日", day("1969-07-20"), 0],
		["zh", "1960年代", year("1960"), 0],
		["zh", "公元前221年", year("-0221"), 1],
		["zh", "公元221年", year("-0221"), 0],
		["zh", "民国三十八年", year("1949"), 1],
		["zh", "1912年农历八月十五", year("1912"), 1],
		["zh", "约14.1亿人", number(1.41e9), 1],
		["zh", "１２８万平方公里", exact(1.28e6, "km²"), 1],
		["zh", "三百二十万", exact(3.2e6), 1],
		["zh", "两万五", exact(25000), 1],
		["zh", "三到五万公里", number(37000, "km"), 0],
		["zh", "三到五万公里", { type: "number", value: "-", number: { range: [30000, 50000], unit: "km" } }, 1],
		["zh", "从10到12公里", number(11, "km"), 1],
		["zh", "百分之二十五", exact(25, "%"), 1],
		["zh", "三分之一", number(1 / 3), 1],
		["zh", "5000亿元", exact(5e11, "CNY"), 1],
		["zh", "5000亿美元", exact(5e11, "CNY"), 0],
		["zh", "零下5摄氏度", exact(-5, "°C"), 1],
		["zh", "100兆瓦", exact(100, "MW"), 1],
		["zh", "2019年有120公里", exact(120, "km"), 1],
		["zh", "是的，两者都是。", yes, 1],
		["zh", "不是", yes, 0],
		["zh", "不，它们不在同一个国家", no, 1],
		["zh", "是法国", yes, 0],
		["zh", "我不知道。", none, 1],
		["zh", "《红楼梦》", text("红楼梦"), 1],
		["zh", "西游记", text("红楼梦"), 0],
		["zh", "北京、上海和广州", list("广州", "北京", "上海"), 1],
		["zh", "北京、上海", list("广州", "北京", "上海"), 0],
		["ja", "昭和44年7月20日", day("1969-07-20"), 1],
		["ja", "平成元年", year("1989"), 1],
		["ja", "令和二年三月", month("2020-03"), 1],
		["ja", "1969年7月20日（日曜日）です。", day("1969-07-20"), 1],
		["ja", "紀元前44年", year("-0044"), 1],
		["ja", "永禄3年", year("1560"), 0],
		["ja", "約1億2,600万人", exact(1.26e8), 1],
		["ja", "１億２６００万人です", exact(1.26e8), 1],
		["ja", "3,776メートル", exact(3776, "m"), 1],
		["ja", "3,776フィート", exact(3776, "m"), 0],
		["ja", "10〜12万人", exact(11e4), 0],
		["ja", "10〜12万人", number(11e4), 1],
		["ja", "10から12キロ", number(11, "km"), 1],
		["ja", "5と7の間", exact(6), 0],
		["ja", "5と7の間", number(6), 1],
		["ja", "三割五分", exact(35, "%"), 1],
		["ja", "三分の一", number(1 / 3), 1],
		["ja", "2019年時点で5千人", exact(5000), 1],
		["ja", "五百円", exact(500, "JPY"), 1],
		["ja", "はい、どちらも日本にあります。", yes, 1],
		["ja", "いいえ", yes, 0],
		["ja", "わかりません。", none, 1],
		["ja", "「源氏物語」", text("源氏物語"), 1],
		["ja", "平家物語", text("源氏物語"), 0],
		["ja", "大和と東京です。", list("東京", "大和"), 1],
		["ja", "京都、大阪", list("京都", "大阪", "奈良"), 0],
	];
	test.each(cases)("%s: %j", (language, prediction, answer, value) => {
		for (const mode of ["hopscope", "relative-10"])
			expect([mode, typed(prediction, answer, language, mode)]).toMatchObject([mode, { value }]);
	});
	test("are right and wrong in every language", () => {
		expect(cases.length).toBeGreaterThan(60);
		for (const language of ["en", "es", "fr", "ar", "zh", "ja"])
			for (const value of [0, 1])
				expect(cases.some(([name, , , expected]) => name === language && expected === value)).toBe(true);
	});
});

test("the options that a language brings are named, and none are on in English or in InfoSeek's mode", () => {
	expect(typed("x", text("x"), "ja", "relative-10")).toMatchObject({
		options: { nfkc: true, unicodePunctuation: true, cjkCharacters: true },
	});
	for (const language of ["en", "en-GB", undefined])
		expect(typed("x", text("x"), language, "relative-10")).not.toHaveProperty("options");
	expect(typed("“x”", text("x"), "en", "relative-10")).toMatchObject({ value: 0 });
	expect(typed("“x”", text("x"))).toMatchObject({ value: 1 });
	expect(
		metrics.typed?.measure({ prediction: "“x”", answer: text("x"), language: "fr", mode: "infoseek-2023" }).result,
	).toMatchObject({ value: 0 });
});

test("where a language's regions differ, the region decides which sign is the decimal one", () => {
	expect(typed("1.285", exact(1285), "es-ES")).toMatchObject({ value: 1 });
	expect(typed("1.285", exact(1.285), "es-MX")).toMatchObject({ value: 1 });
	expect(typed("1.285", exact(1.285), "no such language")).toMatchObject({ value: 1 });
});

const languages = ["en", "es", "fr", "ar", "zh", "ja"];
const zeros = ["0", "٠", "۰", "०", "০", "๐", "０", "߀", "᠐", "𝟎"];

test("a number reads the same in the digits of any script", () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 0, max: 99 }), (whole, decimals) => {
			const plain = `${whole}.${String(decimals).padStart(2, "0")}`;
			for (const zero of zeros) {
				const start = zero.codePointAt(0) ?? 0;
				const written = plain.replace(/\d/g, (digit) => String.fromCodePoint(start + Number(digit)));
				expect(readQuantities(written)).toMatchObject([{ low: Number(plain), high: Number(plain) }]);
			}
		}),
	);
});

test("a number as the runtime's locale data write it reads back", () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...languages, "ar-EG", "ar-MA", "es-MX", "fr-CH", "en-IN", "zh-TW"),
			fc.integer({ min: -1e9, max: 1e9 }),
			fc.integer({ min: 0, max: 99 }),
			(language, whole, decimals) => {
				const value = Number(`${whole}.${String(decimals).padStart(2, "0")}`);
				expect([value, typed(new Intl.NumberFormat(language).format(value), exact(value), language)]).toMatchObject([
					value,
					{ value: 1 },
				]);
			},
		),
	);
});

test("a unit as the runtime's locale data write it reads back", () => {
	const units =
		"kilometer meter centimeter millimeter mile yard foot inch hectare acre liter milliliter gallon kilogram gram pound ounce second minute hour day week year percent celsius fahrenheit kilometer-per-hour meter-per-second mile-per-hour";
	for (const language of languages)
		for (const unit of units.split(" "))
			for (const value of [1, 2, 3, 7, 11, 25, 100]) {
				// the Arabic word is also that of an Egyptian measure, so it is left unread
				if (language === "ar" && unit === "acre") continue;
				const written = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
				const [read] = readQuantities(written, { language });
				// some languages have words for one and two
				if (!read && /^[^\d٠-٩]*$/.test(written)) continue;
				expect([written, read]).toMatchObject([written, { low: value, unit: { factor: expect.any(Number) } }]);
			}
});

test("a short number as the runtime's locale data write it reads back", () => {
	for (const language of languages)
		for (const value of [1.2e6, 35e6, 4e9, 7.5e9, 25e8, 3e5])
			for (const compactDisplay of ["long"] as const) {
				const written = new Intl.NumberFormat(language, { notation: "compact", compactDisplay }).format(value);
				expect([written, typed(written, exact(value), language)]).toMatchObject([written, { value: 1 }]);
			}
});

test("a range as the runtime's locale data write it reads back", () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...languages),
			fc.integer({ min: 1, max: 1e6 }),
			fc.integer({ min: 1, max: 1e6 }),
			(language, low, more) => {
				const format = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
				const written = format.formatRange(low, low + more);
				expect([written, readQuantities(written, { decimalComma: /es|fr/.test(language) })]).toMatchObject([
					written,
					[{ low, high: low + more }],
				]);
			},
		),
	);
});

test("a date as the runtime's locale data write it reads back", () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...languages, "ar-EG", "ar-LB", "ar-DZ", "ar-MA", "zh-TW", "fr-CA", "es-MX"),
			fc.constantFrom("medium", "long", "full"),
			fc.date({ min: new Date("1000-01-01"), max: new Date("2999-12-31"), noInvalidDate: true }),
			(language, dateStyle, date) => {
				const options = { dateStyle, calendar: "gregory", timeZone: "UTC" } as const;
				const written = new Intl.DateTimeFormat(language, options).format(date);
				const expected = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
				const read = readDates(written);
				expect([written, read]).toEqual([written, expect.arrayContaining([expected])]);
				// all-number forms leave the order of day and month open; names do not
				if (dateStyle === "long") expect(read).toEqual([expected]);
			},
		),
	);
});

test("months and years, and years before ours, read back in every name that locales have for them", () => {
	const locales = "en en-GB es es-MX fr fr-CA ar ar-EG ar-SA ar-LB ar-SY ar-IQ ar-DZ ar-TN ar-MA zh zh-TW zh-HK ja";
	for (const locale of locales.split(" "))
		for (let at = 0; at < 12; at += 1) {
			const format = (date: Date, more: object) =>
				new Intl.DateTimeFormat(locale, { calendar: "gregory", timeZone: "UTC", ...more }).format(date);
			const months = format(new Date(Date.UTC(1969, at, 20)), { month: "long", year: "numeric" });
			expect([months, readDates(months)]).toEqual([months, [{ year: 1969, month: at + 1 }]]);
			const medium = format(new Date(Date.UTC(1969, at, 20)), { dateStyle: "medium" });
			expect([medium, readDates(medium)]).toEqual([medium, [{ year: 1969, month: at + 1, day: 20 }]]);
			const before = format(new Date(Date.UTC(-43, at, 20)), { year: "numeric", month: "long", era: "long" });
			expect([before, readDates(before)]).toEqual([before, [{ year: -44, month: at + 1 }]]);
		}
});

test("dates of Japan's modern eras read as the runtime converts them", () => {
	const format = new Intl.DateTimeFormat("ja-JP-u-ca-japanese", { dateStyle: "long", timeZone: "UTC" });
	fc.assert(
		fc.property(fc.date({ min: new Date("1873-01-01"), max: new Date("2060-12-31"), noInvalidDate: true }), (date) => {
			const expected = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
			expect(readDates(format.format(date))).toEqual([expected]);
		}),
	);
});

test("Hijri dates are left unread, whatever their digits", () => {
	for (const locale of ["ar-SA-u-ca-islamic-umalqura", "ar-EG-u-ca-islamic-umalqura", "en-u-ca-islamic-umalqura"]) {
		const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
		for (let at = 0; at < 24; at += 1) {
			const written = format.format(new Date(Date.UTC(1970 + at, at % 12, 3 + at)));
			expect([written, readDates(written)]).toEqual([written, []]);
		}
	}
});

// Further checked once against the n2words package (4.0.0), which writes numbers out: 3,000 numbers up to 1e9 each in
// English, Spanish, French of France and Belgium, Chinese of both scripts and Japanese all read back.
test.each([
	["mil doscientos treinta y cuatro", 1234, "es"],
	["nonante-cinq mille septante et un", 95071, "fr"],
	["mille deux cent trente-quatre", 1234, "fr"],
	["quatre-vingt-un mille six cent soixante et onze", 81671, "fr"],
	["soixante-dix-neuf millions quatre-vingt mille", 79080000, "fr"],
	["ألف ومئتان وأربعة وثلاثون", 1234, "ar"],
	["واحد وثمانون ألفا وستمائة وواحد وسبعون", 81671, "ar"],
	["مليونان وثلاثمئة ألف", 2300000, "ar"],
	["خمسة عشر مليارا", 15e9, "ar"],
	["一千二百三十四", 1234, "zh"],
	["八万一千六百七十一", 81671, "zh"],
	["一万亿", 1e12, "zh"],
	["一亿零五", 100000005, "zh"],
	["三点一四", 3.14, "zh"],
	["千二百三十四", 1234, "ja"],
	["二百三十万", 2300000, "ja"],
	["壱万", 10000, "ja"],
])("%s is %d", (written, value, language) => {
	expect(typed(written, exact(value), language)).toMatchObject({ value: 1 });
});

test("words that languages share are read by the language that is declared", () => {
	expect(typed("six cents", exact(600), "fr")).toMatchObject({ value: 1 });
	expect(typed("six cents", exact(600), "en")).toMatchObject({ value: 0 });
	expect(typed("2 billion", exact(2e9), "en")).toMatchObject({ value: 1 });
	expect(typed("両国に三重県の一橋", exact(3), "ja")).toMatchObject({ value: 0 });
});

longTest("hostile text of a megabyte is read in no time", () => {
	const started = process.cpuUsage();
	for (const piece of ["الف و", "a\u0301", "大和と", "1〜"]) {
		const hostile = piece.repeat(1_000_000 / piece.length);
		for (const answer of [number(5), year("1900"), list("大和と", "a, b"), yes])
			expect(typed(hostile, answer, "ja")).toMatchObject({ value: 0 });
		// what is searched, though not long, must not be searched over and over
		for (const language of ["ja", "ar"])
			expect(typed(hostile.slice(0, 19_000), list("大和と", "a, b", "مصر والسودان"), language)).toMatchObject({
				value: 0,
			});
	}
	expect(process.cpuUsage(started).user / 1000).toBeLessThan(60_000);
});

longTest("any text gets a verdict in any language", () => {
	const pieces = fc.constantFrom(
		"1",
		"٣",
		"万",
		"億",
		"年",
		"月",
		"日",
		"و",
		"ألف",
		"vingt",
		"et",
		"virgule",
		"点",
		"一",
		"と",
		"、",
		" ",
		"-",
		"から",
		"هـ",
		"رمضان",
		"de",
		"前",
		"分之",
		"割",
		".",
		",",
		"%",
		"$",
		"€",
	);
	const any = fc.oneof(
		fc.array(pieces, { maxLength: 12 }).map((list) => list.join("")),
		fc.string({ unit: "binary" }),
	);
	fc.assert(
		fc.property(any, fc.constantFrom(...languages, "de", "x", ""), (prediction, language) => {
			for (const answer of [number(5), number(5, "km"), year("1900"), list("a", "مصر", "大和"), yes, none, text("x")])
				expect([0, 1]).toContain(typed(prediction, answer, language)?.value);
		}),
		{ numRuns: 100 },
	);
});
