/** Whether a host name of a URL leads to this machine or a private network (RFC 1918, RFC 4193, RFC 6762): nothing on the
 *  Internet can reach it. */
export function isPrivateHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (name.includes(':')) return /^(::1?$|f[cd]|fe[89ab])/.test(name)
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return isPrivateAddress(name.split('.').map(Number))
  return !name.includes('.') || /\.(localhost|local|internal|lan|home\.arpa|test)$/.test(name)
}

function isPrivateAddress([a = 0, b = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127) return true
  if (a === 172) return b >= 16 && b < 32
  if (a === 100) return b >= 64 && b < 128
  return (a === 192 && b === 168) || (a === 169 && b === 254)
}
