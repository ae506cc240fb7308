import type { Tools } from "#agents";

/**
 * Tools that number the images of a question which shows only some of the task's: those shown from 0, then the crops made
 * under it. `crops` counts all crops of the task, since the tools below number them on.
 */
export function onlyImages(
	tools: Tools,
	{ shown, of, crops }: { shown: readonly number[]; of: number; crops: { made: number } },
): Tools {
	const before = crops.made;
	const within = (index: number) => shown[index] ?? index - shown.length + of + before;
	const { image_crop: crop, web_image_search: webImages } = tools;
	return {
		...tools,
		image_search_by_image: (call) => tools.image_search_by_image({ ...call, image: within(call.image) }),
		...(crop && {
			async image_crop(call) {
				const made = await crop({ ...call, image: within(call.image) });
				crops.made += 1;
				return { ...made, index: made.index - of - before + shown.length };
			},
		}),
		...(webImages && { web_image_search: (call) => webImages({ ...call, image: within(call.image) }) }),
	};
}
