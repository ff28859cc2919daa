/** The names in a header such as Accept, in lower case, with their weights (RFC 9110 §12.4.2); 0 if invalid. */
export function parseWeights(header: string): Map<string, number> {
  const ranges = header.toLowerCase().split(',')
  return new Map(
    ranges.map((range) => {
      const [name, ...parameters] = range.split(';').map((part) => part.trim()) as [string, ...string[]]
      const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
      return [name, weight >= 0 && weight <= 1 ? weight : 0]
    }),
  )
}
