import { parseWeights } from '../../core/weights.ts'

/** The forms that events can be had in, with their media types. JSON first: it is what everybody gets who does not care. */
const mediaTypes = { json: 'application/json', ics: 'text/calendar', csv: 'text/csv' } as const

export type Format = keyof typeof mediaTypes
const formats = Object.keys(mediaTypes) as readonly Format[]

/**
 * The form that an Accept header likes best (RFC 9110 §12.5.1). At equal weight a type that is named goes before one that
 * only a wildcard admits, then JSON before the others. A header that admits none of them gets JSON: it may do without.
 */
export function preferredFormat(accept: string | undefined): Format {
  const weights = parseWeights(accept ?? '*/*')
  const wishes = formats.map((format) => {
    const mediaType = mediaTypes[format]
    const named = weights.get(mediaType)
    const wildcard = weights.get(mediaType.replace(/[^/]+$/, '*')) ?? weights.get('*/*') ?? 0
    return { format, weight: named ?? wildcard, isNamed: named !== undefined }
  })
  const [best] = wishes
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || Number(b.isNamed) - Number(a.isNamed))
  return best?.format ?? 'json'
}
