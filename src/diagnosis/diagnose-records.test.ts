import { expect, test } from "vitest";
import { diagnoseRecords } from "#diagnosis";
import { HopscopeError } from "#domain";
import {
	among,
	bridgeHops,
	passage,
	recordOf,
	search,
	taskOf,
	trajectoryOf,
} from "../../test/support/diagnosis/sample-chains.ts";

const tasks = [taskOf(bridgeHops, { id: "a" }), taskOf(bridgeHops, { id: "b" })];
const question = "Which city does Kurumoch airport serve?";
const read = { ...recordOf(trajectoryOf([search(question, ["h1/page"], { subAnswer: "Samara" })])), task: "a" };
const unread = { ...recordOf(trajectoryOf([search(question, ["h1/page"])])), task: "b" };
const evidence = among(passage("h1/page", "Kurumoch airport serves Samara."));

test("whether an agent states sub-answers is read from the whole run, whichever records are diagnosed", async () => {
	const run = { tasks, records: [read, unread], rows: [], evidence };
	const [all, some] = await Promise.all([diagnoseRecords(run), diagnoseRecords(run, { of: [unread] })]);
	expect(all.map(({ task }) => task.id)).toEqual(["a", "b"]);
	expect(some).toEqual(all.slice(1));
	expect(some[0]?.diagnosis.hops[0]).toMatchObject({ verdict: "misread" });
	const [alone] = await diagnoseRecords({ ...run, records: [unread] });
	expect(alone?.diagnosis.hops[0]).toMatchObject({ verdict: "unobserved" });
});

test("records of unknown tasks are left out; evidence is looked up once; without it, what texts tell is not judged", async () => {
	const asked: string[] = [];
	const counting = async (id: string) => {
		asked.push(id);
		return evidence(id);
	};
	const records = [read, { ...read, repeat: 1 }, { ...read, task: "gone" }];
	const found = await diagnoseRecords({ tasks, records, rows: [], evidence: counting });
	expect(found).toHaveLength(2);
	expect(asked.filter((id) => id === "h1/page").length).toBeLessThanOrEqual(2);
	const said: string[] = [];
	const gone = async () => {
		throw new HopscopeError("no-knowledge", "there is no knowledge base", "Make one.");
	};
	const [first] = await diagnoseRecords(
		{ tasks, records, rows: [], evidence: gone },
		{ say: (text) => void said.push(text) },
	);
	expect(said).toHaveLength(1);
	expect(first?.diagnosis.notJudged.flatMap(({ what }) => what)).toContain("unsupported");
});
