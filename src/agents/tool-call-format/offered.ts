import type { EvidenceKind } from "#domain";
import type { Session } from "../driver/session.ts";
import type { ToolName } from "../tools/tools.ts";

/** The kind of evidence that a tool finds; none where it searches no knowledge base. */
const finds: Record<ToolName, EvidenceKind | undefined> = {
	text_search: "passage",
	page_search: "page",
	image_search_by_text: "image",
	image_search_by_image: "image",
	image_crop: undefined,
	web_search: undefined,
	web_read: undefined,
	web_image_search: undefined,
};

/**
 * The tools of a setting that the run has and that can find anything. They are the same for every task of a run, with
 * images or without, so that all its requests begin alike.
 */
export function offeredTools(session: Session, standard: ToolName[]): ToolName[] {
	const { setting, tools, knowledge } = session.context;
	const wanted = setting.tools ? setting.tools.filter(isTool) : standard;
	const counts: Partial<Record<EvidenceKind, number>> = knowledge.manifest.counts;
	return [...new Set(wanted)].filter((name) => {
		const evidence = finds[name];
		if (tools[name] === undefined) return false;
		if (name === "image_crop" && setting.images === "captions") return false;
		return evidence === undefined || counts[evidence] !== 0;
	});
}

const isTool = (name: string): name is ToolName => Object.hasOwn(finds, name);
