import { addUsage, isSearch, noUsage, type Step, type Usage } from "#domain";
import { isUnknown } from "../driver/recorder.ts";
import type { Session } from "../driver/session.ts";
import type { Said } from "./job.ts";
import { type Final, mostSteps, ProgramLine, type ReportedStep } from "./program-messages.ts";

/** The program that is the agent did something wrong, or nothing: recorded as the agent's error. */
export class ProgramFailure extends Error {
	override readonly name = "ProgramFailure";
}

export interface Report {
	final: Final;
	/** Of all steps and the final line. */
	usage: Usage;
}

/**
 * Records the steps that a program reports, line by line as they come, until its final line. Lines that do not begin
 * with a brace are talk and left alone; a record that cannot be understood ends the task, since a lost step would be
 * scored as one that was never taken. Throws `ProgramFailure`; undefined where the lines end without a final one.
 */
export async function readReport(lines: AsyncIterable<string>, session: Session): Promise<Report | undefined> {
	let number = 0;
	let steps = 0;
	let usage = noUsage;
	for await (const line of lines) {
		number += 1;
		if (!line.trimStart().startsWith("{")) continue;
		const said = parseLine(line);
		if (typeof said === "string") throw new ProgramFailure(`line ${number} of its output ${said}`);
		if ("error" in said) throw new ProgramFailure(`it reports: ${said.error}`);
		if ("final" in said) return { final: said.final, usage: addUsage(usage, said.final.usage ?? noUsage) };
		steps += 1;
		if (steps > mostSteps) throw new ProgramFailure(`it reported more than ${mostSteps} steps`);
		usage = addUsage(usage, said.step.usage ?? noUsage);
		session.recorder.note(await asStep(said.step, session));
	}
	return undefined;
}

/** A line of a program, or what is wrong with it. */
export function parseLine(line: string): ProgramLine | string {
	let json: unknown;
	try {
		json = JSON.parse(line);
	} catch {
		return `is no JSON: ${shown(line)}`;
	}
	const parsed = ProgramLine.safeParse(json);
	if (parsed.success) return parsed.data;
	const [kind] = ["step", "final", "error"].filter((name) => Object.hasOwn(Object(json), name));
	if (kind === undefined) return `is neither a step, a final nor an error: ${shown(line)}`;
	const [issue] = parsed.error.issues.flatMap((one) =>
		one.code === "invalid_union" ? one.errors.flat().filter(({ path }) => path[0] === kind) : [one],
	);
	return `is no valid ${kind}: ${issue ? `${issue.path.slice(1).join(".")}: ${issue.message}` : "unknown fields"}`;
}

const shown = (line: string) => JSON.stringify(line.trim().slice(0, 100));

/** Ids that the knowledge base does not hold are kept as they were reported, and the step says so. */
async function asStep(reported: ReportedStep, session: Session): Promise<Omit<Step, "index">> {
	const { thought, subQuestion, call, subAnswer, usage, ms, error, role } = reported;
	const results = reported.results.map((result, place) => {
		const { id, score } = typeof result === "string" ? { id: result, score: 0 } : result;
		return { id, score, rank: place + 1 };
	});
	const doubt = error ?? (call && isOwn(call.tool) ? await unknownIds(results, session) : undefined);
	return {
		ms,
		results,
		...(thought === undefined ? {} : { thought }),
		...(subQuestion === undefined ? {} : { subQuestion }),
		...(call === undefined ? {} : { call }),
		...(subAnswer === undefined ? {} : { subAnswer }),
		...(usage === undefined ? {} : { usage }),
		...(doubt === undefined ? {} : { error: doubt }),
		...(role === undefined ? {} : { role }),
	};
}

/** Results of the web are addresses, which no knowledge base holds. */
const isOwn = (tool: string) => isSearch(tool) && !tool.startsWith("web_");

async function unknownIds(results: { id: string }[], { context }: Session): Promise<string | undefined> {
	const unknown: string[] = [];
	for (const { id } of results) if (!(await context.knowledge.evidence(id))) unknown.push(id);
	if (unknown.length === 0) return undefined;
	return `${unknown.length} of ${results.length} ids are not in the knowledge base, "${unknown[0]}" first`;
}

/** A final line as the end of a task. */
export function saidIn({ final, usage }: Report): Said {
	const { answer, abstained, stop, cited, plan } = final;
	const declined = abstained ?? (stop === "answered" && (answer === null || isUnknown(answer)));
	return {
		answer: declined || answer === null || answer.trim() === "" ? null : answer,
		abstained: declined,
		stop,
		usage,
		...(cited ? { cited } : {}),
		...(plan === undefined ? {} : { plan }),
	};
}
