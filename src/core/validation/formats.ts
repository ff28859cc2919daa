import { Format } from 'typebox/format'

// PostgreSQL has no year 0.
const dayPattern = /^(?!0000)\d{4}-\d{2}-\d{2}$/
const dateTimePattern = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/

function parses(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

export const isDay = (text: string): boolean => dayPattern.test(text) && parses(() => Temporal.PlainDate.from(text))

/** What an error of a time in a query adds. */
export const plusInQuery = ' In a query, write + as %2B.'

/** A real instant with 0 to 6 fractional digits and Z or an offset. */
export const isDateTime = (text: string): boolean =>
  dateTimePattern.test(text) && parses(() => Temporal.Instant.from(text))

/** A date-time with or without an offset, as the standard libraries of Python and .NET write it. */
const writtenTimePattern = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|[+-]\d{2}:\d{2})?$/

/** The day of a date-time as written, whatever its offset; any other text is unchanged. */
export function dayOfTime(text: string): string {
  const [, day = '', time = ''] = writtenTimePattern.exec(text) ?? []
  return day !== '' && parses(() => Temporal.PlainDateTime.from(day + time)) ? day : text
}

/** The format of a time that may be known by its day only, in records. */
export const dayOrTime = 'day-or-time'

/** TypeBox's own formats also accept a space for the T, more digits and the year 0. */
export function useStrictFormats(): void {
  Format.Set('date', isDay)
  Format.Set('date-time', isDateTime)
  Format.Set(dayOrTime, (text) => isDay(text) || isDateTime(text))
}
