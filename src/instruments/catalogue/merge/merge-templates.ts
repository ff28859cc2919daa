import { numberOf, shared, sharedCopy } from '../arrays.ts'
import { BucketCollector } from '../build/bucket-collector.ts'
import type { Segment, Slices } from '../segment.ts'
import { gone, type Part } from './parts.ts'

const textNames = ['templateSummary', 'templateDetails', 'templateOrderSetting', 'templateOrderTypes'] as const

/** Copies the slices that are still used into one arena. */
export class Arena {
  readonly #bytes: Uint8Array
  #length = 0

  constructor(most: number) {
    this.#bytes = shared(Uint8Array, most)
  }

  copy(source: Uint8Array, { starts, lengths }: Slices, index: number, to: Slices, at: number): void {
    const [start, length] = [starts[index] as number, lengths[index] as number]
    const [bytes, end] = [this.#bytes, this.#length]
    // Slices are short: a loop is faster than a view and a call.
    for (let byte = 0; byte < length; byte++) bytes[end + byte] = source[start + byte] as number
    to.starts[at] = end
    to.lengths[at] = length
    this.#length = end + length
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}

export const newSlices = (count: number): Slices => ({
  starts: shared(Uint32Array, count),
  lengths: shared(Uint32Array, count),
})

/** The templates and buckets that rows still use; those that are equal in both parts become one. With the new numbers
 *  of the templates of each part. */
export function mergeTemplates(parts: readonly Part[], rowPlaces: readonly Uint32Array[], arena: Arena) {
  const [known, buckets] = [new Map<string, number>(), new BucketCollector()]
  const templateBuckets: number[] = []
  const most = parts.reduce((sum, { segment }) => sum + segment.templateBuckets.length, 0)
  const texts = textNames.map(() => newSlices(most))
  const add = (segment: Segment, template: number): number => {
    const bucket = buckets.add(bucketOf(segment, segment.templateBuckets[template] as number))
    const key = `${bucket} ${textNames.map((name) => textOf(segment, segment[name], template)).join('\0')}`
    const number = numberOf(known, key)
    if (number < templateBuckets.length) return number
    templateBuckets.push(bucket)
    for (const [index, name] of textNames.entries())
      arena.copy(segment.text, segment[name], template, texts[index] as Slices, number)
    return number
  }
  const numbers = parts.map(({ segment }, part) => {
    const found = new Uint32Array(segment.templateBuckets.length).fill(gone)
    const places = rowPlaces[part] as Uint32Array
    for (let row = 0; row < places.length; row++) {
      const template = segment.rowTemplates[row] as number
      if (found[template] === gone && places[row] !== gone) found[template] = add(segment, template)
    }
    return found
  })
  const [templateSummary, templateDetails, templateOrderSetting, templateOrderTypes] = texts.map((slices) =>
    firstOf(slices, templateBuckets.length),
  ) as [Slices, Slices, Slices, Slices]
  const shares = { templateSummary, templateDetails, templateOrderSetting, templateOrderTypes, ...buckets.finish() }
  return { numbers, templateBuckets: sharedCopy(Uint32Array, templateBuckets), ...shares }
}

const bucketOf = (segment: Segment, bucket: number) => ({
  type: segment.bucketTypes[bucket] as number,
  exchangeId: segment.exchangeIds[segment.bucketExchanges[bucket] as number] as string,
  hint: segment.bucketHints[bucket] as number,
  flags: segment.bucketFlags[bucket] as number,
})

const firstOf = ({ starts, lengths }: Slices, count: number): Slices => ({
  starts: starts.subarray(0, count),
  lengths: lengths.subarray(0, count),
})

export function textOf({ text }: Pick<Segment, 'text'>, { starts, lengths }: Slices, index: number): string {
  const start = text.byteOffset + (starts[index] as number)
  return Buffer.from(text.buffer, start, lengths[index] as number).toString()
}
