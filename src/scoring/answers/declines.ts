import { normalise } from "./normalise.ts";

const declining = "I cannot answer this question";

/** Whether a prediction opens with the sentence that AgenticRAGTracer's prompts make a model decline with. */
export function startsDeclining(prediction: string): boolean {
	return prediction.startsWith(declining);
}

/** Answers that only decline, in English, Spanish, French, Arabic, Chinese and Japanese. */
const phrases = `
	i cannot answer | i cant answer | cannot answer | i do not know | i dont know | do not know | dont know |
	unknown | unanswerable | not answerable | noanswer | no answer | none | not enough information |
	insufficient information | insufficient evidence | cannot be determined | cannot be answered | not known |
	no lo sé | no sé | no se sabe | no puedo responder | no se puede responder | desconocido | desconocida |
	sin respuesta | no hay respuesta | no hay información suficiente | información insuficiente |
	no se puede determinar | je ne sais pas | je lignore | je ne peux pas répondre |
	je ne peux pas répondre à cette question | impossible de répondre | impossible à déterminer | on ne sait pas |
	on ne peut pas répondre | inconnu | inconnue | indéterminé | sans réponse | pas de réponse | aucune réponse |
	non précisé | information insuffisante | informations insuffisantes | pas assez dinformations | لا أعرف |
	لا أعلم | لا أدري | غير معروف | غير معروفة | غير معلوم | مجهول | غير محدد | لا يمكن الإجابة |
	لا يمكن الإجابة عن هذا السؤال | لا يمكن الإجابة على هذا السؤال | لا يمكنني الإجابة |
	لا يمكنني الإجابة عن هذا السؤال | لا يمكنني الإجابة على هذا السؤال | لا أستطيع الإجابة |
	لا أستطيع الإجابة عن هذا السؤال | لا أستطيع الإجابة على هذا السؤال | لا يمكن تحديد ذلك | لا توجد إجابة |
	لا يوجد جواب | لا توجد معلومات كافية | معلومات غير كافية | المعلومات غير كافية | 不知道 | 我不知道 | 不清楚 | 我不清楚 | 不确定 |
	不確定 | 未知 | 不详 | 不詳 | 无 | 無 | 无法回答 | 無法回答 | 我无法回答 | 我無法回答 | 无法回答这个问题 | 無法回答這個問題 | 我无法回答这个问题 | 我無法回答這個問題 |
	无法回答该问题 | 无法确定 | 無法確定 | 没有答案 | 沒有答案 | 无答案 | 無答案 | 信息不足 | 資訊不足 | 资料不足 | わかりません | 分かりません | わからない | 分からない | 知りません |
	不明 | 不明です | 回答不能 | 回答できません | 答えられません | お答えできません | この質問には答えられません | この質問には回答できません | 情報不足 | 情報が不足しています | 情報が足りません |
	特定できません | 判断できません | 該当なし | なし`
	.split("|")
	.map((phrase) => phrase.trim());
const options = { unicodePunctuation: true, nfkc: true, arabicForms: true };
const declined = new Set(
	phrases.map((phrase) => normalise(phrase, options)).flatMap((phrase) => [phrase, `answer is ${phrase}`]),
);
const opening = normalise(declining, options);

/**
 * Whether a whole answer only declines, in one of the languages that are read. Used where the gold answer is that there is none; that an agent abstained on
 * other tasks is its protocol's word (`Trajectory.abstained`), never guessed from its text.
 */
export function declines(prediction: string): boolean {
	const text = normalise(prediction, options);
	return text === "" || text.startsWith(opening) || declined.has(text);
}
