import { z } from "zod";
import { type Item, type Topology, topologyOf } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { asDrop, asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { rule } from "../rules/rule.ts";
import { Cluster } from "./cluster.ts";

export const topologies = [
	"image-initiated-chain",
	"text-only-chain",
	"image-text-fork",
	"multi-image-fork",
	"text-initiated-chain",
] as const;
type AskedTopology = (typeof topologies)[number];

/** What each shape is, as a generator is told: its build, and where each step rests. */
export const structures: Record<AskedTopology, string> = {
	"image-initiated-chain":
		"A line of steps. The first is answered by looking at an image: it recognises something or reads something off. Every later step is answered by a text and builds on the step before it.",
	"text-only-chain":
		"A line of steps, all answered by texts. No image is used. Every step but the first asks about the answer of the step before it.",
	"image-text-fork":
		"Two first steps side by side that build on nothing: one answered by an image, one by a text. The next step builds on both, and is answered by a text; further steps build on it.",
	"multi-image-fork":
		"Two first steps side by side that build on nothing, each answered by another image. The next step builds on both: it compares them or finds what they share. Further steps build on it and are answered by texts.",
	"text-initiated-chain":
		"A line of steps. The first is answered by a text and builds on nothing; the last is answered by looking at an image that the steps before lead to. Every step builds on the one before it.",
};

const least: Record<AskedTopology, { texts: number; images: number }> = {
	"image-initiated-chain": { texts: 1, images: 1 },
	"text-only-chain": { texts: 2, images: 0 },
	"image-text-fork": { texts: 2, images: 1 },
	"multi-image-fork": { texts: 1, images: 2 },
	"text-initiated-chain": { texts: 1, images: 1 },
};

/** A cluster with the shape of the question to make of it. */
export const ClusterTask = z.object({ id: z.string(), cluster: Cluster, topology: z.enum(topologies) });
export type ClusterTask = z.infer<typeof ClusterTask>;

/** Draws shapes for a cluster by their weights, among those that it has evidence for, each once. */
export function drawnTopologies({
	mix,
	perCluster,
}: {
	mix: Readonly<Record<AskedTopology, number>>;
	perCluster: number;
}): Stage<Cluster, ClusterTask> {
	return defineStage("expand", "topologies", 1, {
		params: { mix, perCluster },
		yields: perCluster,
		output: ClusterTask,
		run(cluster, { random }) {
			const draws = random(cluster.id);
			let open = topologies.filter(
				(one) => mix[one] > 0 && cluster.texts.length >= least[one].texts && cluster.images.length >= least[one].images,
			);
			const drawn: AskedTopology[] = [];
			while (open.length > 0 && drawn.length < perCluster) {
				let at = draws.between(
					0,
					open.reduce((sum, one) => sum + mix[one], 0),
				);
				const chosen = open.find((one) => {
					at -= mix[one];
					return at < 0;
				});
				drawn.push(chosen ?? (open[0] as AskedTopology));
				open = open.filter((one) => !drawn.includes(one));
			}
			if (drawn.length === 0) return [asDrop("dead_end", "too little for any shape")];
			return drawn.map((topology) => asPiece({ id: `${cluster.id}/${topology}`, cluster, topology }));
		},
	});
}

/**
 * Whether a chain's shape is the one asked for. Texts side by side are a text chain where a question may ask for several
 * things: MC-Search counts them so (Appendix M) and prints one (Appendix C).
 */
export const isShape = (made: Topology, asked: AskedTopology, { compound }: { compound: boolean }): boolean =>
	made === asked || (compound && made === "text-fork" && asked === "text-only-chain");

/** The chain has the shape that was asked for: it is derived from the graph, whatever the generator calls it. */
export function askedTopology({ compound }: { compound: boolean }): RuleCheck {
	return rule({ name: "asked-topology", version: 2, params: { compound }, lacks: lacksCluster }, (item) => {
		const { topology } = clusterOf(item);
		const made = topologyOf(item.chain);
		return isShape(made, topology, { compound }) ? pass() : fail("broken_graph", `asked for ${topology}, made ${made}`);
	});
}

/** What an item keeps of the cluster that it was made of. */
const ClusterNote = z.object({
	id: z.string(),
	topology: z.enum(topologies),
	texts: z.array(z.string()),
	images: z.array(z.string()),
	example: Cluster.shape.example,
});

export const clusterOf = (item: Item): z.infer<typeof ClusterNote> => ClusterNote.parse(item.notes.cluster);

/** What an item that another recipe made, or nobody, lacks to be looked at beside its cluster. */
export const lacksCluster = ({ notes }: Item): string | undefined =>
	notes.cluster === undefined ? "it notes no cluster that it was made of" : undefined;
