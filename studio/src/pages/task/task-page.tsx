export function TaskPage() {
	return <p>…</p>;
}
