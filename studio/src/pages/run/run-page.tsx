export function RunPage() {
	return <p>…</p>;
}
