import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ReviewOf, ReviewRound } from "../../../../src/studio/review-pages.ts";

/** A link to a queue, or to it as one person sees it. */
export function QueueLink({
	queue: { kind, of },
	reviewer,
	round = 1,
	item,
	className,
	children,
}: {
	queue: ReviewOf;
	reviewer?: string;
	round?: ReviewRound;
	item?: string;
	className?: string | undefined;
	children: ReactNode;
}) {
	const search = {
		...(reviewer === undefined ? {} : { reviewer }),
		...(round === 1 ? {} : { round }),
		...(item === undefined ? {} : { item }),
	};
	return kind === "items" ? (
		<Link to="/review/$of" params={{ of }} search={search} className={className}>
			{children}
		</Link>
	) : (
		<Link to="/review/$kind/$of" params={{ kind, of }} search={search} className={className}>
			{children}
		</Link>
	);
}
