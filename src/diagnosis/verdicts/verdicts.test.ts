import { expect, test } from "vitest";
import { diagnose } from "#diagnosis";
import type { Diagnosis, Hop, Task } from "#domain";
import {
	among,
	bridge,
	bridgeHops,
	hop,
	passage,
	picture,
	recordOf,
	type StepParts,
	said,
	search,
	taskOf,
	trajectoryOf,
} from "../../../test/support/diagnosis/sample-chains.ts";

const texts = among(
	passage("h1/page", "Kurumoch airport serves Samara, not Saratov."),
	passage("h2/page", "Samara lies in Russia, near Kazakhstan."),
	passage("h3/page", "Elbrus is the highest mountain of Russia; Kazbek comes after it."),
	passage("x", "Nothing of the kind."),
);
const first = search("Which city does Kurumoch airport serve?", ["h1/page", "x"], { subAnswer: "Samara" });
const second = search("Which country does Samara belong to?", ["x", "h2/page"], { subAnswer: "Russia" });
const third = search("What is the highest mountain of Russia?", ["h3/page"], { subAnswer: "Elbrus" });

async function of(
	steps: readonly StepParts[],
	{
		answer = "Elbrus",
		task = taskOf(bridgeHops),
		evidence = texts,
		...rest
	}: Parameters<typeof trajectoryOf>[1] & { task?: Task; evidence?: typeof texts | undefined } = {},
): Promise<Diagnosis> {
	const record = recordOf(trajectoryOf(steps, { answer, abstained: answer === null, ...rest }));
	return diagnose({ task, record }, { evidence });
}

const verdicts = ({ hops }: Diagnosis) => hops.map((one) => (one.is === "judged" ? one.verdict : "not-judged"));
const kinds = ({ findings }: Diagnosis) => findings.map(({ is }) => is);

test("a chain walked as it should be is solved, with nothing found", async () => {
	const found = await of([first, second, third]);
	expect(found.hops).toEqual([
		...[
			{ hop: "h1", evidence: ["h1/page"], used: "Samara" },
			{ hop: "h2", evidence: ["h2/page"], used: "Russia" },
			{ hop: "h3", evidence: ["h3/page"], used: "Elbrus" },
		].map((one, step) => ({
			...{ is: "judged", verdict: "solved", aimed: [step], brought: [step] },
			...{ seen: { by: "sub-answer", step }, ...one },
		})),
	]);
	expect(found).toMatchObject({ findings: [], firstBroken: null, primary: null, right: true });
});

test("an agent that stops a hop early did not plan the last one: premature-stop", async () => {
	const found = await of([first, second], { answer: "Russia" });
	expect(verdicts(found)).toEqual(["solved", "solved", "not-planned"]);
	expect(found).toMatchObject({ firstBroken: "h3", primary: "premature-stop" });
	expect(found.findings.find(({ is }) => is === "premature-stop")).toMatchObject({ hop: "h3", evidence: ["h3/page"] });
});

test("at its turn limit it did not stop of its own accord", async () => {
	const found = await of([first, second], { answer: null, stop: "turn-limit" });
	expect(found.primary).toBe("not-planned");
});

test("a hop left out in the middle is not planned, and no premature stop", async () => {
	const found = await of([first, search("What is the highest mountain of that land?", ["x"])], { answer: null });
	expect(found).toMatchObject({ firstBroken: "h2", primary: "not-planned" });
});

test("texts searched for what only pictures hold: wrong-modality; kinds of evidence widen what is right", async () => {
	const outline = hop("h1", "Which country's outline is drawn in the chart?", "Chad", { modality: "image" });
	const task = taskOf([outline], { question: "Which country is it?" });
	const steps = [search("Which country's outline is drawn in the chart?", ["x"])];
	const narrow = await of(steps, {
		answer: "Mali",
		task,
		evidence: among(picture("h1/page", "An outline"), passage("x", "Mali")),
	});
	expect(narrow).toMatchObject({ primary: "wrong-modality", firstBroken: "h1" });
	expect(narrow.findings[0]?.says).toMatch(/ at it but searched texts, and its evidence is in images\.$/);
	const wide = await of(steps, {
		answer: "Mali",
		task,
		evidence: among(passage("h1/page", "Chad"), passage("x", "Mali")),
	});
	expect(wide.primary).toBe("retrieval-miss");
});

test("a hop tried only before the one it needs was solved is out of order", async () => {
	const found = await of(
		[
			search("What is the highest mountain of that country?", ["x"]),
			search("Which country does that city belong to?", ["x"]),
			first,
		],
		{ answer: null },
	);
	expect(verdicts(found)).toEqual(["solved", "out-of-order", "out-of-order"]);
	expect(found).toMatchObject({ primary: "out-of-order", firstBroken: "h2" });
});

test("a hop solved before the one it needs: finding order", async () => {
	const found = await of([third, second, first]);
	expect(verdicts(found)).toEqual(["solved", "solved", "solved"]);
	expect(found.primary).toBe("order");
	expect(found.findings.map(({ is, hop, steps }) => [is, hop, steps])).toEqual([
		["order", "h2", [1, 2]],
		["order", "h3", [0, 1]],
	]);
});

test("evidence that does not come back: retrieval-miss, with what should have come", async () => {
	const found = await of([first, { ...second, ids: ["x"], subAnswer: undefined }], { answer: null });
	expect(found).toMatchObject({ primary: "retrieval-miss", firstBroken: "h2" });
	expect(found.findings[0]).toEqual({
		is: "retrieval-miss",
		hop: "h2",
		steps: [1],
		evidence: ["h2/page"],
		says: "Hop h2 (“Which country does Samara belong to?”): step 2 aims at it, and none of its evidence came back.",
	});
});

test("evidence that came back by another hop's step and was not read is still missed by its own", async () => {
	const both = { ...first, ids: ["h1/page", "h2/page"] };
	const found = await of([both, { ...second, ids: ["x"], subAnswer: undefined }], { answer: null });
	expect(verdicts(found).slice(0, 2)).toEqual(["solved", "retrieval-miss"]);
	const unread = await of([both], { answer: null });
	expect(verdicts(unread)).toEqual(["solved", "not-planned", "not-planned"]);
});

test("one step may solve two hops", async () => {
	const both = search("Which country does the city served by Kurumoch airport belong to?", ["h1/page", "h2/page"], {
		subAnswer: "Russia",
	});
	expect(verdicts(await of([both, third]))).toEqual(["solved", "solved", "solved"]);
});

test("another value of what came back is misread, one that stands nowhere is unsupported", async () => {
	const misread = await of([first, { ...second, subAnswer: "Kazakhstan" }], { answer: null });
	expect(misread).toMatchObject({ primary: "misread", firstBroken: "h2" });
	expect(misread.findings[0]).toMatchObject({ evidence: ["h2/page"], steps: [1] });
	const made = await of([first, { ...second, subAnswer: "Freedonia" }], { answer: null });
	expect(made).toMatchObject({ primary: "unsupported", firstBroken: "h2" });
	expect(made.hops[1]).toMatchObject({ used: "Freedonia" });
});

test("without texts nothing is called unsupported, and the diagnosis says so", async () => {
	const steps = [first, { ...second, subAnswer: "Freedonia" }];
	const record = recordOf(trajectoryOf(steps, { abstained: true }));
	const found = await diagnose({ task: taskOf(bridgeHops), record });
	expect(found.primary).toBe("misread");
	expect(found.notJudged).toContainEqual({
		what: ["unsupported", "unsupported-answer"],
		reason: "the texts of what came back are not at hand",
	});
});

test("a sentence is right where it holds the answer, and unsupported where what it names stands nowhere", async () => {
	const told = { ...second, subAnswer: "According to the page, Samara belongs to Russia." };
	expect(verdicts(await of([first, told, third]))).toEqual(["solved", "solved", "solved"]);
	const made = { ...second, subAnswer: "According to the page, it belongs to Freedonia." };
	expect(verdicts(await of([first, made], { answer: null }))[1]).toBe("unsupported");
});

test("numbers are found in texts however they are written; in pictures nobody knows", async () => {
	const high = hop("h1", "How high is Mount Elgon?", "4,321 m", {
		answer: { type: "number", value: "4,321 m", accepted: ["4,321 m"], number: { value: 4321, unit: "m" } },
	});
	const task = taskOf([high], { question: "How high is Mount Elgon?" });
	const steps = [search("How high is Mount Elgon?", ["h1/page"], { subAnswer: "6995" })];
	const stands = among(passage("h1/page", "Elgon: 4,321 m. Other: 6,995 m."));
	expect((await of(steps, { answer: "6995", task, evidence: stands })).primary).toBe("misread");
	const nowhere = among(passage("h1/page", "Elgon: 4,321 m."));
	expect((await of(steps, { answer: "6995", task, evidence: nowhere })).primary).toBe("unsupported");
	const seen = await of(steps, { answer: "6995", task, evidence: among(picture("h1/page", "A chart")) });
	expect(seen.primary).toBe("misread");
	expect(seen.notJudged.map(({ what }) => what)).toContainEqual(["unsupported"]);
});

test("a right value without its evidence is known, not found", async () => {
	// the right answer tells that the hops it needs were known, though no search shows it
	const found = await of([third]);
	expect(verdicts(found)).toEqual(["skipped-known", "skipped-known", "solved"]);
	expect(found.hops[0]).toMatchObject({ seen: { by: "implied" } });
	expect(found).toMatchObject({ firstBroken: null, primary: null });
	expect(verdicts(await of([third], { answer: "Kazbek" }))).toEqual(["not-planned", "skipped-known", "solved"]);
	const guessed = taskOf([
		hop("h1", "Is Chad landlocked?", "yes", { answer: { type: "boolean", value: "yes", accepted: ["yes"] } }),
	]);
	const unsearched = await of([], { answer: "yes", task: guessed });
	expect(verdicts(unsearched)).toEqual(["skipped-known"]);
	expect(unsearched.primary).toBe("known");
});

test("without sub-answers later queries and the answer show what was read; a wrong value may stand in the next query", async () => {
	const bare = (steps: StepParts[]) => steps.map(({ subAnswer: _, ...step }) => step);
	const whole = await of(bare([first, second, third]));
	expect(verdicts(whole)).toEqual(["solved", "solved", "solved"]);
	expect(whole.hops).toMatchObject([
		{ seen: { by: "query", step: 1 } },
		{ seen: { by: "query", step: 2 } },
		{ seen: { by: "answer" } },
	]);
	expect(whole.shows).toBe("bare");
	const astray = search("Which country does Saratov belong to?", ["x"]);
	const found = await of(bare([first, astray]), { answer: null });
	expect(found.hops[0]).toMatchObject({ verdict: "misread", used: "Saratov", seen: { by: "query", step: 1 } });
	// an answer that could not be right otherwise says that it was a try beside the reading
	expect((await of(bare([first, astray]))).hops[0]).toMatchObject({ verdict: "solved", seen: { by: "implied" } });
});

test("the final answer is the sink's value; computing hops need theirs stated", async () => {
	expect((await of([first, second, { ...third, subAnswer: undefined }], { answer: "Kazbek" })).primary).toBe("misread");
	const sum: Hop = {
		...hop("h3", "What is the sum of 4 and 5?", "9"),
		...{ modality: "compute", evidence: [], needs: [bridge("h1"), bridge("h2")] },
	};
	const task = taskOf([
		hop("h1", "How many wings has a bee?", "4"),
		hop("h2", "How many arms has a starfish?", "5"),
		sum,
	]);
	const steps = [
		search("How many wings has a bee?", ["h1/page"], { subAnswer: "4" }),
		search("How many arms has a starfish?", ["h2/page"], { subAnswer: "5" }),
	];
	expect(verdicts(await of(steps, { answer: "9", task }))).toEqual(["solved", "solved", "solved"]);
	const wrong = await of(steps, { answer: "10", task });
	expect(verdicts(wrong)).toEqual(["solved", "solved", "unobserved"]);
	expect(wrong).toMatchObject({ primary: "composition", firstBroken: null });
});

test("of two values given for a hop the one that is carried on counts", async () => {
	const twice = [first, { ...first, query: "Kurumoch", subAnswer: "Saratov" }];
	const astray = search("Which country does Saratov belong to?", ["x"]);
	expect((await of([...twice, astray], { answer: null })).hops[0]).toMatchObject({
		verdict: "misread",
		used: "Saratov",
	});
	expect(verdicts(await of([...twice, second, third]))[0]).toBe("solved");
});

test("what an error or a spent budget left undone says nothing of the agent", async () => {
	const found = await of([first], { answer: null, abstained: false, stop: "budget" });
	expect(verdicts(found)).toEqual(["solved", "not-judged", "not-judged"]);
	expect(found).toMatchObject({ primary: "broken-off", firstBroken: null });
	expect(found).not.toHaveProperty("right");
});

test("known by its answer alone, nothing of the steps is judged", async () => {
	const found = await of([], { answer: "Elbrus", answerOnly: true });
	expect(verdicts(found)).toEqual(["not-judged", "not-judged", "not-judged"]);
	expect(found).toMatchObject({ findings: [], primary: null, right: true });
	expect(found.notJudged[0]?.what).toContain("unsearched");
});

test("the answer of the same words to another hop is no knowledge of this one", async () => {
	const task = taskOf([
		hop("h1", "Whose flag is shown?", "Canada"),
		hop("h2", "Who buys most from the United States?", "Canada"),
		{ ...hop("h3", "Are both the same?", "yes"), evidence: [], modality: "compute" },
	]);
	const steps = [
		search("Whose flag is shown?", ["h1/page"], { subAnswer: "Canada" }),
		search("Who buys most from the United States?", ["h2/page"], { subAnswer: "Honduras" }),
	];
	expect(verdicts(await of(steps, { answer: "no", task }))[1]).toBe("unsupported");
});

test("a search in other words for what a hop needs aims at it by the value that it carries on", async () => {
	const found = await of([first, search("homeland Samara", ["x"])], { answer: null });
	expect(found.hops[1]).toMatchObject({ verdict: "retrieval-miss", aimed: [1], brought: [] });
	expect(kinds(found)).not.toContain("spurious-step");
});

test("asked of a wrong value, two hops of the same kind are told apart by whose value it is", async () => {
	const task = taskOf(
		[
			hop("h1", "Whose outline is drawn first?", "Argentina"),
			hop("h2", "What is the area of Argentina?", "5", { needs: [bridge("h1")] }),
			hop("h3", "Whose flag is seen there?", "Benin"),
			hop("h4", "What is the area of Benin?", "7", { needs: [bridge("h3")] }),
		],
		{ question: "Which is the larger?" },
	);
	const steps = [
		search("Whose outline is drawn first?", ["x"], { subAnswer: "Chad" }),
		search("What is the area of Chad?", ["x"]),
	];
	const found = await of(steps, { answer: null, task });
	expect(found.hops.map(({ hop }) => hop)).toEqual(["h1", "h2", "h3", "h4"]);
	expect(verdicts(found)).toEqual(["retrieval-miss", "retrieval-miss", "not-planned", "not-planned"]);
});

test("protocols that state sub-answers in other records count an unread hop as not answered", async () => {
	const steps = [{ ...first, subAnswer: undefined }];
	const record = recordOf(trajectoryOf(steps, { abstained: true }));
	const task = taskOf(bridgeHops, { answer: said("Elbrus") });
	const verdict = async (subAnswers?: boolean) =>
		(await diagnose({ task, record }, { evidence: texts, subAnswers })).hops[0];
	expect(await verdict()).toMatchObject({ verdict: "unobserved" });
	expect(await verdict(true)).toMatchObject({ verdict: "misread" });
});

test("what was said before a text came back that holds it cannot have stood there", async () => {
	// Freedonia is searched for with the invented value, and only then comes back
	const later = among(
		passage("h1/page", "Kurumoch airport serves Samara."),
		passage("h2/page", "Samara lies in Russia."),
		passage("f", "Freedonia is a country of a film."),
		passage("x", "Nothing of the kind."),
	);
	const made = { ...second, subAnswer: "Freedonia" };
	const after = search("What is the highest mountain of Freedonia?", ["f"]);
	expect(await of([first, made, after], { answer: null, evidence: later })).toMatchObject({ primary: "unsupported" });
	const before = { ...made, ids: ["x", "h2/page", "f"] };
	expect(await of([first, before, after], { answer: null, evidence: later })).toMatchObject({ primary: "misread" });
});

test("an earlier hop's value as the final answer is no sign that the last hop was planned", async () => {
	// the country that was found is answered, and evidence of the last hop came back by the way
	const both = { ...second, ids: ["h2/page", "h3/page"] };
	const found = await of([first, both], { answer: "Russia" });
	expect(verdicts(found)).toEqual(["solved", "solved", "not-planned"]);
	expect(found).toMatchObject({ firstBroken: "h3", primary: "premature-stop" });
});

test("a name within a longer one that is something else is not known for it", async () => {
	const task = taskOf(
		[
			hop("h1", "Which country was founded first?", "Sudán"),
			hop("h2", "Which country was founded last?", "Sudán del Sur"),
			hop("h3", "What is the capital of Sudán del Sur?", "Yuba", { needs: [bridge("h2")] }),
		],
		{ question: "¿Qué capital?" },
	);
	const last = search("Which country was founded last?", ["h2/page"], { subAnswer: "Sudán del Sur" });
	const capital = search("What is the capital of Sudán del Sur?", ["h3/page"], { subAnswer: "Yuba" });
	expect(verdicts(await of([last, capital], { answer: "Yuba", task }))).toEqual(["not-planned", "solved", "solved"]);
	const both = { ...capital, subQuestion: "Of Sudán and Sudán del Sur, what is the capital of Sudán del Sur?" };
	expect(verdicts(await of([last, both], { answer: "Yuba", task }))[0]).toBe("skipped-known");
	// neither is a longer name that was stated for it and is wrong
	const wrong = taskOf(
		[
			hop("h1", "Which country was founded first?", "Sudán"),
			hop("h2", "What is its capital?", "Jartum", { needs: [bridge("h1")] }),
		],
		{ question: "¿Qué capital?" },
	);
	const stated = search("Which country was founded first?", ["h1/page"], { subAnswer: "Sudán del Sur" });
	const carried = search("What is its capital, of Sudán del Sur?", ["x"]);
	expect(verdicts(await of([stated, carried], { answer: null, task: wrong }))[0]).not.toBe("solved");
});

test("a sentence whose words came back, though not its names, is not called unsupported", async () => {
	const told = among(
		passage("h2/page", "The castle was sold to a wealthy merchant family, who rebuilt the western tower."),
	);
	const task = taskOf([hop("h2", "Who owned it?", "the Mori")], { question: "Who owned it?" });
	const says = (subAnswer: string) =>
		of([search("Who owned it?", ["h2/page"], { subAnswer })], { answer: null, task, evidence: told });
	const said = await says("It was sold, so it seems, to a merchant family named Tanaka, who rebuilt the tower.");
	expect(said.primary).toBe("misread");
	expect(said.notJudged.map(({ what }) => what)).toContainEqual(["unsupported"]);
	expect((await says("Most historians today agree that Emperor Komei inherited everything.")).primary).toBe(
		"unsupported",
	);
});

test("evidence that had come back when a value was given was there to be read, whichever search brought it", async () => {
	const both = { ...first, ids: ["h1/page", "h2/page"] };
	const read = (subAnswer: string) => of([both, { ...second, ids: ["x"], subAnswer }], { answer: null });
	expect(verdicts(await read("Kazakhstan"))[1]).toBe("misread");
	expect(verdicts(await read("Freedonia"))[1]).toBe("unsupported");
	// what came only afterwards was not
	const late = [
		first,
		{ ...second, ids: ["x"], subAnswer: "Kazakhstan" },
		search("What is the highest mountain of that land?", ["h2/page"]),
	];
	expect(verdicts(await of(late, { answer: null }))[1]).toBe("retrieval-miss");
});

test("a later hop's value is wrong for the hop in whose place it is asked on with", async () => {
	const astray = search("Which country does Russia belong to?", ["h2/page"]);
	const found = await of([{ ...first, ids: ["h1/page", "h2/page"], subAnswer: "Russia" }, astray], { answer: null });
	expect(found).toMatchObject({ primary: "misread", firstBroken: "h1" });
	expect(found.hops[0]).toMatchObject({ used: "Russia" });
});

test("a choice that is right speaks for no hop that was tried in vain before the one it needs", async () => {
	const task = taskOf(
		[
			hop("h1", "Which country has Bangkok as its capital?", "Thailand"),
			hop("h2", "What is the area of Thailand in square kilometres?", "513", { needs: [bridge("h1")] }),
			{
				...hop("h3", "Is Thailand or Peru smaller?", "Thailand"),
				evidence: [],
				modality: "compute",
				needs: [bridge("h2")],
			},
		],
		{ question: "Is the country of Bangkok smaller than Peru?" },
	);
	const area = (ids: string[]) => search("What is the area of the country in square kilometres?", ids);
	const country = search("Which country has Bangkok as its capital?", ["h1/page", "h2/page"], {
		subAnswer: "Thailand",
	});
	const found = await of([area(["x"]), country], { answer: "Thailand", task });
	expect(found).toMatchObject({ primary: "out-of-order", firstBroken: "h2", right: true });
	expect(kinds(found)).toContain("lucky");
	// found by its own search it is open how it was read: a right choice could be luck
	expect(verdicts(await of([country, area(["h2/page"])], { answer: "Thailand", task }))).toEqual([
		"solved",
		"unobserved",
		"solved",
	]);
});

test("a name that holds a later hop's number is no answer to that hop", async () => {
	const count: Hop = {
		...hop("h2", "How often is u in it?", "1"),
		evidence: [],
		modality: "compute",
		needs: [bridge("h1")],
	};
	const number = { type: "number" as const, value: "1", accepted: ["1"], number: { value: 1 } };
	const task = taskOf([hop("h1", "Who is the father of Mehmed?", "Bayezid"), { ...count, answer: number }], {
		question: "How often?",
	});
	const read = search("Who is the father of Mehmed?", ["h1/page"], { subAnswer: "Wingfield, 1st Viscount" });
	const found = await of([read], { answer: null, task });
	expect(found.hops[0]).toMatchObject({ verdict: "unsupported", used: "Wingfield, 1st Viscount" });
});

/** What an agent that states no sub-answers leaves of these steps. */
const bareOf = (...steps: StepParts[]) => steps.map(({ subAnswer: _, ...step }) => step);

test("what came back and is used nowhere is unobserved: neither solved nor broken, and said why", async () => {
	const found = await of(bareOf(first, second), { answer: null });
	expect(verdicts(found)).toEqual(["solved", "unobserved", "not-planned"]);
	expect(found.hops[1]).toMatchObject({ aimed: [1], brought: [1], evidence: ["h2/page"], why: expect.any(String) });
	expect(found.hops[1]).not.toHaveProperty("seen");
	// the hop that broke needs it: it may have gone wrong there already
	expect(found).toMatchObject({ firstBroken: "h3", unobserved: ["h2"] });
	const asked = search("What is the highest mountain of that country?", ["h3/page"]);
	const wrong = await of(bareOf(first, second, asked), { answer: "Kazbek" });
	expect(wrong.hops[1]).toMatchObject({ verdict: "unobserved" });
});

test("a thought shows what was read", async () => {
	const thinking = {
		...search("What is the highest mountain of that country?", ["h3/page"]),
		thought: "It is in Russia.",
	};
	const found = await of(bareOf(first, second, thinking), { answer: null });
	expect(found.hops[1]).toMatchObject({ verdict: "solved", seen: { by: "thought", step: 2 } });
	expect(found.shows).toBe("thought");
});

test("a right answer vouches for what it needs, a right yes or choice for nothing", async () => {
	const hops = [
		hop("h1", "Which city does Kurumoch airport serve?", "Samara"),
		hop("h2", "Which country does that city belong to?", "Russia", { needs: [bridge("h1")] }),
	];
	const steps = bareOf(first, search("Which country does that city belong to?", ["h2/page"]));
	const country = await of(steps, { answer: "Russia", task: taskOf(hops) });
	expect(country.hops).toMatchObject([
		{ verdict: "solved", seen: { by: "implied" } },
		{ verdict: "solved", seen: { by: "answer" } },
	]);
	const compared: Hop = {
		...hop("h3", "Is that country larger than Chad?", "yes", { needs: [bridge("h2")] }),
		...{ modality: "compute", evidence: [], answer: { type: "boolean", value: "yes", accepted: ["yes"] } },
	};
	const yes = await of(steps, {
		answer: "yes",
		task: taskOf([...hops, compared], { question: "Is it larger than Chad?" }),
	});
	expect(yes).toMatchObject({ right: true, firstBroken: null, primary: null });
	expect(verdicts(yes).slice(0, 2)).toEqual(["unobserved", "unobserved"]);
});

test("a right answer makes hops that were missed or never searched known, and spares no wrong sub-answer", async () => {
	const missed = await of(bareOf(first, { ...second, ids: ["x"] }, third));
	expect(missed.hops[1]).toMatchObject({ verdict: "skipped-known" });
	const blind = await of(
		bareOf(first, { ...second, ids: ["x"] }, search("The highest mountain of that country?", ["h3/page"])),
	);
	expect(blind.hops[1]).toMatchObject({ verdict: "skipped-known", seen: { by: "implied" } });
	expect(blind).toMatchObject({ firstBroken: null, primary: null, findings: [] });
	const last = search("The highest mountain of that country?", ["h3/page"], { subAnswer: "Elbrus" });
	const stated = await of([first, { ...second, subAnswer: "Kazakhstan" }, last]);
	expect(stated).toMatchObject({ firstBroken: "h2", primary: "misread", right: true });
	expect(kinds(stated)).toContain("lucky");
});

test("a search that ended in an error of the tool is no miss", async () => {
	const failed = { ...second, ids: [], subAnswer: undefined, error: "HTTP 503" };
	const found = await of([first, failed], { answer: null });
	expect(found).toMatchObject({ firstBroken: "h2", primary: "tool-failed" });
	expect(found.hops[1]).toMatchObject({ aimed: [1], brought: [], evidence: [] });
	// tried again and found nothing: that is a miss
	const again = await of([first, failed, { ...second, ids: ["x"], subAnswer: undefined }], { answer: null });
	expect(again).toMatchObject({ firstBroken: "h2", primary: "retrieval-miss" });
	expect(again.hops[1]).toMatchObject({ aimed: [1, 2] });
	expect(verdicts(await of([first, failed, second, third]))).toEqual(["solved", "solved", "solved"]);
});

test("evidence of a hop that another's search brought is told apart from the searches that aimed at it", async () => {
	const found = await of([{ ...first, ids: ["h1/page", "h2/page"] }, { ...second, ids: ["x"] }, third]);
	expect(found.hops[1]).toMatchObject({ verdict: "solved", aimed: [1], brought: [0] });
});

test("a value that later queries carry on is told beside another one that was read", async () => {
	const astray = search("Which country does Saratov belong to?", ["x"]);
	const found = await of([first, astray], { answer: null });
	expect(found.hops[0]).toMatchObject({ used: "Samara", carried: "Saratov" });
	const kept = await of([{ ...first, subAnswer: "Saratov" }, astray], { answer: null });
	expect(kept.hops[0]).toMatchObject({ verdict: "misread", used: "Saratov" });
	expect(kept.hops[0]).not.toHaveProperty("carried");
});

test("where nothing marks a name, a spoilt search is no miss of its own, and what rests on it is not judged", async () => {
	const steps = [
		{ query: "kurumoch airport city serve", ids: ["h1/page"] },
		{ query: "freedonia country belong", ids: ["x"] },
		{ query: "highest mountain of atlantica", ids: ["x"] },
	];
	const found = await of(steps, { answer: "Olympus" });
	expect(verdicts(found)).toEqual(["unobserved", "unobserved", "not-judged"]);
	expect(found.hops[0]).toMatchObject({ why: expect.stringContaining("a word that may be another value") });
	expect(found).toMatchObject({ primary: "unsupported-answer", firstBroken: null, unobserved: ["h1", "h2"] });
	// without a word that could be a name it is the query that is bad
	const bare = await of([steps[0] ?? {}, { query: "country belong", ids: ["x"] }], { answer: "Olympus" });
	expect(bare).toMatchObject({ primary: "retrieval-miss", firstBroken: "h2", unobserved: ["h1"] });
	// and where capitals mark names, another value is told
	const marked = await of([steps[0] ?? {}, { query: "Freedonia country belong", ids: ["x"] }], { answer: "Olympus" });
	expect(marked).toMatchObject({ primary: "unsupported", firstBroken: "h1" });
});

test("a search that says nothing is an attempt at the hop that was due", async () => {
	const found = await of(bareOf(first, search("more details", ["x"]), search("statistics table", ["x"])), {
		answer: null,
	});
	expect(found).toMatchObject({ firstBroken: "h2", primary: "retrieval-miss" });
	// a search with a name of its own is not, and may ask with that name
	const other = await of(bareOf(first, search("football results of Kazan", ["x"])), { answer: null });
	expect(other.hops).toMatchObject([
		{ verdict: "unsupported", used: "Kazan" },
		{ verdict: "unobserved", why: "step 2 may have asked it with “Kazan”" },
		{ verdict: "unobserved" },
	]);
});

test("below a value that was taken wrongly, a hop was never tried where no search may have asked it with that value", async () => {
	const wrong = { ...first, subAnswer: "Saratov" };
	const stopped = await of([wrong], { answer: null });
	expect(verdicts(stopped)).toEqual(["misread", "not-planned", "not-planned"]);
	const inOtherWords = await of([wrong, search("On whose territory can one find Saratov?", ["x"])], { answer: null });
	expect(verdicts(inOtherWords)).toEqual(["misread", "unobserved", "not-judged"]);
	expect(inOtherWords.firstBroken).toBe("h1");
});

test("a search that names nothing, in other words, is an attempt at the one hop without any", async () => {
	const steps = bareOf(search("whereabouts of that town", ["x"]), first);
	const found = await of(steps, { answer: null, task: taskOf(bridgeHops.slice(0, 2)) });
	expect(found).toMatchObject({ firstBroken: "h2", primary: "out-of-order" });
});

test("of two hops that ask the same, the thought that asks for one leaves the query to the one that it names", async () => {
	const share = (id: string, place: string, value: string, need?: string) =>
		hop(id, `What share of the people of ${place} lives in towns?`, value, need ? { needs: [bridge(need)] } : {});
	const task = taskOf(
		[
			hop("h1", "Which country flies the first flag?", "Peru"),
			share("h2", "Peru", "32", "h1"),
			hop("h3", "Which country flies the second flag?", "Chile"),
			share("h4", "Chile", "94", "h3"),
		],
		{ question: "How much do the shares of people in towns of the two countries on the flags differ?" },
	);
	const thinking = (thought: string, query: string, id: string) => ({ ...search(query, [id]), thought });
	const found = await of(
		[
			thinking("First the flags.", "country flies first flag", "h1/page"),
			thinking("Peru. What share of the people of Peru lives in towns?", "town people Peru", "h2/page"),
			thinking("It is 32. Next: which country flies the second flag?", "country flies second flag", "h3/page"),
			thinking("Chile. What share of the people of Chile lives in towns?", "town people Chile", "h4/page"),
		],
		{ answer: null, task, evidence: undefined },
	);
	expect(found.hops.map((one) => one.is === "judged" && one.aimed)).toEqual([[0], [1], [2], [3]]);
});

test("what a thought says in brackets or takes back is not what it claims", async () => {
	const [one = {}, two = {}] = bareOf(first, search("Which country does Saratov belong to?", ["x"]));
	const claims = async (thought: string) =>
		(await of([one, { ...two, query: "country belong", thought }], { answer: null })).hops[0];
	expect(await claims("So the city is Saratov (Kazbek is also there).")).toMatchObject({
		...{ verdict: "misread", used: "Saratov", seen: { by: "thought" } },
	});
	expect(await claims("It must be the headcount of Saratov That is the thing to check.")).toMatchObject({
		used: "Saratov",
	});
	expect(await claims("I thought of Kazbek... wait, no. It is Saratov.")).toMatchObject({ used: "Saratov" });
});

test("a value that is written small is told by the title that the next query names", async () => {
	const element = hop("h1", "Which element is named after Japan?", "nihonium");
	const symbol = hop("h2", "What is the symbol of nihonium?", "Nh", { needs: [bridge("h1")] });
	const task = taskOf([element, symbol], { question: "What is the symbol of the element named after Japan?" });
	const texts = among(
		passage("h1/page", "The element Nihonium is named after Japan. The element Germanium is named after Germany."),
		passage("h2/page", "Nihonium has the symbol Nh."),
		passage("x", "The element Germanium has the symbol Ge."),
	);
	const found = await of(
		[search("Which element is named after Japan?", ["h1/page"]), search("symbol germanium", ["x"])],
		{ answer: "Ge", task, evidence: texts },
	);
	expect(found).toMatchObject({ firstBroken: "h1", primary: "misread" });
});
