/** How much is trained, and on how much. */
export interface TokenToyScale {
	hidden: number;
	pointer: number;
	/** Fine-tuning: demonstrations made, steps over some of them each, and the most steps for a start that does not pass. */
	demonstrations: number;
	steps: number;
	mostSteps: number;
	batch: number;
	fineTuningRate: number;
	/** Rounds of groups of episodes of one task each, gone over `epochs` times. */
	rounds: number;
	groups: number;
	size: number;
	epochs: number;
	rate: number;
	/** Episodes that copying is measured on, and policies are. */
	copied: number;
	evaluated: number;
}

/** About a minute of one core. */
export const tokenToyScale: TokenToyScale = {
	hidden: 32,
	pointer: 16,
	demonstrations: 2000,
	steps: 500,
	mostSteps: 1500,
	batch: 16,
	fineTuningRate: 0.005,
	rounds: 60,
	groups: 16,
	size: 8,
	epochs: 2,
	rate: 0.005,
	copied: 40,
	evaluated: 400,
};
