/** What the factbook adds to a country: history, figures, the highest point and the main export market. */
import { isoOf, type Language, numberAnswer, stringAnswer, timeAnswer } from "#recipes";
import type { Draft } from "./draft.ts";
import { distinct } from "./naming.ts";
import type { CountryRecord, Profile } from "./packages.ts";
import { slugOf } from "./slug.ts";

/** Highest points under other names in a neighbour's profile, double names, or of another part of the kingdom. */
const doubtfulPeaks = new Set("COD MKD ALB MSR CIV GIN ITA FRA NLD SHN GRC CYP FIN DNK PRT ESP TUR MRT".split(" "));

export function addProfile(
	draft: Draft,
	{ id, country }: CountryRecord,
	profile: Profile,
	{ byName, sharedPeaks }: { byName: ReadonlyMap<string, string>; sharedPeaks: ReadonlySet<string> },
): void {
	const number = (relation: string, value: number | undefined, slack = 0) => {
		const unit = draft.relations[relation]?.unit;
		if (value !== undefined && value > 0)
			draft.addFact(id, relation, { answer: numberAnswer(value, { slack, ...(unit !== undefined && { unit }) }) });
	};
	number(
		"population",
		leadingNumber(profile("People and Society", "Population"), /^([\d,]+)(?= \(July 2015 est\.\)$|$)/),
		0.01,
	);
	if (!country.landlocked) number("coastline", leadingNumber(profile("Geography", "Coastline"), /^([\d,.]+) km/), 0.01);
	if (country.borders.length > 0)
		number("land-boundary", leadingNumber(profile("Geography", "Land boundaries", "total"), /^([\d,.]+) km/), 0.01);
	number("median-age", leadingNumber(profile("People and Society", "Median age", "total"), /^([\d.]+) years/), 0.01);
	number(
		"urban-share",
		leadingNumber(profile("People and Society", "Urbanization", "urban population"), /^([\d.]+)%/),
		0.01,
	);
	number(
		"life-expectancy",
		leadingNumber(profile("People and Society", "Life expectancy at birth", "total population"), /^([\d.]+) years/),
		0.01,
	);
	number("railways", leadingNumber(profile("Transportation", "Railways", "total"), /^([\d,.]+) km/), 0.01);
	number("forest-share", leadingNumber(profile("Geography", "Land use", "forest"), /^([\d.]+)%/), 0.01);

	const symbol = /^([a-z][a-z -]{2,24})(?:;|$)/.exec(profile("Government", "National symbol(s)") ?? "")?.[1];
	if (symbol !== undefined && !symbol.startsWith("national"))
		draft.addFact(id, "national-symbol", { answer: stringAnswer(symbol) });

	const [, date = "", from = ""] =
		/^(\d{1,2} [A-Z][a-z]+ \d{4}) \(from (?:the )?([^;()]+?)\)/.exec(profile("Government", "Independence") ?? "") ?? [];
	const iso = isoOf(date);
	if (iso !== undefined) draft.addFact(id, "independence", { answer: timeAnswer(iso) });
	const power = byName.get(from.toLowerCase());
	if (iso !== undefined && power !== undefined && power !== id)
		draft.addFact(id, "independent-from", { entity: power });

	const shares = [...(profile("Economy", "Exports - partners") ?? "").matchAll(/([A-Za-z' ]+?) ([\d.]+)%/g)];
	const partner = byName.get((shares[0]?.[1] ?? "").trim().toLowerCase());
	if (partner !== undefined && partner !== id && Number(shares[0]?.[2]) > Number(shares[1]?.[2] ?? 0))
		draft.addFact(id, "export-partner", { entity: partner });

	const summit = summitOf({ country, profile });
	if (summit && !sharedPeaks.has(summit.name)) addPeak(draft, id, summit.name, summit.height);
}

/** Names of highest points that two profiles give. */
export function sharedSummits(records: readonly Pick<CountryRecord, "country" | "profile">[]): Set<string> {
	const seen = new Set<string>();
	const shared = new Set<string>();
	for (const record of records) {
		const name = summitOf(record)?.name;
		if (name !== undefined && seen.has(name)) shared.add(name);
		if (name !== undefined) seen.add(name);
	}
	return shared;
}

function summitOf({ country, profile }: Pick<CountryRecord, "country" | "profile">) {
	const text = profile?.("Geography", "Elevation extremes", "highest point") ?? "";
	const [, name = "", height = ""] = /^([A-Z][A-Za-z' -]+?)(?: \([^)]*\))? ([\d,]+) ?m\b/.exec(text) ?? [];
	if (height === "" || doubtfulPeaks.has(country.cca3)) return undefined;
	if (/\b(on|ocean|unnamed|elevation|location|gardens|hall|town)\b/i.test(name)) return undefined;
	return { name: name.trim(), height: Number(height.replaceAll(",", "")) };
}

function addPeak(draft: Draft, country: string, name: string, height: number): void {
	const peak = `mountain/${slugOf(name)}`;
	if (draft.entities.has(peak)) return;
	const names: Record<Language, string> = { en: name, es: name };
	draft.addEntity({
		id: peak,
		type: "mountain",
		names,
		aliases: { en: distinct([name.replace(/^(Mount|Mt\.?|Pico|Cerro|Jebel|Jabal|Nevado|Volcan) /, "")]), es: [] },
	});
	draft.addFact(country, "highest-point", { entity: peak });
	draft.addFact(peak, "elevation", { answer: numberAnswer(height, { unit: "m", slack: 0.005 }) });
}

function leadingNumber(text: string | undefined, pattern: RegExp): number | undefined {
	const found = pattern.exec(text ?? "")?.[1];
	const value = Number((found ?? "").replaceAll(",", ""));
	return found !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Countries by the names that the factbook calls them. */
export function namesInProfiles(records: readonly CountryRecord[]): Map<string, string> {
	const names = new Map<string, string>();
	for (const { id, country } of records) names.set(country.name.common.toLowerCase(), id);
	const more: Record<string, string> = {
		uk: "united-kingdom",
		us: "united-states",
		uae: "united-arab-emirates",
		"cote d'ivoire": "ivory-coast",
		turkey: "turkiye",
		"czech republic": "czechia",
		burma: "myanmar",
		macedonia: "north-macedonia",
		"malaysian federation": "malaysia",
	};
	for (const [name, slug] of Object.entries(more)) names.set(name, `country/${slug}`);
	return names;
}
