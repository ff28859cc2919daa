import { isDateTime, isDay } from '../../../core/validation/formats.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import { day, dayAndTime, dayIn, dayOf, figure, type Reader } from '../format.ts'

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
const isTimeText = (value: unknown): value is string => typeof value === 'string' && (isDay(value) || isDateTime(value))

/** Dates that a correction moves. */
export const isTime = (...values: readonly unknown[]): boolean => values.every(isTimeText)

/** An id is no figure, and no digit is rounded away. */
function numberText(field: string, value: number): string {
  const text = figure(value)
  return /(Id|Uic)\W*$/.test(field) || Number(text.replaceAll(',', '')) !== value ? String(value) : text
}

function scalarText(field: string, value: unknown, { zone }: Reader): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return numberText(field, value)
  if (!isTimeText(value)) return String(value)
  return isDay(value) ? day(value) : dayAndTime(value, zone)
}

/** A value in full. */
export function valueCell(field: string, value: unknown, reader: Reader): HtmlValue {
  if (value === undefined) return html`<span class="quiet">none</span>`
  if (isTimeText(value)) return html`<time datetime="${value}">${scalarText(field, value, reader)}</time>`
  if (isScalar(value)) return isolated(scalarText(field, value, reader))
  if (Array.isArray(value) && value.every(isScalar))
    return isolated(value.map((item) => scalarText(field, item, reader)).join(', '))
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`
}

const isolated = (text: string): Html => html`<bdi>${text}</bdi>`

const maxShort = 60

/** A value for a sentence: undefined if there is none, null if it is too long. Days are without the present year. */
export function shortText(field: string, value: unknown, reader: Reader): string | null | undefined {
  if (value === undefined) return undefined
  if (!isScalar(value)) return null
  if (typeof value === 'string' && isDay(value))
    return dayIn(reader.now.toZonedDateTimeISO(reader.zone).year, dayOf(value))
  const text = scalarText(field, value, reader)
  return text.length <= maxShort && !text.includes('\n') ? text : null
}
