/** Products of vectors with matrices in row order, into arrays that are there: nothing is allocated. */

/** y = M x; M has as many rows as y is long, and as many columns as x. In four sums that do not wait for one another. */
export function multiply(y: Float64Array, matrix: Float64Array, x: Float64Array): void {
	const columns = x.length;
	for (let row = 0, from = 0; row < y.length; row += 1, from += columns) {
		let a = 0;
		let b = 0;
		let c = 0;
		let d = 0;
		let column = 0;
		for (; column + 3 < columns; column += 4) {
			a += (matrix[from + column] as number) * (x[column] as number);
			b += (matrix[from + column + 1] as number) * (x[column + 1] as number);
			c += (matrix[from + column + 2] as number) * (x[column + 2] as number);
			d += (matrix[from + column + 3] as number) * (x[column + 3] as number);
		}
		for (; column < columns; column += 1) a += (matrix[from + column] as number) * (x[column] as number);
		y[row] = a + b + c + d;
	}
}

/**
 * Back through y = M x: slope of x += Mᵀ slope of y, and slope of M += slope of y xᵀ. M has as many rows as y is long, and as
 * many columns as x; four rows at a time, so that the slope of x is read and written a quarter as often.
 */
export function multiplyBack(
	{ ofX, ofMatrix }: { ofX: Float64Array; ofMatrix: Float64Array },
	matrix: Float64Array,
	x: Float64Array,
	ofY: Float64Array,
): void {
	const columns = x.length;
	const rows = ofY.length;
	let row = 0;
	for (; row + 3 < rows; row += 4) {
		const a = ofY[row] as number;
		const b = ofY[row + 1] as number;
		const c = ofY[row + 2] as number;
		const d = ofY[row + 3] as number;
		const first = row * columns;
		const second = first + columns;
		const third = second + columns;
		const fourth = third + columns;
		for (let at = 0; at < columns; at += 1) {
			const value = x[at] as number;
			ofMatrix[first + at] = (ofMatrix[first + at] as number) + a * value;
			ofMatrix[second + at] = (ofMatrix[second + at] as number) + b * value;
			ofMatrix[third + at] = (ofMatrix[third + at] as number) + c * value;
			ofMatrix[fourth + at] = (ofMatrix[fourth + at] as number) + d * value;
			const upper = a * (matrix[first + at] as number) + b * (matrix[second + at] as number);
			const lower = c * (matrix[third + at] as number) + d * (matrix[fourth + at] as number);
			ofX[at] = (ofX[at] as number) + (upper + lower);
		}
	}
	for (; row < rows; row += 1) {
		const factor = ofY[row] as number;
		const from = row * columns;
		for (let at = 0; at < columns; at += 1) {
			ofMatrix[from + at] = (ofMatrix[from + at] as number) + factor * (x[at] as number);
			ofX[at] = (ofX[at] as number) + factor * (matrix[from + at] as number);
		}
	}
}

/** y += factor x. */
export function addScaled(y: Float64Array, x: Float64Array, factor: number): void {
	for (let at = 0; at < y.length; at += 1) y[at] = (y[at] as number) + factor * (x[at] as number);
}

export function dot(a: Float64Array, b: Float64Array): number {
	let sum = 0;
	for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
	return sum;
}

/** Turns the first `length` numbers into probabilities that go as their exponentials. */
export function softmax(values: Float64Array, length: number = values.length): void {
	let most = Number.NEGATIVE_INFINITY;
	for (let at = 0; at < length; at += 1) most = Math.max(most, values[at] as number);
	let sum = 0;
	for (let at = 0; at < length; at += 1) {
		const raised = Math.exp((values[at] as number) - most);
		values[at] = raised;
		sum += raised;
	}
	for (let at = 0; at < length; at += 1) values[at] = (values[at] as number) / sum;
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
