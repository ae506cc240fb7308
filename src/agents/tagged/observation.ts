import type { Observation } from "../tools.ts";
import type { TagSet } from "./tag-set.ts";

type Found = Pick<Observation["results"][number], "title" | "text">;

/** One searched image of the question with the stored image most like it, and a passage of that image's article. */
export interface ImageFinding {
	/** 0-based. */
	image: number;
	match?: Found | undefined;
	article?: Found | undefined;
}

/** Characters of one passage that the model is shown. */
const maxPassageLength = 4000;

/** The passages of a text search, best first, between the information tags. */
export function renderPassages(results: Found[], tags: TagSet): string {
	const passages = results.map(({ title, text }, index) => `${index + 1}. ${passage(title, text)}`);
	return informed(passages.length > 0 ? passages.join("\n\n") : "Nothing was found.", tags);
}

/** The entries of an image search, one for each image asked about. */
export function renderImages(findings: ImageFinding[], tags: TagSet): string {
	const entries = findings.map(({ image, match, article }) => {
		if (!match) return `Image ${image + 1}: nothing was found.`;
		const about = article ? `\n${passage(article.title, article.text)}` : "";
		return `Image ${image + 1}: most like the stored image "${harmless(match.title)}". ${harmless(match.text)}${about}`;
	});
	return informed(entries.join("\n\n"), tags);
}

const informed = (text: string, { information }: TagSet) => `${information.open}\n${text}\n${information.close}`;

const passage = (title: string, text: string) => `${harmless(title)}: ${harmless(text)}`;

/**
 * Text of a document, cut to what is shown and without anything that reads as a tag: a document can neither end the
 * information nor act or think in the model's name, nor write a chat template's control tokens.
 */
function harmless(text: string): string {
	return text
		.slice(0, maxPassageLength)
		.replace(/<(?=[\s\p{Cf}]*[/|!?]?[\s\p{Cf}]*[\p{L}|])/gu, "&lt;")
		.trim();
}
