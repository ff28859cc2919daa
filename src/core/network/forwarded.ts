/** Besides those that name an IP address or have `forwarded` in their name. */
const names = new Set(
  'via cdn-loop cf-ray cf-connecting-ipv6 x-azure-clientip x-azure-socketip x-envoy-external-address x-remote-addr'
    .concat(' x-varnish x-amz-cf-id x-amzn-trace-id tailscale-user-login')
    .split(' '),
)

/** Whether a proxy adds this header (in lower case) to requests that it forwards, such as Via or X-Forwarded-For. */
export const isForwardingHeader = (name: string): boolean =>
  name.endsWith('-ip') || name.includes('forwarded') || names.has(name)

/** Whether a request came through a proxy. Such a request is never local, whatever its connection says (§1.3). */
export function isForwarded(headers: Readonly<Record<string, unknown>>): boolean {
  for (const name in headers) if (isForwardingHeader(name)) return true
  return false
}
