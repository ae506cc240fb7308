import type { Media, MessageView } from "../../../../../src/studio/pages.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import { Picture } from "../../../parts/picture.tsx";
import { LongText } from "./long-text.tsx";
import styles from "./message-shown.module.css";

/** One message as it went over the wire: text as text, whatever stands in it. */
export function MessageShown({
	message: { role, conversation, thought, calls, content },
	index,
	run,
	task,
	repeat,
	onPicture,
}: {
	message: MessageView;
	index: number;
	run: string;
	task: string;
	repeat: number;
	onPicture: (picture: Media) => void;
}) {
	return (
		<article className={styles.message} data-role={role} aria-label={`Message ${index + 1}, ${role}`}>
			<header className={styles.head}>
				<b>{role}</b>
				{conversation !== null && <bdi>{conversation}</bdi>}
				<span>{index + 1}</span>
			</header>
			{thought !== null && (
				<div className={styles.thought}>
					<Clipped text={thought} lines={6} />
				</div>
			)}
			{content.map((part, at) =>
				"text" in part ? (
					<LongText
						// biome-ignore lint/suspicious/noArrayIndexKey: a part is named by its place
						key={at}
						text={part.text}
						length={part.length}
						run={run}
						of={{ task, repeat, message: index, part: at }}
					/>
				) : part.picture ? (
					<Picture
						key={part.file}
						run={run}
						picture={part.picture}
						height={160}
						onOpen={() => part.picture && onPicture(part.picture)}
					/>
				) : (
					<p key={part.file} className={styles.file}>
						image <bdi>{part.file}</bdi>, which the studio does not have
					</p>
				),
			)}
			{calls.map(({ name, arguments: given }, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: calls of one message never change places
				<div key={at} className={styles.call}>
					<b>
						calls <bdi>{name}</bdi>
					</b>
					<Clipped text={given} lines={6} most={600} />
				</div>
			))}
		</article>
	);
}
