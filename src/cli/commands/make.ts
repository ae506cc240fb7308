import { exitCodes, HopscopeError } from "#domain";
import { openWorkspace } from "#store";
import { type AddCommand, type CommonOptions, withWorkspace } from "../context.ts";
import { createStages } from "../progress.ts";

export const addMake: AddCommand = (command, { output, signal }) =>
	withWorkspace(command)
		.argument("<recipe>", "atlas")
		.option("--force", "make it anew even when it is there")
		.addHelpText("after", "\nExample:\n  $ hopscope make atlas && hopscope run --benchmark atlas --agent extractive")
		.action(async (recipe: string, options: CommonOptions & { force?: boolean }) => {
			if (recipe !== "atlas")
				throw new HopscopeError("unknown-recipe", `no recipe is called "${recipe}"`, "There is: atlas.", {
					exitCode: exitCodes.usage,
				});
			const progress = createStages(output, "atlas");
			// what draws and writes the sample takes a while to load, and no other command needs it
			const { prepareAtlas } = await import("#atlas");
			const atlas = await prepareAtlas(openWorkspace(options.workspace), {
				force: options.force === true,
				signal,
				onProgress: progress.update,
			});
			progress.end();
			if (options.json) return output.write(JSON.stringify(atlas));
			output.write(
				`atlas: ${atlas.counts.passage} passages, ${atlas.counts.image} images, ${atlas.counts.page} pages, ${atlas.tasks} tasks${atlas.made ? "" : " (already there)"}`,
			);
		});
