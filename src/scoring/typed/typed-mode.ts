/**
 * Which published reading of typed accuracy applies:
 * - `relative-10` (default): numbers within a tenth of the gold, InfoSeek's reading;
 * - `absolute-0.1`: numbers within 0.1 of the gold, the other reading of MMhops-R1's sentence;
 * - `infoseek-2023`: InfoSeek's script as released, number parser's quirks and all;
 * - `mmhops`: as `relative-10`, with the times that the paper's accepted lists hold.
 */
export const typedModes = ["relative-10", "absolute-0.1", "infoseek-2023", "mmhops"] as const;
export type TypedMode = (typeof typedModes)[number];
