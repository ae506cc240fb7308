import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to the tasks that a filter leaves. */
export const ToTasks = ({
	run,
	where,
	className,
	label,
	children,
}: {
	run: string;
	where: string;
	className?: string | undefined;
	/** What is said of it, where its content alone does not say it. */
	label?: string;
	children: ReactNode;
}) => (
	<Link
		to="/runs/$run/tasks"
		params={{ run }}
		search={where === "" ? {} : { where }}
		{...(className === undefined ? {} : { className })}
		aria-label={label}
	>
		{children}
	</Link>
);
