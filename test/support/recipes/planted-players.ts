import type { Item } from "#domain";
import { questionOf } from "#domain";
import type { Change, Draft, Fault } from "./planted-faults.ts";
import {
	asked,
	compared,
	comparing,
	type Draws,
	draws,
	type Fact,
	type Family,
	inImage,
	meant,
	shown,
	type Thing,
	type Tongue,
	type Unit,
} from "./planted-world.ts";
import type { Played, player } from "./player.ts";

/**
 * Who plays the roles beside the writer: those that a recipe can do without are left out, honest, or nod at everything; the
 * others are honest, but for `all`, where everybody nods and rules are on their own.
 */
export const casts = ["off", "on", "yes", "all"] as const;
export type Cast = (typeof casts)[number];

type Parts = Parameters<typeof player>[0];

/** What the writer says of a unit: the fault is in it. */
export interface Script {
	unit: Unit;
	fault: Fault | undefined;
	/** First step, and the last with its fact. */
	subs: [Said, Said & { fact: Fact }];
	question: string;
	/** Words of the question that are a clue of their own. */
	clues: string[];
	again: string | undefined;
	/** Whether the writer came to say what the fault is in: a recipe may have dropped the unit before. */
	said(): boolean;
	/** Whether the fault still stands in an accepted item: what a recipe has mended is no longer bad. */
	stands(item: Item): boolean;
}
interface Said {
	question: string;
	answer: string;
}

/** What an oracle knows of a question: what it needs to see, what is true, and what the writer claims. */
interface Known {
	script: Script;
	needs: readonly string[];
	truth: string | undefined;
	claim: string;
	/** What the claim rests on. */
	claimNeeds: readonly string[];
}

/** Everybody's lines: what is said of each unit, and what readers know of what was said. */
export interface Playbook {
	family: Family;
	/** The unit that a text is about, by the made-up words in it. */
	unitIn(text: string): Unit | undefined;
	script(unit: Unit): Script;
	/** What is known of a question; where units share its words, of the one that the context is about. */
	known(question: string, context?: string): Known | undefined;
	learn(question: string, known: Known): void;
	/** Whether the role that is played nods at this unit: always, or because an order in the documents says so. */
	nods(script: Script): boolean;
}

/** How the writer of a recipe words things. */
export interface Wording {
	/** What the question calls the first thing. */
	start(unit: Unit, tongue: Tongue): string;
	/** A question of one hop about the bridge, of two by way of it, or of two things compared. */
	shape: "one" | "chain" | "compared";
}

export function createPlaybook(
	units: readonly { unit: Unit; fault?: Fault | undefined }[],
	{ family, wording, seed }: { family: Family; wording: Wording; seed: number },
): Playbook {
	const words = new Map<string, { unit: Unit; fault: Fault | undefined }>();
	for (const { unit, fault } of units)
		for (const thing of [unit.first, unit.bridge, unit.stranger])
			for (const word of thing.words) words.set(word, { unit, fault });
	const scripts = new Map<string, Script>();
	const book = new Map<string, Known[]>();
	const playbook: Playbook = {
		family,
		unitIn: (text) => {
			for (const [word] of text.matchAll(/\p{L}+/gu)) {
				const found = words.get(word);
				if (found) return found.unit;
			}
			return undefined;
		},
		script(unit) {
			const done = scripts.get(unit.id);
			if (done) return done;
			const fault = words.get(unit.first.words[0])?.fault;
			const script = write(unit, fault, {
				playbook,
				wording,
				random: draws(family, seed, unit.id, fault?.name ?? "good"),
			});
			scripts.set(unit.id, script);
			return script;
		},
		known(question, context) {
			const all = book.get(question) ?? [];
			if (all.length < 2 || context === undefined) return all[0];
			const unit = playbook.unitIn(context);
			return all.find(({ script }) => script.unit === unit) ?? all[0];
		},
		learn: (question, known) => void book.set(question, [...(book.get(question) ?? []), known]),
		nods: ({ fault }) => fault?.order !== undefined,
	};
	return playbook;
}

/** What is said of a unit with its fault, and what may be known of its questions. */
function write(
	unit: Unit,
	fault: Fault | undefined,
	{ playbook, wording, random }: { playbook: Playbook; wording: Wording; random: Draws },
): Script {
	const { first, steps } = unit;
	const one = wording.shape === "one";
	const { honest, asksOf } = wording.shape === "compared" ? comparison(unit, random) : chained(unit, wording, random);
	const plants = fault && (fault.concerns?.(honest) ?? true) ? fault : undefined;
	const change: Change = plants?.plant(honest, playbook.family, random) ?? {};
	const fact = change.step ?? honest.last;
	const sub = change.sub ?? asked(fact, fact.subject.name, random);
	// a question of one hop is its own sub-question
	const question = change.question ?? (change.step ? asksOf(fact, "en") : one ? sub : honest.question);
	const answer = change.answer ?? fact.object;
	const words = { question, again: change.again, sub: one ? question : sub, answer };
	// whoever plays the writer reads these when it is asked for them
	const read = new Set<string>();
	const reading = <Name extends keyof typeof words>(name: Name): (typeof words)[Name] => {
		read.add(name);
		return words[name];
	};
	const script: Script = {
		...{ unit, fault: plants, clues: [question.split(" ").slice(1, 4).join(" ")] },
		get question() {
			return reading("question");
		},
		get again() {
			return reading("again");
		},
		subs: [
			{ question: asked(steps[0], first.name, random), answer: steps[0].object },
			{
				fact,
				get question() {
					return reading("sub");
				},
				get answer() {
					return reading("answer");
				},
			},
		],
		said: () => read.has(change.question === undefined && change.again === undefined ? "answer" : "question"),
		stands(item) {
			if (change.question !== undefined) return questionOf(item) === change.question;
			if (change.answer !== undefined) return item.answer.value === change.answer;
			if (change.sub !== undefined) return item.chain.hops.some((hop) => hop.question === change.sub);
			if (change.step) return item.chain.hops.some((hop) => hop.question === sub);
			return true;
		},
	};
	const begun = one ? [] : [steps[0].sentence];
	const isStated = fact.relation.name !== "invented";
	const own = [isStated ? fact.sentence : steps[1].sentence];
	const claimNeeds = [...begun, ...own];
	const needs = change.step === unit.back ? claimNeeds : [...begun, steps[1].sentence];
	const whole: Known = { script, needs, truth: truthOf(plants, { unit, change, isStated }), claim: answer, claimNeeds };
	for (const text of [question, change.again]) if (text !== undefined) playbook.learn(text, whole);
	const [begin] = script.subs;
	const beginning = { needs: begun, claimNeeds: begun, truth: begin.answer, claim: begin.answer };
	playbook.learn(begin.question, { script, ...beginning });
	const truth = isStated ? fact.object : undefined;
	playbook.learn(words.sub, { script, needs: own, claimNeeds: own, truth, claim: answer });
	return script;
}

type Honest = { honest: Draft; asksOf(fact: Fact, tongue: Tongue, described?: (words: string) => string): string };

/** A question about the last fact, by way of the first one unless it is of one hop. */
function chained(unit: Unit, { shape, start }: Wording, random: Draws): Honest {
	const { bridge, steps } = unit;
	const one = shape === "one";
	const way = (tongue: Tongue) => meant(steps[0], start(unit, tongue), random, tongue);
	const asksOf: Honest["asksOf"] = (fact, tongue, described = (words) => words) =>
		asked(fact, one ? fact.subject.name : described(way(tongue)), random, tongue);
	const asks: Draft["asks"] = (tongue, described) => asksOf(steps[1], tongue, described);
	const again = random.below(2) ? `that ${bridge.kind}` : one ? bridge.name : way("en");
	return {
		honest: {
			...{ unit, last: steps[1], question: asks("en"), answer: steps[1].object, asks },
			...(one ? {} : { hidden: bridge }),
			asksAside: asked(unit.aside, again, random),
		},
		asksOf,
	};
}

/** A question that compares what two images show. */
function comparison(unit: Unit, random: Draws): Honest {
	const { bridge, stranger } = unit;
	const { first, second, answer } = compared(unit);
	const place = (thing: Thing) => (thing === bridge ? 0 : 1);
	const asks: Draft["asks"] = (tongue, described = (words) => words) => {
		const [a, b] = [first.subject, second.subject].map((thing) => inImage(thing, place(thing), tongue));
		return comparing(first, [described(a ?? ""), b ?? ""], random, tongue);
	};
	const { relation, subject } = first;
	const last: Fact = { relation, subject, sentence: first.sentence, ...answer };
	const aside = asked(unit.aside, inImage(bridge, 0, "en"), random);
	const wrong = answer.value
		? `${Number.parseInt(answer.object, 10) + 17} ${answer.object.replace(/^\d+ /, "")}`
		: second.subject.name;
	const honest = {
		unit,
		last,
		hidden: first.subject,
		question: asks("en"),
		answer: answer.object,
		asks,
		asksAside: aside,
	};
	return {
		honest: { ...honest, miscounted: stranger === bridge ? "" : wrong },
		asksOf: (_, tongue, described) => asks(tongue, described),
	};
}

/** What an honest reader answers to the whole question; undefined: nothing. */
function truthOf(
	fault: Fault | undefined,
	{ unit, change, isStated }: { unit: Unit; change: Change; isStated: boolean },
) {
	if (!isStated || fault?.name === "injected question" || fault?.name === "cut off") return undefined;
	if (fault?.name === "two in one") return `${unit.steps[1].object}; ${unit.aside.object}`;
	return change.step === unit.back ? unit.back.object : unit.steps[1].object;
}

const of = ({ material }: Played, name: string): string => material[name] ?? "";

/** Parts that several recipes share. */
function readers(playbook: Playbook): Parts {
	const holds = (text: string, sentences: readonly string[]) => sentences.every((sentence) => text.includes(sentence));
	return {
		"answer-from-evidence"(played) {
			const evidence = of(played, "evidence");
			const known = playbook.known(of(played, "question"), evidence);
			if (!known) return { answer: null };
			const { truth, claim, needs, claimNeeds, script } = known;
			if (playbook.nods(script)) return { answer: holds(evidence, claimNeeds) ? claim : null };
			return { answer: holds(evidence, needs) ? (truth ?? null) : null };
		},
		"judge-evidence"(played) {
			const evidence = of(played, "evidence");
			const known = playbook.known(of(played, "question"), evidence);
			if (!known) return { answers: "no" };
			const { truth, claim, needs, claimNeeds, script } = known;
			const last = (sentences: readonly string[]) => holds(evidence, sentences.slice(-1));
			if (playbook.nods(script)) return { answers: last(claimNeeds) ? "yes" : "no" };
			// a judge with the sentence before it does not mind in which form the answer is written
			const right = truth !== undefined && (truth === claim || sameThing(truth, claim));
			return { answers: right && last(needs) ? "yes" : "no" };
		},
	};
}

/** One holds a word or number of the other: "412" and "412 Kilometer", "C'est Mount X" and "Mount X". */
const sameThing = (one: string, other: string): boolean => {
	const telling = (text: string) => text.match(/\p{Lu}\p{L}{5,}|\d{3,}/gu) ?? [];
	const words = new Set(telling(one));
	return telling(other).some((word) => words.has(word));
};

/** What an honest judge finds whose checklist names such faults. */
const seen = (playbook: Playbook, script: Script | undefined) =>
	script && !playbook.nods(script) ? script.fault?.seenAs : undefined;

const scriptIn = (playbook: Playbook, ...texts: string[]): Script | undefined => {
	const [question = "", context] = texts;
	const known = playbook.known(question, context)?.script;
	if (known) return known;
	const unit = playbook.unitIn(texts.join(" "));
	return unit && playbook.script(unit);
};

const factsOn = (unit: Unit, thing: Thing): Fact[] =>
	[...unit.steps, unit.aside, unit.strange].filter(({ subject }) => subject === thing);
const thingIn = (unit: Unit, text: string): Thing | undefined =>
	[unit.first, unit.bridge, unit.stranger].find(({ name }) => name === text) ??
	[unit.first, unit.bridge, unit.stranger].find(({ text: own }) => own === text);

const aliasesOf = (unit: Unit, answer: string): string[] =>
	[...unit.steps, unit.strange].flatMap(({ object, end }) => (object === answer && end ? [end.alias] : []));

/** The parts of each recipe, all played by the scripts. */
export const castings = {
	tracer: (playbook: Playbook): Parts => ({
		...readers(playbook),
		"classify-subject": () => ({ field: "history" }),
		"ask-facts"(played) {
			const unit = playbook.unitIn(of(played, "title"));
			if (!unit) return { pairs: [] };
			const { subs } = playbook.script(unit);
			const thing = thingIn(unit, of(played, "title"));
			if (thing === unit.first) return { pairs: [subs[0]] };
			const { fact, ...last } = subs[1];
			if (thing === fact.subject) return { pairs: [last] };
			const { strange } = unit;
			return {
				pairs:
					thing === unit.stranger
						? [{ question: asked(strange, thing.name, draws(unit.id)), answer: strange.object }]
						: [],
			};
		},
		"refine-answer": (played) => ({ refined_answer: of(played, "answer") }),
		"list-aliases"(played) {
			const answer = of(played, "answer");
			const unit = playbook.unitIn(answer);
			return { aliases: unit ? aliasesOf(unit, answer) : [] };
		},
		"merge-questions"(played) {
			const unit = playbook.unitIn(of(played, "chain"));
			const script = unit && playbook.script(unit);
			const last = script?.subs[1];
			if (!script || !last || !of(played, "pair").includes(last.question)) return { merged: [] };
			const texts = [script.question, ...(script.again ? [script.again] : [])];
			return { merged: texts.map((text) => ({ type: "inference", final_question: text, final_answer: last.answer })) };
		},
		"audit-inference"(played) {
			const fault = seen(playbook, scriptIn(playbook, of(played, "question"), of(played, "hops")));
			if (fault === "bad-link")
				return { valid: false, error_type: "bad_linkage", justification: "the steps do not join" };
			return fault === "unsupported"
				? { valid: false, error_type: "other", justification: "not stated" }
				: { valid: true, error_type: "none" };
		},
	}),
	"mc-search": (playbook: Playbook): Parts => ({
		...readers(playbook),
		"generate-chain"(played) {
			const unit = playbook.unitIn(of(played, "texts"));
			if (!unit) return { declined: "nothing to ask" };
			const { question, subs } = playbook.script(unit);
			const step = ({ question: subquestion, answer }: Said, id: string, before: number[]) => ({
				...{ subquestion, answer, modality: "text", supporting_fact_id: id, builds_on: before },
			});
			const chain = [step(subs[0], unit.first.id, []), step(subs[1], subs[1].fact.subject.id, [1])];
			return { question, answer: subs[1].answer, image_ids: [], graph_type: "text-only-chain", subqa_chain: chain };
		},
		"key-entities": (played) => ({ key_entities: [of(played, "answer")] }),
		"find-confounders": () => ({ resolving: [] }),
		"score-chain"(played) {
			const fault = seen(playbook, scriptIn(playbook, of(played, "question"), of(played, "steps")));
			const factual = fault === "unsupported" || fault === "meaningless" ? 2 : 5;
			const necessity = fault === "bad-link" ? 2 : 5;
			return { factual, necessity, clarity: 5, alignment: 5, comment: fault ?? "" };
		},
		"edit-answer": () => ({ answer: null }),
	}),
	"double-bench": (playbook: Playbook): Parts => ({
		...readers(playbook),
		"describe-document": () => ({ language: "en", summary: "Several things and how they are related." }),
		"inspect-block"(played) {
			const unit = playbook.unitIn(of(played, "block"));
			return { keep: unit?.bridge.text === of(played, "block") ? "yes" : "no" };
		},
		"ask-text"(played) {
			const unit = playbook.unitIn(of(played, "block"));
			if (!unit) return { question: "What is this?", answer: "nothing" };
			const { question, subs } = playbook.script(unit);
			return { question, answer: subs[1].answer };
		},
		"refine-question": (played) => ({ reason: "nothing is left to say", question: of(played, "question") }),
		"inspect-question"(played) {
			const fault = seen(playbook, scriptIn(playbook, of(played, "question"), of(played, "evidence")));
			if (!fault || fault === "bad-link") return { reason: "", keep: "yes", fault: "none" };
			return { reason: "seen", keep: "no", fault };
		},
		"extract-relations"(played) {
			const unit = playbook.unitIn(of(played, "text"));
			const thing = unit && thingIn(unit, of(played, "text"));
			if (!unit || !thing) return { triples: [], aliases: [] };
			const triples = factsOn(unit, thing).map(({ subject, relation, object, sentence }) => ({
				...{ subject: subject.name, relation: relation.name, object, quote: sentence, types: ["thing", "thing"] },
			}));
			const quote = thing.text.slice(0, thing.text.indexOf(".") + 1);
			return { triples, aliases: [{ name: thing.name, alias: thing.alias, quote }] };
		},
		"infer-intent": (played) => ({ intent: `Where does ${of(played, "entity")} lead?` }),
		"choose-relation"(played) {
			const unit = playbook.unitIn(of(played, "intent"));
			const starts = unit && of(played, "intent").toLowerCase().includes(unit.first.name.toLowerCase());
			const wanted = unit?.steps.map(({ relation }) => `| ${relation.name} |`) ?? [];
			const lines = of(played, "candidates").split("\n");
			const at = lines.findIndex((line) => wanted.some((one) => line.includes(one)));
			return { reasoning: "as told", selected_index: starts && at >= 0 ? at : null };
		},
		"ask-relation"(played) {
			const unit = playbook.unitIn(of(played, "entity"));
			if (!unit) return { question: "?", answer: "?" };
			const { subs } = playbook.script(unit);
			const { question, answer } =
				of(played, "entity").toLowerCase() === unit.first.name.toLowerCase() ? subs[0] : subs[1];
			return { question, answer };
		},
		"nest-questions"(played) {
			const unit = playbook.unitIn(of(played, "inner"));
			return { chained_question: unit ? playbook.script(unit).question : of(played, "outer") };
		},
		"inspect-walk"(played) {
			const fault = seen(playbook, scriptIn(playbook, of(played, "question"), of(played, "steps")));
			return fault === "meaningless"
				? { reason: "seen", keep: "no", failed: "significance" }
				: { reason: "", keep: "yes", failed: "none" };
		},
	}),
	mmhops: (playbook: Playbook): Parts => ({
		...readers(playbook),
		"ask-about-entity"(played) {
			const unit = playbook.unitIn(of(played, "entity"));
			if (!unit) return { question: "", answer: "", sentence: "", aliases: [] };
			const { subs } = playbook.script(unit);
			const isFirst = thingIn(unit, of(played, "passage")) === unit.first;
			const { question, answer } = isFirst ? subs[0] : subs[1];
			const { fact } = subs[1];
			const told = fact.subject === unit.bridge && fact.relation.name !== "invented" ? fact : unit.steps[1];
			const sentence = isFirst ? unit.steps[0].sentence : told.sentence;
			return { question, answer, sentence, aliases: isFirst ? aliasesOf(unit, answer) : [] };
		},
		"judge-entity-need": () => ({ needed: true, why: "" }),
		"nest-questions"(played) {
			const unit = playbook.unitIn(of(played, "outer")) ?? playbook.unitIn(of(played, "entity"));
			if (!unit) return { chained_question: of(played, "outer") };
			const script = playbook.script(unit);
			const isSecond = of(played, "inner").includes("on the picture");
			const random = draws(unit.id);
			const image = isSecond
				? shown(unit.first, "en").replace("shown in the image", "shown in the image, the one on the picture,")
				: shown(unit.first, "en");
			if (of(played, "entity") === unit.first.name) return { chained_question: asked(unit.steps[0], image, random) };
			return { chained_question: isSecond ? (script.again ?? script.question) : script.question };
		},
	}),
	comparison: (playbook: Playbook): Parts => ({
		...readers(playbook),
		"judge-same-concept": () => ({ same: false }),
		"compare-entities"(played) {
			const unit = playbook.unitIn(of(played, "firstName"));
			const sides =
				unit &&
				[of(played, "firstName"), of(played, "secondName")].map((name) =>
					[unit.steps[1], unit.strange].find(({ subject }) => subject.name === name),
				);
			const [ours, theirs] = sides ?? [];
			const none = { value: "", sentence: "" };
			if (!unit || !ours || !theirs)
				return { question: "", attribute: "", operation: "difference", answer: "", first: none, second: none };
			const { first, second } = compared(unit);
			const side = ({ object, sentence }: Fact) => ({ value: object, sentence });
			return {
				question: comparing(first, [first.subject.name, second.subject.name], draws(unit.id), "en"),
				...{ attribute: ours.relation.name, operation: ours.value?.kind === "date" ? "argmin" : "difference" },
				...{ answer: playbook.script(unit).subs[1].answer, first: side(ours), second: side(theirs) },
			};
		},
		"judge-comparison": () => ({ problem: "none", why: "" }),
		"depict-entities"(played) {
			const unit = playbook.unitIn(of(played, "firstName"));
			return { question: unit ? playbook.script(unit).question : of(played, "question") };
		},
	}),
	vistahop: (playbook: Playbook): Parts => ({
		...readers(playbook),
		"see-regions"({ request }) {
			const file = request.messages
				.flatMap(({ content }) => content)
				.flatMap((part) => (part.type === "image" ? [part.file] : []));
			const unit = playbook.unitIn(file.join(" "));
			const { name } = unit?.first ?? { name: "nothing" };
			const region = {
				name,
				type: "Product",
				confidence: 0.9,
				label: "",
				text: "",
				caption: "in the middle",
				box: [100, 100, 900, 900],
			};
			return { clear: true, context: "scene", category: "Society", scenario: "things", regions: unit ? [region] : [] };
		},
		"record-entity": (played) => ({
			description: of(played, "page").split(". ")[0] ?? "",
			type: "thing",
			properties: [],
			related: [],
		}),
		"type-entities": (played) => ({
			entities: of(played, "entities")
				.split("\n")
				.map((_, at) => ({ index: at + 1, type: "OTHER", confidence: 0.9 })),
		}),
		"pick-neighbours": () => ({ indices: [1] }),
		"verify-relations": (played) => ({
			relations: of(played, "pairs")
				.split("\n")
				.map((_, at) => ({ index: at + 1, category: "attributive", confidence: 0.95, reason: "" })),
		}),
		"rate-familiarity": (played) => ({
			scores: of(played, "entities")
				.split("\n")
				.map((_, at) => ({ index: at + 1, score: 0.1 })),
		}),
		"find-duplicates": () => ({ pairs: [] }),
		"ask-chain"(played) {
			const unit = playbook.unitIn(of(played, "chain"));
			if (!unit) return { question: "?", clues: [] };
			const random = draws(unit.id);
			return { question: asked(unit.steps[1], meant(unit.steps[0], unit.first.name, random), random), clues: [] };
		},
		"point-at-image"(played) {
			const unit = playbook.unitIn(of(played, "name"));
			if (!unit) return { question: of(played, "question"), clues: [] };
			const { question, clues } = playbook.script(unit);
			return { question, clues };
		},
		"simplify-question": (played) => rewrite(playbook, played),
		"hide-clues": (played) => rewrite(playbook, played),
		"solve-blind": () => ({ answer: null, confidence: 0, clues: "" }),
		"judge-leak": () => ({ verdict: "sound", feedback: "" }),
		"confirm-answer": () => ({ right: true }),
		"meet-criterion": () => ({ holds: true, reason: "" }),
	}),
} satisfies Record<string, (playbook: Playbook) => Parts>;

/** The question as it is: a writer that has slipped does not notice. */
function rewrite(playbook: Playbook, played: Played) {
	const question = of(played, "question");
	return { question, clues: playbook.known(question)?.script.clues ?? [] };
}
