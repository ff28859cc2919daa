import { parseWeights } from '../../core/weights.ts'

const mediaTypes = { json: 'application/json', ics: 'text/calendar', csv: 'text/csv' } as const

export type Format = keyof typeof mediaTypes
const formats = Object.keys(mediaTypes) as readonly Format[]

/** The preferred format of an Accept header (RFC 9110 §12.5.1). At equal weight a named type wins over a wildcard, then
 *  JSON over the others. A header that accepts none of them gets JSON. */
export function preferredFormat(accept: string | undefined): Format {
  const weights = parseWeights(accept ?? '*/*')
  const candidates = formats.map((format) => {
    const mediaType = mediaTypes[format]
    const named = weights.get(mediaType)
    const wildcard = weights.get(mediaType.replace(/[^/]+$/, '*')) ?? weights.get('*/*') ?? 0
    return { format, weight: named ?? wildcard, isNamed: named !== undefined }
  })
  const [best] = candidates
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || Number(b.isNamed) - Number(a.isNamed))
  return best?.format ?? 'json'
}
