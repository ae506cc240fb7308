import { fileInside } from "#store";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

interface Shown {
	sha256: string;
	file: string;
	tasks: Set<User>;
}

/** A task that shows it. */
interface User {
	id: string;
	split: string;
	cluster: string;
}

/**
 * Images that stand in several tasks, or look the same: those tasks depend on one another, which is harmless within a
 * cluster and a leak across splits.
 */
export const duplicateImagesCheck: BenchmarkCheck = {
	name: "duplicate-images",
	about: "tasks that show the same or nearly the same image belong to one cluster and one split",
	async run({ dir, tasks, picture, limits, signal }) {
		const images = new Map<string, Shown>();
		for await (const { id, images: own, tags, cluster, ladder } of tasks) {
			const user: User = { id, split: tags.split ?? "", cluster: cluster ?? ladder?.id ?? id };
			for (const { sha256, file } of own) {
				const known = images.get(sha256);
				if (!known) images.set(sha256, { sha256, file, tasks: new Set([user]) });
				else known.tasks.add(user);
			}
		}
		const shown = [...images.values()].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
		const findings = shown.flatMap((image) => apart("same-image", [...image.tasks], `the image ${image.file}`));
		const shared = shown.filter(({ tasks: users }) => users.size > 1).length;
		const figures = [{ name: "images in more than one task", value: shared, of: shown.length }];
		if (!picture) return { looked: shown.length, findings, figures, notes: ["only identical files were compared"] };
		const described: { image: Shown; descriptor: Float32Array }[] = [];
		for (const image of shown) {
			signal?.throwIfAborted();
			const file = fileInside(dir, image.file);
			// a file that cannot be decoded is the media check's to tell
			const seen = file === undefined ? undefined : await picture(file).catch(() => undefined);
			if (seen) described.push({ image, descriptor: seen.descriptor });
		}
		let pairs = 0;
		for (const [a, b] of nearPairs(described, limits.nearImage)) {
			pairs += 1;
			findings.push(
				...apart("near-image", [...a.tasks, ...b.tasks], `images that look the same (${a.file}, ${b.file})`),
			);
		}
		return {
			...{ looked: shown.length, findings },
			figures: [...figures, { name: "pairs of other files that look the same", value: pairs }],
		};
	},
};

function apart(code: string, tasks: readonly User[], what: string): FoundProblems {
	const splits = new Set(tasks.map(({ split }) => split));
	const clusters = new Set(tasks.map(({ cluster }) => cluster));
	const [task, ...others] = [...new Set(tasks.map(({ id }) => id))];
	if (task === undefined || clusters.size < 2) return [];
	const leaks = splits.size > 1;
	return [
		{
			...{ code, severity: leaks ? "error" : "note", task, others },
			message: `task ${task}: ${others.length} other tasks show ${what} and belong to ${leaks ? `other splits (${[...splits].map((split) => split || "none").join(", ")})` : "other clusters"}; ${leaks ? "split anew" : "give them one cluster"}`,
		},
	];
}

/**
 * Pairs within a distance, by descriptors in order of their distance from one of them: two that differ more there cannot
 * be nearer to one another (triangle inequality).
 */
function* nearPairs(
	described: readonly { image: Shown; descriptor: Float32Array }[],
	most: number,
): Generator<[Shown, Shown]> {
	const [pivot] = described;
	if (!pivot) return;
	const ordered = described
		.map((one) => ({ ...one, from: distance(one.descriptor, pivot.descriptor) }))
		.sort((a, b) => a.from - b.from || (a.image.sha256 < b.image.sha256 ? -1 : 1));
	for (const [index, one] of ordered.entries())
		for (let next = index + 1; next < ordered.length; next += 1) {
			const other = ordered[next];
			if (!other || other.from - one.from > most) break;
			if (distance(one.descriptor, other.descriptor) <= most) yield [one.image, other.image];
		}
}

function distance(a: Float32Array, b: Float32Array): number {
	let sum = 0;
	for (let index = 0; index < a.length; index += 1) sum += ((a[index] ?? 0) - (b[index] ?? 0)) ** 2;
	return Math.sqrt(sum);
}
