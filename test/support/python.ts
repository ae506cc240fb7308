/** A Python that has what a test needs, for tests against the tools that others use. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

/** The interpreter of HOPSCOPE_PYTHON, else `python3`; undefined where it lacks one of the modules. */
export function pythonWith(...modules: string[]): string | undefined {
	const python = process.env.HOPSCOPE_PYTHON ?? "python3";
	const { status } = spawnSync(python, ["-c", `import ${modules.join(", ")}`], { stdio: "ignore" });
	return status === 0 ? python : undefined;
}

/** What a program prints, as JSON. */
export async function printedBy(python: string, program: string, args: string[] = []) {
	const { stdout } = await promisify(execFile)(python, ["-c", program, ...args], { maxBuffer: 1 << 26 });
	return JSON.parse(stdout) as ReturnType<typeof JSON.parse>;
}
