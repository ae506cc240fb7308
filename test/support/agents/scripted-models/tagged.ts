import type { Intention } from "../../../../src/agents/driver/speech.ts";
import { renderAction, sayTagged } from "../../../../src/agents/tagged/action.ts";
import { mmsearchR1, r1Searcher, research, rSearch, searchR1, tagged } from "../../../../src/agents/tagged/index.ts";
import {
	mmhopsTags,
	mmsearchTags,
	r1SearcherTags,
	researchTags,
	rSearchTags,
	searchR1Tags,
	type TagSet,
} from "../../../../src/agents/tagged/tag-set.ts";
import { goldAnswer, goldSteps, type Player } from "./scripted-model.ts";

/** A model that speaks a tag set. Where the set has no image search, the text that names the image's subject is sought. */
function taggedPlayer(tags: TagSet, { searches }: { searches: number }): Player {
	const { think, actions } = tags;
	const thought = (text: string) => `${think.open}${text}${think.close}\n`;
	const search = (query: string) => renderAction({ is: "tool", tool: "text_search", query }, tags);
	return {
		competent({ task, turn }) {
			const step = goldSteps(task)[turn];
			const said = (words: string, act: Intention["act"]) =>
				sayTagged({ thought: words, act }, tags, { first: turn === 0 });
			if (!step || turn >= searches)
				return said("All facts are known.", { is: "answer", text: goldAnswer(task), quotes: [goldAnswer(task)] }) ?? "";
			// One of the sets looks for its first image only, and once.
			const looks = step.image !== undefined && (tags.imageMark === undefined || turn === 0);
			const look = looks ? said("What is this?", { is: "search", ...step }) : undefined;
			return look ?? said(step.query, { is: "search", tool: "text_search", query: step.query }) ?? "";
		},
		malformed: [
			`${search("one")} ${search("two")}`,
			`${actions.text_search.open}never closed`,
			`${thought(search("in a thought"))}`,
			`<launch_missiles>now</launch_missiles>`,
			`${actions.text_search.open}   ${actions.text_search.close}`,
			`${actions.answer.open}${actions.answer.close}`,
		],
	};
}

export const taggedPlayers: Record<string, Player> = {
	[tagged.name]: taggedPlayer(mmhopsTags, { searches: 4 }),
	[searchR1.name]: taggedPlayer(searchR1Tags, { searches: 4 }),
	[research.name]: taggedPlayer(researchTags, { searches: 10 }),
	[rSearch.name]: taggedPlayer(rSearchTags, { searches: 4 }),
	[r1Searcher.name]: taggedPlayer(r1SearcherTags, { searches: 8 }),
	[mmsearchR1.name]: taggedPlayer(mmsearchTags, { searches: 2 }),
};
