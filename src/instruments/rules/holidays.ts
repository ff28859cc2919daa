type Dated = Readonly<{ Date: string }>

/** The days of a period in order; both ends are inclusive and optional. */
export function daysWithin<Day extends Dated>(days: readonly Day[], from = '', to = '9999-12-31'): Day[] {
  const within = days.filter(({ Date: day }) => from <= day && day <= to)
  return within.sort((a, b) => Number(a.Date > b.Date) - Number(a.Date < b.Date))
}

/** Finds an id in any case; an exact match wins. */
export function findAnyCase<Value>(all: ReadonlyMap<string, Value>, id: string): Value | undefined {
  const exact = all.get(id)
  if (exact !== undefined) return exact
  const wanted = id.toLowerCase()
  for (const [name, value] of all) if (name.toLowerCase() === wanted) return value
  return undefined
}
