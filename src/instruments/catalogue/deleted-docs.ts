import { Calendars } from './calendars.ts'
import type { Segment } from './segment.ts'
import { SegmentReader } from './segment-reader.ts'

export type Removed = Readonly<{ instruments: readonly number[]; optionRoots: readonly number[] }>

/** Marks the docs of the base that were removed or are in the changed segment. */
export function deletedDocs(base: Segment, changed: { segment: Segment; removed: Removed }): Uint8Array {
  const reader = new SegmentReader(base, undefined, [], new Calendars([]))
  const deleted = new Uint8Array(base.docIds.length)
  const { uics, options } = changed.segment
  for (const uic of [...changed.removed.instruments, ...uics]) {
    const doc = reader.docOf(uic)
    if (doc !== undefined) deleted[doc] = 1
  }
  for (const id of [...changed.removed.optionRoots, ...options.rootIds]) {
    const root = reader.rootOf(id)
    if (root !== undefined) deleted[base.options.rootDocs[root] as number] = 1
  }
  return deleted
}
