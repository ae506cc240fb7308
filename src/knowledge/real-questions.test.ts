import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { createCorpus } from "#corpus";
import { buildKnowledge, openKnowledge } from "#knowledge";
import { sha256 } from "#store";
import { longTest } from "../../test/long.ts";

const file = resolve("../shared/data/morehopqa/morehopqa_150.json");
const Items = z.array(
	z.object({
		question_decomposition: z.array(z.object({ question: z.string(), paragraph_support_title: z.string() })),
		context: z.array(z.tuple([z.string(), z.array(z.string())])),
	}),
);

longTest.skipIf(!existsSync(file))(
	"MoreHopQA's supporting paragraphs are found by the questions of their hops",
	async () => {
		const items = Items.parse(JSON.parse(await readFile(file, "utf8")));
		const dir = await mkdtemp(join(tmpdir(), "hopscope-real-"));
		const paragraphs = new Map(items.flatMap(({ context }) => context).map(([title, text]) => [title, text.join("")]));
		const writer = await createCorpus(join(dir, "corpus"), { name: "morehopqa", licence: "CC-BY-4.0", sources: [] });
		for (const [title, text] of paragraphs) {
			const common = { id: title, document: title, title, language: "en", provenance: { source: "MoreHopQA" } };
			writer.add({ kind: "passage", ...common, sha256: sha256(text), text, form: "prose" });
		}
		await writer.finish();
		await buildKnowledge(join(dir, "corpus"), join(dir, "knowledge"));
		const knowledge = await openKnowledge(join(dir, "knowledge"));
		const hops = items
			.flatMap((item) => item.question_decomposition)
			.filter((hop) => hop.paragraph_support_title !== "")
			.filter((_, index) => index % 2 === 0);
		const floors = { lexical: 0.88, dense: 0.75, hybrid: 0.85 };
		for (const mode of ["lexical", "dense", "hybrid"] as const) {
			let found = 0;
			for (const hop of hops) {
				const results = await knowledge.search({ text: hop.question, target: "passage", mode, k: 3 });
				if (results.some(({ title }) => title === hop.paragraph_support_title)) found += 1;
			}
			expect(found / hops.length, mode).toBeGreaterThan(floors[mode]);
		}
		await knowledge.close();
		await rm(dir, { recursive: true, force: true });
	},
);
