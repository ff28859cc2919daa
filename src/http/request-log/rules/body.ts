import { hidden, hideTokens, hideValue, isSecretName, unescaped } from './secrets.ts'
import { showQueries, showValue } from './target.ts'

/** The names of the documented parameters of all operations. */
type Parameters = ReadonlySet<string>

/** JSON, also if it was cut, with the values of secrets replaced (§11.6). */
export function showJson(text: string, parameters: Parameters): string {
  let name = ''
  return text.replaceAll(
    /"((?:[^"\\]|\\(?:.|$))*)("|$)(\s*:)?/gs,
    (whole, inner: string, end: string, colon?: string) => {
      // It was cut inside of a value: what is left may be part of a secret.
      if (end === '') return '"…'
      const text = decode(inner)
      if (colon !== undefined) name = text
      const shown = colon === undefined ? hideValue(name, showQueries(text, parameters)) : hideTokens(text)
      return shown === text ? whole : `${JSON.stringify(shown)}${colon ?? ''}`
    },
  )
}

/** A string of JSON. One that is malformed is judged too. */
function decode(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return unescaped(inner)
  }
}

/** What of a form may be shown. */
const shownFields = new Set(['grant_type', 'client_id', 'redirect_uri', 'response_type', 'token_type_hint', 'decision'])

/** A form with the values of its known fields; of all others only that they were sent. */
export function showForm(text: string, parameters: Parameters): string {
  return text
    .split('&')
    .map((pair) => {
      const sign = pair.indexOf('=')
      const name = pair.slice(0, Math.max(0, sign))
      if (shownFields.has(name)) return `${name}=${showValue(name, pair.slice(sign + 1), parameters)}`
      return /^[a-z_]{1,40}$/i.test(name) ? `${name}=${hidden}` : hidden
    })
    .join('&')
}

/** A body that may be shown, by its media type; undefined for all others, such as pages and batches. */
export function showBody(mediaType: string, text: string, parameters: Parameters): string | undefined {
  if (/^application\/(?:[\w.]+\+)?json/i.test(mediaType)) return showJson(text, parameters)
  return /^application\/x-www-form-urlencoded/i.test(mediaType) ? showForm(text, parameters) : undefined
}

/** A header that may be shown. Of credentials only that they were sent, and how. */
export function showHeader(name: string, value: string, parameters: Parameters): string {
  if (name === 'authorization') return `${/^[a-z]{1,10}(?= )/i.exec(value)?.[0] ?? ''} ${hidden}`.trimStart()
  if (name === 'x-correlation' || name === 'etag') return value
  return isSecretName(name) ? hidden : hideTokens(showQueries(value, parameters))
}
