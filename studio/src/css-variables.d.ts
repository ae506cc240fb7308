import "react";

declare module "react" {
	interface CSSProperties {
		/** Sizes that a style sheet reads are handed to it as its own variables. */
		[variable: `--${string}`]: string | number | undefined;
	}
}
