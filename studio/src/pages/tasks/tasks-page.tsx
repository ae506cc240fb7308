export function TasksPage() {
	return <p>…</p>;
}
