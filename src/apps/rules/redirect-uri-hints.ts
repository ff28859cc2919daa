import type { Flow } from '../../core/app.ts'
import { unicodeHost } from '../../core/network/address.ts'

export const sentences = (...found: readonly (string | false | null | undefined)[]): string[] =>
  found.filter((sentence) => typeof sentence === 'string')

/** What the authorization response adds to the query. */
const responseParameters = ['code', 'state', 'iss', 'error', 'error_description']

/** Scripts whose letters look alike. */
const scripts = {
  Latin: /\p{Script=Latin}/u,
  Greek: /\p{Script=Greek}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
}

/** The "bad ports" of the Fetch standard, which browsers block. */
const blockedPorts = new Set(
  `1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
  137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
  1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
)

/** What a redirect URI may contain but is probably a mistake. ASCII, because it is sent in a header. */
export function hintsFor(url: URL, flow: Flow): string[] {
  const repeated = flow === 'Implicit' ? [] : responseParameters.filter((name) => url.searchParams.has(name))
  const doubleEncoded = /%25[\da-f]{2}/i.exec(url.href)?.[0]
  return sentences(
    ...(/^https?:$/.test(url.protocol) ? hostHints(url, flow) : []),
    repeated.length > 0 && `Its query has ${repeated.join(' and ')}, which the response adds again.`,
    url.pathname.includes('//') && 'Its path has two slashes in a row.',
    /%(2f|5c)/i.test(url.pathname) &&
      'Its path has an encoded slash or backslash, which some servers treat as a slash.',
    doubleEncoded && `Contains ${doubleEncoded}, which looks like double encoding.`,
    /[.,;:!)]$/.test(url.pathname + url.search) && 'Ends with a punctuation mark, which may be accidental.',
  )
}

const needsRights = 'Its port is 80, where a program needs administrator rights on most systems.'

function hostHints({ protocol, hostname, port }: URL, flow: Flow): (string | false)[] {
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  const isLocal = isAddress || hostname === 'localhost'
  const readable = unicodeHost(hostname)
  const mixed = readable
    .split('.')
    .map(scriptsOf)
    .find(({ length }) => length > 1)
  return [
    protocol === 'http:' && port === '' && flow !== 'PKCE' && needsRights,
    blockedPorts.has(port) && `Browsers block port ${port}.`,
    protocol === 'https:' && isLocal && 'Its host is an IP address or localhost, for which certificates are rare.',
    !isLocal && !hostname.includes('.') && 'Its host has no dot, so it resolves only in your own network.',
    readable !== hostname && `Its host is displayed as ${escaped(readable)}.`,
    mixed !== undefined && `Its host mixes ${mixed.join(' and ')} letters, as lookalike names do.`,
  ]
}

const scriptsOf = (text: string): string[] =>
  Object.entries(scripts).flatMap(([name, letters]) => (letters.test(text) ? [name] : []))

const escaped = (text: string): string =>
  text.replace(/[^ -~]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
