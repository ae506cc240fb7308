/** By language, the words that are so frequent in it that they tell no text from another. */
const lists: Record<string, string> = {
	de: "aber als am an auch auf aus bei bin bis da das dass dem den der des die dies dieser doch dort du durch ein eine einem einen einer eines er es für hat hatte ich ihr im in ist ja kein keine können man mit nach nicht noch nur oder ohne sein seine sich sie sind so über um und uns unter vom von vor war was wenn wer werden wie wir wird wo wurde zu zum zur",
	en: "a about after all also an and any are as at be been before but by can could did do does for from had has have he her his how if in into is it its many more most no not of on or other she so some such than that the their them then there these they this those to up was we were what when where which who whom whose why will with would you",
	es: "a al algo ante antes aquel aquella como con contra cual cuales cuál cuáles cuando cuándo cuánto cuántos cuya cuyo de del desde donde dónde dos e el él ella en entre era eran es esa ese eso esta está están este esto fue fueron ha han hasta hay la las le les lo los más me mi muy ni no nos o para pero por porque qué que quien quién se ser si sí sin sobre son su sus también tan te tiene tienen todo tu un una uno unos unas y ya yo cómo",
	fr: "à au aux avec ce ces cet cette comme dans de des du elle en est et était été eux il ils je la le les leur leurs lui ma mais me même mes mon ne nos notre nous on ou où par pas pour qu que quel quelle qui sa sans se ses son sont sur ta te tes ton tu un une vos votre vous y",
	it: "a ad ai al alla alle anche che chi ci come con cui da dal dalla dei del della delle di dove e è ed era gli ha hanno i il in io la le lei lo loro lui ma mi nel nella non o per perché più quale quando quella quello questa questo se si sono su sua sue suo tra un una uno",
	pt: "a ao aos as até com como da das de do dos e é ela ele em entre era essa esse esta está este eu foi foram há isso já lhe mais mas me mesmo na não nas nem no nos o onde os ou para pela pelo por quais qual quando que quem se sem ser seu seus sua suas são também te tem um uma você",
};

export const stopWords: Record<string, ReadonlySet<string> | undefined> = Object.fromEntries(
	Object.entries(lists).map(([language, words]) => [language, new Set(words.split(" "))]),
);
