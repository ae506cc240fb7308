/** What Spanish articles are written from; see render.ts for the paths in braces. */
import type { Section } from "./section.ts";

const country: Section[] = [
	{
		id: "panorama",
		title: "Panorama",
		statements: [
			{
				opens: true,
				say: [
					"{s} se {s#encuentra|encuentran} en {s.subregion}.",
					"Situado en {s.subregion}, este territorio recibe el nombre de {s!}: aquí se resume lo esencial de {s}.",
					"En {s.subregion} se {s#encuentra|encuentran} {s}.",
				],
			},
			{
				say: [
					"Su capital es {s.capital}.",
					"La capital del país es {s.capital}.",
					"Se gobierna desde {s.capital}, su capital.",
					"{s.capital} es la capital.",
				],
			},
			{
				say: [
					"En 2015 se le calculaba una población de {s.population} habitantes.",
					"La población se estimaba en {s.population} personas en 2015.",
					"Según las estimaciones de 2015, contaba con {s.population} habitantes.",
				],
			},
			{
				say: [
					"La moneda en uso es {s.currency}.",
					"Los pagos se hacen con {s.currency}, la moneda del país.",
					"Como moneda circula {s.currency}.",
				],
			},
			{
				say: [
					"La lengua oficial es el {s.language}.",
					"Entre las lenguas oficiales figuran las siguientes: {s.language*}.",
					"Rango de lengua oficial: {s.language*}.",
				],
			},
			{
				say: [
					"La ciudad más poblada es {s.largest-city}.",
					"Por número de habitantes, {s.largest-city} es la ciudad más poblada.",
				],
			},
			{
				extra: true,
				say: [
					"Otros datos, como el dominio de internet o el prefijo telefónico, se recogen en la tabla en inglés que acompaña a la entrada.",
					"El dibujo de la bandera y el contorno del territorio figuran entre las imágenes del atlas.",
				],
			},
			{
				extra: true,
				say: [
					"Las cifras proceden de obras de consulta públicas y se reproducen tal como aparecen en ellas.",
					"Esta entrada es más breve que la versión inglesa y sigue el mismo orden que las demás de la serie.",
				],
			},
			{
				extra: true,
				say: [
					"Quien desee comparar el país con otros encontrará en las demás entradas los mismos apartados y las mismas unidades.",
					"Los nombres de lugar se escriben según el uso español cuando existe una forma asentada.",
				],
			},
		],
	},
	{
		id: "territorio-e-historia",
		title: "Territorio e historia",
		statements: [
			{
				opens: true,
				say: [
					"El territorio de {s} ocupa {s.area}.",
					"{s} {s#tiene|tienen} una superficie de {s.area}.",
					"Con {s.area} de superficie, {s} {s#forma|forman} parte de {s.subregion}.",
				],
			},
			{
				say: [
					"Limita por tierra con {s.borders*}.",
					"Sus vecinos por tierra son los siguientes: {s.borders*}.",
					"Las fronteras terrestres lo separan de sus vecinos: {s.borders*}.",
				],
			},
			{
				say: [
					"{s.landlocked?No tiene salida al mar|Tiene acceso al mar}.",
					"{s.landlocked?Carece de litoral|No carece de litoral}.",
				],
			},
			{
				say: [
					"Su punto más alto es {s.highest-point}.",
					"El relieve culmina en {s.highest-point}, el punto más alto, a {s.highest-point.elevation} de altitud.",
					"El punto más alto del país es {s.highest-point}.",
				],
			},
			{
				say: [
					"Se independizó de {s.independent-from} el {s.independence}.",
					"Su independencia data del {s.independence}.",
					"Obtuvo la independencia el {s.independence}.",
				],
			},
			{
				say: [
					"El país que recibía la mayor parte de sus exportaciones hacia 2014 era {s.export-partner}.",
					"El principal mercado de sus exportaciones era {s.export-partner} según los datos de 2014.",
				],
			},
			{
				extra: true,
				with: { n: "borders" },
				say: [
					"El país vecino {n!} tiene por capital {n.capital}.",
					"La moneda de su vecino {n!} es {n.currency}.",
					"La superficie de su vecino {n!} es de {n.area}.",
				],
			},
			{
				extra: true,
				say: [
					"El contorno del territorio, dibujado sin nombres, figura entre las imágenes del atlas.",
					"La longitud de la costa y la de las fronteras se recogen en la tabla que acompaña a la versión inglesa.",
				],
			},
			{
				extra: true,
				say: [
					"Las medidas se dan en unidades métricas, como en las fuentes de las que procede el texto.",
					"Las fuentes no siempre coinciden; aquí se sigue siempre la misma para que las comparaciones sean justas.",
				],
			},
			{
				extra: true,
				say: [
					"El clima, los ríos y las regiones naturales quedan fuera de este resumen.",
					"Para saber más sobre sus ciudades y aeropuertos conviene acudir a las entradas correspondientes.",
				],
			},
		],
	},
];

const city: Section[] = [
	{
		id: "ciudad",
		title: "",
		statements: [
			{
				opens: true,
				say: [
					"{s} es la capital de {s.^capital}.",
					"La capital de {s.^capital} es {s}.",
					"{s} es una ciudad de {s.city-country}.",
				],
			},
			{
				say: [
					"Su área urbana reúne a unas {s.city-population} personas.",
					"La población de su área urbana es de {s.city-population} habitantes.",
				],
			},
			{
				say: [
					"Da servicio a la ciudad {s.^airport-city}.",
					"Los viajeros que llegan por aire usan {s.^airport-city*}, al servicio de la ciudad.",
				],
			},
			{
				extra: true,
				say: [
					"El país, {s.city-country}, pertenece a {s.city-country.subregion}.",
					"El país al que pertenece es {s.city-country}, en {s.city-country.subregion}.",
				],
			},
			{
				extra: true,
				say: [
					"La moneda de {s.city-country} es {s.city-country.currency}.",
					"En {s.city-country} se paga con {s.city-country.currency}, la moneda del país.",
				],
			},
			{
				extra: true,
				say: [
					"Las cifras del área urbana incluyen los suburbios, por lo que pueden diferir de las del municipio.",
					"La cifra se refiere al conjunto de la aglomeración y no solo al término municipal.",
				],
			},
			{
				extra: true,
				say: [
					"La entrada reúne en pocas frases lo que dicen las fuentes públicas y no pretende ser una guía de viaje.",
					"El nombre se escribe según el uso español cuando existe una forma tradicional.",
				],
			},
			{
				extra: true,
				say: [
					"El artículo dedicado al país ofrece más datos sobre su territorio, su lengua y su historia.",
					"No acompaña a la entrada ningún plano ni fotografía de la ciudad.",
				],
			},
			{
				extra: true,
				say: [
					"Las demás ciudades del atlas se describen de la misma manera y con las mismas medidas.",
					"Los datos se tomaron de obras de consulta de mediados de la década de 2010.",
				],
			},
		],
	},
];

const mountain: Section[] = [
	{
		id: "cumbre",
		title: "",
		statements: [
			{
				opens: true,
				say: ["{s} es el punto más alto de {s.^highest-point}.", "El punto más alto de {s.^highest-point} es {s}."],
			},
			{
				say: ["Alcanza {s.elevation} sobre el nivel del mar.", "Su altitud es de {s.elevation}."],
			},
			{
				extra: true,
				say: [
					"El territorio de {s.^highest-point} forma parte de {s.^highest-point.subregion}.",
					"El país que lo rodea, {s.^highest-point}, pertenece a {s.^highest-point.subregion}.",
				],
			},
			{
				extra: true,
				say: [
					"La capital de {s.^highest-point} es {s.^highest-point.capital}.",
					"Quien viaje hasta allí pasará probablemente por {s.^highest-point.capital}, la capital de {s.^highest-point}.",
				],
			},
			{
				extra: true,
				say: [
					"Las mediciones de una misma cumbre suelen diferir en unos metros; aquí se repite el valor de una sola fuente.",
					"El valor procede de una obra de consulta pública de 2015, y mediciones posteriores pueden haberlo corregido.",
				],
			},
			{
				extra: true,
				say: [
					"Las rutas de ascenso, las estaciones y los peligros son asunto de las guías de montaña.",
					"El nombre se escribe sin tildes, como en la fuente, y las grafías locales pueden ser otras.",
				],
			},
			{
				extra: true,
				say: [
					"No todos los puntos más altos son montañas en sentido estricto: los hay que son colinas, lomas o dunas.",
					"La entrada pertenece a una serie sobre los puntos más altos de países y territorios.",
				],
			},
		],
	},
];

const element: Section[] = [
	{
		id: "elemento",
		title: "",
		statements: [
			{
				opens: true,
				say: [
					"El número atómico de {s} es {s.atomic-number}.",
					"En la tabla periódica, {s} ocupa el lugar del número atómico {s.atomic-number}.",
				],
			},
			{
				say: ["Se descubrió en {s.discovery}.", "El año de su descubrimiento es {s.discovery}."],
			},
			{
				say: [
					"Su símbolo químico es {s.element-symbol}.",
					"Los químicos lo abrevian con el símbolo {s.element-symbol}.",
				],
			},
			{
				say: [
					"Toma su nombre de la ciudad de {s.namesake}.",
					"Toma su nombre de {s.namesake-country}, el país que le da nombre.",
				],
			},
			{
				extra: true,
				say: [
					"Los años de descubrimiento son en parte una convención, pues muchos elementos se conocían antes de que alguien los aislara.",
					"A veces fueron varias las personas que reclamaron el hallazgo, y se cita el año que aparece con más frecuencia.",
				],
			},
			{
				extra: true,
				say: [
					"Los usos, los compuestos y los riesgos no se tratan en esta entrada, pensada para consultar unos pocos datos.",
					"El atlas incluye los elementos porque algunos llevan el nombre de un lugar y porque sus cifras invitan a comparar.",
				],
			},
			{
				extra: true,
				say: [
					"La temperatura de fusión figura en la tabla que acompaña a la versión inglesa.",
					"El orden de la tabla periódica es el del número de protones de cada átomo.",
				],
			},
		],
	},
];

export const spanishSections: Record<string, Section[]> = { country, city, mountain, element };
