import { GrowableArray, shared, sharedCopy } from '../arrays.ts'
import { buildVocabulary, type Vocabulary } from '../search/vocabulary.ts'
import type { Postings } from './prefix-postings.ts'

/** Texts of docs as they come, each text numbered when it is first seen. */
export class TextCollector {
  readonly #numbers = new Map<string, number>()
  readonly #texts = new GrowableArray(Uint32Array)
  readonly #ends = new GrowableArray(Uint32Array)

  /** The texts of the next doc. */
  addDoc(texts: Iterable<string>): void {
    for (const text of texts) {
      const known = this.#numbers.get(text)
      if (known === undefined) this.#numbers.set(text, this.#numbers.size)
      this.#texts.push(known ?? this.#numbers.size - 1)
    }
    this.#ends.push(this.#texts.length)
  }

  /** The vocabulary, what each doc has of it, and where each text occurs; docs renumbered by `order`. */
  finish(order: Uint32Array): TextIndex {
    const sorted = [...this.#numbers.keys()].sort()
    const places = new Uint32Array(sorted.length)
    for (let place = 0; place < sorted.length; place++)
      places[this.#numbers.get(sorted[place] as string) as number] = place
    const { docStarts, docTexts } = this.#forward(order, places)
    return {
      vocabulary: buildVocabulary(sorted),
      docStarts,
      docTexts,
      postings: invert(docStarts, docTexts, sorted.length),
    }
  }

  #forward(order: Uint32Array, places: Uint32Array): { docStarts: Uint32Array; docTexts: Uint32Array } {
    const [ends, texts] = [this.#ends.values, this.#texts.values]
    const docStarts = shared(Uint32Array, order.length + 1)
    const docTexts = shared(Uint32Array, texts.length)
    let at = 0
    for (let doc = 0; doc < order.length; doc++) {
      const old = order[doc] as number
      const from = at
      for (let index = old === 0 ? 0 : (ends[old - 1] as number); index < (ends[old] as number); index++)
        docTexts[at++] = places[texts[index] as number] as number
      docTexts.subarray(from, at).sort()
      docStarts[doc + 1] = at
    }
    return { docStarts, docTexts }
  }
}

export type TextIndex = Readonly<{
  vocabulary: Vocabulary
  postings: Postings
  docStarts: Uint32Array
  docTexts: Uint32Array
}>

function invert(docStarts: Uint32Array, docTexts: Uint32Array, textCount: number): Postings {
  const starts = shared(Uint32Array, textCount + 1)
  for (const text of docTexts) starts[text + 1] = (starts[text + 1] as number) + 1
  for (let text = 0; text < textCount; text++)
    starts[text + 1] = (starts[text + 1] as number) + (starts[text] as number)
  const next = starts.slice()
  const docs = shared(Uint32Array, docTexts.length)
  for (let doc = 0; doc + 1 < docStarts.length; doc++)
    for (let index = docStarts[doc] as number; index < (docStarts[doc + 1] as number); index++) {
      const text = docTexts[index] as number
      const place = next[text] as number
      docs[place] = doc
      next[text] = place + 1
    }
  return { starts: sharedCopy(Uint32Array, starts), docs }
}
