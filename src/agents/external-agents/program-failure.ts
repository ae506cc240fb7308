/** The program that is the agent did something wrong, or nothing: recorded as the agent's error. */
export class ProgramFailure extends Error {
	override readonly name = "ProgramFailure";
}
