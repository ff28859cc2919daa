/** Whether an IP address is one of this machine's loopback addresses; IPv4 also mapped into IPv6. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address)
}

/** Whether a host name or address, in brackets or not, leads to this machine only. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || isLoopbackAddress(name)
}

/** The three hosts that all browsers and systems read as this machine, as http URLs write them. */
const loopbackUrl = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::([1-9]\d{0,4}))?([/?][^#]*)?$/

/** The parts of an http URL of this machine. `port` is undefined if the URL has none. */
export type LoopbackUrl = Readonly<{ withoutPort: string; port: number | undefined }>

/** Returns undefined for every other URL, and for a port that is not written as a number from 1 to 65535. */
export function parseLoopbackUrl(url: string): LoopbackUrl | undefined {
  const [, start, port, rest = ''] = loopbackUrl.exec(url) ?? []
  if (start === undefined || Number(port ?? 1) > 65_535) return undefined
  return { withoutPort: `${start}${rest}`, port: port === undefined ? undefined : Number(port) }
}
