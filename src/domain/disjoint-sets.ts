/** Sets of names that are joined two by two (union and find); of two sets, the root of the first leads both. */
export function disjointSets<Name>() {
	const parents = new Map<Name, Name>();
	const rootOf = (name: Name): Name => {
		let root = name;
		for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
		// the path is shortened, so that long chains of joins stay cheap
		for (let at = name; at !== root; ) {
			const next = parents.get(at) ?? root;
			parents.set(at, root);
			at = next;
		}
		return root;
	};
	return {
		rootOf,
		join(first: Name, second: Name): void {
			const [root, other] = [rootOf(first), rootOf(second)];
			if (root !== other) parents.set(other, root);
		},
	};
}
