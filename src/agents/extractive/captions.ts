/** The thing that a stored image shows, from its title and caption: "Flag of X", "X (flag)", "X, outline map". */
import { fold } from "../reading/words.ts";

const leading =
	/^(?:(?:the|a|an|la|el|una|un)\s)?(?:[\p{L}-]+\s){0,3}?(?:of|de la|de los|de las|del|de|showing|for)\s(?:the\s)?(?=[\p{Lu}\p{N}"“])/u;
const trailing = /\s*(?:\([^)]{1,60}\)|[,:–—-]\s+\p{Ll}[^.]{0,60}|\s[-–—|]\s.{1,60})$/u;

/** A name without what says that it is an image; `title` is believed unless it is only such words. */
export function entityOfCaption(title: string, caption: string): string | undefined {
	for (const text of [title, caption]) {
		const first = (text.slice(0, 300).split(/[\n.;](?:\s|$)/)[0] ?? "").trim();
		let name = first.replace(trailing, "").replace(trailing, "").trim();
		// A phrase of lower-case words before a name describes; a name that merely holds "of" does not.
		const described = leading.exec(name);
		if (described && words(described[0]) <= 1) name = name.slice(described[0].length).trim();
		name = name
			.replace(/\.(?:png|jpe?g|webp|svg|gif)$/i, "")
			.replace(/^["“«]|["”»]$/g, "")
			.trim();
		if (/\p{L}/u.test(name) && !/^(?:image|picture|photo|figure|untitled)\b[\s\d]*$/.test(fold(name))) return name;
	}
	return undefined;
}

/** How many of the words start with a capital letter: "Flag of" one, "United States of" two. */
function words(text: string): number {
	return text.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word)).length;
}
