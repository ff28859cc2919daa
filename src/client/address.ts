export type Values = Readonly<Record<string, unknown>>

/** The whole address of a call: the values of its path filled in, lists of the query comma separated. */
export function addressOf(baseUrl: string, path: string, values: Values = {}, query: Values = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    // An empty segment would be another path, and perhaps one that exists. So would a dot segment, however it is escaped.
    if (value === '') throw new TypeError(`${path} needs a value for ${name}: give it as { path: { ${name}: … } }.`)
    if (value === '.' || value === '..')
      throw new TypeError(`${name} cannot be "${value}", which in an address leads to another path.`)
    return encodeURIComponent(value)
  })
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return `${baseUrl}${filled}${parts.length > 0 ? '?' : ''}${parts.join('&')}`
}

/** Where a service is, as its user has told: without the slash at its end. */
export function serviceAddress(name: string, address: string, example: string): string {
  if (!URL.canParse(address))
    throw new TypeError(`${name} must be a whole address, such as ${example}; not ${address}.`)
  return address.replace(/\/+$/, '')
}

/** Undefined when it is no whole address. */
export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}
