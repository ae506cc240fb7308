import { z } from "zod";
import { Reason, Review } from "#domain";
import { evidenceAsText, hopsAsText, type ReviewItem } from "./review-item.ts";
import { editFits } from "./table-form.ts";

/*
 * Label Studio's JSON: an array of tasks, each with `data`, and after labelling `annotations`, whose `result` holds one
 * entry a control by its name. Source: Label Studio's documented export form (JSON).
 */

export const labelStudioTask = (item: ReviewItem, { imagePrefix = "" }: { imagePrefix?: string } = {}) => ({
	data: {
		item: item.id,
		question: item.question,
		answer: [item.answer, ...item.alsoRight].join(" | "),
		hops: hopsAsText(item),
		evidence: evidenceAsText(item),
		images: item.images.map((file) => `${imagePrefix}${file}`),
	},
});

const choices = (values: readonly string[]) => values.map((value) => `    <Choice value="${value}"/>`).join("\n");

/** The labelling interface that reads these tasks and gives what `reviewsFromLabelStudio` reads. */
export const labelStudioInterface = `<View>
  <Header value="Question"/>
  <Text name="question" value="$question"/>
  <Image name="images" valueList="$images"/>
  <Header value="Answer"/>
  <Text name="answer" value="$answer"/>
  <Header value="Hops"/>
  <Text name="hops" value="$hops"/>
  <Header value="Evidence"/>
  <Text name="evidence" value="$evidence"/>
  <Choices name="decision" toName="question" choice="single" required="true">
${choices(["retain", "discard", "edit", "unsure"])}
  </Choices>
  <Choices name="reasons" toName="question" choice="multiple">
${choices(Reason.options)}
  </Choices>
  <TextArea name="new_question" toName="question" maxSubmissions="1" placeholder="the question as it should be"/>
  <TextArea name="new_answers" toName="question" placeholder="one accepted answer a line"/>
  <TextArea name="comment" toName="question" maxSubmissions="1"/>
</View>
`;

const Result = z.object({
	from_name: z.string(),
	value: z.looseObject({
		choices: z.array(z.string()).optional(),
		text: z.union([z.string(), z.array(z.string())]).optional(),
	}),
});

const Annotation = z.looseObject({
	completed_by: z
		.union([z.number(), z.string(), z.looseObject({ email: z.string().optional(), id: z.number().optional() })])
		.optional(),
	was_cancelled: z.boolean().default(false),
	created_at: z.string().optional(),
	/** Seconds. */
	lead_time: z.number().min(0).nullish(),
	result: z.array(z.unknown()).max(1000),
});

const Labelled = z.looseObject({
	data: z.looseObject({ item: z.string().min(1) }),
	annotations: z.array(Annotation).max(1000).default([]),
});

/**
 * Reads Label Studio's JSON export. Skipped and unlabelled tasks are passed over; what cannot be read is told with its
 * place. `reviewer` names who labelled, where the export does not.
 */
export function reviewsFromLabelStudio(
	json: unknown,
	{ reviewer, round, blind }: { reviewer?: string | undefined } & Pick<Review, "round" | "blind">,
): { reviews: Review[]; problems: string[] } {
	const reviews: Review[] = [];
	const problems: string[] = [];
	if (!Array.isArray(json)) return { reviews, problems: ["not a JSON array of tasks"] };
	for (const [index, raw] of json.entries()) {
		const parsed = Labelled.safeParse(raw);
		if (!parsed.success) {
			const issue = parsed.error.issues[0];
			problems.push(`task ${index + 1}: at ${issue?.path.join(".")}: ${issue?.message}`);
			continue;
		}
		for (const annotation of parsed.data.annotations) {
			if (annotation.was_cancelled) continue;
			const made = reviewOf(parsed.data.data.item, annotation, { reviewer, round, blind });
			if ("review" in made) reviews.push(made.review);
			else problems.push(`task ${index + 1}: ${made.problem}`);
		}
	}
	return { reviews, problems };
}

function reviewOf(
	item: string,
	annotation: z.infer<typeof Annotation>,
	by: { reviewer?: string | undefined } & Pick<Review, "round" | "blind">,
): { review: Review } | { problem: string } {
	const said = new Map<string, string[]>();
	for (const one of annotation.result) {
		const result = Result.safeParse(one);
		if (!result.success) continue;
		const { from_name: name, value } = result.data;
		said.set(name, value.choices ?? [value.text ?? []].flat());
	}
	const reviewer = by.reviewer ?? nameOf(annotation.completed_by);
	if (reviewer === undefined) return { problem: "says not who labelled it: name the reviewer" };
	const question = said.get("new_question")?.[0]?.trim();
	const accepted = (said.get("new_answers") ?? []).flatMap((one) => one.split("\n")).flatMap((one) => one.trim() || []);
	const comment = said.get("comment")?.[0]?.trim();
	const review = Review.safeParse({
		item,
		reviewer,
		decision: said.get("decision")?.[0],
		reasons: said.get("reasons") ?? [],
		...(question || accepted.length > 0
			? { edits: { ...(question ? { question } : {}), ...(accepted.length > 0 ? { accepted } : {}) } }
			: {}),
		...(comment ? { comment } : {}),
		...(annotation.lead_time ? { ms: annotation.lead_time * 1000 } : {}),
		...(annotation.created_at ? { at: annotation.created_at } : {}),
		round: by.round,
		blind: by.blind,
	});
	if (review.success) return editFits(review.data);
	const issue = review.error.issues[0];
	return { problem: `${item}: at ${issue?.path.join(".")}: ${issue?.message}` };
}

function nameOf(by: z.infer<typeof Annotation>["completed_by"]): string | undefined {
	if (by === undefined) return undefined;
	if (typeof by === "object") return by.email ?? (by.id === undefined ? undefined : String(by.id));
	return String(by);
}
