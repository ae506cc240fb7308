import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { formats } from "#benchmarks";
import { chainProblems } from "#domain";
import { roundTripProblems } from "../../../test/support/benchmarks/round-trip.ts";

const data = "../shared/data";
const Real = z.array(
	z.object({
		format: z.string(),
		files: z.array(z.string()),
		images: z.string().optional(),
		documents: z.string().optional(),
		rows: z.number(),
		tasks: z.number(),
		refused: z.number(),
	}),
);
/** Every real file in reach; `npm run formats` makes the table of docs/formats.md of the same list. */
const real = Real.parse(JSON.parse(readFileSync("scripts/real-files.json", "utf8")));

describe.each(real)("$format reads $files", ({ format: name, files, images, documents, rows, tasks, refused }) => {
	const paths = files.map((file) => join(data, file));
	const missing = paths.some((path) => !existsSync(path));
	const options = {
		...(images === undefined ? {} : { images: join(data, images) }),
		...(documents === undefined ? {} : { documents }),
	};
	const format = formats[name];
	test.skipIf(missing)("every row is a task or refused with a reason", async () => {
		const reading = await format?.read?.(paths, options);
		expect(reading).toMatchObject({ rows });
		expect([reading?.tasks.length, reading?.refused.length]).toEqual([tasks, refused]);
		expect(reading?.refused.every(({ row, reason }) => row > 0 && reason !== "")).toBe(true);
		const known = new Set(reading?.evidence.map(({ id }) => id));
		for (const task of reading?.tasks ?? [])
			expect(chainProblems(task, documents === undefined ? { resolves: (id) => known.has(id) } : {})).toEqual([]);
	});
	test.skipIf(missing || !format?.write)("and gives them back as they were", async () => {
		expect(format && (await roundTripProblems(format, paths, options))).toEqual([]);
	});
});
