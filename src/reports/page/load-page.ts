import type * as Page from "./views-page.ts";

// plots take longer to load than most commands take: a page is loaded when one is wanted
export const viewsPage = async (...given: Parameters<typeof Page.viewsPage>): Promise<string> =>
	(await import("./views-page.ts")).viewsPage(...given);
