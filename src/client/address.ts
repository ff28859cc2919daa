export type Values = Readonly<Record<string, unknown>>

/** The URL of a call. Lists in the query are comma separated. */
export function addressOf(baseUrl: string, path: string, values: Values = {}, query: Values = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    // An empty segment would be another path, and so would a dot segment, even if escaped.
    if (value === '') throw new TypeError(`${path} needs a value for ${name}: pass it as { path: { ${name}: … } }.`)
    if (value === '.' || value === '..')
      throw new TypeError(`${name} cannot be "${value}", which leads to another path in a URL.`)
    return encodeURIComponent(value)
  })
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return `${baseUrl}${filled}${parts.length > 0 ? '?' : ''}${parts.join('&')}`
}

/** A base URL without trailing slashes. */
export function serviceAddress(name: string, address: string, example: string): string {
  if (!URL.canParse(address)) throw new TypeError(`${name} must be an absolute URL such as ${example}, not ${address}.`)
  return address.replace(/\/+$/, '')
}

/** Undefined if it is not an absolute URL. */
export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}
