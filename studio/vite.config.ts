import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Builds the pages into files that the package ships; `npm run studio` serves them with the data of a running studio. */
export default defineConfig({
	root: import.meta.dirname,
	// an export is opened from disk, where nothing has a root
	base: "./",
	plugins: [
		react(),
		{
			name: "plain-script",
			// a page opened from disk may load no modules
			transformIndexHtml: {
				order: "post",
				handler: (html, { bundle }) =>
					bundle ? html.replaceAll(' type="module"', " defer").replaceAll(" crossorigin", "") : html,
			},
		},
	],
	build: {
		outDir: "../dist/studio",
		emptyOutDir: true,
		target: "es2022",
		// one script and one style sheet: an export holds them, and opens from disk without modules
		modulePreload: false,
		chunkSizeWarningLimit: 1000,
		assetsInlineLimit: 0,
		cssCodeSplit: false,
		rolldownOptions: {
			output: { format: "iife", entryFileNames: "studio.js", assetFileNames: "studio[extname]", codeSplitting: false },
		},
	},
	server: { proxy: { "/api": process.env.HOPSCOPE_STUDIO ?? "http://127.0.0.1:8600" } },
});
