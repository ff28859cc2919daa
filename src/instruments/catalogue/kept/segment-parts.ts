import type { Segment } from '../segment.ts'
import { inOneBlock } from './layout.ts'

/** A segment as two parts, each of which is one block of memory and of its file: what belongs to docs, and the contracts,
 *  which the next segment often shares. */
export function partsOf({ options, ...docs }: Segment): [docs: unknown, contracts: unknown] {
  const { rootDocs, ...contracts } = options
  return [{ ...docs, rootDocs }, contracts]
}

export function segmentOf([docs, contracts]: readonly unknown[]): Segment {
  const { rootDocs, ...others } = docs as Omit<Segment, 'options'> & { rootDocs: Uint32Array }
  return { ...others, options: { ...(contracts as Omit<Segment['options'], 'rootDocs'>), rootDocs } }
}

export const inBlocks = (segment: Segment): Segment => segmentOf(partsOf(segment).map(inOneBlock))
