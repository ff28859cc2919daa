/** The names of an Accept or Accept-Encoding header, in lower case, and how much each is liked (RFC 9110 §12.4.2). A weight
 *  that is no number from 0 to 1 counts as none at all. */
export function parseWeights(header: string): Map<string, number> {
  const wishes = header.toLowerCase().split(',')
  return new Map(
    wishes.map((wish) => {
      const [name, ...parameters] = wish.split(';').map((part) => part.trim()) as [string, ...string[]]
      const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
      return [name, weight >= 0 && weight <= 1 ? weight : 0]
    }),
  )
}
