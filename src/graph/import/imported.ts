import { type HopscopeError, usageError } from "#domain";
import { type Claim, Claim as ClaimSchema, longestName, longestRelation, type Named } from "../claim.ts";
import type { Rejected } from "../manifest.ts";

/** What a file of a ready graph comes to. */
export interface Imported {
	claims: Claim[];
	/** Entities with what is said of them, those without an edge among them. */
	entities: (Named & { description?: string })[];
	/** Items that are no triple, each with what is wrong with it. */
	rejected: Rejected[];
	/** Conversion warnings: what the form does not hold, or holds and is not carried over. */
	losses: string[];
	/** The form it was read as. */
	format: string;
}

export interface ImportOptions {
	/** What the file's page numbers begin with; without it they are left out, since pages here begin with 0. */
	pageBase?: 0 | 1;
	/** Most bytes of a file that must be read as a whole. */
	maxBytes?: number;
	/** Most triples and entities that are taken. */
	maxItems?: number;
}

export const bounds = { maxBytes: 256 * 1024 * 1024, maxItems: 5_000_000 };
/** Problems that are kept one by one; beyond, only their number is told. */
const mostRejected = 100_000;

/** Collects what a reader finds, checks it, and counts what is too much. */
export function collector(format: string, { maxItems = bounds.maxItems }: ImportOptions) {
	const imported: Imported = { claims: [], entities: [], rejected: [], losses: [], format };
	let beyond = 0;
	let unkept = 0;
	const refuse = (detail: string, item: unknown, reason = "bad-shape"): void => {
		const shown = (typeof item === "string" ? item : (JSON.stringify(item) ?? String(item))).slice(0, 2000);
		if (imported.rejected.length >= mostRejected) unkept += 1;
		else imported.rejected.push({ kind: "triple", reason, detail, item: shown, origin: format });
	};
	return {
		refuse,
		claim(claim: unknown): void {
			if (imported.claims.length >= maxItems) {
				beyond += 1;
				return;
			}
			const parsed = ClaimSchema.safeParse(claim);
			const [issue] = parsed.error?.issues ?? [];
			if (parsed.success) imported.claims.push(parsed.data);
			else refuse(`${issue?.path.join(".")}: ${issue?.message}`, claim);
		},
		entity(entity: Named & { description?: string }): void {
			if (imported.entities.length >= maxItems) beyond += 1;
			else if (/\S/.test(entity.name) && entity.name.length <= longestName) imported.entities.push(entity);
			else refuse(`a name of ${entity.name.length} characters`, entity.name.slice(0, 300));
		},
		lose(loss: string): void {
			if (!imported.losses.includes(loss)) imported.losses.push(loss);
		},
		done(): Imported {
			if (beyond > 0) imported.losses.push(`${beyond} items beyond the first ${maxItems} are left out`);
			if (unkept > 0) imported.losses.push(`${unkept} more items were refused than are kept in rejected.jsonl`);
			return imported;
		},
	};
}
export type Collector = ReturnType<typeof collector>;

/** A relation that is too long to be one is cut, with a sign that it was. */
export const relationOf = (text: string): string =>
	text.length > longestRelation ? `${text.slice(0, longestRelation - 1)}…` : text;

export const unreadable = (file: string, message: string): HopscopeError =>
	usageError("bad-graph-file", `${file}: ${message}`, "See hopscope graph import --help for the forms that are read.", {
		facts: { file },
	});

/** 0-based pages from what a field says: a number, a list, or numbers joined by `<SEP>`, commas or spaces. */
export function pagesFrom(said: unknown, base: 0 | 1): number[] {
	const parts = Array.isArray(said) ? said : String(said ?? "").split(/<SEP>|[,;\s]+/);
	const pages = parts.flatMap((part) => (/^\d{1,7}$/.test(String(part).trim()) ? [Number(part) - base] : []));
	return [...new Set(pages.filter((page) => page >= 0))].sort((a, b) => a - b);
}
