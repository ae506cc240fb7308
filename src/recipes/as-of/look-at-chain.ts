import { type Answer, type Evidence, type Hop, type Item, inDependencyOrder } from "#domain";
import type { ImagePart } from "#models";
import type { Encyclopedia } from "../encyclopedia/encyclopedia.ts";
import { type StageContext, StageFault } from "../engine/stage.ts";
import type { ProbeSources } from "../probes/view.ts";
import { byEncyclopedia } from "./by-encyclopedia.ts";
import { byEvidence, type EvidenceSources } from "./by-evidence.ts";
import { byModel } from "./by-model.ts";
import type { HopLook } from "./hop-look.ts";
import { recomputed } from "./recomputed.ts";

export interface LookSources extends EvidenceSources {
	encyclopedia?: Encyclopedia | undefined;
	/** What a model is shown beside the gold evidence. */
	shown: ProbeSources;
	/** Passages that a search for the hop's question adds to what a model is shown. */
	searched: number;
	/** The day of looking, `YYYY-MM-DD`. */
	day: string;
}

/**
 * Looks at every hop, each after those it needs: arithmetic computes again, an encyclopedia goes before the words of the
 * evidence, and a model reads where these are not sure. What asks about the answer of a changed hop is not looked at.
 */
export async function lookAtChain(item: Item, context: StageContext, sources: LookSources): Promise<HopLook[]> {
	const looks = new Map<string, HopLook>();
	const answers = new Map<string, Answer>();
	for (const hop of inDependencyOrder(item.chain)) {
		const look = await lookAt(hop);
		looks.set(hop.id, look);
		answers.set(hop.id, look.now ?? hop.answer);
	}
	return item.chain.hops.flatMap(({ id }) => looks.get(id) ?? []);

	async function lookAt(hop: Hop): Promise<HopLook> {
		if (hop.compute || (hop.modality === "compute" && hop.evidence.length === 0))
			return recomputed(hop, item, { looks, answers });
		const moved = hop.needs.find((need) => {
			const { is } = looks.get(need.hop) ?? {};
			return is === "changed" || is === "rests-on-changed";
		});
		if (moved)
			return { hop: hop.id, is: "rests-on-changed", by: "chain", says: `it asks about ${moved.hop}, which changed` };
		const { sure, found, ...stated } = await byEvidence(hop, sources);
		if (stated.is === "gone") return stated;
		const { language } = item.tags;
		const { encyclopedia, day, reading } = sources;
		if (encyclopedia) {
			const subjects = [...bridgesOf(hop, item), ...new Set(found.map(({ title }) => title))];
			const known = await byEncyclopedia(hop, {
				encyclopedia,
				subjects,
				language,
				day,
				reading,
				signal: context.signal,
			});
			if (known) return known;
		}
		if (sure || !context.has("solver")) return stated;
		const [evidence, images] = [await readingFor(hop, found), await imagesFor(hop)];
		return evidence.length + images.length > 0
			? byModel(hop, context, { evidence, images, language, reading })
			: stated;
	}

	/** The evidence as it is today, and what a search for the question finds today. */
	async function readingFor(hop: Hop, found: readonly Evidence[]): Promise<Evidence[]> {
		const { shown, searched } = sources;
		const more = searched > 0 ? ((await shown.search?.(hop.question, { k: searched })) ?? []) : [];
		return [...new Map([...found, ...more].map((one) => [one.id, one])).values()];
	}

	/** The question's images, for hops that look at them. */
	async function imagesFor(hop: Hop): Promise<ImagePart[]> {
		if (hop.modality !== "image" && item.chain.hops.length > 1) return [];
		const parts: ImagePart[] = [];
		for (const image of item.images) {
			const part = await sources.shown.picture?.({ image });
			if (!part) throw new StageFault(`the image ${image.file} cannot be shown`);
			parts.push(part);
		}
		return parts;
	}
}

/** Names of what the hop asks about, where other hops find it. */
const bridgesOf = ({ needs }: Hop, { chain }: Item): string[] =>
	needs
		.filter(({ role }) => role === "bridge")
		.flatMap(({ hop }) => chain.hops.find(({ id }) => id === hop)?.answer.value ?? []);
