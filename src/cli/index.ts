/** The command line: one file a command; composes the rooms, holds no logic. */
export type { Output } from "./output.ts";
export { createProgram, runCommand } from "./program.ts";
