import type { Tools } from "#agents";
import { HopscopeError, type Intervention, searchTools } from "#domain";
import { aroundSearches } from "./around-searches.ts";
import type { Intervene } from "./given.ts";

type Modality = Extract<Intervention, { is: "without" }>["modality"];

/** A kind of source is gone: what searches it finds nothing; or the question comes without its images. */
export function without({ modality }: { modality: Modality }): Intervene {
	if (modality === "question-images") return withoutImages;
	return ({ view, context, note, ask }) => {
		const tools = aroundSearches(context.tools, async (search) => {
			note.searched();
			if (searchTools[search.tool] !== modality) return search.run();
			note.acted();
			return { results: [] };
		});
		return ask(view, { tools });
	};
}

const withoutImages: Intervene = ({ view, gold, context, note, ask }) => {
	if (view.images.length === 0) note.why = "the question has no image";
	else note.gave();
	return ask({ ...view, images: [] }, { tools: blind(context.tools), gold: { ...gold, images: [] } });
};

/** Tools for which there are no images: a call that names one is refused as any call of an image that is not there. */
function blind(tools: Tools): Tools {
	const refuse = () => Promise.reject(new HopscopeError("bad-call", "there are no images", "Search in words instead."));
	return {
		...tools,
		image_search_by_image: refuse,
		...(tools.image_crop ? { image_crop: refuse } : {}),
		...(tools.web_image_search ? { web_image_search: refuse } : {}),
	};
}
