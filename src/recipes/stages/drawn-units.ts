import { type AcrossStage, asPiece, defineAcross, type Piece } from "../engine/stage.ts";

/**
 * Units in an order that the seed decides: whoever stops at some items has them of the whole corpus, and not of the documents
 * that come first by their names.
 */
export const drawnUnits = <Unit extends Piece>(name: string): AcrossStage<Unit, Unit> =>
	defineAcross("source", name, 1, {
		run: (all, { random }) => random(name).shuffle(all).map(asPiece),
	});
