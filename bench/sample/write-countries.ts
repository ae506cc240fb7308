import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { countriesSource, folderOf } from "./packages.ts";

interface Listed {
	name: { common: string; official: string };
	altSpellings: string[];
	translations: Record<string, { common: string }>;
	demonyms: Record<string, { f: string; m: string }>;
}

/** Writes the names of countries and their peoples, which the final gate of the recipes reads, with the terms of their source. */
export async function writeCountries(file: string): Promise<void> {
	const text = await readFile(join(folderOf("world-countries"), "countries.json"), "utf8");
	const rows = (JSON.parse(text) as Listed[]).map(({ name, altSpellings, translations, demonyms }) =>
		JSON.stringify({
			names: [name.common, name.official, ...altSpellings],
			peoples: [demonyms.eng?.m, demonyms.eng?.f].filter(Boolean),
			translations: Object.fromEntries(Object.entries(translations).map(([code, { common }]) => [code, common])),
		}),
	);
	const { name, version, licence, attribution, url } = countriesSource;
	const source = JSON.stringify({ name, version, licence, attribution, url });
	await writeFile(file, `{\n"source": ${source},\n"countries": [\n${rows.join(",\n")}\n]\n}\n`);
}
