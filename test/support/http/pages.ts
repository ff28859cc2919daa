/** The rows of all pages of a feed. */
export async function rowsOfAllPages<Row>(url: string, token: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let next: string | undefined = url; next !== undefined; ) {
    const response: Response = await fetch(next, { headers: { authorization: `Bearer ${token}` } })
    const page = (await response.json()) as { Data: Row[]; __next?: string }
    rows.push(...page.Data)
    next = page.__next
  }
  return rows
}
