import type { AddCommand } from "../context.ts";
import { addReviewImport } from "./review-import.ts";
import { addReviewQueue } from "./review-queue.ts";
import { addReviewSettle } from "./review-settle.ts";
import { addReviewStatus } from "./review-status.ts";

export const addReview: AddCommand = (review, context, exit) => {
	addReviewQueue(review, context);
	addReviewImport(review, context, exit);
	addReviewStatus(review, context);
	addReviewSettle(review, context);
	return review;
};
