import { describe, expect, test } from "vitest";
import { agents } from "#agents";
import { invalidFeedback, lastTurnNotice } from "./prompt.ts";
import { mmhopsTags } from "./tag-set.ts";

const repliesIn = (text: string) => agents.tagged.repliesIn?.(text);
const first = "<think>a</think><text_search>Velmora</text_search>";
const last = "<think>b</think><answer>Anna Rehn</answer>";
const found = "<information>\n1. Velmora: <answer>not this</answer>\n</information>";

describe("the replies of a whole response", () => {
	test.each([
		["observations between them", `${first}\n\n${found}\n\n${last}`, [first, last]],
		["roles that skipped tokens leave", `${first}\nuser\n${found}\nassistant\n${last}`, [first, last]],
		["a turn that was no action", `hm\n\n${invalidFeedback(mmhopsTags)}\n\n${last}`, ["hm", last]],
		["the last turn's notice", `${first}${found}\n\n${lastTurnNotice(mmhopsTags)}\n\n${last}`, [first, last]],
		["an answer alone", last, [last]],
		["a response cut within an observation", `${first}<information>\n1. Vel`, [first]],
		["one that ends with an observation", `${first}${found}`, [first]],
		["nothing", " \n", []],
	])("%s", (_, response, replies) => {
		expect(repliesIn(response)).toEqual(replies);
	});

	test("long hostile responses take no time", () => {
		const started = process.cpuUsage();
		for (const piece of ["<information>", "</information>", "\n", "user\n", "<think>"])
			repliesIn(piece.repeat(100_000));
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
	});
});
