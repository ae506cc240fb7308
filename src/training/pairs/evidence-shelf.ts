import type { Evidence, EvidenceKind } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { TrainingImage } from "../conversations/example.ts";
import type { RetrieverEvidence } from "./pair.ts";

const mostKept = 50_000;

/** Evidence looked up once, and as a retriever is shown it. */
export function createEvidenceShelf(knowledge: Pick<KnowledgeBase, "evidence" | "file">) {
	const known = new Map<string, Evidence | undefined>();

	async function get(ids: readonly string[]): Promise<Map<string, Evidence>> {
		if (known.size > mostKept) known.clear();
		const missing = [...new Set(ids)].filter((id) => !known.has(id));
		await Promise.all(missing.map(async (id) => known.set(id, await knowledge.evidence(id))));
		return new Map(
			ids.flatMap((id) => {
				const evidence = known.get(id);
				return evidence ? [[id, evidence] as const] : [];
			}),
		);
	}

	return {
		get,
		/** The kinds of those that there are. */
		async kindsOf(ids: readonly string[]): Promise<EvidenceKind[]> {
			return [...new Set([...(await get(ids)).values()].map(({ kind }) => kind))];
		},
		/** The pictures of one pair, those given first; `shown` adds those of what it shows. */
		pictures(first: readonly TrainingImage[]) {
			const images = [...first];
			return {
				images,
				/** Undefined for an image whose file is gone; a page then stands by its words. */
				async shown(evidence: Evidence): Promise<RetrieverEvidence | undefined> {
					const { id, kind, title } = evidence;
					const text = evidence.kind === "image" ? evidence.caption : evidence.text;
					const file = await knowledge.file(evidence, "picture");
					if (file === undefined) return kind === "image" ? undefined : { id, kind, title, text };
					const sha256 = kind === "image" ? { sha256: evidence.sha256 } : {};
					return { id, kind, title, text, image: images.push({ id, file, ...sha256 }) - 1 };
				},
			};
		},
	};
}
