export type Values = Readonly<Record<string, unknown>>

/** The whole address of a call: the values of its path filled in, lists of the query comma separated. */
export function addressOf(baseUrl: string, path: string, values: Values = {}, query: Values = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    // An empty segment would be another path, and perhaps one that exists.
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${path} needs a value for ${name}: give it as { path: { ${name}: … } }.`)
    return encodeURIComponent(String(value))
  })
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return `${baseUrl}${filled}${parts.length > 0 ? '?' : ''}${parts.join('&')}`
}
