import { domainToUnicode } from 'node:url'

/** The readable form of a host: bücher.example for xn--bcher-kva.example. Unreadable names are returned unchanged. */
export const unicodeHost = (host: string): string => domainToUnicode(host) || host

/** What rate limits count as one address, in any spelling: an IPv4 address, or the /64 of an IPv6 subscriber. */
export function rateLimitAddress(spelling: string): string {
  // Some proxies append the port, and some systems the interface.
  const address = spelling
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/%.*$/, '')
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return address
  const groups = expanded(new URL(`http://[${address}]/`).hostname.slice(1, -1))
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  const mapped = groups.slice(6).flatMap((group) => [group >> 8, group & 255])
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return isMapped ? mapped.join('.') : prefix.join(':')
}

/** The same as people write it: 2001:db8:0:1::/64. */
export function rateLimitNetwork(spelling: string): string {
  const counted = rateLimitAddress(spelling)
  // There is nothing else in that /64.
  if (counted === '0:0:0:0') return '::1'
  if (!counted.includes(':') || !URL.canParse(`http://[${counted}::]/`)) return counted
  return `${new URL(`http://[${counted}::]/`).hostname.slice(1, -1)}/64`
}

function expanded(address: string): number[] {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}
