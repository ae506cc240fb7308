import type { htmlReport as draw } from "./html-report.ts";
import type { viewsPage as drawViews } from "./views/render/render-html.ts";

/** The page of `html-report.ts`, loaded when one is wanted: its plots take longer to load than most commands take. */
export const htmlReport: typeof draw = async (...given) => (await import("./html-report.ts")).htmlReport(...given);

/** A page of views alone, loaded when one is wanted. */
export const viewsPage = async (...given: Parameters<typeof drawViews>): Promise<string> =>
	(await import("./views/render/render-html.ts")).viewsPage(...given);
