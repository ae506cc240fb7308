import { lazily } from "../lazily.ts";
import { foldText } from "./fold-text.ts";

/** A unit as a linear map to its dimension's base: base = (x + offset) * factor. */
export interface Unit {
	dimension: string;
	factor: number;
	offset: number;
	/** A single letter, which may be no unit at all: it converts, but never makes an answer wrong. */
	doubtful: boolean;
}

// a line for each unit: its factor to the base, and its names in the languages that are read; "^" only before a power
const table: Record<string, string> = {
	length: `
		0.001 mm|millimeter|millimetre|milimetro|millimetres|毫米|公厘|ミリメートル|ミリ|مليمتر|ملم|مم
		0.01 cm|centimeter|centimetre|centimetro|厘米|公分|センチメートル|センチ|سنتيمتر|سنتمتر|سم
		1 m|meter|metre|metro|米|公尺|メートル|متر|مترا|أمتار|م
		1000 km|kilometer|kilometre|kilometern|kilometro|kms|公里|千米|キロメートル|キロ|كيلو|كيلومتر|كيلومترا|كيلومترات|كلم|كم
		0.0254 inch|inches|zoll|pulgada|pouce|英寸|インチ|بوصة|بوصات
		0.3048 ft|foot|feet|fuß|pie|pied|英尺|フィート|قدم|أقدام|قدما
		0.9144 yd|yard|yarda|码|碼|ヤード|ياردة|ياردات
		1609.344 mi|mile|milla|meile|meilen|mille terrestre|milles terrestres|英里|哩|マイル|ميل|ميلا|أميال
		1852 nmi|nautical mile|seemeile|seemeilen|milla nautica|mille marin|milles marins|mille nautique|milles nautiques|海里|浬|ميل بحري|ميلا بحريا`,
	area: `
		1e-4 cm^2|cm2|sq cm|quadratzentimeter|square centimeter|square centimetre|centimetro cuadrado|centimetros cuadrados|centimetre carre|centimetres carres|平方厘米|平方公分|平方センチメートル|سنتيمتر مربع|سم مربع|سم^2|سم2
		1 m^2|m2|sq m|quadratmeter|quadratmetern|square meter|square metre|metro cuadrado|metros cuadrados|metre carre|metres carres|平方米|平方公尺|平米|平方メートル|متر مربع|مترا مربعا|أمتار مربعة|م^2|م2
		1e6 km^2|km2|sq km|quadratkilometer|quadratkilometern|sq. km|square km|square kilometer|square kilometre|kilometro cuadrado|kilometros cuadrados|kilometre carre|kilometres carres|平方公里|平方千米|平方キロメートル|平方キロ|平方km|كيلومتر مربع|كيلومترا مربعا|كيلومترات مربعة|كم مربع|كم^2|كم2|كلم مربع|كلم^2|كلم2
		1e4 ha|hectare|hektar|hectarea|公顷|公頃|ヘクタール|هكتار|هكتارا|هكتارات
		4046.8564224 acre|英亩|英畝|エーカー|فدان إنجليزي
		2589988.110336 mi^2|mi2|sq mi|quadratmeile|quadratmeilen|sq. mi|square mile|milla cuadrada|millas cuadradas|mille carre|milles carres|平方英里|平方マイル|ميل مربع|ميلا مربعا|أميال مربعة
		0.09290304 ft^2|ft2|sq ft|square foot|square feet|pie cuadrado|pies cuadrados|pied carre|pieds carres|平方英尺|平方フィート|قدم مربع|قدم مربعة`,
	volume: `
		1e-6 ml|milliliter|millilitre|mililitro|cm^3|cm3|cubic centimeter|cubic centimetre|毫升|ミリリットル|مليلتر|مل|立方厘米|立方センチメートル
		1e-3 l|liter|litre|litro|升|公升|リットル|لتر|لترا|لترات
		1 m^3|m3|cubic meter|kubikmeter|kubikmetern|cubic metre|metro cubico|metros cubicos|metre cube|metres cubes|立方米|立方公尺|立方メートル|متر مكعب|مترا مكعبا|أمتار مكعبة|م^3|م3
		1e9 km^3|km3|cubic kilometer|kubikkilometer|cubic kilometre|kilometro cubico|kilometros cubicos|kilometre cube|kilometres cubes|立方公里|立方千米|立方キロメートル|كيلومتر مكعب|كيلومترا مكعبا|كم مكعب|كم^3|كم3
		0.003785411784 gallon|us gallon|galon|galones|加仑|加侖|ガロン|غالون|غالونا|جالون`,
	flow: `
		1 m^3/s|m3/s|cubic meters per second|cubic metres per second|metros cubicos por segundo|metres cubes par seconde|立方米每秒|立方米/秒|立方メートル毎秒|متر مكعب في الثانية|م^3/ث|م3/ث`,
	mass: `
		1e-6 mg|milligram|milligramm|miligramo|milligramme|毫克|ミリグラム|مليغرام|مليجرام|ملغ|مجم
		1e-3 g|gram|gramm|gramme|gramo|克|公克|グラム|غرام|غراما|غرامات|جرام|جراما|جرامات
		1 kg|kilogram|kilogramm|kilogramme|kilo|kilogramo|公斤|千克|キログラム|كيلوغرام|كيلوغراما|كيلوغرامات|كيلوجرام|كيلوجراما|كجم|كغم|كغ|كلغ
		1000 t|tonne|tonnen|metric ton|tonelada|吨|噸|公吨|公噸|トン|طن|طنا|أطنان
		0.45359237 lb|lbs|pound|pfund|libra|livre|磅|ポンド|رطل|رطلا|أرطال|باوند
		0.028349523125 oz|ounce|unze|unzen|onza|once|盎司|オンス|أونصة|أونصات|أوقية`,
	time: `
		1 s|sec|second|sekunde|sekunden|segundo|seconde|秒|秒間|秒钟|秒鐘|ثانية|ثوان|ثواني
		60 min|mins|minute|minuten|minuto|分|分钟|分鐘|分間|دقيقة|دقائق
		3600 h|hr|hrs|hour|stunde|stunden|hora|heure|小时|小時|時間|ساعة|ساعات
		86400 day|dia|tag|tage|tagen|jour|天|日|日間|يوم|يوما|أيام
		604800 week|semana|woche|wochen|semaine|周|週|週間|星期|أسبوع|أسبوعا|أسابيع
		2629800 month|monat|monate|monaten|mes|meses|mois
		315576000 decade|jahrzehnt|jahrzehnte
		3155760000 century|centuries|jahrhundert|jahrhunderte
		31557600 yr|yrs|year|jahr|jahre|jahren|ano|an|ans|annee|年|年間|سنة|سنوات|عام|عاما|أعوام`,
	speed: `
		1 m/s|meters per second|meter pro sekunde|metres per second|metros por segundo|metres par seconde|米每秒|米/秒|メートル毎秒|متر في الثانية|مترا في الثانية|م/ث
		1/3.6 km/h|kph|kmh|kilometer pro stunde|stundenkilometer|kilometers per hour|kilometres per hour|kilometros por hora|kilometres par heure|kilometre par heure|kilometres-heure|kilometre-heure|公里每小时|公里/小时|公里/時|千米每小时|千米/小时|キロメートル毎時|كيلومتر في الساعة|كيلومترا في الساعة|كيلومترات في الساعة|كم في الساعة|كم/ساعة|كم/س
		0.44704 mph|miles per hour|meilen pro stunde|millas por hora|milles par heure|miles par heure|mi/h|英里每小时|英里/小时|マイル毎時|ميل في الساعة|ميلا في الساعة
		0.514444 kn|kt|knot|knoten|nudo|nœud|noeud|节|節|ノット|عقدة`,
	share: `
		0.01 %|percent|prozent|per cent|por ciento|pct|pour cent|パーセント|プロセント|بالمئة|بالمائة|في المئة|في المائة
		0.1 割|成
		0.001 ‰|per mille|promille|por mil|pour mille|パーミル|في الألف|بالألف`,
	power: `
		1 w|watt|vatio|瓦|瓦特|ワット|واط
		1e3 kw|kilowatt|kilovatio|千瓦|キロワット|كيلوواط|كيلووات
		1e6 mw|megawatt|megavatio|mégawatt|兆瓦|メガワット|ميغاواط|ميجاواط|ميجاوات
		1e9 gw|gigawatt|gigavatio|吉瓦|ギガワット|غيغاواط|جيجاواط`,
	frequency: `
		1 hz|hertz|hercio|赫兹|赫茲|ヘルツ|هرتز
		1e3 khz|kilohertz|千赫|キロヘルツ|كيلوهرتز
		1e6 mhz|megahertz|兆赫|メガヘルツ|ميغاهرتز|ميجاهرتز
		1e9 ghz|gigahertz|吉赫|ギガヘルツ|غيغاهرتز|جيجاهرتز`,
	temperature: `
		1 k|kelvin|kelvins|开尔文|開爾文|ケルビン|كلفن
		1 °c|degrees celsius|grad celsius|degree celsius|degrees c|celsius|grado celsius|grados celsius|grado centigrado|grados centigrados|degres celsius|degre celsius|degres centigrades|摄氏度|攝氏度|度c|درجة مئوية|درجات مئوية|درجة سيليزية|درجة سلزيوس
		5/9 °f|degrees fahrenheit|grad fahrenheit|degree fahrenheit|degrees f|fahrenheit|grado fahrenheit|grados fahrenheit|degres fahrenheit|degre fahrenheit|华氏度|華氏度|درجة فهرنهايت|درجات فهرنهايت`,
	// a currency is a kind of its own: no rate converts one into another
	dollar: `
		1 usd|us$|$us|$|dollar|us-dollar|us dollar|u.s. dollar|dolar|dolares|dolares estadounidenses|dollar americain|dollars americains|美元|美金|ドル|米ドル|دولار|دولارا|دولارات|دولار أمريكي|دولار امريكي`,
	euro: `
		1 eur|€|euro|欧元|歐元|ユーロ|يورو`,
	yen: `
		1 jpy|yen|yenes|日元|日圆|日圓|円|ين ياباني|ينا يابانيا`,
	yuan: `
		1 cny|rmb|yuan|yuanes|renminbi|元|人民币|人民幣|元人民币|人民元|يوان|يوانا`,
};
const offsets: Record<string, number> = { "°c": 273.15, "°f": 459.67 };

/** Short for kilometres as well as kilograms; words that are also something else in another language. */
const doubtfulNames = new Set(["キロ", "كيلو", "an", "once", "livre"]);

/** Units by every name, and the length of the longest. */
const known = lazily(() => {
	const aliases = new Map<string, Unit>();
	for (const [dimension, lines] of Object.entries(table)) {
		for (const line of lines.trim().split(/\n\s*/)) {
			const [written = "", ...names] = line.split(" ");
			// 5/9 of a degree
			const [over = 1, under = 1] = written.split("/").map(Number);
			const factor = over / under;
			const list = names.join(" ").split("|");
			const offset = offsets[list[0] ?? ""] ?? 0;
			for (const alias of list) {
				const name = foldText(alias);
				const unit = { dimension, factor, offset, doubtful: /^\p{L}$/u.test(name) || doubtfulNames.has(alias) };
				const plural = name.length > 2 && /^[\w .^/-]+$/.test(name);
				for (const form of plural ? [name, `${name}s`] : [name]) if (!aliases.has(form)) aliases.set(form, unit);
			}
		}
	}
	return { aliases, longest: Math.max(...[...aliases.keys()].map((alias) => alias.length)) };
});
/** Words that begin like a unit and are none: "500日本人", "90年代". No space is there to tell. */
const notUnits = new Set(
	"日本 米国 米軍 年代 年生 年级 年級 周年 週年 分の 分之 天皇 元素 成员 成員 成人 成年 成分 成立 成都"
		.split(" ")
		.map(foldText),
);

const perArea =
	/^(?:(?:people|persons?|inhabitants?|residents|habitantes|personas|hab\.?|habitants?|personnes|人|نسمة|شخصا?|فردا?) ?)?(?:(?:per|por|par|لكل|في) |[/每] ?)/;
// scripts that put no space between words: a unit in them ends where it ends
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;

const boundWord = /^(?:[\p{N}^]|(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\p{L})/u;

/** Reads the unit that `text` (folded by `foldText`) starts with, and how many characters it takes. */
export function readUnit(text: string): { unit: Unit; length: number } | undefined {
	// "percent" and "por ciento" are units themselves, so a density is what is left
	const density = perArea.exec(text)?.[0].length;
	return readUnitAfter(text, 0) ?? (density === undefined ? undefined : readUnitAfter(text, density));
}

/** Skips the `density` characters of "people per" and the like; only areas follow these. */
function readUnitAfter(text: string, density: number): { unit: Unit; length: number } | undefined {
	const { aliases, longest } = known();
	for (let length = Math.min(longest, text.length - density); length > 0; length--) {
		const name = text.slice(density, density + length);
		if (notUnits.has(name)) return undefined;
		const unit = aliases.get(name);
		if (!unit || (!unspaced.test(name) && boundWord.test(text.slice(density + length)))) continue;
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
