/**
 * Other words for the questions of the Atlas and of other chains, written by hand: a pattern of questions on one line,
 * under it wordings, `$1` being what is asked about. The first pattern that fits counts; the last ones are general, and
 * put what is asked about to the front.
 */
type Line = { pattern: RegExp; wordings: string[] };

const linesOf = (table: string): Line[] =>
	[...table.matchAll(/^(\S.*)\n {2}(.+)$/gm)].map(([, pattern = "", wordings = ""]) => ({
		pattern: new RegExp(`^${pattern}${pattern.endsWith("?") ? "$" : ""}`, "u"),
		wordings: wordings.split(" | "),
	}));

const english = linesOf(String.raw`
Which city (?:does (.+) serve|is served by (.+))\?
  What town has $1 as its airport? | $1 is the airport of which town?
What is the main export market of (.+)\?
  Who buys most of the goods $1 sells abroad? | $1: principal destination of exported goods
Which country took the largest share of the exports of (.+)\?
  To what nation did $1 sell the most goods? | Biggest foreign buyer of goods from $1
From which country did (.+) become independent\?
  Who ruled $1 before its independence? | $1 was formerly a colony or part of what state?
What is the country (?:governed from|whose capital is) (.+)\?
  $1 is the seat of government of what nation? | Name the state with its capital in $1
(?:In which country does (.+) lie|Which country does (.+) belong to)\?
  $1 is located in what nation? | On the territory of what state can one find $1?
What is the country (?:whose highest point is|that culminates in) (.+)\?
  $1 is the tallest mountain of what nation? | In what state is $1 the top elevation?
What percentage of the land of (.+) is covered by forest\?
  How much of $1 is woodland, as a share? | Forest cover of $1 in percent
(?:How long is the railway network of (.+) in km|How many kilometres of railway does (.+) have)\?
  Total length of the train tracks in $1 | In $1, what distance do the rail lines run altogether?
What is the (?:chemical )?element (?:that takes its name from|named after) (.+)\?
  Which substance in the periodic table owes its name to $1? | $1 gave its name to what element?
Which (?:country|city) is (.+) named after\?
  Where does $1 get its name from? | Origin of the name $1
What is the country whose (?:most populous city|largest urban area) is (.+)\?
  $1 is the biggest town of what nation? | Name the state whose largest metropolis is $1
What is the (?:most populous city|largest urban area) of (.+)\?
  In $1, what town has the most inhabitants? | Biggest metropolis in $1
What is the (?:capital|capital city|seat of government) of (.+)\?
  From what town is $1 governed? | $1: name of its capital
(?:On what date did (.+) gain its independence|When did (.+) become independent)\?
  $1 independence day, what year and date? | What is the date on which $1 became a sovereign state?
What percentage of the population of (.+) lives in urban areas\?
  How many of the people in $1 are city dwellers, in percent? | Degree of urbanisation in $1
(?:What is the|How many years is) life expectancy at birth in (.+)\?
  How long does a newborn in $1 live on average? | Average lifespan of people in $1
(?:What is the elevation of (.+) in metres|How many metres high is (.+))\?
  Height of $1 above sea level in m | How tall is $1?
What is the elevation of (.+) in feet\?
  How high above sea level lies $1 (ft)? | Altitude of $1
(?:How many years is the median age of the population of (.+)|What is the median age in (.+))\?
  In $1, half the people are younger than what age? | Middle age of inhabitants of $1
(?:What was the population of (.+) in 2015|How many inhabitants was (.+) estimated to have in 2015)\?
  2015 headcount of $1 | Number of people living in $1, 2015 estimate
(?:What is the population of the urban area of (.+)|How many people live in the urban area of (.+))\?
  Number of residents of greater $1 | $1 agglomeration: inhabitants
(?:What is the area of (.+) in km²|How many square kilometres does (.+) cover)\?
  How big is $1? | Surface of $1, square km
What is the highest (?:elevation in|point of) (.+)\?
  Tallest mountain in $1 | What summit tops all others in $1?
(?:Which currency is used in|What is the currency of) (.+)\?
  With what money do people pay in $1? | $1 legal tender
(?:In which year|When) was (.+) discovered\?
  Year of the discovery of $1 | $1 was first found or isolated at what time?
(?:How long is the coastline of (.+) in km|How many kilometres of coastline does (.+) have)\?
  Length of the seashore of $1 | $1: total shoreline, km
(?:How many kilometres of land frontier does (.+) have|How long are the land boundaries of (.+) in km)\?
  Total length of the borders of $1 on land | $1: borders with neighbours, how many km?
In which part of the world does (.+) lie\?
  What region of the globe is $1 in? | Subregion where $1 is situated
Is (.+?) (?:landlocked|without a coast of its own)\?
  Does $1 have access to the sea? | Has $1 got a coast?
At how many kelvins does (.+) melt\?
  Fusion temperature of $1 in K | When $1 turns liquid, what is its temperature?
What is the number of protons in an atom of (.+)\?
  $1: atomic number | Position of $1 in the periodic table
(?:Whose flag can be seen|Which country's flag is shown) in (?:the|the (first|second)) image\?
  The banner in the picture: what nation flies it? | Identify the flag
(?:Which country's outline is drawn|The shape of which country is shown) in (?:the|the (first|second)) image\?
  The silhouette in the picture: what nation is it? | Identify the map
Who (?:is|was) the (father|mother) of (.+)\?
  $2 was the child of whom? ($1) | $1 of $2, name
Who (?:is|was) the (?:spouse|husband|wife) of (.+)\?
  To whom was $1 married? | $1 married whom?
Who is the director of (?:film )?(.+)\?
  $1 was directed by whom? | Name the filmmaker behind $1
Who is the publisher of (.+)\?
  $1 was brought out by what company? | Which firm published $1?
Who is the author of (.+)\?
  $1 was written by whom? | Name the writer of $1
(?:What is the date of birth of (.+)|When was (.+) born)\?
  On what day did $1 come into the world? | $1 birthday
What is the date of death of (.+)\?
  When did $1 die? | $1 passed away on what day?
When was (.+) founded\?
  What year was $1 established? | $1, start of operations
Where did\s+(.+) study\?
  Alma mater of $1 | At what university was $1 educated?
(?:What|Who) (?:is|was|are|were) the (.+?) of (.+)\?
  $2's $1: which? | Tell about $2, its $1
(?:What|Which|Who) (.+) (?:in|by|of|from|for) ([^?]+)\?
  As to $2, $1? | $2: $1
(?:When|Where) (?:did|was|is|does) (?:the )?(.+?)\s(\p{Ll}+)\?
  $1 $2 at what time or place? | $1, $2
`);

const spanish = linesOf(String.raw`
¿(?:Qué ciudad atiende|A qué ciudad da servicio) (?:el )?(.+)\?
  ¿De qué localidad es el $1? | $1: ¿en qué población se usa?
¿Qué país recibió la mayor parte de las exportaciones de (.+)\?
  ¿A quién vende más mercancías $1? | Principal comprador extranjero de $1
¿Cuál es el principal (?:mercado|destino) de (?:las )?exportaci(?:ón|ones) de (.+)\?
  ¿Quién compra más mercancías a $1? | Mayor cliente exterior de $1
¿Cuál es la antigua potencia gobernante de (.+)\?
  ¿De qué estado era colonia $1? | ¿Quién mandaba antes en $1?
¿De qué país se independizó (.+)\?
  ¿A qué estado pertenecía antes $1? | $1: antiguo dominio de
¿Cuál es el país (?:que tiene por capital|cuya capital es) (.+)\?
  $1 es la sede del gobierno, ¿de qué nación? | ¿Qué estado se gobierna desde $1?
¿(?:En qué país se encuentra|A qué país pertenece) (?!la bandera)(.+)\?
  ¿Dónde está situado $1, en qué nación? | ¿Dentro de qué fronteras queda $1?
¿Cuál es el país (?:cuya ciudad más poblada|cuya mayor área urbana) es (.+)\?
  $1 es la urbe más grande de ¿qué nación? | ¿Qué estado tiene su mayor urbe en $1?
¿Cuál es el país cuyo punto más alto es (.+)\?
  $1 es la cumbre mayor de ¿qué nación? | ¿En qué estado se alza $1 como techo?
¿Cuál es la (?:mayor área urbana|ciudad más poblada) de (.+)\?
  ¿Qué urbe de $1 tiene más habitantes? | Urbe más grande en $1
¿Cuál es la (?:mayor elevación|cumbre más alta) de (.+)\?
  ¿Qué montaña es el techo de $1? | Pico más elevado en $1
¿Cuál es la esperanza de vida al nacer en (.+)\?
  ¿Cuánto vive de media la gente en $1? | Años que vive un recién nacido en $1
¿Qué porcentaje de la población de (.+) vive en zonas urbanas\?
  ¿Cuánta gente de $1 vive en ciudades, en tanto por ciento? | Grado de urbanización en $1
¿Qué porcentaje del territorio de (.+) está cubierto por bosques\?
  ¿Cuánta superficie arbolada tiene $1, en tanto por ciento? | Masa forestal en $1
¿Cuál es la población del área urbana de (.+)\?
  ¿Cuánta gente vive en la aglomeración de $1? | Habitantes de la zona metropolitana de $1
¿Cuál era la población de (.+) en 2015\?
  ¿Cuántos habitantes tenía $1 (2015)? | Censo estimado de $1 en 2015
¿Cuántos kilómetros mide la costa de (.+)\?
  Longitud del litoral de $1 | ¿Qué extensión tiene la orilla del mar en $1?
¿Cuántos kilómetros mide la red ferroviaria de (.+)\?
  Longitud de las vías de tren en $1 | ¿Qué extensión tienen los ferrocarriles de $1?
¿Cuántos kilómetros miden en total las fronteras terrestres de (.+)\?
  Longitud de los límites con vecinos de $1 | ¿Cuánto suman las lindes de $1 por tierra?
¿(?:Cuándo se produjo la|De qué fecha data la) independencia de (.+)\?
  ¿En qué día pasó a ser soberano $1? | $1: fecha de emancipación
¿Cuál es el elemento químico que toma su nombre de (.+)\?
  ¿Qué sustancia de la tabla periódica se llama así por $1? | $1 da nombre a un elemento, ¿cuál?
¿En qué año se descubrió (?:el )?(.+)\?
  Año del hallazgo del $1 | ¿Cuándo se aisló el $1 por primera vez?
¿(?:A qué país pertenece|De qué país es) la bandera
  Identifica la enseña de la foto | ¿Qué nación tiene esta enseña?
¿(?:La silueta de qué país|De qué país es el contorno)
  Identifica el mapa de la foto | ¿Qué nación tiene esta forma?
¿Cuál (?:es|era|fue) (?:el|la) (.+?) del? (.+)\?
  $2: ¿$1? | Dime de $2 su $1
¿(?:Qué|Cuántos|Cuántas|En qué|Cuándo) (.+?) (?:de|en) ([^?]+)\?
  En cuanto a $2, ¿$1? | $2, $1
`);

/** A question in other words, `turn` choosing among them; as it is where no line fits. */
export function rephrased(question: string, turn: number): string {
	for (const { pattern, wordings } of question.startsWith("¿") ? spanish : english) {
		const match = pattern.exec(question);
		if (!match) continue;
		const found = match.slice(1).filter((part) => part !== undefined);
		const wording = wordings[turn % wordings.length] ?? question;
		return wording
			.replace(/\$(\d)/g, (_, place: string) => found[Number(place) - 1] ?? "")
			.replace(/\s+/g, " ")
			.trim();
	}
	return question;
}
