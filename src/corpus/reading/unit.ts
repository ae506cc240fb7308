import type { DocumentReport, ReadStatus } from "#domain";
import { canonicalJson, sha256 } from "#store";
import type { SourceFile } from "../find-files.ts";
import type { Part, ReadingOptions } from "../reader.ts";
import type { ReadingLimits } from "./limits.ts";

/** A file as it is now. */
export interface HashedFile extends SourceFile {
	sha256: string;
	/** Of the files beside it that its reading depends on. */
	sides?: string;
}

/** What is read at one go: several small files, one file, or a part of one. */
export interface Unit {
	/** Names what is read and how: of equal keys the evidence is equal, so what was read once is not read again. */
	key: string;
	tool: string;
	files: HashedFile[];
	part?: Part;
}

export function unitOf(
	tool: string,
	files: HashedFile[],
	options: ReadingOptions & { limits?: ReadingLimits },
	part?: Part,
): Unit {
	const content = files.map(({ label, sha256, sides }) => [label, sha256, sides ?? ""]);
	const key = sha256(canonicalJson({ tool, options, content, part: part ?? null })).slice(0, 40);
	return { key, tool, files, ...(part === undefined ? {} : { part }) };
}

type Tally = Omit<DocumentReport, "status">;

/** What several parts of one file gave, as one; `expected` is how many pages the file says it has. */
export function joined(parts: Tally[], expected: number | undefined): DocumentReport | undefined {
	const [first] = parts;
	if (!first) return undefined;
	const sum = (of: (part: Tally) => number) => parts.reduce((total, part) => total + of(part), 0);
	const paged = expected !== undefined || parts.some(({ pages }) => pages);
	const ok = sum(({ pages }) => pages?.ok ?? 0);
	const partly = sum(({ pages }) => pages?.partly ?? 0);
	const failed = sum(({ pages }) => pages?.failed ?? 0);
	const counted = parts.filter(({ characters }) => characters).length > 0;
	const tally: Tally = {
		source: first.source,
		...(first.sha256 === undefined ? {} : { sha256: first.sha256 }),
		tool: first.tool,
		...(paged ? { pages: { count: expected ?? ok + partly + failed, ok, partly, failed } } : {}),
		counts: {
			passage: sum(({ counts }) => counts.passage),
			page: sum(({ counts }) => counts.page),
			image: sum(({ counts }) => counts.image),
		},
		...(counted
			? {
					characters: {
						source: sum(({ characters }) => characters?.source ?? 0),
						read: sum(({ characters }) => characters?.read ?? 0),
					},
				}
			: {}),
		problems: parts.flatMap(({ problems }) => problems),
	};
	return { ...tally, status: statusOf(tally) };
}

/** Ok only where nothing was lost that was noticed. */
function statusOf({ pages, counts, problems }: Tally): ReadStatus {
	const reason = problems[0] && `${problems[0].at}${problems[0].at && ": "}${problems[0].message}`;
	if (counts.passage + counts.page + counts.image === 0) return { is: "failed", reason: reason ?? "nothing was read" };
	if (pages && pages.failed === pages.count && pages.count > 0)
		return { is: "failed", reason: reason ?? "no page could be read" };
	if (pages && pages.ok + pages.partly + pages.failed !== pages.count)
		return { is: "partly", reason: `${pages.ok + pages.partly + pages.failed} of ${pages.count} pages came out` };
	if (pages && pages.partly + pages.failed > 0)
		return { is: "partly", reason: `${pages.failed} of ${pages.count} pages failed, ${pages.partly} were read partly` };
	return reason === undefined ? { is: "ok" } : { is: "partly", reason };
}
