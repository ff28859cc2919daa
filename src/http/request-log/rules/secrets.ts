import { assetTypes } from '../../../core/asset-type.ts'

/** What stands for everything that the request log must not contain (§11.6). */
export const hidden = '[redacted]'

/** Signed tokens; GUIDs (codes, refresh tokens); 32 and more hex digits (secrets, cookies, private addresses); other long texts
 *  without a space (verifiers, keys). */
const tokenShapes =
  /eyJ[\w-]{8,}\.[\w.-]*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,}|[\w+=-]{40,}/gi
const signedToken = /eyJ[\w-]{8,}\.[\w.-]*/g

/** Names of the interface that are as long as a token. */
const longNames: ReadonlySet<string> = new Set(assetTypes)

/** The text without anything that looks like a token. */
export const hideTokens = (text: string): string =>
  text.replaceAll(tokenShapes, (found) => (longNames.has(found) ? found : hidden))

/** The text without the names that a caller made up. A name may begin with another one, so longer ones come first. */
export function hideNames(text: string, names: readonly string[]): string {
  if (names.length === 0) return text
  const choices = names.toSorted((a, b) => b.length - a.length).map((name) => RegExp.escape(name))
  return text.replaceAll(new RegExp(`(?<!\\w)(?:${choices.join('|')})(?!\\w)`, 'g'), hidden)
}

/** Ids that look like secrets: an AppKey, a SessionId, a client_id. */
const idName = /(?:key|id|_id)$/i
const idValue = /^[0-9a-f]{32}$/
/** Cursors of paging are long, and no secrets. */
const cursorName = /^\$skiptoken$/i

const secretName = /secret|token|password|verifier|challenge|cookie|authorization|credential|assertion/i
/** Parameters of OAuth; a REST member is named Code or State. */
const oauthName = /^(?:code|state|nonce)$/
/** Members about a secret, not the secret itself. */
const aboutName = /(?:id|type|endpoint|expires\w*|_in|_hint|until|from|supported|secrets|skiptoken)$/i

export const isSecretName = (name: string): boolean =>
  oauthName.test(name) || (secretName.test(name) && !aboutName.test(name))

const memberName = new RegExp(`(?:${secretName.source})\\w{0,20}["'\\\\\\s]{0,10}:`, 'i')
const assignedName = /(?:secret|token|password|verifier|credential|assertion)\w{0,20}\s?=/i

/** With its escapes of JSON, such as \u0022, as characters, also if they are escaped again. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll('\\', '')

/** Whether a text has a member or an assignment with the name of a secret inside. */
function hasSecretInside(value: string): boolean {
  const text = unescaped(value)
  return assignedName.test(text) || (text.includes('"') && memberName.test(text))
}

/** The value of a name that may be shown: of a secret nothing, of anything else only text that does not look like a token. */
export function hideValue(name: string, value: string): string {
  if (isSecretName(name)) return hidden
  if (idName.test(name) && idValue.test(value)) return value
  if (cursorName.test(name)) return value.replaceAll(signedToken, hidden)
  return hasSecretInside(value) ? hidden : hideTokens(value)
}

/** Whether the log kept a text as it was sent: nothing was replaced, and the end was not cut off. */
export const isWhole = (text: string): boolean => !text.includes(hidden) && !text.endsWith('…')
