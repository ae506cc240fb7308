import type { Media } from "../../../../../src/studio/pages.ts";
import type { BenchmarkTask } from "../../../../../src/studio/sources-pages.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import { Picture } from "../../../parts/picture.tsx";
import type { PictureBox } from "../../../parts/picture-dialog.tsx";
import styles from "./benchmark-question.module.css";

/** What is asked, and what is right. */
export function BenchmarkQuestion({
	media,
	page: { question, images, answer, hops },
	onOpen,
}: {
	media: string;
	page: BenchmarkTask;
	onOpen: (picture: Media, boxes: PictureBox[]) => void;
}) {
	const others = answer.accepted.filter((one) => one !== answer.value);
	/** What hops look at in an image, as shares of its size. */
	const boxesOf = (image: number, { width, height }: Media): PictureBox[] =>
		hops.flatMap(({ place, region }) =>
			region?.image === image && width && height
				? [
						{
							corners: [region.box[0] / width, region.box[1] / height, region.box[2] / width, region.box[3] / height],
							label: `hop ${place}`,
							is: "gold",
						},
					]
				: [],
		);
	return (
		<section className={styles.question} aria-label="Question and answer">
			{images.map((image, at) => (
				<Picture
					key={image.name}
					run={media}
					picture={image}
					height={72}
					onOpen={() => onOpen(image, boxesOf(at, image))}
				/>
			))}
			<div className={styles.text}>
				<Clipped text={question} lines={4} most={420} />
			</div>
			<dl className={styles.answer}>
				<dt>
					<span aria-hidden="true">◆ </span>Gold
				</dt>
				<dd>
					{answer.type === "none" ? <i>it cannot be answered</i> : <bdi>{answer.value}</bdi>}
					{answer.asOf !== "" && <small>as of {answer.asOf}</small>}
					{others.length > 0 && (
						<details>
							<summary>or {others.length} more</summary>
							<ul>
								{others.map((one) => (
									<li key={one}>
										<bdi>{one}</bdi>
									</li>
								))}
							</ul>
						</details>
					)}
				</dd>
			</dl>
		</section>
	);
}
