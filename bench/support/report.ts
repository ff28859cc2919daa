import { availableParallelism, cpus } from 'node:os'
import type { Figure } from './figures.ts'

/** The headings of the table, in order. */
const groups = [
  'Requests, processor time of one',
  'Search in process',
  'Changes while serving',
  'Memory and start',
  'Restore of a snapshot of the demo',
] as const
type Group = (typeof groups)[number]

const figures: (Figure & { group: Group })[] = []

/** Returns every figure so far, group by group. */
export const recorded = (): Figure[] => figures.toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group))

export const machineText = (): string =>
  `Node.js ${process.versions.node}, ${availableParallelism()} ${process.arch} cores (${cpus()[0]?.model.trim()})`

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`
export const microseconds = (value: number): string => `${Math.round(value).toLocaleString('en')} µs`
export const milliseconds = (value: number): string => `${value.toFixed(1)} ms`
export const seconds = (value: number): string => `${value.toFixed(1)} s`
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

type Sides = Readonly<{ ours?: string; rival?: string; unit?: string }>
/** Records figures under the heading of a group. */
export function recorderOf(group: Group) {
  const record =
    (bound: Figure['bound']) =>
    (name: string, result: number, aim: number | undefined, { ours = '', rival = '', unit = '' }: Sides = {}) =>
      void figures.push({ group, name, ours, rival, result, unit, bound, aim })
  return { atLeast: record('at least'), atMost: record('at most'), below: record('below') }
}

/** Prints a line about the part that is running. */
export const note = (text: string): void => console.log(`      ${text}`)

/** Runs the parts one after the other. A part that fails does not prevent the others. */
export async function runParts(parts: readonly (readonly [name: string, run: () => Promise<void>])[]): Promise<void> {
  const start = performance.now()
  const since = (time: number) => seconds((performance.now() - time) / 1_000)
  for (const [index, [name, run]] of parts.entries()) {
    const began = performance.now()
    console.log(`  ${index + 1} of ${parts.length}: ${name}`)
    await run().catch((error: Error) => {
      process.exitCode = 1
      note(`failed: ${error.message}`)
    })
    note(`after ${since(began)}, ${since(start)} in all`)
  }
}
