import type { Session } from "../driver/session.ts";
import type { Outcome } from "../tools/outcome.ts";
import { type Call, checkedCall, invalidCall, toolArguments, written } from "../tools/tool-call.ts";
import type { ToolName } from "../tools/tools.ts";
import type { Transcript } from "./transcript.ts";

/** Calls that a setting without a limit allows. */
export const defaultLimit = 10;
/** Of calls beyond the limit so many are recorded. */
const recordedRefusals = 100;

/** The tools of one task, as a program may call them. */
export interface Offer {
	names: ToolName[];
	/** Carries out one call and records it as a step. Arguments are as for `Tools`; without `k` the setting's. */
	call(tool: string, args: unknown): Promise<Outcome>;
}

/** `setting.tools`, or all tools that the run has and that have something to find. */
export function offerTools(session: Session, transcript: Pick<Transcript, "about">): Offer {
	const { setting, tools } = session.context;
	const limit = setting.limit ?? defaultLimit;
	const wanted = setting.tools ?? (Object.keys(toolArguments) as ToolName[]).filter((name) => isUseful(name, session));
	const names = wanted.filter(
		(name): name is ToolName => Object.hasOwn(toolArguments, name) && tools[name as ToolName] !== undefined,
	);
	let calls = 0;

	function read(tool: string, args: unknown): Call {
		const about = { tool, written: written(args) };
		const name = names.find((one) => one === tool);
		if (calls > limit)
			return invalidCall("no-search-left", `all ${limit} calls of this task are spent: answer now`, about);
		if (!name)
			return invalidCall(
				"unknown-tool",
				`there is no tool "${tool.slice(0, 100)}"; there are: ${names.join(", ")}`,
				about,
			);
		const given = args !== null && typeof args === "object" && !Array.isArray(args) ? args : {};
		return checkedCall(name, "k" in toolArguments[name].shape ? { k: setting.k, ...given } : given);
	}

	return {
		names,
		async call(tool, args) {
			calls += 1;
			const call = read(tool, args);
			if (call.is === "invalid" && calls > limit + recordedRefusals)
				return { is: "refused", call, problem: call.detail, step: { index: 0, results: [], ms: 0 } };
			return session.carryOut(call, transcript.about(tool));
		},
	};
}

function isUseful(tool: ToolName, { view, context }: Session): boolean {
	const { counts } = context.knowledge.manifest;
	const found = {
		text_search: "passage",
		page_search: "page",
		image_search_by_text: "image",
		image_search_by_image: "image",
	};
	const kind = Object.hasOwn(found, tool) ? found[tool as keyof typeof found] : undefined;
	if (kind !== undefined && counts[kind as keyof typeof counts] === 0) return false;
	return !/_by_image$|_crop$|^web_image/.test(tool) || view.images.length > 0;
}
