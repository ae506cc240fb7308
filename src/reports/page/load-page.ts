import type * as Page from "./report-page.ts";

// plots take longer to load than most commands take: a page is loaded when one is wanted
export const htmlReport: typeof Page.htmlReport = async (...given) =>
	(await import("./report-page.ts")).htmlReport(...given);

export const viewsPage = async (...given: Parameters<typeof Page.viewsPage>): Promise<string> =>
	(await import("./report-page.ts")).viewsPage(...given);
