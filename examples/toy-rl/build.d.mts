/** Makes `dist/` here of the example's TypeScript. */
export function buildToyRl(): void;
