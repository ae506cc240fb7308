/**
 * Arabic as most people type it: without vowel signs, without the stretching line (tatweel), and with a bare alef where
 * careful spelling puts hamza, madda or wasla on it. Final ya and ta marbuta keep their own letters: folding them would
 * make different words equal.
 */
export function foldArabic(text: string): string {
	return text.replace(/[\u0640\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]/g, "").replace(/[أإآٱ]/g, "ا");
}
