/**
 * A small thesaurus of relation words in English and Spanish: the words in which an encyclopedia states what a question
 * asks with another word. Kinship, lives, works, organisations, places and measures in general; no names of anything,
 * and no words taken from the relations of a benchmark: adding those of one raises its score and proves nothing.
 */
import { ownField } from "#domain";
import { fold, stem, tokens } from "./words.ts";

const families = [
	"born birth birthplace birthday birthdate native nacio nacido nacida nacimiento",
	"died death dead deceased killed murio fallecio fallecido muerte",
	"buried burial tomb interred sepultado",
	"father son daughter child padre hijo hija",
	"mother son daughter child madre hijo hija",
	"child children son daughter father mother hijo hija",
	"spouse husband wife married marriage widow consort esposa esposo marido casado",
	"sibling brother sister hermano hermana",
	"director directed directing dirigida dirigido",
	"producer produced productor",
	"author writer wrote written novelist book escrito escritor autor",
	"performer singer sung recorded performed single artist cantante",
	"composer composed music scored compositor",
	"founder founded established established formed fundador fundada fundado fundacion",
	"creator created designed painter painted developed invented inventor creado",
	"publisher published editorial publicado",
	"nationality citizenship country citizen",
	"educated education studied study graduated attended university school college alma degree estudio",
	"work worked employer employed trabajo",
	"award awarded received prize premio won",
	"released release premiered came opened estreno",
	"located situated lies location stands ubicado ubicada situado situada encuentra",
	"capital seat government gobierno sede",
	"country nation state pais",
	"city town ciudad",
	"language languages spoken speak official idioma lengua",
	"currency money coin moneda",
	"border borders bordering bordered neighbour neighbor neighbouring frontera limita linda vecino",
	"population inhabitants people residents poblacion habitantes",
	"area surface size extends covers square extension superficie",
	"length long stretches runs longitud",
	"height high tall elevation altitude summit peak altura alto altitud elevacion",
	"depth deep profundidad",
	"flows flow empties drains mouth desemboca fluye",
	"source rises origin nace",
	"discovered discovery discoverer descubierto descubridor",
	"largest larger most mayor greatest biggest",
	"official oficial",
	"former antigua antiguo",
	"year ano",
	"date fecha",
	"part parte",
	"world mundo",
	"people personas gente",
	"populous poblada poblado",
	"area zona",
	"share porcentaje proportion",
	"used use usa utiliza",
	"title titulo",
	"name nombre",
	"national nacional",
	"international internacional",
	"age edad",
	"life vida",
	"coast coastline costa litoral",
	"frontier boundary boundaries frontera fronteras border",
	"symbol simbolo emblem emblema",
	"code codigo abbreviation abreviatura",
	"region continent subregion continente part",
	"mass weight weighs masa peso",
	"played portrayed plays role character actor actress starring stars papel",
	"member members band group formed miembro",
	"owner owned owns belongs propietario",
	"named name called known nombre llamado",
	"color colour colors colours",
].map((family) => family.split(" "));

const related = new Map<string, Set<string>>();
for (const family of families) {
	const [head, ...rest] = family.map(stem);
	for (const word of [head, ...rest]) {
		if (word === undefined) continue;
		// A member reaches its head; the head reaches all: "father" finds "son", but "son" does not find "mother" alone.
		const known = related.get(word) ?? new Set<string>();
		for (const other of family.map(stem)) known.add(other);
		related.set(word, known);
	}
}

/** The English word for each word that the thesaurus knows by another: half of what a Spanish question needs. */
export function inEnglish(text: string): string {
	const found = tokens(fold(text)).flatMap(({ text: word }) => {
		const family = families.find((one) => one.includes(word));
		return family?.[0] && family[0] !== word ? [family[0]] : [];
	});
	return [...new Set(found)].join(" ");
}

/** The stems that may stand for a relation word's stem in evidence, itself first. */
export function relatedStems(own: string): string[] {
	return [...new Set([own, ...(related.get(own) ?? [])])];
}

/** Relations that are two relations in a row, outermost first. */
const composed: Record<string, string[]> = {
	"paternal grandfather": ["father", "father"],
	"paternal grandmother": ["mother", "father"],
	"maternal grandfather": ["father", "mother"],
	"maternal grandmother": ["mother", "mother"],
	"father-in-law": ["father", "spouse"],
	"mother-in-law": ["mother", "spouse"],
	"child-in-law": ["spouse", "child"],
	"daughter-in-law": ["spouse", "son"],
	"son-in-law": ["spouse", "daughter"],
	stepmother: ["spouse", "father"],
	stepfather: ["spouse", "mother"],
	"abuelo paterno": ["padre", "padre"],
	"abuela paterna": ["madre", "padre"],
	"abuelo materno": ["padre", "madre"],
	"abuela materna": ["madre", "madre"],
};

/** A relation as the chain of relations it stands for, outermost first. */
export function relationChain(relation: string): string[] {
	return ownField(composed, fold(relation).trim()) ?? [relation];
}

const measureWords = new Set(
	[
		"number population area length height elevation altitude depth width size weight mass density temperature distance age",
		"speed volume percentage share ratio rate amount count total point duration budget revenue price cost diameter radius wavelength",
		"poblacion superficie extension longitud altura altitud elevacion profundidad anchura peso masa densidad temperatura",
		"distancia edad velocidad volumen porcentaje cantidad numero total duracion radio diametro tamano",
	]
		.join(" ")
		.split(" "),
);
const dateWords = new Set("date birthday birthdate deadline day fecha cumpleanos dia".split(" "));
const yearWords = new Set("year ano century decade siglo decada".split(" "));
const personWords = new Set(
	[
		"father mother son daughter husband wife spouse brother sister grandfather grandmother director author writer composer",
		"performer singer founder creator painter actor actress person man woman king queen president member producer inventor child",
		"padre madre hijo hija esposo esposa marido hermano hermana autor escritor fundador persona rey reina discoverer descubridor",
	]
		.join(" ")
		.split(" "),
);

const placeWords = new Set("place birthplace lugar location ubicacion".split(" "));

const partitives =
	/\b(?:share|part|half|majority|most|proportion|percentage|kind|type|parte|mitad|mayoria|porcentaje|tipo)$/;

/** Whether a noun says how much of something rather than what. */
export const isPartitive = (noun: string) => partitives.test(fold(noun));

/** What kind of answer a noun announces. */
export function wantOf(noun: string): "number" | "date" | "year" | "person" | "place" | "any" {
	const words = tokens(fold(noun)).map(({ text }) => text);
	// "the highest elevation" is a place, "the elevation" a number.
	if (
		/^(?:most|highest|largest|longest|biggest|smallest|deepest|tallest|lowest|oldest|mayor|menor)$/.test(words[0] ?? "")
	)
		return "any";
	if (words.some((word) => yearWords.has(word))) return "year";
	if (words.some((word) => dateWords.has(word))) return "date";
	if (words.some((word) => measureWords.has(word))) return "number";
	if (words.some((word) => placeWords.has(word))) return "place";
	return words.some((word) => personWords.has(word)) ? "person" : "any";
}

/** What comparatives order by when they name no noun: a relation to look up, and whether more of it is meant. */
const comparatives: { words: string; relation: string; want: "number" | "date"; pick: "most" | "least" }[] = [
	{ words: "larger largest bigger biggest", relation: "area", want: "number", pick: "most" },
	{ words: "smaller smallest", relation: "area", want: "number", pick: "least" },
	{ words: "longer longest", relation: "length", want: "number", pick: "most" },
	{ words: "shorter shortest", relation: "length", want: "number", pick: "least" },
	{ words: "taller tallest higher highest", relation: "height elevation", want: "number", pick: "most" },
	{ words: "lower lowest", relation: "height elevation", want: "number", pick: "least" },
	{ words: "deeper deepest", relation: "depth", want: "number", pick: "most" },
	{ words: "heavier heaviest", relation: "mass weight", want: "number", pick: "most" },
	{ words: "lighter lightest", relation: "mass weight", want: "number", pick: "least" },
	{ words: "denser densest", relation: "density", want: "number", pick: "most" },
	{ words: "largo larga largos largas", relation: "length", want: "number", pick: "most" },
	{ words: "corto corta cortos cortas", relation: "length", want: "number", pick: "least" },
	{ words: "alto alta altos altas", relation: "height elevation", want: "number", pick: "most" },
	{ words: "bajo baja bajos bajas", relation: "height elevation", want: "number", pick: "least" },
	{ words: "grande grandes extenso extensa", relation: "area", want: "number", pick: "most" },
	{ words: "pequeno pequena pequenos pequenas", relation: "area", want: "number", pick: "least" },
	{ words: "older oldest", relation: "born founded date", want: "date", pick: "least" },
	{ words: "younger youngest newer newest", relation: "born founded date", want: "date", pick: "most" },
];

const byComparative = new Map(
	comparatives.flatMap((entry) => entry.words.split(" ").map((word) => [word, entry] as const)),
);

export function comparativeOf(word: string) {
	return byComparative.get(fold(word));
}

const least = "fewer fewest less least menor menos".split(" ");
const most = "more most greater greatest mayor mas".split(" ");
const early = "first earlier earliest antes primero anterior".split(" ");
const late = "later latest last despues posterior recently recent reciente".split(" ");
const picks = new Map<string, { pick: "most" | "least"; want?: "date" }>([
	...least.map((word) => [word, { pick: "least" }] as const),
	...most.map((word) => [word, { pick: "most" }] as const),
	...early.map((word) => [word, { pick: "least", want: "date" }] as const),
	...late.map((word) => [word, { pick: "most", want: "date" }] as const),
]);

/** Which end of an order a word of degree or time asks for. */
export function pickOf(word: string) {
	return picks.get(fold(word));
}

/** An adjective that turns "más" around: "más corta" asks for the least. */
export const isLess = (word: string) =>
	/^(?:cort[oa]s?|baj[oa]s?|pequen[oa]s?|joven|jovenes|liger[oa]s?|poc[oa]s?|antigu[oa]s?|viej[oa]s?)$/.test(
		fold(word),
	);
