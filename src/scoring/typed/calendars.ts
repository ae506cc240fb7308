/**
 * Years and dates of other calendars in a text. What counts the same years from another start is put into our years; what
 * cannot be converted by counting is taken out, so that it is never misread.
 */
import { readHan } from "./han-numbers.ts";

/** The year before the first of each era. */
const eras: Readonly<Record<string, number>> = {
	明治: 1867,
	大正: 1911,
	昭和: 1925,
	平成: 1988,
	令和: 2018,
	民国: 1911,
	民國: 1911,
};
const eraYear = new RegExp(`(?:中華|中华)?(${Object.keys(eras).join("|")}) ?(元|\\d{1,3}) ?年`, "g");
const hanBefore = /[〇零○一二三四五六七八九十百千]+(?= ?[年月日号號])/g;

/** "昭和四十四年" as "1969年", and Han digits of dates as ASCII ones. */
export function inOurYears(text: string): string {
	if (!/[年月]/.test(text)) return text;
	return text
		.replace(hanBefore, (run) => String(readHan(run) ?? run))
		.replace(
			eraYear,
			(_, era: string, count: string) => `${(eras[era] ?? 0) + (count === "元" ? 1 : Number(count))}年`,
		);
}

const hijriMonths =
	"محرم|المحرم|صفر|ربيع (?:الاول|الثاني|الاخر)|جمادي (?:الاولي|الاول|الثانية|الاخرة)|جمادى (?:الاولى|الاول|الثانية|الاخرة)|رجب|شعبان|رمضان|شوال|ذو القعدة|ذي القعدة|ذو الحجة|ذي الحجة" +
	"|muharram|safar|rabi.? (?:al-)?(?:awwal|thani|akhir|i{1,2})|jumada (?:al-)?\\w{1,8}|rajab|sha.?ban|ramadan|shawwal|dhu.? (?:al-)?(?:qi.?dah?|hijjah?)";
const hijriDate = new RegExp(
	`(?:\\d{1,2}(?:er)?,? (?:من |de |of )?)?(?<!\\p{L})(?:${hijriMonths})(?!\\p{L}),? ?(?:\\d{1,2}, )?(?:من |de |of )?(?:عام |سنة )?(?:1[0-4]\\d\\d|\\d{1,3}(?!\\d))?(?: ?(?:هجرية?|ه)(?!\\p{L}))?`,
	"gu",
);
const hijriYear = /\d{1,4} ?(?:(?:هجرية?|ه|a\.?h\.?|de l'hegire)(?![\p{L}\p{N}]))/gu;
const lunar =
	/(?:农历|農曆|旧历|舊曆|阴历|陰曆|旧暦|陰暦|太陰暦|イスラム暦|ヒジュラ暦|回历|回曆|伊斯兰历|皇紀|仏暦|佛历|佛曆)[^,。、)）;]{0,30}/g;

/** Without Hijri dates and those of the lunar and other calendars of East Asia. */
export function withoutOtherCalendars(text: string): string {
	return text.replace(hijriDate, " ").replace(hijriYear, " ").replace(lunar, " ");
}
