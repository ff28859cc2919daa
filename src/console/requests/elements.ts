import { type Html, html } from '../../http/html/html.ts'
import { type Tone, tag } from '../shared/elements.ts'
import { shortDay, time } from '../shared/format.ts'

const toneOf = (status: number): Tone => {
  if (status >= 500 || status === 0) return 'bad'
  if (status >= 400) return 'warn'
  return status >= 300 ? 'accent' : 'good'
}

export const statusTag = (status: number): Html => tag(status === 0 ? 'None' : status, toneOf(status))

/** `18 Dec 09:30:12` in the time zone of the reader. */
export function timeCell(at: string, zone: string): Html {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(zone)
  const seconds = String(local.second).padStart(2, '0')
  return html`<time datetime="${at}">${shortDay(local.toPlainDate())} ${time(at, zone)}:${seconds}</time>`
}

/** The name of a key, or else the beginning of the key. */
export function nameOf(names: ReadonlyMap<string, string>, key: string | undefined): Html | undefined {
  if (key === undefined) return undefined
  const name = names.get(key)
  return name === undefined ? html`<code title="${key}">${key.slice(0, 8)}…</code>` : html`<bdi>${name}</bdi>`
}
