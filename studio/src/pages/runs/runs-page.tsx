export function RunsPage() {
	return <p>…</p>;
}
