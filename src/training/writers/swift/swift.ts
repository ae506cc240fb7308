import { join } from "node:path";
import { fillTrainerFile } from "../../trainer-files.ts";
import { conversationWriter } from "../conversation-writer.ts";
import { cutoffFor } from "../lengths.ts";
import { toolsText } from "../llamafactory/rows.ts";
import { swiftMarks } from "../marks.ts";
import { checkSwift } from "./check.ts";
import { type SwiftMessage, swiftMessages } from "./rows.ts";

export const swift = conversationWriter({
	name: "swift",
	title: "ms-swift (messages with a loss each)",
	tiles: true,
	ownLoss: true,
	async rowOf({ system, turns }, example, scribe) {
		const messages: SwiftMessage[] = [];
		if (system !== "") messages.push({ role: "system", content: swiftMarks.escape(system) });
		for (const turn of turns) messages.push(...(await swiftMessages(turn, scribe)));
		const tools = toolsText(example.tools, swiftMarks);
		return { messages, toolsText: tools, ...(tools === "" ? {} : { columns: { tools } }) };
	},
	async configure(dir, { file, maxPixels, longest }) {
		await fillTrainerFile("swift-sft.sh", join(dir, "train-swift.sh"), {
			file,
			longest: longest.qwen2_vl,
			cutoff: cutoffFor(longest.qwen2_vl),
			max_pixels: maxPixels,
		});
		return ["train-swift.sh"];
	},
	reread: checkSwift,
});
