/** The currency that is said beside a number, by its code. A sign or word that several share names all of them. */
import { lazily } from "../lazily.ts";
import { scales } from "../typed/number-words.ts";
import type { Unit } from "../typed/units.ts";

// what stands first is tried first
const rows = lazily(() =>
	`aud: au?\\$|australian dollars?
cad: ca?\\$|canadian dollars?
hkd: hk\\$|hong kong dollars?
nzd: nz\\$|new zealand dollars?
sgd: s\\$|singapore dollars?
twd: nt\\$
mxn: mx\\$|mexican pesos?
brl: r\\$|reais
usd: us ?\\$|us[ -]dollars?
gbp: £|pounds? sterling|british pounds?
gbp lb: pounds?|pfund
jpy cny: [¥￥]
jpy: yen
cny: rmb|yuan|renminbi
inr pkr: ₹|rs\\.?|(?:indian )?rupees?
chf: sfr\\.?|swiss francs?|(?:schweizer )?franken
chf frf: francs?
krw: ₩|won
rub: ₽|rou?bles?|rubel
try: ₺|lira
sek: swedish kron\\p{L}{1,3}
nok: norwegian kron\\p{L}{1,3}
dkk: danish kron\\p{L}{1,3}
sek nok dkk isk: kr\\.?|kron\\p{L}{1,3}
dem: dm|deutsche mark|deutschmarks?
ils: ₪|shekels?
eur: €|euros?
usd aud cad hkd nzd sgd twd mxn: \\$|dollars?`
		.split("\n")
		.map((row) => row.split(": "))
		.map(([codes = "", written = ""]) => {
			const list = codes.split(" ");
			const named = list.length === 1 ? `${written}|${codes}` : written;
			return [list, new RegExp(`(?<![\\p{L}$])(?:${named})(?![\\p{L}$])`, "u")] as const;
		}),
);
/** The kinds of unit that are currencies. */
const kinds: Readonly<Record<string, readonly string[]>> = {
	dollar: ["usd"],
	euro: ["eur"],
	yen: ["jpy"],
	yuan: ["cny"],
};

/** The currencies that a text names first, of a plain "$" the US dollar. */
export function currencyNamed(text: string): readonly string[] | undefined {
	const codes = rows().find(([list, pattern]) => !list.includes("lb") && pattern.test(text.toLowerCase()))?.[0];
	return codes?.[0] === "usd" ? ["usd"] : codes;
}

/** The currencies said straight before or behind a quantity; "pounds" are money where `money` is asked for. */
export function currencyAt(
	source: string,
	{ start, end, unit, money }: { start: number; end: number; unit: Unit | null; money: boolean },
): readonly string[] | undefined {
	const written = source.slice(start, end);
	const before = /[\p{L}.]{0,4} ?\p{Sc}? ?$/u.exec(source.slice(Math.max(0, start - 8), start))?.[0] ?? "";
	const next = /^ ?(?:\p{Sc}|[\p{L}.-]+(?: \p{L}+)?)/u.exec(source.slice(end))?.[0] ?? "";
	const places = [`${before}${/^\P{Nd}*/u.exec(written)?.[0]}`, `${/\P{Nd}*$/u.exec(written)?.[0]}${next}`];
	for (const place of places)
		for (const [codes, pattern] of rows()) {
			const at = pattern.exec(place)?.index;
			if (at === undefined || (codes.includes("lb") && !money)) continue;
			const ahead = place.slice(0, at).match(/\p{L}+/gu) ?? [];
			if (place === places[0] || ahead.every((word) => Object.hasOwn(scales, word))) return codes;
		}
	return kinds[unit?.dimension ?? ""];
}
