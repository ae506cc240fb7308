import { z } from "zod";

/*
 * Reading as jobs for processes on other machines, which have the same folders: of the sources, and of what is read. What
 * was read goes into the latter, so that nothing large goes from one to the other in a message.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const HashedFile = z.object({
	path: z.string(),
	label: z.string(),
	size: z.number().min(0),
	folder: z.literal(true).optional(),
	sha256,
	sides: sha256.optional(),
});
const Part = z.object({ from: z.number().min(0), to: z.number().min(0), line: z.number().optional() });
const ReadingOptions = z.object({
	dpi: z.number().min(0),
	ocr: z.array(z.string()),
	scans: z.boolean(),
	pagesFrom: z.literal(1).optional(),
});
const ReadingLimits = z.object({
	seconds: z.number().positive(),
	memory: z.number().positive(),
	pages: z.number().positive(),
});
const ReadingPoint = z.object({
	file: z.number().int().min(0),
	page: z.number().int().min(0).optional(),
	recognised: z.boolean().optional(),
});

/** Sources as those who read parts of them hear of them. */
export const AnnouncedReading = z.object({
	/** Of the corpus. */
	name: z.string(),
	/** Stands in the folder of what is read: who does not find it there has another folder. */
	nonce: z.string(),
	/** What was named: files and folders. */
	roots: z.array(z.string()),
	options: ReadingOptions,
	limits: ReadingLimits,
});
export type AnnouncedReading = z.infer<typeof AnnouncedReading>;

const Bounds = {
	/** Milliseconds by the clock. */
	ms: z.number().positive(),
	/** Of a document, or nothing for data in rows. */
	limits: ReadingLimits.optional(),
	/** What the document took so far. */
	budget: z.object({ spent: z.number(), allowed: z.number(), earned: z.array(z.string()) }).optional(),
};
export const ReadingJob = z.discriminatedUnion("do", [
	z.object({ do: z.literal("plan"), tool: z.string(), file: HashedFile, options: ReadingOptions, ...Bounds }),
	z.object({
		do: z.literal("read"),
		unit: z.object({
			key: z.string().regex(/^[0-9a-f]{40}$/),
			tool: z.string(),
			files: z.array(HashedFile).min(1),
			part: Part.optional(),
		}),
		skip: z.array(z.tuple([z.number(), z.string()])).optional(),
		...Bounds,
	}),
]);
export type ReadingJob = z.infer<typeof ReadingJob>;

/** What came of one, and what it took of its document's processor time. */
export const ReadingOutcome = z.object({
	spent: z.number().min(0).optional(),
	earned: z.array(z.string()).optional(),
	is: z.discriminatedUnion("is", [
		z.object({ is: z.literal("planned"), parts: z.array(Part), pages: z.number().int().min(0).optional() }),
		/** What it gave stands in the folder. */
		z.object({ is: z.literal("read") }),
		/** The process that read it did not survive. */
		z.object({ is: z.literal("died"), reason: z.string(), point: ReadingPoint.optional(), overBudget: z.boolean() }),
		z.object({ is: z.literal("problem"), message: z.string() }),
		/** Nobody elsewhere can do it, and why. */
		z.object({ is: z.literal("unable"), reason: z.string() }),
	]),
});
export type ReadingOutcome = z.infer<typeof ReadingOutcome>;
