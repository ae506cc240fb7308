/** Relations whose objects are numbers and dates, with the words that order their subjects. */
import type { Wording } from "./relation-wording.ts";

export const figureRelations: Record<string, Wording> = {
	area: {
		from: "country",
		to: "number",
		unit: "km²",
		en: {
			noun: ["the area of {}", "the surface area of {}"],
			question: ["What is the area of {} in km²?", "How many square kilometres does {} cover?"],
			comparison: ["has the larger area", "has the smaller area"],
		},
		es: {
			noun: ["la superficie de {}", "la extensión de {}"],
			question: ["¿Cuál es la superficie de {} en km²?", "¿Cuántos kilómetros cuadrados ocupa el territorio de {}?"],
			comparison: ["tiene mayor superficie", "tiene menor superficie"],
		},
	},
	population: {
		from: "country",
		to: "number",
		en: {
			noun: ["the population of {} in 2015", "the number of inhabitants of {} as estimated for 2015"],
			question: ["What was the population of {} in 2015?", "How many inhabitants was {} estimated to have in 2015?"],
			comparison: ["had the larger population in 2015", "had the smaller population in 2015"],
		},
		es: {
			noun: ["la población de {} en 2015", "el número de habitantes de {} estimado para 2015"],
			question: [
				"¿Cuál era la población de {} en 2015?",
				"¿En cuántos habitantes se estimaba la población de {} en 2015?",
			],
			comparison: ["tenía más habitantes en 2015", "tenía menos habitantes en 2015"],
		},
	},
	coastline: {
		from: "country",
		to: "number",
		unit: "km",
		en: {
			noun: ["the length of the coastline of {}", "the coastline of {}"],
			question: ["How many kilometres of coastline does {} have?", "How long is the coastline of {} in km?"],
			comparison: ["has the longer coastline", "has the shorter coastline"],
		},
		es: {
			noun: ["la longitud de la costa de {}", "la línea de costa de {}"],
			question: ["¿Cuántos kilómetros mide la costa de {}?", "¿Qué longitud tiene la costa de {} en km?"],
			comparison: ["tiene la costa más larga", "tiene la costa más corta"],
		},
	},
	"land-boundary": {
		from: "country",
		to: "number",
		unit: "km",
		en: {
			noun: ["the total length of the land boundaries of {}", "the length of the land frontiers of {}"],
			question: ["How long are the land boundaries of {} in km?", "How many kilometres of land frontier does {} have?"],
			comparison: ["has the longer land boundaries", "has the shorter land boundaries"],
		},
		es: {
			noun: ["la longitud total de las fronteras terrestres de {}"],
			question: ["¿Cuántos kilómetros miden en total las fronteras terrestres de {}?"],
			comparison: ["tiene fronteras terrestres más largas", "tiene fronteras terrestres más cortas"],
		},
	},
	elevation: {
		from: "mountain",
		to: "number",
		unit: "m",
		en: {
			noun: ["the elevation of {}", "the height of {} above sea level"],
			question: ["What is the elevation of {} in metres?", "How many metres high is {}?"],
			comparison: ["is higher", "is lower"],
		},
		es: {
			noun: ["la altitud de {}", "la altura de {} sobre el nivel del mar"],
			question: ["¿Cuál es la altitud de {} en metros?", "¿Cuántos metros de altura tiene {}?"],
			comparison: ["es más alto", "es más bajo"],
		},
	},
	independence: {
		from: "country",
		to: "time",
		en: {
			noun: ["the date on which {} became independent", "the date of independence of {}"],
			question: ["When did {} become independent?", "On what date did {} gain its independence?"],
			comparison: ["became independent later", "became independent earlier"],
		},
		es: {
			noun: ["la fecha de la independencia de {}", "el día de la independencia de {}"],
			question: ["¿De qué fecha data la independencia de {}?", "¿Cuándo se produjo la independencia de {}?"],
			comparison: ["se independizó más tarde", "se independizó antes"],
		},
	},
	"city-population": {
		from: "city",
		to: "number",
		en: {
			noun: ["the population of the urban area of {}", "the number of people in the urban area of {}"],
			question: ["How many people live in the urban area of {}?", "What is the population of the urban area of {}?"],
			comparison: ["has the more populous urban area", "has the less populous urban area"],
		},
		es: {
			noun: ["la población del área urbana de {}"],
			question: ["¿Cuántas personas viven en el área urbana de {}?", "¿Cuál es la población del área urbana de {}?"],
			comparison: ["tiene un área urbana más poblada", "tiene un área urbana menos poblada"],
		},
	},
	"median-age": {
		from: "country",
		to: "number",
		unit: "years",
		en: {
			noun: ["the median age in {}", "the median age of the people of {}"],
			question: ["What is the median age in {}?", "How many years is the median age of the population of {}?"],
			comparison: ["has the higher median age", "has the lower median age"],
		},
		es: {
			noun: ["la edad mediana de la población de {}"],
			question: ["¿Cuál es la edad mediana de la población de {}?"],
			comparison: ["tiene la edad mediana más alta", "tiene la edad mediana más baja"],
		},
	},
	"urban-share": {
		from: "country",
		to: "number",
		unit: "%",
		en: {
			noun: ["the urban share of the population of {}", "the percentage of people in {} who live in towns and cities"],
			question: ["What percentage of the population of {} lives in urban areas?"],
			comparison: ["has the larger urban share of its population", "has the smaller urban share of its population"],
		},
		es: {
			noun: ["el porcentaje de población urbana de {}"],
			question: ["¿Qué porcentaje de la población de {} vive en zonas urbanas?"],
			comparison: ["tiene mayor porcentaje de población urbana", "tiene menor porcentaje de población urbana"],
		},
	},
	"life-expectancy": {
		from: "country",
		to: "number",
		unit: "years",
		en: {
			noun: ["the life expectancy at birth in {}", "the average life expectancy in {}"],
			question: ["What is the life expectancy at birth in {}?", "How many years is life expectancy at birth in {}?"],
			comparison: ["has the higher life expectancy at birth", "has the lower life expectancy at birth"],
		},
		es: {
			noun: ["la esperanza de vida al nacer en {}"],
			question: ["¿Cuál es la esperanza de vida al nacer en {}?"],
			comparison: ["tiene mayor esperanza de vida al nacer", "tiene menor esperanza de vida al nacer"],
		},
	},
	railways: {
		from: "country",
		to: "number",
		unit: "km",
		en: {
			noun: ["the length of the railway network of {}", "the total length of railways in {}"],
			question: ["How long is the railway network of {} in km?", "How many kilometres of railway does {} have?"],
			comparison: ["has the longer railway network", "has the shorter railway network"],
		},
		es: {
			noun: ["la longitud de la red ferroviaria de {}"],
			question: ["¿Cuántos kilómetros mide la red ferroviaria de {}?"],
			comparison: ["tiene la red ferroviaria más larga", "tiene la red ferroviaria más corta"],
		},
	},
	"forest-share": {
		from: "country",
		to: "number",
		unit: "%",
		en: {
			noun: ["the share of the land of {} covered by forest", "the forest cover of {}"],
			question: ["What percentage of the land of {} is covered by forest?"],
			comparison: ["has the larger share of its land under forest", "has the smaller share of its land under forest"],
		},
		es: {
			noun: ["el porcentaje del territorio de {} cubierto por bosques"],
			question: ["¿Qué porcentaje del territorio de {} está cubierto por bosques?"],
			comparison: [
				"tiene mayor porcentaje de su territorio cubierto por bosques",
				"tiene menor porcentaje de su territorio cubierto por bosques",
			],
		},
	},
	"airport-elevation": {
		from: "airport",
		to: "number",
		unit: "ft",
		en: {
			noun: ["the elevation of {} in feet", "the height in feet at which {} lies"],
			question: ["What is the elevation of {} in feet?", "How many feet above sea level is {}?"],
			comparison: ["lies higher", "lies lower"],
		},
		es: {
			noun: ["la elevación en pies de {}"],
			question: ["¿A cuántos pies sobre el nivel del mar se encuentra {}?"],
			comparison: ["está a mayor altura", "está a menor altura"],
		},
	},
	"atomic-number": {
		from: "element",
		to: "number",
		inverseSingle: true,
		en: {
			noun: ["the atomic number of {}", "the number of protons in an atom of {}"],
			inverseNoun: ["the element with atomic number {}", "the chemical element whose atomic number is {}"],
			comparison: ["has the higher atomic number", "has the lower atomic number"],
		},
		es: {
			noun: ["el número atómico de {}"],
			inverseNoun: ["el elemento cuyo número atómico es {}"],
			comparison: ["tiene mayor número atómico", "tiene menor número atómico"],
		},
	},
	discovery: {
		from: "element",
		to: "time",
		en: {
			noun: ["the year in which {} was discovered", "the year of the discovery of {}"],
			question: ["In which year was {} discovered?", "When was {} discovered?"],
			comparison: ["was discovered later", "was discovered earlier"],
		},
		es: {
			noun: ["el año en que se descubrió {}", "el año del descubrimiento de {}"],
			question: ["¿En qué año se descubrió {}?"],
			comparison: ["se descubrió más tarde", "se descubrió antes"],
		},
	},
	"melting-point": {
		from: "element",
		to: "number",
		unit: "K",
		en: {
			noun: ["the melting point of {}", "the temperature in kelvins at which {} melts"],
			question: ["What is the melting point of {} in kelvins?", "At how many kelvins does {} melt?"],
			comparison: ["has the higher melting point", "has the lower melting point"],
		},
		es: {
			noun: ["el punto de fusión de {}"],
			question: ["¿Cuál es el punto de fusión de {} en kelvins?"],
			comparison: ["tiene mayor punto de fusión", "tiene menor punto de fusión"],
		},
	},
};
