import { foldArabic } from "../answers/arabic-forms.ts";

/**
 * Month names by number, as dates are folded: English, Spanish, French and German in full and short, and the three sets of names
 * that Arabic has for our months: of Egypt and the Gulf, of the Levant and Iraq, of the Maghreb.
 */
export const monthNumbers = new Map<string, number>();
for (const list of [
	"january february march april may june july august september october november december",
	"jan feb mar apr may jun jul aug sep oct nov dec",
	"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
	"ene feb mar abr may jun jul ago set oct nov dic",
	"janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
	"janv fevr mars avr mai juin juil aout sept oct nov dec",
	"januar februar marz april mai juni juli august september oktober november dezember",
	"jan feb mrz apr mai jun jul aug sep okt nov dez",
	"يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر",
	"كانون_الثاني شباط اذار نيسان ايار حزيران تموز اب ايلول تشرين_الاول تشرين_الثاني كانون_الاول",
	"جانفي فيفري مارس افريل ماي جوان جويلية اوت سبتمبر اكتوبر نوفمبر ديسمبر",
	"يناير فبراير مارس ابريل ماي يونيو يوليوز غشت شتنبر اكتوبر نونبر دجنبر",
])
	for (const [index, name] of list.split(" ").entries())
		monthNumbers.set(foldArabic(name.replace("_", " ")), index + 1);
monthNumbers.set("setiembre", 9);
monthNumbers.set("fev", 2);
monthNumbers.set("juill", 7);
monthNumbers.set("janner", 1);
monthNumbers.set("sept", 9);

/** All names as one alternation, the longest first. */
export const monthNames = [...monthNumbers.keys()].sort((a, b) => b.length - a.length).join("|");
