import { lowerBound, shared } from './arrays.ts'
import type { Segment } from './segment.ts'

export type Removed = Readonly<{ instruments: readonly number[]; optionRoots: readonly number[] }>

/** What has changed since a base, and which docs of the base it replaces or removes: 1 for those, by doc. */
export type Changed = Readonly<{ segment: Segment; removed: Removed; deleted: Uint8Array }>

export const changedSince = (base: Segment, segment: Segment, removed: Removed): Changed => ({
  segment,
  removed,
  deleted: deletedDocs(base, { segment, removed }),
})

/** Marks the docs of the base that were removed or are in the changed segment. In shared memory. */
export function deletedDocs(base: Segment, changed: { segment: Segment; removed: Removed }): Uint8Array {
  const deleted = shared(Uint8Array, base.docIds.length)
  const { uics, uicDocs, options } = base
  for (const replaced of [changed.removed.instruments, changed.segment.uics])
    for (const uic of replaced) {
      const index = lowerBound(uics, uic)
      if (uics[index] === uic) deleted[uicDocs[index] as number] = 1
    }
  const replacedRoots = new Set([...changed.removed.optionRoots, ...changed.segment.options.rootIds])
  for (let root = 0; root < options.rootIds.length; root++)
    if (replacedRoots.has(options.rootIds[root] as number)) deleted[options.rootDocs[root] as number] = 1
  return deleted
}
