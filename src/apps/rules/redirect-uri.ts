import type { Flow } from '../../core/app.ts'
import { unicodeHost } from '../../core/network/address.ts'
import { parseLoopbackUrl } from '../../core/network/loopback.ts'
import { hintsFor, sentences } from './redirect-uri-hints.ts'

/** Either the reasons against a URI, or the origin it leads to (also in Unicode if its host is not ASCII) with what is
 *  probably a mistake. Warnings are ASCII, because they are sent in a header. */
export type RedirectUriCheck =
  | Readonly<{ errors: readonly string[] }>
  | Readonly<{ origin: string; unicodeOrigin?: string; warnings: readonly string[] }>

const maxCharacters = 2_000

/** Registered or system schemes that contain a dot. None of them starts like a reversed domain. */
const takenSchemes = /^(iris|soap|xmlrpc|z39|x-apple)\./

type Parsed = Readonly<{ uri: string; flow: Flow; url: URL; authority: string; path: string }>

/**
 * A redirect URI is https, or http to this machine, or a private-use scheme of a PKCE app; no fragment, user info or
 * wildcard (§8.3). It must equal what a browser makes of it: that one comparison catches what no list of tricks could.
 * The checks before it only explain.
 */
export function checkRedirectUri(uri: string, flow: Flow): RedirectUriCheck {
  const textErrors = checkText(uri, flow)
  if (textErrors.length > 0) return { errors: textErrors }
  // The literal components (RFC 3986 appendix B), which may differ from what a browser parses.
  const [, authority = '', path = ''] = /^[^:/?#]*:(?:\/\/([^/?#]*))?([^?#]*)/.exec(uri) ?? []
  const url = URL.parse(uri)
  if (!url) return { errors: [whyUnparsable(uri, authority)] }
  const parsed = { uri, flow, url, authority, path }
  const errors = [...checkComponents(parsed), ...(isWeb(url) ? checkWeb(parsed) : checkScheme(parsed))]
  if (errors.length > 0) return { errors }
  if (!isCanonical(url, uri))
    return { errors: [`A browser reads it as ${url.href}. Register that form if it is what you mean.`] }
  return { ...originsOf(url), warnings: hintsFor(url, flow) }
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

/** A browser adds a slash for an empty path; redirect-match.ts treats the two as equal. */
const isCanonical = (url: URL, uri: string): boolean =>
  url.href === uri || (isWeb(url) && url.href === uri.replace(/^(https?:\/\/[^/?]+)(\?|$)/, '$1/$2'))

/** Controls, formats, unpaired surrogates, unassigned, private and default-ignorable characters. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** Unreserved characters, which need no encoding (RFC 3986 §2.3). */
const needlesslyEncoded = /%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/i

function checkText(uri: string, flow: Flow): string[] {
  if (uri.length > maxCharacters) return [`Is longer than ${maxCharacters} characters.`]
  const invisible = hidden.exec(uri) ?? /\p{Z}/u.exec(uri)
  if (invisible) return [`Contains a space, a line break or another invisible character (${codePoint(invisible)}).`]
  if (/[^!-~]/.test(uri)) return explainUnicode(uri, flow)
  const decoded = decode(uri)
  const encoded = hidden.exec(decoded ?? '')
  const needless = needlesslyEncoded.exec(uri)?.[0]
  const reserved = /["<>^`{|}]/.exec(uri)?.[0]
  return sentences(
    decoded === undefined && 'Contains a percent sign that encodes no UTF-8 text. Write %25 for a percent sign.',
    encoded && `Contains an encoded control or other invisible character (${codePoint(encoded)}).`,
    needless && `Contains ${needless}, which needs no encoding. Write ${decode(needless)}.`,
    reserved && `Contains ${reserved}, which must be written as ${encodeURIComponent(reserved)}.`,
    uri.includes('\\') && 'Contains a backslash, which a browser reads as a slash.',
  )
}

const codePoint = ([character = '']: RegExpExecArray): string =>
  `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** URIs are compared character by character and sent in a header, so only the ASCII form is accepted. */
function explainUnicode(uri: string, flow: Flow): string[] {
  const error = 'Contains non-ASCII characters.'
  const url = URL.parse(uri)
  if (!url) return [error]
  const { href, hostname } = url
  const readable = unicodeHost(hostname)
  const host = readable === hostname ? '' : ` The host ${readable} becomes ${hostname}.`
  const checked = checkRedirectUri(href, flow)
  return [`${error} Write it as a browser does: ${href}.${host}`, ...('errors' in checked ? checked.errors : [])]
}

function whyUnparsable(uri: string, authority: string): string {
  if (!/^[a-z][a-z\d+.-]*:/i.test(uri)) return 'Must be an absolute address, such as https://app.example/callback.'
  const port = Number(/:([^:\]]*)$/.exec(authority)?.[1] ?? 0)
  if (!(port <= 65_535)) return 'Has a port that is not a number from 1 to 65535.'
  return 'Has an invalid host. Write a name such as app.example, or an address such as [::1], without a zone.'
}

function checkComponents({ uri, authority, path }: Parsed): string[] {
  return sentences(
    uri.includes('#') && 'Has a fragment (#), which a redirect URI must not have (RFC 6749 section 3.1.2).',
    authority.includes('@') && 'Has user info (name@), which disguises the host.',
    uri.includes('*') && 'Has a wildcard (*). Addresses are compared exactly; register each one.',
    /^[^:]*[A-Z]/.test(uri) && 'Has upper-case letters in its scheme. Write it in lower case.',
    /(^|\/)\.{1,2}(\/|$)/.test(path) && 'Has . or .. in its path. Write the resolved path.',
  )
}

const invalidName =
  'Has an invalid host name: each label has 1 to 63 letters, digits and inner hyphens, the name at most 253 characters.'
const label = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/
const isName = (text: string): boolean => text.length <= 253 && text.split('.').every((part) => label.test(part))

function checkWeb({ url, authority }: Parsed): string[] {
  const host = url.hostname.replace(/\.$/, '')
  const isRemote = url.protocol === 'http:' && !parseLoopbackUrl(`http://${host}`)
  return sentences(
    /^[^%]*[A-Z][^@%]*$/.test(authority) && `Has upper-case letters in its host. Write ${url.host}.`,
    authority.includes('%') && 'Has a percent-encoded host. Write it without encoding.',
    url.hostname.endsWith('.') && 'Has a host that ends with a dot. Remove the dot.',
    // A wildcard is already reported.
    !isName(host.replaceAll('*', 'x')) && !host.startsWith('[') && invalidName,
    !isDecodable(host) && 'Has an internationalized host name (xn--) that cannot be decoded.',
    url.port === '0' && 'Has port 0, where nothing can listen.',
    isRemote && 'Uses http to another machine. Use https; http is for localhost, 127.0.0.1 and [::1] only.',
  )
}

/** Node keeps an xn-- label that does not decode, and accepts several spellings of one name. */
function isDecodable(host: string): boolean {
  const readable = unicodeHost(host)
  return !/(^|\.)xn--/.test(readable) && URL.parse(`https://${readable}/`)?.hostname === host
}

function checkScheme({ uri, url, flow }: Parsed): string[] {
  const scheme = url.protocol.slice(0, -1)
  if (/^[^:]*:\d+([/?]|$)/.test(uri)) return ['Has no scheme. Add https://, or http:// for this machine.']
  if (flow !== 'PKCE') return [`Has the scheme ${scheme}. Use https; only a PKCE app may have a private-use scheme.`]
  return isPrivateUse(scheme) ? [] : [`Has the scheme ${scheme}, which is not yours alone. ${privateUse}`]
}

const privateUse = 'Use https, or your domain reversed, such as com.example.app (RFC 8252 section 7.1).'

/** A scheme without a dot may belong to a browser, a system or another app; no list of those could be complete. */
const isPrivateUse = (scheme: string): boolean => scheme.includes('.') && isName(scheme) && !takenSchemes.test(scheme)

function originsOf(url: URL): { origin: string; unicodeOrigin?: string } {
  if (!isWeb(url)) return { origin: url.protocol }
  const unicodeOrigin = url.origin.replace(url.hostname, unicodeHost(url.hostname))
  return unicodeOrigin === url.origin ? { origin: url.origin } : { origin: url.origin, unicodeOrigin }
}
