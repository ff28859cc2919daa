import type { Flow } from '../../core/app.ts'
import { unicodeHost } from '../../core/network/address.ts'
import { hintsOf, said } from './redirect-uri-hints.ts'

/** What a developer is told of a redirect URI: why it cannot be one, or where a browser will go, in both forms if the
 *  name of the host is not ASCII, and what is legal but likely a mistake. Every text is a sentence; warnings are ASCII,
 *  since they travel in a header. */
export type RedirectUriCheck =
  | Readonly<{ refused: readonly string[] }>
  | Readonly<{ origin: string; readAs?: string; warnings: readonly string[] }>

const maxCharacters = 2_000
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The few schemes with a dot that are registered, or a system's own: none of them begins as a domain in reverse. */
const takenSchemes = /^(iris|soap|xmlrpc|z39|x-apple)\./

type Parts = Readonly<{ uri: string; flow: Flow; url: URL; authority: string; path: string }>

/**
 * Registered URIs are https, or http on this machine, or a private-use scheme for PKCE apps; no fragment, no user info,
 * no wildcard (contract §4). A URI is accepted only as a browser would write it itself, so that where it leads is what
 * it says: that one comparison catches what no list of tricks could. The sentences before it are there to explain.
 */
export function checkRedirectUri(uri: string, flow: Flow): RedirectUriCheck {
  const ofText = faultsOfText(uri, flow)
  if (ofText.length > 0) return { refused: ofText }
  // What the URI says by itself (RFC 3986 appendix B), which may be something else than what a browser reads.
  const [, authority = '', path = ''] = /^[^:/?#]*:(?:\/\/([^/?#]*))?([^?#]*)/.exec(uri) ?? []
  const url = URL.parse(uri)
  if (!url) return { refused: [whyUnreadable(uri, authority)] }
  const parts = { uri, flow, url, authority, path }
  const refused = [...faultsOfParts(parts), ...(isWeb(url) ? faultsOfWeb(parts) : faultsOfScheme(parts))]
  if (refused.length > 0) return { refused }
  if (!isAsWritten(url, uri))
    return { refused: [`A browser reads it as ${url.href}. Register that, if it is what you mean.`] }
  return { ...whereTo(url), warnings: hintsOf(url, flow) }
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

/** Where there is no path a browser adds a slash; the two are the same to us too (rules/redirect-match). */
const isAsWritten = (url: URL, uri: string): boolean =>
  url.href === uri || (isWeb(url) && url.href === uri.replace(/^(https?:\/\/[^/?]+)(\?|$)/, '$1/$2'))

/** Controls, formats, unpaired surrogates, unassigned and private characters, and what fonts leave out. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** Letters, digits and - . _ ~ are themselves, and need no encoding (RFC 3986 §2.3). */
const needlesslyEncoded = /%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/i

function faultsOfText(uri: string, flow: Flow): string[] {
  if (uri.length > maxCharacters) return [`Is longer than ${maxCharacters} characters.`]
  const unseen = hidden.exec(uri) ?? /\p{Z}/u.exec(uri)
  if (unseen) return [`Contains a space, a line break or another character that does not show (${codePoint(unseen)}).`]
  if (/[^!-~]/.test(uri)) return faultsOfUnicode(uri, flow)
  const decoded = decode(uri)
  const encoded = hidden.exec(decoded ?? '')
  const plain = needlesslyEncoded.exec(uri)?.[0]
  const odd = /["<>^`{|}]/.exec(uri)?.[0]
  return said(
    decoded === undefined && 'Has a percent sign that encodes no text. Write %25 for the sign itself.',
    encoded && `Contains an encoded control or other character that does not show (${codePoint(encoded)}).`,
    plain && `Contains ${plain}, which is ${decode(plain)} in disguise. Write it plainly.`,
    odd && `Contains ${odd}, which an address writes as ${encodeURIComponent(odd)}.`,
    uri.includes('\\') && 'Has a backslash, which a browser reads as a slash.',
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

/** Redirect URIs are compared by their characters and travel in a header, so only what a browser sends is taken. */
function faultsOfUnicode(uri: string, flow: Flow): string[] {
  const fault = 'Contains characters other than ASCII.'
  const url = URL.parse(uri)
  if (!url) return [fault]
  const { href, hostname } = url
  const readable = unicodeHost(hostname)
  const reads = readable === hostname ? '' : ` Its host ${readable} is ${hostname} there.`
  const judged = checkRedirectUri(href, flow)
  return [`${fault} Write it as a browser does: ${href}.${reads}`, ...('refused' in judged ? judged.refused : [])]
}

function whyUnreadable(uri: string, authority: string): string {
  if (!/^[a-z][a-z\d+.-]*:/i.test(uri)) return 'Must be an absolute address, such as https://app.example/callback.'
  const port = Number(/:([^:\]]*)$/.exec(authority)?.[1] ?? 0)
  if (!(port <= 65_535)) return 'Has a port that is not a number from 1 to 65535.'
  return 'Has a host that no browser can read. Write a name like app.example, or an address like [::1], without a zone.'
}

function faultsOfParts({ uri, authority, path }: Parts): string[] {
  return said(
    uri.includes('#') && 'Has a fragment (#), which only the answer of the service may have (RFC 6749 section 3.1.2).',
    authority.includes('@') && 'Has user info (name@), which hides where it leads.',
    uri.includes('*') && 'Has a wildcard (*). Addresses are compared as they are; register each one.',
    /^[^:]*[A-Z]/.test(uri) && 'Has upper-case letters in its scheme. Write it in lower case.',
    /(^|\/)\.{1,2}(\/|$)/.test(path) && 'Has . or .. in its path. Write where it leads.',
  )
}

const noName =
  'Has a host that cannot exist: between dots are 1 to 63 letters, digits and inner hyphens, and 253 characters in all.'
const noPort =
  'Has no port (a browser leaves 80 out). Only a PKCE app may leave it open; name one, as in http://localhost:3000/.'
const label = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/
const isName = (text: string): boolean => text.length <= 253 && text.split('.').every((part) => label.test(part))

function faultsOfWeb({ flow, url, authority }: Parts): string[] {
  const host = url.hostname.replace(/\.$/, '')
  const isHttp = url.protocol === 'http:'
  const isLocal = loopback.has(host)
  return said(
    /^[^%]*[A-Z][^@%]*$/.test(authority) && `Has upper-case letters in its host. Write ${url.host}.`,
    authority.includes('%') && 'Has a percent-encoded host. Write it in plain letters.',
    url.hostname.endsWith('.') && 'Has a host that ends with a dot. Leave the dot out.',
    // A wildcard has been told of.
    !isName(host.replaceAll('*', 'x')) && !host.startsWith('[') && noName,
    !isReadable(host) && 'Has an international host name (xn--) that stands for nothing.',
    url.port === '0' && 'Has port 0, where nothing can listen.',
    isHttp && !isLocal && 'Is http to another machine. Use https; http is for localhost, 127.0.0.1 and [::1].',
    isHttp && isLocal && url.port === '' && flow !== 'PKCE' && noPort,
  )
}

/** Node leaves an international label alone that decodes to nothing, and takes several spellings for one name. */
function isReadable(host: string): boolean {
  const readable = unicodeHost(host)
  return !/(^|\.)xn--/.test(readable) && URL.parse(`https://${readable}/`)?.hostname === host
}

function faultsOfScheme({ uri, url, flow }: Parts): string[] {
  const scheme = url.protocol.slice(0, -1)
  if (/^[^:]*:\d+([/?]|$)/.test(uri)) return ['Has no scheme. Write https:// before it, or http:// for this machine.']
  if (flow !== 'PKCE') return [`Has the scheme ${scheme}. Use https; only a PKCE app may have a scheme of its own.`]
  return isOwnScheme(scheme) ? [] : [`Has the scheme ${scheme}, which is not yours alone. ${ownScheme}`]
}

const ownScheme = 'Use https, or a domain of yours in reverse, like com.example.app (RFC 8252 section 7.1).'

/** Browsers, systems and other apps take names without a dot as they like, and some open any address that follows:
 *  no list of them would ever be complete. */
const isOwnScheme = (scheme: string): boolean => scheme.includes('.') && isName(scheme) && !takenSchemes.test(scheme)

function whereTo(url: URL): { origin: string; readAs?: string } {
  if (!isWeb(url)) return { origin: url.protocol }
  const readAs = url.origin.replace(url.hostname, unicodeHost(url.hostname))
  return readAs === url.origin ? { origin: url.origin } : { origin: url.origin, readAs }
}
