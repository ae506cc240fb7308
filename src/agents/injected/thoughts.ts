/** What an agent that thinks aloud writes between its searches: no two alike in form, and not always the value. */
import { drawn, oneOf } from "../walker/drawn.ts";

/** What was read since the last thought. */
export interface Found {
	value: string;
	/** Title of the source that it was read in; absent where it is a guess. */
	title?: string | undefined;
}

interface Words {
	start: string[];
	found: string[];
	noted: string[];
	guessed: string[];
	nothing: string[];
	error: string[];
	next: string[];
	worked: string[];
	end: string[];
}

const words: Record<"en" | "es", Words> = {
	en: {
		start: [
			"This needs a few steps.",
			"Let me take it apart.",
			"",
			"I should start with the first thing it mentions.",
			"Not something I can say offhand.",
		],
		found: [
			"{t} has it: {v}.",
			"OK, {v}.",
			"From the page about {t} I gather that it's {v}, good.",
			"The results point to {v}.",
			"So we are dealing with {v} here.",
			"{v} it is, judging by what {t} says, though the other hits are about different things.",
			"I see {v} mentioned for this.",
			"Going by {t}, {v}.",
		],
		noted: ["That settles this part.", "Good, {t} is the page I wanted.", "Found what I was after."],
		guessed: ["I'll go on with {v} then.", "It may well be {v}.", "My best guess is {v}."],
		nothing: [
			"Nothing useful in there.",
			"These hits don't say.",
			"Hm, the results are about other things.",
			"That did not help.",
		],
		error: ["The search didn't go through.", "An error came back.", "The tool seems to be down."],
		next: [
			"What I still lack: {q}",
			"Next I look into this: {q}",
			"{q} That is the thing to check.",
			"So now, {q}",
			"Let me search for that. {q}",
			"I'd better look up one more fact. {q}",
		],
		worked: ["Working it out gives {v}.", "Put together: {v}.", "That comes to {v}."],
		end: [
			"Which leaves me with {a}.",
			"I'm fairly sure now: {a}.",
			"Everything is there, the answer should be {a}.",
			"So, {a}.",
		],
	},
	es: {
		start: [
			"Esto va por pasos.",
			"Vamos por partes.",
			"",
			"Empiezo por lo primero que se menciona.",
			"De memoria no lo sé.",
		],
		found: [
			"Lo pone en {t}: {v}.",
			"Vale, {v}.",
			"Según la página de {t} se trata de {v}, bien.",
			"Los resultados apuntan a {v}.",
			"Así que hablamos de {v}.",
			"Es {v}, por lo que dice {t}; los demás resultados van de otra cosa.",
			"Veo que se menciona {v}.",
			"Por {t}, {v}.",
		],
		noted: ["Con esto queda esta parte.", "Bien, {t} era la página buena.", "Ya tengo lo que buscaba."],
		guessed: ["Sigo con {v}, entonces.", "Bien podría ser {v}.", "Yo diría que {v}."],
		nothing: [
			"Ahí no hay nada útil.",
			"Estos resultados no lo dicen.",
			"Los resultados van de otras cosas.",
			"Eso no ha servido.",
		],
		error: ["La búsqueda ha fallado.", "Ha llegado un error.", "Parece que la herramienta no responde."],
		next: [
			"Me falta esto: {q}",
			"Ahora miro lo siguiente: {q}",
			"{q} Eso es lo que hay que ver.",
			"Entonces, {q}",
			"Voy a buscarlo. {q}",
			"Hace falta otro dato. {q}",
		],
		worked: ["Haciendo la cuenta sale {v}.", "En conjunto: {v}.", "Eso da {v}."],
		end: [
			"Con lo que me queda {a}.",
			"Ya lo tengo bastante claro: {a}.",
			"Está todo, la respuesta debería ser {a}.",
			"Pues {a}.",
		],
	},
};

export interface Thinking {
	language: string;
	seedKey: string;
	/** How many thoughts came before. */
	turn: number;
}

/** The thought before a search, or before the answer where `next` is absent. */
export function thoughtOf(
	{
		found,
		worked,
		failed,
		next,
		answer,
	}: {
		found: readonly Found[];
		worked: readonly string[];
		/** What the last search came to, if it brought nothing. */
		failed: "nothing" | "error" | undefined;
		next?: string | undefined;
		answer?: string | null;
	},
	{ language, seedKey, turn }: Thinking,
): string {
	const own = words[language.startsWith("es") ? "es" : "en"];
	const say = (kind: keyof Words, place: number, fill: Record<string, string> = {}) =>
		(oneOf(own[kind], seedKey, kind, turn, place) ?? "").replace(/\{(\w)\}/g, (_, name: string) => fill[name] ?? "");
	return [
		...(turn === 0 ? [say("start", 0)] : []),
		...(failed ? [say(failed, 0)] : []),
		...found.map(({ value, title }, place) =>
			// now and then a thought says only that something was found
			say(title === undefined ? "guessed" : drawn(seedKey, "silent", turn, place) < 0.12 ? "noted" : "found", place, {
				v: value,
				t: title ?? "",
			}),
		),
		...worked.map((value, place) => say("worked", place, { v: value })),
		...(next === undefined ? [] : [say("next", 0, { q: next })]),
		...(answer ? [say("end", 0, { a: answer })] : []),
	]
		.filter(Boolean)
		.join(" ");
}
