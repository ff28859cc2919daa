import { classOf, searchableOf } from '../../rules/search-rank.ts'
import { lowerBound } from '../arrays.ts'
import { namesOfRow, type Segment } from '../segment.ts'
import type { Query } from './keyword.ts'

/** How a row itself matches. For instruments whose rows differ in symbol or description, which the index mixes. */
export function classOfRow(segment: Segment, row: number, { keywords, reading }: Query): number {
  const { Symbol, Description } = namesOfRow(segment, row)
  const doc = segment.rowDocs[row] as number
  const aliases = segment.aliases.get(segment.docIds[doc] as number) ?? []
  const words = keywords.map(({ text, isCorrected, isin: { docs, from, to } }) => {
    const at = lowerBound(docs, doc, from, to)
    return { text, isCorrected, isIsin: at < to && docs[at] === doc }
  })
  return classOf(searchableOf(Symbol, Description, aliases), words, reading)
}
