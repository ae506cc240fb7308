import { readFile, stat } from "node:fs/promises";
import { noUsage } from "#domain";
import { isUnknown } from "../driver/recorder.ts";
import { type Child, startChild } from "./child.ts";
import { type Job, type Reach, requestOf } from "./job.ts";
import { longestAnswer } from "./program-messages.ts";
import { ending, withErrors } from "./reach-program.ts";
import { ProgramFailure } from "./report.ts";
import { linesOf, TooMuch } from "./stream-lines.ts";

/** Longest text of one environment variable, in characters: systems refuse to start a program with longer ones. */
const longestVariable = 30_000;

/**
 * An existing agent as it is: it finds model and tools where such programs look for them, and what it does there is its
 * trajectory. Its answer is in a file that it may write, else the last line of its output.
 */
export const observed: Reach = async (command, job) => {
	const { session, folder, signal } = job;
	const answerFile = folder.path("answer.txt");
	const environment = await environmentFor(job, answerFile);
	const child = startChild(command, { environment, input: `${session.view.question}\n`, signal });
	try {
		const line = await lastLine(child);
		const how = await ending(child);
		if (how !== "") throw new ProgramFailure(`it failed${how}`);
		const answer = (await written(answerFile)) ?? line.replace(/^[*_\s]*(final )?answer[*_\s]*:[*_\s]*/i, "").trim();
		if (answer === "") throw new ProgramFailure("it ended without an answer");
		const abstained = isUnknown(answer);
		return { answer: abstained ? null : answer.slice(0, longestAnswer), abstained, stop: "answered", usage: noUsage };
	} catch (error) {
		throw error instanceof ProgramFailure || error instanceof TooMuch ? withErrors(error.message, child) : error;
	} finally {
		await child.close();
	}
};

async function environmentFor(job: Job, answerFile: string): Promise<Record<string, string | undefined>> {
	const { session, folder, gateway, environment, modelName } = job;
	const { question, language } = session.view;
	const { url, token, model } = gateway;
	const request = requestOf(job, { images: folder.images, local: true });
	const servers = { hopscope: { type: "http", url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } } };
	const own = {
		...(question.length <= longestVariable ? { HOPSCOPE_QUESTION: question.replaceAll("\0", " ") } : {}),
		HOPSCOPE_LANGUAGE: language,
		HOPSCOPE_IMAGES: folder.images.map(({ file }) => file).join("\n"),
		HOPSCOPE_REQUEST: await folder.write("request.json", JSON.stringify(request)),
		HOPSCOPE_ANSWER_FILE: answerFile,
		HOPSCOPE_TOOLS_URL: `${url}/tools`,
		HOPSCOPE_TOKEN: token,
		// many clients take an address and nothing else
		HOPSCOPE_MCP_URL: `${url}/mcp/${token}`,
		HOPSCOPE_MCP_CONFIG: await folder.write("mcp.json", JSON.stringify({ mcpServers: servers })),
	};
	if (!model) return { ...environment, ...own };
	return {
		...withoutProviders(environment),
		...own,
		HOPSCOPE_MODEL: modelName,
		OPENAI_BASE_URL: `${url}/model/v1`,
		OPENAI_API_KEY: token,
		OPENAI_MODEL: modelName,
		ANTHROPIC_BASE_URL: `${url}/model`,
		ANTHROPIC_API_KEY: token,
		ANTHROPIC_MODEL: modelName,
	};
}

/** A program that holds the user's keys could ask models that nobody records. */
function withoutProviders(environment: Record<string, string | undefined>): Record<string, string | undefined> {
	const kept = Object.entries(environment).filter(
		([name]) => !/^(OPENAI|AZURE_OPENAI|ANTHROPIC|GEMINI|GOOGLE)_/i.test(name),
	);
	return Object.fromEntries(kept);
}

/** The last line with anything on it; all before is talk. */
async function lastLine(child: Child): Promise<string> {
	let last = "";
	for await (const line of linesOf(child.stdout)) if (line.trim() !== "") last = line.trim();
	return last;
}

async function written(file: string): Promise<string | undefined> {
	try {
		const { size } = await stat(file);
		if (size > longestAnswer * 4) throw new ProgramFailure(`its answer is ${size} bytes long`);
		return (await readFile(file, "utf8")).trim() || undefined;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
}
