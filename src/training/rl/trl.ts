import { join } from "node:path";
import { z } from "zod";
import { writeJson } from "#store";
import { trlMarks } from "../writers/marks.ts";
import { imageProblems, type RlFormat, rereadRows, writeSplits } from "./rl-format.ts";
import { imagesOf, type RlMessage } from "./rl-task.ts";

const Row = z.object({
	prompt: z.array(z.object({ role: z.enum(["system", "user"]), content: z.string() })).min(1),
	task: z.string().min(1),
	images: z.array(z.string()).optional(),
});

/** TRL's GRPOTrainer with an environment whose methods are the declared tools. */
export const trl: RlFormat = {
	name: "trl",
	title: "TRL",
	speaks: "calls",
	programs: ["hopscope_client.py", "hopscope_turns.py", "hopscope_trl.py", "train_trl.py"],
	async write(splits, dir, { server, limit, tools }) {
		const tasks = [...splits.values()].flat();
		const pictured = tasks.some((task) => imagesOf(task).length > 0);
		await writeJson(join(dir, "tools.json"), tools);
		await writeJson(join(dir, "environment.json"), { server, limit });
		const files = await writeSplits(splits, dir, (task) => ({
			prompt: task.messages.map(imagesFirst),
			...(pictured ? { images: imagesOf(task) } : {}),
			task: task.task,
			...(task.hops === null ? {} : { hops: task.hops }),
		}));
		return ["tools.json", "environment.json", ...files];
	},
	reread: (dir, files) =>
		rereadRows(dir, files, {
			ending: ".jsonl",
			schema: Row,
			check: ({ prompt, images = [] }) => [
				...imageProblems(dir, images, images.length),
				...(images.length > 0 && prompt.filter(({ role }) => role === "user").length !== 1
					? ["more than one user turn: TRL puts all images into the first"]
					: []),
			],
		}),
};

/** TRL puts a row's images before the text of its first user turn, which is where protocols that call functions have them. */
function imagesFirst({ role, content }: RlMessage) {
	const text = content.flatMap((part) => (part.type === "text" ? [trlMarks.escape(part.text)] : []));
	return { role, content: text.join("\n") };
}
