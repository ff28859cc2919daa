import { GrowableArray, radixOrder, shareColumns, shared, sharedCopy } from '../arrays.ts'
import { SliceCollector, TextArena } from '../build/slice-collector.ts'
import type { OptionColumns } from '../segment.ts'
import { textOf } from './merge-templates.ts'
import { gone, type Merged, type Part } from './parts.ts'

type Root = Readonly<{ part: Part; root: number; id: number; doc: number }>

/** The contracts of both parts, by root. If no root has changed they are those of the base, in the same memory. */
export function mergeOptions({ parts }: Merged): { options: OptionColumns; isSame: boolean } {
  const [base, changed] = parts
  const roots = parts.flatMap(rootsOf)
  const isSame = changed.segment.options.rootIds.length === 0 && roots.length === base.segment.options.rootIds.length
  if (!isSame) return { options: joinRoots(roots.sort((one, other) => one.id - other.id)), isSame }
  const rootDocs = sharedCopy(
    Uint32Array,
    roots.map(({ doc }) => doc),
  )
  return { options: { ...base.segment.options, rootDocs }, isSame }
}

const rootsOf = (part: Part): Root[] =>
  Array.from(part.segment.options.rootIds, (id, root) => {
    const doc = part.docs[part.segment.options.rootDocs[root] as number] as number
    return { part, root, id, doc }
  }).filter(({ doc }) => doc !== gone)

function joinRoots(roots: readonly Root[]): OptionColumns {
  const growable = () => new GrowableArray(Uint32Array)
  const starts = { rootIds: growable(), rootGroups: growable(), rootSeries: growable(), seriesOptions: growable() }
  const series = { seriesExpiries: new GrowableArray(Int32Array), seriesLastTrades: new GrowableArray(Float64Array) }
  const arena = new TextArena()
  const tickSchemes = new SliceCollector(arena)
  const contracts = contractColumns(roots)
  for (const [number, { part, root, id }] of roots.entries()) {
    const { options } = part.segment
    starts.rootIds.push(id)
    starts.rootGroups.push(options.rootGroups[root] as number)
    starts.rootSeries.push(series.seriesExpiries.length)
    for (let at = options.rootSeries[root] as number; at < (options.rootSeries[root + 1] as number); at++) {
      series.seriesExpiries.push(options.seriesExpiries[at] as number)
      series.seriesLastTrades.push(options.seriesLastTrades[at] as number)
      tickSchemes.addUnique(textOf(options, options.seriesTickSchemes, at))
      starts.seriesOptions.push(contracts.length)
      contracts.add(options, options.seriesOptions[at] as number, options.seriesOptions[at + 1] as number, number)
    }
  }
  starts.rootSeries.push(series.seriesExpiries.length)
  starts.seriesOptions.push(contracts.length)
  return {
    ...shareColumns(starts),
    ...shareColumns(series),
    ...contracts.columns,
    rootsById: sharedCopy(Uint32Array, radixOrder(starts.rootIds.values)),
    rootDocs: sharedCopy(
      Uint32Array,
      roots.map(({ doc }) => doc),
    ),
    seriesTickSchemes: tickSchemes.finish(),
    text: arena.share(),
    byUic: sharedCopy(Uint32Array, radixOrder(contracts.columns.uics)),
  }
}

function contractColumns(roots: readonly Root[]) {
  const countOf = ({ part, root }: Root): number => {
    const { rootSeries, seriesOptions } = part.segment.options
    const [from, to] = [rootSeries[root] as number, rootSeries[root + 1] as number]
    return (seriesOptions[to] as number) - (seriesOptions[from] as number)
  }
  const count = roots.reduce((sum, root) => sum + countOf(root), 0)
  const columns = {
    uics: shared(Uint32Array, count),
    roots: shared(Uint32Array, count),
    strikes: shared(Float64Array, count),
    underlyings: shared(Uint32Array, count),
    flags: shared(Uint8Array, count),
  }
  let length = 0
  return {
    columns,
    get length(): number {
      return length
    },
    add(options: OptionColumns, from: number, to: number, root: number): void {
      for (const name of ['uics', 'strikes', 'underlyings', 'flags'] as const)
        columns[name].set(options[name].subarray(from, to), length)
      columns.roots.fill(root, length, length + to - from)
      length += to - from
    },
  }
}
