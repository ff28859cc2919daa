import { percentDecoded } from '../../../core/text.ts'
import { hidden, hideValue } from './secrets.ts'

/** The names that a request may show. */
export type Shown = Readonly<{
  /** The names of the parameters of all operations, in lower case. */
  parameters: ReadonlySet<string>
  /** The names of the members of all documented bodies. */
  members: ReadonlySet<string>
  /** The app that the request is for, if it is known. */
  app?: string | undefined
}>

type ShowValue = (value: string, app: string | undefined) => string | undefined

const oneOf =
  (...values: string[]): ShowValue =>
  (value) =>
    values.includes(value) ? value : undefined

/** The address of an app without its query, which may have anything. */
const showAddress: ShowValue = (value) => {
  const address = value.replace(/(?:%3f|%23|[?#]).*$/is, '')
  const url = /^[a-z][a-z\d+.-]*:\//i.test(address) ? URL.parse(address) : null
  return url && url.username === '' && url.password === '' ? hideValue('redirect_uri', address) : undefined
}

/** Parameters of OAuth that may be shown, each with its harmless values. */
export const oauthValues: ReadonlyMap<string, ShowValue> = new Map([
  ['grant_type', oneOf('authorization_code', 'refresh_token', 'client_credentials', 'password')],
  ['response_type', oneOf('code', 'token')],
  ['token_type_hint', oneOf('access_token', 'refresh_token')],
  ['code_challenge_method', oneOf('S256', 'plain')],
  ['prompt', oneOf('none', 'login', 'consent')],
  ['decision', oneOf('allow', 'deny')],
  ['lang', oneOf('en', 'de', 'da')],
  ['client_id', (value, app) => (value === app ? value : undefined)],
  ['redirect_uri', showAddress],
  ['resource', showAddress],
])

/** Masks the value of a known name: everything that looks like a secret, and unknown parameters of addresses inside. */
export function showText(name: string, text: string, shown: Shown): string {
  const show = oauthValues.get(name)
  if (show) return show(text, shown.app) ?? hidden
  return hideValue(name, showQueries(text, shown))
}

/** Masks a value that is encoded as in a query. A value with a malformed encoding is hidden. */
export function showEncoded(name: string, value: string, shown: Shown): string {
  const text = percentDecoded(value.replaceAll('+', ' '))
  if (text === undefined) return hidden
  const safe = showText(name, text, shown)
  if (value === text) return safe
  return safe === text ? value : encodeURIComponent(safe).replaceAll(encodeURIComponent(hidden), hidden)
}

const hiddenPair = `${hidden}=${hidden}`

/** Returns a query with the values of known parameters and the names that resemble a known one. */
export function showQuery(
  query: string,
  known: ReadonlySet<string>,
  shown: Shown,
  isClose: (name: string) => boolean = () => false,
): string {
  return query
    .split('&')
    .map((pair) => {
      if (pair === '') return ''
      const sign = pair.indexOf('=')
      const name = sign < 0 ? pair : pair.slice(0, sign)
      const lower = percentDecoded(name.replaceAll('+', ' '))?.toLowerCase() ?? ''
      if (known.has(lower)) return `${name}=${sign < 0 ? '' : showEncoded(lower, pair.slice(sign + 1), shown)}`
      return isClose(lower) ? `${name}=${hidden}` : hiddenPair
    })
    .join('&')
}

/** A text that may have addresses inside: of their queries only the values of documented parameters. */
export const showQueries = (text: string, shown: Shown): string =>
  text.replaceAll(/\?([^\s"'<>=?]*=[^\s"'<>]*)/g, (_, query: string) => `?${showQuery(query, shown.parameters, shown)}`)
