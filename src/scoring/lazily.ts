/** A value that is made when it is first asked for: tables that few commands read must not cost every start. */
export function lazily<T>(make: () => T): () => T {
	let made: { value: T } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}
