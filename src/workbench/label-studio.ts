import { basename } from "node:path";
import type { Format } from "#benchmarks";
import { reviewItemOf, writeReviewFile } from "#recipes";

/** Tasks for reviewers, as `hopscope review` hands them out; what they decide comes back through it. */
export const labelStudio: Format = {
	name: "label-studio",
	title: "Label Studio",
	files: "what hopscope review import takes back",
	verified: "description",
	source: {
		name: "Label Studio",
		licence: "as the benchmark states",
		attribution: "as the benchmark states",
		url: "https://labelstud.io",
	},
	conventions: {},
	losses: [],
	async write({ tasks, evidence }, dir) {
		const items = [];
		for (const task of tasks) items.push(await reviewItemOf(task, { evidence }));
		const written = await writeReviewFile(dir, { reviewer: "everybody", items, form: "label-studio" });
		const losses = tasks.flatMap(({ id, images }) =>
			images.length > 0 ? [`${id}: its images are named, not written: serve the benchmark's folder`] : [],
		);
		return { files: written.map((file) => basename(file)), rows: items.length, losses };
	},
};
