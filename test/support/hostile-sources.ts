/** A knowledge base and a benchmark, both called `hostile`, whose every text and name tries to be more than a text. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { Evidence, Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { sha256 } from "#store";

const attack =
	`<script>window.hurt=1</script><img src=x onerror="window.hurt=1"><svg onload="window.hurt=1"> ` +
	`[a](javascript:window.hurt=1) \u202egnp.exe\u2066 <a href="javascript:window.hurt=1">c</a>` +
	`<style>*{display:none}</style><base href="https://evil.example/"> `;

export const hostileDocument = `../../etc/passwd"><img src=x onerror=window.hurt=1>\u202e`;
export const hostileTask = `../../t"><svg onload=window.hurt=1>\u202e?a=1#b`;

export async function makeHostileSources(workspace: string): Promise<void> {
	const dir = join(workspace, "corpora/hostile");
	const about = { name: "hostile", licence: "CC0-1.0", sources: [] };
	const corpus = await createCorpus(dir, about);
	const picture = await sharp({ create: { width: 300, height: 400, channels: 3, background: "#fff" } })
		.png()
		.toBuffer();
	await mkdir(join(dir, "images"), { recursive: true });
	await writeFile(join(dir, "images/page.png"), picture);
	const size: [number, number] = [300, 400];
	const common = {
		...{ document: hostileDocument, title: `${attack}Report`, language: "en" },
		provenance: { source: "javascript:window.hurt=1", licence: attack },
	};
	const text = `${attack}The town has 900 inhabitants.`;
	const boxes = [
		[20, 20, 280, 60],
		[20, 80, 280, 200],
	] as const;
	corpus.add(
		Evidence.parse({
			...{ kind: "page", id: `${hostileDocument}#page=1`, ...common, text, page: 0, label: attack, size },
			...{ image: "images/page.png", sha256: sha256(text), status: { is: "ok" } },
			blocks: boxes.map((box, at) => ({ kind: at === 0 ? "heading" : "text", text, box })),
		}),
	);
	for (const at of [1, 2])
		corpus.add(
			Evidence.parse({
				...{
					kind: "passage",
					id: `${hostileDocument}#page=1.${at}`,
					...common,
					text: `${text} ${at}`,
					section: attack,
				},
				...{ sha256: sha256(text + at), regions: [{ page: 0, box: boxes[at - 1], size }] },
			}),
		);
	corpus.add(
		Evidence.parse({
			...{
				kind: "image",
				id: `${hostileDocument}#page=1.f1`,
				...common,
				caption: `${attack}A plan`,
				file: "images/page.png",
			},
			...{ width: 300, height: 400, sha256: sha256(picture) },
		}),
	);
	await corpus.finish();
	await buildKnowledge(dir, join(workspace, "knowledge/hostile"));
	const answer = { type: "string", value: `${attack}900`, accepted: [`${attack}900`] };
	await writeBenchmark(join(workspace, "benchmarks/hostile"), {
		manifest: { ...about, title: `${attack}Hostile`, description: attack, knowledge: "hostile" },
		tasks: [hostileTask, "1"].map((id) =>
			Task.parse({
				...{ id, question: `${attack}How many inhabitants has the town?`, answer },
				tags: { language: "en", '"><b>': attack },
				chain: {
					hops: [
						{
							...{ id: "1", question: `${attack}How many?`, modality: "text", relation: attack },
							...{ evidence: [`${hostileDocument}#page=1.1`, `${hostileDocument}#page=1`], answer },
						},
					],
					sink: "1",
				},
			}),
		),
		card: "# Hostile",
	});
}
