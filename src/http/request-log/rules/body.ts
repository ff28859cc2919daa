import { plural } from '../../../core/text.ts'
import { hidden, hideTokens, isSecretName } from './secrets.ts'
import { oauthValues, type Shown, showEncoded, showQueries, showText } from './values.ts'

/** Objects and lists below this depth are hidden. */
const maxDepth = 12

/** JSON with the values of known names that are no secrets (§11.6). Undefined if it does not parse, unless it was cut. */
export function showJson(text: string, shown: Shown, isCut = false, depth = 0): string | undefined {
  try {
    const json = JSON.stringify(mask(undefined, JSON.parse(isCut ? wellFormedStart(text) : text), shown, depth))
    return isCut ? `${json}…` : json
  } catch {
    return undefined
  }
}

/** A value without a name is hidden. */
function mask(name: string | undefined, value: unknown, shown: Shown, depth: number): unknown {
  if (typeof value === 'object' && value !== null) {
    if (depth >= maxDepth) return hidden
    if (Array.isArray(value)) return value.map((each) => mask(name, each, shown, depth + 1))
    return Object.fromEntries(Object.entries(value).map((member) => maskMember(member, shown, depth + 1)))
  }
  if (name === undefined) return hidden
  return typeof value === 'string' ? maskText(name, value, shown, depth) : value
}

function maskMember([name, value]: [string, unknown], shown: Shown, depth: number): [string, unknown] {
  if (!shown.members.has(name)) return [hidden, hidden]
  return [name, isSecretName(name) && !oauthValues.has(name) ? hidden : mask(name, value, shown, depth)]
}

const jsonInside = /^\s*(?:\{|\[\s*[[{"])/

/** A text with JSON is masked like any other JSON, or hidden if that does not parse. */
const maskText = (name: string, text: string, shown: Shown, depth: number): string =>
  (jsonInside.test(text) ? showJson(text, shown, false, depth + 1) : showText(name, text, shown)) ?? hidden

/** JSON that was cut, up to its last whole member or element, with the brackets that close it. */
function wellFormedStart(text: string): string {
  let [open, isInside, end, closing] = ['', false, 0, '']
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (isInside && character === '\\') at += 1
    else if (character === '"') isInside = !isInside
    else if (isInside) continue
    else if (character === '{' || character === '[') open = `${character === '{' ? '}' : ']'}${open}`
    else if (character === '}' || character === ']') open = open.slice(1)
    if (!isInside && /[[{,]/.test(character)) {
      end = character === ',' ? at : at + 1
      closing = open
    }
  }
  return text.slice(0, end) + closing
}

/** Fields of the forms of OAuth whose names may be shown besides those in `oauthValues`. */
const fieldNames = new Set([
  ...['client_secret', 'code', 'code_verifier', 'refresh_token', 'token', 'state', 'scope'],
  ...['user', 'password', 'form_token'],
])

/** A form with its harmless values; of all other known fields only that they were sent. */
export function showForm(text: string, shown: Shown, isCut = false): string {
  const pairs = text.split('&')
  if (isCut) pairs.pop()
  const fields = pairs.map((pair) => {
    const sign = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, sign))
    if (oauthValues.has(name)) return `${name}=${showEncoded(name, pair.slice(sign + 1), shown)}`
    return fieldNames.has(name) ? `${name}=${hidden}` : hidden
  })
  return `${fields.join('&')}${isCut ? '…' : ''}`
}

/** Media types that may be named; a caller may send anything as one. */
const mediaTypes = new Set([
  ...['application/json', 'application/problem+json', 'application/x-ndjson', 'application/octet-stream'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/mixed', 'application/xml'],
  ...['text/plain', 'text/csv', 'text/html', 'text/xml'],
])

const mediaTypeOf = (contentType: string): string => contentType.replace(/;.*/s, '').trim().toLowerCase()

export type SentBody = Readonly<{
  contentType: string
  /** The first 16 KB of the body. */
  text: string
  isCut: boolean
  /** The length of the whole body. */
  bytes: number
}>

/** A body without secrets: JSON and forms by their names, any other as its length and media type. */
export function showBody({ contentType, text, isCut, bytes }: SentBody, shown: Shown): string {
  const type = mediaTypeOf(contentType)
  const json = /^application\/(?:[\w.]+\+)?json$/.test(type) ? showJson(text, shown, isCut) : undefined
  if (json !== undefined) return json
  if (type === 'application/x-www-form-urlencoded') return showForm(text, shown, isCut)
  return `${hidden} ${plural(bytes, 'byte')} of ${mediaTypes.has(type) ? type : 'another type'}`
}

/** A header of a request that may be shown. Of credentials only that they were sent, and how. */
export function showHeader(name: string, value: string, shown: Shown): string {
  if (name === 'authorization') return `${/^(?:bearer|basic)(?= )/i.exec(value)?.[0] ?? ''} ${hidden}`.trimStart()
  if (name === 'content-type') return showContentType(value)
  return isSecretName(name) ? hidden : hideTokens(showQueries(value, shown))
}

function showContentType(value: string): string {
  const type = mediaTypeOf(value)
  if (!mediaTypes.has(type)) return hidden
  const isPlain = /^[^;]*(?:;\s*charset="?(?:utf-8|us-ascii|iso-8859-1)"?\s*)?$/i.test(value)
  return isPlain ? value : `${type}; ${hidden}`
}
