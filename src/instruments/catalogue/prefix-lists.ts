import { Growing, lowerBound, sharedCopy, sortedUnique } from './arrays.ts'
import { branches, type Range, sharedDepth, sizeOf, type Vocabulary } from './vocabulary.ts'

/** A range of texts with fewer places than this is gathered and sorted when it is asked for; larger ones stand ready. */
const readyAbove = 512

/** Where each text occurs: `docs` of text t are those from starts[t] to starts[t + 1], ascending. */
export type Postings = Readonly<{ starts: Uint32Array; docs: Uint32Array }>

/** The docs of every prefix that many texts share, ascending, each once; found by the range of texts it stands for. */
export type PrefixLists = Readonly<{ lows: Uint32Array; highs: Uint32Array; starts: Uint32Array; docs: Uint32Array }>

/** A stretch of an ascending list of docs. */
export type Run = Readonly<{ docs: Uint32Array; from: number; to: number }>
export const emptyRun: Run = { docs: new Uint32Array(0), from: 0, to: 0 }

export function makePrefixLists(vocabulary: Vocabulary, { starts, docs }: Postings): PrefixLists {
  const [lows, highs, listStarts, listDocs] = [0, 1, 2, 3].map(() => new Growing(Uint32Array)) as [
    Growing<Uint32Array>,
    Growing<Uint32Array>,
    Growing<Uint32Array>,
    Growing<Uint32Array>,
  ]
  const visit = (range: Range, depth: number): void => {
    const [low, high] = range
    const [from, to] = [starts[low] as number, starts[high] as number]
    if (high - low < 2 || to - from <= readyAbove) return
    lows.push(low)
    highs.push(high)
    listStarts.push(listDocs.length)
    for (const doc of sortedUnique(docs.slice(from, to))) listDocs.push(doc)
    const common = sharedDepth(vocabulary, range, depth)
    for (const branch of branches(vocabulary, range, common)) visit(branch, common + 1)
  }
  const all: Range = [0, sizeOf(vocabulary)]
  if (all[1] > 0) for (const branch of branches(vocabulary, all, 0)) visit(branch, 1)
  listStarts.push(listDocs.length)
  return {
    lows: sharedCopy(Uint32Array, lows.values),
    highs: sharedCopy(Uint32Array, highs.values),
    starts: sharedCopy(Uint32Array, listStarts.values),
    docs: sharedCopy(Uint32Array, listDocs.values),
  }
}

/** The docs in which any text of the range occurs, ascending, each once. */
export function runOf(postings: Postings, lists: PrefixLists, [low, high]: Range): Run {
  if (low >= high) return emptyRun
  const [from, to] = [postings.starts[low] as number, postings.starts[high] as number]
  if (high - low === 1) return { docs: postings.docs, from, to }
  if (to - from <= readyAbove) {
    const docs = sortedUnique(postings.docs.slice(from, to))
    return { docs, from: 0, to: docs.length }
  }
  // Ranges that begin at the same text are nested, the widest first.
  for (let place = lowerBound(lists.lows, low); lists.lows[place] === low; place++)
    if (lists.highs[place] === high)
      return { docs: lists.docs, from: lists.starts[place] as number, to: lists.starts[place + 1] as number }
  const docs = sortedUnique(postings.docs.slice(from, to))
  return { docs, from: 0, to: docs.length }
}
