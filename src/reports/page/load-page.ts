import type { PlotImage } from "../views/render/plot-image.ts";
import type { View } from "../views/view.ts";
import type * as Page from "./views-page.ts";

// plots take longer to load than most commands take: what draws them is loaded when one is wanted

export const viewsPage = async (...given: Parameters<typeof Page.viewsPage>): Promise<string> =>
	(await import("./views-page.ts")).viewsPage(...given);

export const plotImages = async (view: View): Promise<PlotImage[]> =>
	(await import("../views/render/plot-image.ts")).plotImages(view);
