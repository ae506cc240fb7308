import type { Passage } from "#domain";
import { sha256 } from "#store";

/** Languages that questions of this world can be asked in; its documents are English. */
export type Tongue = "en" | "de" | "fr" | "es";

/** What `{s}` stands in is about the subject, in whatever grammatical place a name fits. */
interface Relation {
	name: string;
	/** How a document states it. */
	says: readonly string[];
	asks: Readonly<Record<Tongue, readonly string[]>>;
	/** A description of the object that can stand in the place of its name. */
	means?: Readonly<Record<Tongue, readonly string[]>>;
	/** The kind of thing or value that it leads to. */
	to: Kind;
}

type Kind = keyof typeof kinds | "date" | "kilometres" | "metres" | "square kilometres";

export interface Thing {
	kind: keyof typeof kinds;
	name: string;
	/** The part of the name that it also goes by, where there is one. */
	short?: string;
	/** A name of other words that its document gives it. */
	alias: string;
	/** The made-up words in both names: no other unit has them. */
	words: readonly [string, string];
	text: string;
	id: string;
}

export interface Fact {
	relation: Relation;
	subject: Thing;
	/** Name or written value of the object. */
	object: string;
	value?:
		| { kind: "date"; day: number; month: number; year: number }
		| { kind: "measure"; number: number; unit: string };
	/** The object where it is a thing. */
	end?: Thing;
	sentence: string;
}

/** Three things in a line with what is needed to ask over them: first — bridge — end, and more of each. */
export interface Unit {
	id: string;
	first: Thing;
	bridge: Thing;
	/** Of the same kind as the bridge, of another line. */
	stranger: Thing;
	/** first → bridge, bridge → end. */
	steps: [Fact, Fact];
	/** The same relation as the second step's, of the stranger. */
	strange: Fact;
	/** Something else that is stated of the bridge. */
	aside: Fact;
	/** From the bridge back to the first. */
	back: Fact;
	passages: Passage[];
	/** Whether two items are to be made of it. */
	twice?: boolean;
}

const kinds = {
	novel: { en: "novel", de: "dem Roman", fr: "du roman", es: "la novela" },
	church: { en: "church", de: "der Kirche", fr: "de l'église", es: "la iglesia" },
	ship: { en: "ship", de: "dem Schiff", fr: "du navire", es: "el barco" },
	lake: { en: "lake", de: "dem See", fr: "du lac", es: "el lago" },
	range: { en: "mountain range", de: "dem Gebirge", fr: "du massif", es: "la sierra" },
	opera: { en: "opera", de: "der Oper", fr: "de l'opéra", es: "la ópera" },
	comet: { en: "comet", de: "dem Kometen", fr: "de la comète", es: "el cometa" },
	lighthouse: { en: "lighthouse", de: "dem Leuchtturm", fr: "du phare", es: "el faro" },
	person: { en: "person", de: "der Person", fr: "de la personne", es: "la persona" },
	town: { en: "town", de: "der Stadt", fr: "de la ville", es: "la ciudad" },
	river: { en: "river", de: "dem Fluss", fr: "du fleuve", es: "el río" },
	mountain: { en: "mountain", de: "dem Berg", fr: "de la montagne", es: "la montaña" },
	company: { en: "company", de: "der Firma", fr: "de l'entreprise", es: "la empresa" },
	island: { en: "island", de: "der Insel", fr: "de l'île", es: "la isla" },
} as const;

/** The kind of a thing with words for an image, in place of its name. */
export const shown = ({ kind }: Thing, tongue: Tongue): string =>
	({
		en: `the ${kinds[kind].en} shown in the image`,
		de: `${kinds[kind].de} auf dem Bild`,
		fr: `${kinds[kind].fr} montré sur l'image`,
		es: `${kinds[kind].es} que se ve en la imagen`,
	})[tongue];

const relations = {
	author: {
		to: "person",
		says: ["{s} was written by {o}.", "{o} is the author of {s}.", "{s} is the third novel of {o}."],
		asks: {
			en: ["Who wrote {s}?", "Who is the author of {s}?", "Which writer is the author of {s}?"],
			de: ["Wer hat {s} geschrieben?", "Wie heißt der Autor von {s}?"],
			fr: ["Qui a écrit {s} ?"],
			es: ["¿Quién escribió {s}?"],
		},
		means: {
			en: ["the author of {s}", "the writer of {s}", "the person who wrote {s}"],
			de: ["der Autor von {s}", "die Person, die {s} geschrieben hat,"],
			fr: ["l'auteur de {s}"],
			es: ["el autor de {s}"],
		},
	},
	composer: {
		to: "person",
		says: ["{s} was composed by {o}.", "The music of {s} is the work of {o}."],
		asks: {
			en: ["Who composed {s}?", "Which composer wrote {s}?"],
			de: ["Wer komponierte {s}?"],
			fr: ["Qui a composé {s} ?"],
			es: ["¿Quién compuso {s}?"],
		},
		means: {
			en: ["the composer of {s}", "the musician who composed {s}"],
			de: ["der Komponist von {s}"],
			fr: ["le compositeur de {s}"],
			es: ["el compositor de {s}"],
		},
	},
	architect: {
		to: "person",
		says: ["{s} was designed by {o}.", "The architect of {s} was {o}."],
		asks: {
			en: ["Who designed {s}?", "Which architect built {s}?", "Who was the architect of {s}?"],
			de: ["Wer hat {s} entworfen?"],
			fr: ["Qui a conçu {s} ?"],
			es: ["¿Quién diseñó {s}?"],
		},
		means: {
			en: ["the architect of {s}", "the architect who designed {s}"],
			de: ["der Architekt von {s}"],
			fr: ["l'architecte de {s}"],
			es: ["el arquitecto de {s}"],
		},
	},
	discoverer: {
		to: "person",
		says: ["{s} was discovered by {o}.", "{o} was the first to see {s}."],
		asks: {
			en: ["Who discovered {s}?", "Which astronomer discovered {s}?"],
			de: ["Wer hat {s} entdeckt?"],
			fr: ["Qui a découvert {s} ?"],
			es: ["¿Quién descubrió {s}?"],
		},
		means: {
			en: ["the discoverer of {s}", "the astronomer who discovered {s}"],
			de: ["der Entdecker von {s}"],
			fr: ["le découvreur de {s}"],
			es: ["el descubridor de {s}"],
		},
	},
	yard: {
		to: "company",
		says: ["{s} was built by {o}.", "{o} built and launched {s}."],
		asks: {
			en: ["Which company built {s}?", "By which shipyard was {s} built?"],
			de: ["Welche Firma hat {s} gebaut?"],
			fr: ["Quelle entreprise a construit {s} ?"],
			es: ["¿Qué empresa construyó {s}?"],
		},
		means: {
			en: ["the company that built {s}", "the builder of {s}", "the shipyard where {s} was built"],
			de: ["die Werft, die {s} gebaut hat,"],
			fr: ["l'entreprise qui a construit {s}"],
			es: ["la empresa que construyó {s}"],
		},
	},
	outflow: {
		to: "river",
		says: ["{s} is drained by {o}.", "{o} leaves {s} at its southern end."],
		asks: {
			en: ["Which river drains {s}?", "What river flows out of {s}?"],
			de: ["Welcher Fluss entwässert {s}?"],
			fr: ["Quel fleuve draine {s} ?"],
			es: ["¿Qué río desagua {s}?"],
		},
		means: {
			en: ["the river that drains {s}", "the river that flows out of {s}"],
			de: ["der Fluss, der {s} entwässert,"],
			fr: ["le fleuve qui draine {s}"],
			es: ["el río que desagua {s}"],
		},
	},
	peak: {
		to: "mountain",
		says: ["The highest peak of {s} is {o}.", "{o} is the highest mountain of {s}."],
		asks: {
			en: ["What is the highest peak of {s}?", "Which mountain is the highest of {s}?"],
			de: ["Wie heißt der höchste Gipfel von {s}?"],
			fr: ["Quel est le plus haut sommet de {s} ?"],
			es: ["¿Cuál es la cima más alta de {s}?"],
		},
		means: {
			en: ["the highest peak of {s}", "the highest mountain of {s}"],
			de: ["der höchste Gipfel von {s}"],
			fr: ["le plus haut sommet de {s}"],
			es: ["la cima más alta de {s}"],
		},
	},
	stands: {
		to: "island",
		says: ["{s} stands on {o}.", "{s} was put up on {o}."],
		asks: {
			en: ["On which island does {s} stand?", "Which island is the site of {s}?"],
			de: ["Auf welcher Insel steht {s}?"],
			fr: ["Sur quelle île se trouve {s} ?"],
			es: ["¿En qué isla se encuentra {s}?"],
		},
		means: {
			en: ["the island on which {s} stands", "the island that is the site of {s}"],
			de: ["die Insel, auf der {s} steht,"],
			fr: ["l'île où se trouve {s}"],
			es: ["la isla donde se encuentra {s}"],
		},
	},
	birthplace: {
		to: "town",
		says: ["{s} was born in {o}.", "The birthplace of {s} is {o}.", "{s} came into the world in {o}."],
		asks: {
			en: ["In which town was {s} born?", "Where was {s} born?", "What is the birthplace of {s}?"],
			de: ["In welcher Stadt wurde {s} geboren?", "Wo kam {s} zur Welt?"],
			fr: ["Dans quelle ville est né {s} ?"],
			es: ["¿En qué ciudad nació {s}?"],
		},
		means: {
			en: ["the town where {s} was born", "the birthplace of {s}"],
			de: ["die Geburtsstadt von {s}"],
			fr: ["la ville natale de {s}"],
			es: ["la ciudad natal de {s}"],
		},
	},
	teacher: {
		to: "person",
		says: ["{s} studied under {o}.", "{o} taught {s} for several years."],
		asks: {
			en: ["Under whom did {s} study?", "Who taught {s}?", "Who was the teacher of {s}?"],
			de: ["Bei wem hat {s} studiert?", "Wer unterrichtete {s}?"],
			fr: ["Qui fut le professeur de {s} ?"],
			es: ["¿Quién fue el maestro de {s}?"],
		},
		means: {
			en: ["the teacher of {s}"],
			de: ["der Lehrer von {s}"],
			fr: ["le professeur de {s}"],
			es: ["el maestro de {s}"],
		},
	},
	birthdate: {
		to: "date",
		says: ["{s} was born on {o}.", "The date of birth of {s} is {o}."],
		asks: {
			en: ["On which date was {s} born?", "When was {s} born?", "What is the date of birth of {s}?"],
			de: ["Wann wurde {s} geboren?", "An welchem Tag wurde {s} geboren?"],
			fr: ["À quelle date est né {s} ?"],
			es: ["¿En qué fecha nació {s}?"],
		},
	},
	flows: {
		to: "river",
		says: ["{s} lies on {o}.", "{o} flows through {s}."],
		asks: {
			en: ["On which river does {s} lie?", "Which river flows through {s}?"],
			de: ["An welchem Fluss liegt {s}?", "Welcher Fluss fließt durch {s}?"],
			fr: ["Quel fleuve traverse {s} ?"],
			es: ["¿Qué río atraviesa {s}?"],
		},
		means: {
			en: ["the river that flows through {s}"],
			de: ["der Fluss, an dem {s} liegt,"],
			fr: ["le fleuve qui traverse {s}"],
			es: ["el río que atraviesa {s}"],
		},
	},
	seat: {
		to: "town",
		says: ["{s} is based in {o}.", "{s} has its seat in {o}."],
		asks: {
			en: ["In which town is {s} based?", "Where does {s} have its seat?"],
			de: ["In welcher Stadt hat {s} ihren Sitz?"],
			fr: ["Dans quelle ville se trouve le siège de {s} ?"],
			es: ["¿En qué ciudad tiene su sede {s}?"],
		},
		means: {
			en: ["the town where {s} is based"],
			de: ["die Stadt, in der {s} ihren Sitz hat,"],
			fr: ["la ville où se trouve le siège de {s}"],
			es: ["la ciudad donde tiene su sede {s}"],
		},
	},
	founder: {
		to: "person",
		says: ["{s} was founded by {o}.", "{o} founded {s}."],
		asks: {
			en: ["Who founded {s}?", "Who was the founder of {s}?"],
			de: ["Wer hat {s} gegründet?"],
			fr: ["Qui a fondé {s} ?"],
			es: ["¿Quién fundó {s}?"],
		},
	},
	length: {
		to: "kilometres",
		says: ["{s} is {o} long.", "The length of {s} is {o}."],
		asks: {
			en: ["How long is {s}?", "What is the length of {s}?"],
			de: ["Wie lang ist {s}?"],
			fr: ["Quelle est la longueur de {s} ?"],
			es: ["¿Qué longitud tiene {s}?"],
		},
	},
	height: {
		to: "metres",
		says: ["{s} is {o} high.", "{s} rises to {o}."],
		asks: {
			en: ["How high is {s}?", "What is the height of {s}?"],
			de: ["Wie hoch ist {s}?"],
			fr: ["Quelle est la hauteur de {s} ?"],
			es: ["¿Qué altura tiene {s}?"],
		},
	},
	area: {
		to: "square kilometres",
		says: ["{s} covers {o}.", "The area of {s} is {o}."],
		asks: {
			en: ["How large is {s}?", "What is the area of {s}?"],
			de: ["Wie groß ist {s}?"],
			fr: ["Quelle est la superficie de {s} ?"],
			es: ["¿Qué superficie tiene {s}?"],
		},
	},
	climber: {
		to: "person",
		says: ["{s} was first climbed by {o}.", "The first to climb {s} was {o}."],
		asks: {
			en: ["Who first climbed {s}?", "Who was the first to climb {s}?"],
			de: ["Wer hat {s} zuerst bestiegen?"],
			fr: ["Qui a gravi {s} en premier ?"],
			es: ["¿Quién escaló {s} por primera vez?"],
		},
	},
	source: {
		to: "mountain",
		says: ["{s} rises at the foot of {o}.", "The source of {s} is on {o}."],
		asks: {
			en: ["On which mountain is the source of {s}?", "At the foot of which mountain does {s} rise?"],
			de: ["An welchem Berg entspringt {s}?"],
			fr: ["Sur quelle montagne {s} prend-il sa source ?"],
			es: ["¿En qué montaña nace {s}?"],
		},
	},
	keeper: {
		to: "person",
		says: ["{s} belongs to {o}.", "The owner of {s} is {o}."],
		asks: {
			en: ["Who owns {s}?", "To whom does {s} belong?"],
			de: ["Wem gehört {s}?"],
			fr: ["À qui appartient {s} ?"],
			es: ["¿A quién pertenece {s}?"],
		},
	},
	known: {
		to: "novel",
		says: ["Of all that has to do with {s}, {o} is named most often."],
		asks: {
			en: ["What is named most often of all that has to do with {s}?"],
			de: ["Was wird im Zusammenhang mit {s} am häufigsten genannt?"],
			fr: ["Que cite-t-on le plus souvent à propos de {s} ?"],
			es: ["¿Qué es lo más citado sobre {s}?"],
		},
	},
} as const satisfies Record<string, Omit<Relation, "name">>;

type Name = keyof typeof relations;
const relationOf = (name: Name): Relation => ({ name, ...relations[name] });

/** First thing, its step, the bridge's step and what else is told of the bridge. */
type Way = readonly [first: keyof typeof kinds, one: Name, two: Name, aside: Name];

/** Kinds of lines; those held out are used where a measurement must not meet what rules were written against. */
const ways: Record<Family, readonly Way[]> = {
	main: [
		["novel", "author", "birthplace", "birthdate"],
		["novel", "author", "birthdate", "teacher"],
		["church", "architect", "teacher", "birthdate"],
		["church", "architect", "birthplace", "birthdate"],
		["ship", "yard", "seat", "founder"],
		["lake", "outflow", "length", "source"],
		["person", "birthplace", "flows", "keeper"],
		["ship", "yard", "founder", "seat"],
		["lake", "outflow", "source", "length"],
	],
	"held-out": [
		["opera", "composer", "teacher", "birthdate"],
		["comet", "discoverer", "birthplace", "birthdate"],
		["range", "peak", "height", "climber"],
		["lighthouse", "stands", "area", "keeper"],
		["range", "peak", "climber", "height"],
		["opera", "composer", "birthdate", "birthplace"],
	],
};

const families = ["main", "held-out"] as const;
export type Family = (typeof families)[number];

/** What a fault asks of its unit. */
export interface Wanted {
	/** The last answer is a name, a date or a measure. */
	end?: "name" | "date" | "measure" | "value";
	/** The bridge goes by a part of its name. */
	short?: boolean;
}

const isValue = (to: Kind): boolean => !(to in kinds);
const measures = ["kilometres", "metres", "square kilometres"];
const short: readonly Kind[] = ["person", "river", "mountain", "company"];

function fits([, one, two]: Way, { end, short: named }: Wanted): boolean {
	const { to } = relationOf(two);
	const is = { name: !isValue(to), date: to === "date", measure: measures.includes(to), value: isValue(to) };
	return (end === undefined || is[end]) && (!named || short.includes(relationOf(one).to));
}

const onsets = "B Br C Cr D Dr F Fl G Gr H J K L M N P Pr R S St T Th W".split(" ");
const codas = "l m n r st ck ll rd nt ss".split(" ");
const heads = onsets.flatMap((onset) =>
	[..."aeiou"].flatMap((vowel) => codas.map((coda) => `${onset}${vowel}${coda}`)),
);
const middles = "lo ri be da fe go ha ke mi no pa su ta ve zi".split(" ");
const ends: Record<keyof typeof kinds, readonly string[]> = {
	person: ["rand", "mont", "lecote", "nardson", "quist", "velt"],
	town: ["bury", "ford", "stead", "minster", "holt", "combe"],
	river: ["ane", "elle", "une", "issa", "ora", "ix"],
	mountain: ["thorn", "spitz", "cairn", "tor", "gard"],
	company: ["worth", "kamp", "sen", "dahl"],
	island: ["ey", "holm", "skerry"],
	novel: ["ia", "aven", "mere"],
	church: ["wald", "cross"],
	ship: ["onne", "ira"],
	lake: ["see", "mar"],
	range: ["ges", "uplands"],
	opera: ["etta", "ina"],
	comet: ["eus", "ax"],
	lighthouse: ["ness", "point"],
};
const given = "Margaret Edmund Beatrice Harold Louisa Stephen Irene Walter Agnes Philip Clara Hugo Nora Cecil".split(
	" ",
);
const adjectives = "Silver Broken Quiet Distant Painted Crooked Hollow Amber Winding Forgotten".split(" ");
const nouns = "Orchard Staircase Harbour Letter Mirror Lantern Bridge Winter Garden Compass".split(" ");
const months = [..."January February March April May June July August September October November December".split(" ")];

/** Draws that a name decides, the same on every machine. */
export function draws(...names: readonly (string | number)[]) {
	const hash = sha256(names.join("/"));
	let at = 0;
	const below = (most: number): number => {
		const part = Number.parseInt(sha256(`${hash}${at++}`).slice(0, 8), 16);
		return part % Math.max(1, most);
	};
	return { below, pick: <T>(of: readonly T[]): T => of[below(of.length)] as T };
}
export type Draws = ReturnType<typeof draws>;

/** A unit for each number: names, dates and numbers differ in all of them. */
export function createUnit(
	at: number,
	{
		family,
		seed,
		wanted = {},
		order,
	}: { family: Family; seed: number; wanted?: Wanted; order?: (random: Draws) => string },
): Unit {
	const id = `u${at}`;
	const random = draws(family, seed, id);
	const fit = ways[family].filter((way) => fits(way, wanted));
	const [kind, one, two, aside] = random.pick(fit.length > 0 ? fit : ways[family]);
	const named = (of: Thing["kind"], place: string, n: number): Thing =>
		thing(of, `${id}-${place}`, { n: at * 8 + n, seed, random });
	const first = named(kind, "a", 0);
	const middle = relationOf(one).to as Thing["kind"];
	const bridge = named(middle, "b", 1);
	const stranger = named(middle, "z", 2);
	const stated = (of: Thing, name: Name, n: number): Fact => {
		const relation = relationOf(name);
		const end = isValue(relation.to) ? valueFor(relation.to, random) : named(relation.to as Thing["kind"], "c", n);
		return fact(relation, of, end, random);
	};
	const steps: [Fact, Fact] = [fact(relationOf(one), first, bridge, random), stated(bridge, two, 3)];
	const unit: Unit = {
		...{ id, first, bridge, stranger, steps },
		strange: stated(stranger, two, 4),
		aside: stated(bridge, aside, 5),
		back: fact(relationOf("known"), bridge, first, random),
		passages: [],
	};
	write(unit, random, order);
	return unit;
}

function thing(
	kind: Thing["kind"],
	id: string,
	{ n, seed, random }: { n: number; seed: number; random: Draws },
): Thing {
	const word = (of: number): string => {
		const [a, b] = [heads.length, middles.length];
		// a number's digits, so that no two numbers make one word; the factor and the seed only mix them
		const mixed = (of * 7919 + seed * 104_729) % (a * b * b);
		const third = Math.floor(mixed / (a * b));
		const tail = ends[kind];
		return `${heads[mixed % a]}${middles[Math.floor(mixed / a) % b]}${third > 0 ? middles[third] : ""}${tail[of % tail.length]}`;
	};
	const own = word(n);
	const other = word(n + 1_000_003);
	const title = `The ${random.pick(adjectives)} ${random.pick(nouns)} of ${own}`;
	const names: Record<Thing["kind"], [name: string, alias: string, short?: string]> = {
		person: [`${random.pick(given)} ${own}`, `${random.pick(given)} ${other}`, own],
		town: [own, other],
		river: [`the River ${own}`, `the ${other} Water`, own],
		mountain: [`Mount ${own}`, `${other} Peak`, own],
		company: [`${own} Shipwrights`, `${other} and Sons`, own],
		island: [`${own} Island`, other, own],
		novel: [title, `A Tale of ${other}`],
		church: [`${own} Cathedral`, `Saint ${other}`],
		ship: [`SS ${own}`, `the ${other} Queen`],
		lake: [`Lake ${own}`, `${other} Water`],
		range: [`the ${own} Mountains`, `the ${other} Hills`],
		opera: [title, `The Song of ${other}`],
		comet: [`Comet ${own}`, `the ${other} Star`],
		lighthouse: [`${own} Lighthouse`, `${other} Light`],
	};
	const [name, alias, part] = names[kind];
	return { kind, id, name, alias, words: [own, other], text: "", ...(part ? { short: part } : {}) };
}

function valueFor(to: Kind, random: Draws): { written: string; value: NonNullable<Fact["value"]> } {
	if (to !== "date") {
		const number = 113 + random.below(800);
		return { written: `${number} ${to}`, value: { kind: "measure", number, unit: to } };
	}
	const [day, month, year] = [1 + random.below(28), random.below(12), 1803 + random.below(150)];
	return { written: `${day} ${months[month]} ${year}`, value: { kind: "date", day, month, year } };
}

const filled = (pattern: string, s: string, o = ""): string =>
	sentenceCase(pattern.replace("{s}", s).replace("{o}", o));
const sentenceCase = (text: string): string => text.replace(/^[¿]?\p{Ll}/u, (letter) => letter.toUpperCase());

function fact(relation: Relation, subject: Thing, end: Thing | ReturnType<typeof valueFor>, random: Draws): Fact {
	const says = random.pick(relation.says);
	if ("value" in end) {
		const { written, value } = end;
		return { relation, subject, object: written, value, sentence: filled(says, subject.name, written) };
	}
	return { relation, subject, object: end.name, end, sentence: filled(says, subject.name, end.name) };
}

const asides = [
	"Much of what is told here was gathered from letters, registers and the reports of travellers.",
	"Local newspapers have returned to the subject many times over the past hundred years.",
	"A small museum keeps drawings, tools and photographs that visitors may see in summer.",
	"Schoolchildren in the region learn about it, and a yearly fair is held in its honour.",
	"Historians disagree about many of the details, but the main outline is not in doubt.",
	"Several archives hold material about it that has not yet been studied in full.",
	"Guides mention it briefly, and most visitors spend no more than an afternoon there.",
];

function write(unit: Unit, random: Draws, order?: (random: Draws) => string): void {
	const { first, bridge, stranger, steps, aside, back, strange } = unit;
	const told: [Thing, Fact[]][] = [
		[first, [steps[0]]],
		[bridge, [steps[1], aside, back]],
		[stranger, [strange]],
	];
	for (const [thing, facts] of told) {
		const start = random.below(asides.length);
		const filler = [0, 1, 2].map((more) => asides[(start + more) % asides.length] ?? "");
		const opening = `${sentenceCase(thing.name)}, also known as ${thing.alias}, is a ${kinds[thing.kind].en} of some note.`;
		const sentences = [opening, ...facts.map(({ sentence }) => sentence)];
		const ordered = order ? [order(random)] : [];
		thing.text = [...sentences.slice(0, 2), filler[0], ...sentences.slice(2), filler[1], filler[2], ...ordered].join(
			" ",
		);
		unit.passages.push(passageOf(thing, thing.id));
	}
}

export const passageOf = ({ id, name, text }: Thing, document: string): Passage => ({
	...{ kind: "passage", id, document, title: name, language: "en", form: "prose", text, sha256: sha256(text) },
	provenance: { source: "made up for this measurement", licence: "CC0-1.0" },
});

/** A question about a fact's object, its subject named, described or shown. */
export const asked = ({ relation }: Fact, about: string, random: Draws, tongue: Tongue = "en"): string =>
	filled(random.pick(relation.asks[tongue]), about).replace(/,\s*\?/, "?");

/** A description of a fact's object by its subject. */
export const meant = ({ relation }: Fact, about: string, random: Draws, tongue: Tongue = "en"): string =>
	random.pick(relation.means?.[tongue] ?? ["{s}"]).replace("{s}", about);

/** Questions that compare two things by a value, the one with the greater or the earlier first. */
const comparisons: Partial<Record<Kind, Readonly<Record<Tongue, readonly string[]>>>> = {
	kilometres: {
		en: ["How many kilometres longer is {a} than {b}?", "By how many kilometres does {a} exceed {b} in length?"],
		de: ["Um wie viele Kilometer ist {a} länger als {b}?"],
		fr: ["De combien de kilomètres {a} dépasse-t-il {b} en longueur ?"],
		es: ["¿Cuántos kilómetros más largo es {a} que {b}?"],
	},
	metres: {
		en: ["How many metres higher is {a} than {b}?", "By how many metres does {a} exceed {b} in height?"],
		de: ["Um wie viele Meter ist {a} höher als {b}?"],
		fr: ["De combien de mètres {a} dépasse-t-il {b} en hauteur ?"],
		es: ["¿Cuántos metros más alto es {a} que {b}?"],
	},
	"square kilometres": {
		en: ["By how many square kilometres is {a} larger than {b}?"],
		de: ["Um wie viele Quadratkilometer ist {a} größer als {b}?"],
		fr: ["De combien de kilomètres carrés {a} est-elle plus grande que {b} ?"],
		es: ["¿Cuántos kilómetros cuadrados más grande es {a} que {b}?"],
	},
	date: {
		en: ["Who was born earlier, {a} or {b}?", "Which of the two was born first, {a} or {b}?"],
		de: ["Wer wurde früher geboren, {a} oder {b}?"],
		fr: ["Qui est né le premier, {a} ou {b} ?"],
		es: ["¿Quién nació antes, {a} o {b}?"],
	},
};

/** What a comparison of the bridge and the stranger comes to, the greater or earlier of the two first. */
export function compared({ steps: [, ours], strange }: Unit): {
	first: Fact;
	second: Fact;
	answer: Pick<Fact, "object" | "value" | "end">;
} {
	const [a, b] = [amount(ours), amount(strange)];
	const isDate = ours.value?.kind === "date";
	const [first, second] = a > b === isDate ? [strange, ours] : [ours, strange];
	const number = Math.abs(a - b);
	const unit = ours.value?.kind === "measure" ? ours.value.unit : "";
	if (isDate) return { first, second, answer: { object: first.subject.name, end: first.subject } };
	return { first, second, answer: { object: `${number} ${unit}`, value: { kind: "measure", number, unit } } };
}

const amount = ({ value }: Fact): number =>
	value?.kind === "date" ? value.year * 10_000 + value.month * 100 + value.day : (value?.number ?? 0);

/** The question that compares two things under these names. */
export const comparing = (
	{ relation }: Fact,
	[a, b]: readonly [string, string],
	random: Draws,
	tongue: Tongue,
): string =>
	sentenceCase(
		random
			.pick(comparisons[relation.to]?.[tongue] ?? ["{a} or {b}?"])
			.replace("{a}", a)
			.replace("{b}", b),
	);

/** The thing in one of two images. */
export const inImage = ({ kind }: Thing, place: 0 | 1, tongue: Tongue): string =>
	({
		en: `the ${kinds[kind].en} in the ${["first", "second"][place]} image`,
		de: `das auf dem ${["ersten", "zweiten"][place]} Bild Gezeigte`,
		fr: `ce que montre la ${["première", "deuxième"][place]} image`,
		es: `lo que muestra la ${["primera", "segunda"][place]} imagen`,
	})[tongue];

const ones =
	"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
		" ",
	);
const tens = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** A number below a thousand in words. */
export function inWords(number: number): string {
	if (number < 20) return ones[number] ?? "";
	if (number < 100) return `${tens[Math.floor(number / 10)]}${number % 10 ? `-${ones[number % 10]}` : ""}`;
	return `${ones[Math.floor(number / 100)]} hundred${number % 100 ? ` and ${inWords(number % 100)}` : ""}`;
}

/** A year as it is spoken. */
export const yearInWords = (year: number): string =>
	`${inWords(Math.floor(year / 100))} ${year % 100 < 10 ? `oh ${inWords(year % 100)}` : inWords(year % 100)}`;

export const monthOf = (month: number): string => months[month] ?? "";
