/** Countries with what hangs on them: capitals, currencies, languages, subregions, codes. */
import { booleanAnswer, numberAnswer, stringAnswer, unaccented } from "#recipes";
import { inSpanish } from "./content.ts";
import type { Draft } from "./draft.ts";
import { addCity, addCurrency, addLanguage, addSubregion, distinct } from "./naming.ts";
import type { Country, CountryRecord, Profile } from "./packages.ts";
import { addProfile, namesInProfiles, sharedSummits } from "./profiles.ts";
import { slugOf } from "./slug.ts";

/** Capitals that the package gives but that are disputed, abandoned, shared with another seat, or not cities. */
const doubtfulCapitals = new Set("BOL HKG IOT ISR LKA MSR PSE SWZ ZAF BES ESH NFK SGS ATF".split(" "));

/** Languages where the package names a dialect only. */
const languagesHere: Record<string, Record<string, string>> = { AUT: { deu: "German" } };

const namesHere: Record<string, string> = { FSM: "Federated States of Micronesia", CCK: "Cocos Islands" };
const withArticle =
	/^(Bahamas|Comoros|Gambia|Maldives|Netherlands|Philippines|Seychelles|Isle of Man|DR Congo|United .*|Federated .*|.* Republic|Republic of .*|.* Islands|.* Territory|.* Lands|Caribbean Netherlands)$/;

export function addCountries(
	draft: Draft,
	countries: readonly Country[],
	profiles: ReadonlyMap<string, Profile>,
): CountryRecord[] {
	const records = countries.map((country) => ({
		id: addCountry(draft, country),
		country,
		profile: profiles.get(country.cca2 === "GB" ? ".uk" : `.${country.cca2.toLowerCase()}`),
	}));
	const byCode = new Map(records.map((record) => [record.country.cca3, record]));
	const byName = namesInProfiles(records);
	const sharedPeaks = sharedSummits(records);
	const currencyNames = fullestNames(countries);
	const callingCodes = countOf(records.map(({ country }) => callingCode(country)));
	const anthems = countOf(records.map(({ profile }) => anthemOf(profile)));
	for (const record of records) {
		const { id, country } = record;
		const fact = (relation: string, entity: string | undefined) =>
			entity !== undefined && draft.addFact(id, relation, { entity });
		const text = (relation: string, value: string | undefined, others: string[] = []) =>
			value !== undefined && draft.addFact(id, relation, { answer: stringAnswer(value, others) });
		const { common, official } = country.name;
		if (official !== common && official !== namesHere[country.cca3])
			text("official-name", official, [`the ${official}`]);
		text("demonym", country.demonyms?.eng?.m || undefined);
		text("iso-code", country.cca3);
		// The outlying islands share the domain of the United States.
		if (country.tld[0] !== undefined && country.tld.length === 1 && country.cca3 !== "UMI")
			text("internet-domain", country.tld[0], [country.tld[0].slice(1)]);
		const code = callingCode(country);
		if (code !== undefined && callingCodes.get(code) === 1) text("calling-code", code, [code.slice(1)]);
		const anthem = anthemOf(record.profile);
		if (anthem !== undefined && anthems.get(anthem) === 1) text("anthem", anthem);
		if (country.subregion !== "") fact("subregion", addSubregion(draft, country.subregion));
		if (country.area > 0)
			draft.addFact(id, "area", { answer: numberAnswer(country.area, { unit: "km²", slack: 0.005 }) });
		if (country.subregion !== "") draft.addFact(id, "landlocked", { answer: booleanAnswer(country.landlocked) });
		fact("capital", capital(draft, country));
		const currencies = Object.entries(country.currencies);
		if (currencies.length === 1 && currencies[0])
			fact("currency", addCurrency(draft, currencies[0][0], currencyNames.get(currencies[0][0]) ?? ""));
		for (const [tongue, name] of Object.entries(languagesHere[country.cca3] ?? country.languages))
			fact("language", addLanguage(draft, tongue, name));
		for (const neighbour of country.borders) fact("borders", byCode.get(neighbour)?.id);
		if (record.profile) addProfile(draft, record, record.profile, { byName, sharedPeaks });
	}
	return records;
}

function addCountry(draft: Draft, country: Country): string {
	const name = namesHere[country.cca3] ?? country.name.common;
	const spanish = inSpanish("countries", country.cca3) ?? withSpanishArticle(country.translations.spa?.common ?? name);
	const bareSpanish = spanish.replace(/^(el|la|los|las) /, "");
	const short = (alias: string) => alias.length > 3 || ["USA", "UAE", "UK"].includes(alias);
	return draft.addEntity({
		id: `country/${slugOf(name)}`,
		type: "country",
		names: { en: name, es: bareSpanish },
		mentions: { en: withArticle.test(name) ? `the ${name}` : name, es: spanish },
		aliases: {
			en: distinct([
				country.name.common,
				country.name.official,
				unaccented(name),
				...country.altSpellings.filter(short),
				...Object.values(country.name.native).flatMap((native) => [native.common, native.official]),
				...(country.cca3 === "GBR" ? ["UK"] : country.cca3 === "USA" ? ["US", "United States of America"] : []),
			]),
			es: distinct([
				country.translations.spa?.common ?? "",
				country.translations.spa?.official ?? "",
				unaccented(bareSpanish),
			]),
		},
	}).id;
}

/** The article that Spanish running text puts before islands and republics. */
const withSpanishArticle = (name: string) =>
	/^Islas /.test(name) ? `las ${name}` : /^(Isla|República) /.test(name) ? `la ${name}` : name;

/** The capital, unless it is one of several, doubtful, or named like its country, which would give it away. */
function capital(draft: Draft, country: Country): string | undefined {
	const [name] = country.capital;
	if (name === undefined || country.capital.length > 1 || doubtfulCapitals.has(country.cca3)) return undefined;
	return slugOf(name) === slugOf(country.name.common) ? undefined : addCity(draft, name);
}

/** Currencies by code under the longest name given: "Danish krone" rather than "krone". */
function fullestNames(countries: readonly Country[]): Map<string, string> {
	const names = new Map<string, string>();
	for (const { currencies } of countries)
		for (const [code, { name }] of Object.entries(currencies))
			if (name.length > (names.get(code)?.length ?? 0)) names.set(code, name);
	return names;
}

/** A country calling code such as "+51"; none where numbers are shared or several. */
function callingCode({ idd }: Country): string | undefined {
	const [suffix] = idd.suffixes ?? [];
	return idd.root !== undefined &&
		suffix !== undefined &&
		idd.suffixes?.length === 1 &&
		`${idd.root}${suffix}`.length <= 5
		? `${idd.root}${suffix}`
		: undefined;
}

const anthemOf = (profile: Profile | undefined) =>
	/^"([^"]{4,60})"/.exec(profile?.("Government", "National anthem", "name") ?? "")?.[1];

function countOf(values: (string | undefined)[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}
