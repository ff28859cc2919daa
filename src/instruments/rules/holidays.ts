type Dated = Readonly<{ Date: string }>

/** The days from one day to another, both included where they are named, in their order. Days are written YYYY-MM-DD. */
export function daysWithin<Day extends Dated>(days: readonly Day[], from = '', to = '9999-12-31'): Day[] {
  const within = days.filter(({ Date: day }) => from <= day && day <= to)
  return within.sort((a, b) => Number(a.Date > b.Date) - Number(a.Date < b.Date))
}

/** The one with this id, in any case; where ids differ by case alone, the one that is spelled so. */
export function findAnyCase<Value>(all: ReadonlyMap<string, Value>, id: string): Value | undefined {
  const exact = all.get(id)
  if (exact !== undefined) return exact
  const wanted = id.toLowerCase()
  for (const [name, value] of all) if (name.toLowerCase() === wanted) return value
  return undefined
}
