import { z } from "zod";

/**
 * How answers are scored: a property of the benchmark (its default), which a suite or a run may override. Every record
 * and every table names it.
 * - `hopscope` (default): the asserted answer is read; numbers by their kind, tolerance only for measures, shares and
 *   money where the benchmark states one;
 * - `relative-10`: numbers within a tenth of the gold, InfoSeek's reading; the first that parses counts;
 * - `absolute-0.1`: numbers within 0.1 of the gold, the other reading of MMhops-R1's sentence;
 * - `infoseek-2023`: InfoSeek's script as released, its number parser's quirks and all;
 * - `mmhops`: as `relative-10`, with the times that the paper's accepted lists hold;
 * - `mmlongbench`: MMLongBench-Doc's scoring by the answer's format;
 * - `tracer-official`: AgenticRAGTracer's script: EM and F1 over the accepted answers that it uses.
 */
export const scoringModes = [
	"hopscope",
	"relative-10",
	"absolute-0.1",
	"infoseek-2023",
	"mmhops",
	"mmlongbench",
	"tracer-official",
] as const;
export const ScoringMode = z.enum(scoringModes);
export type ScoringMode = z.infer<typeof ScoringMode>;
