import { availableParallelism, cpus } from 'node:os'
import type { Result } from './load.ts'
import { isMet, type Measure, shown, shownAim } from './measures.ts'

const measures: Measure[] = []
let isBrief = false

/** From now on only `progress` prints; figures are recorded for the table. */
export function printBriefly(): void {
  isBrief = true
}

/** Every figure with an aim so far. */
export const recorded = (): readonly Measure[] => measures

/** Prints an aligned line: a name, a figure and a remark. */
export function line(name: string, figure: string, remark = ''): void {
  if (!isBrief) console.log(`  ${name.padEnd(44)}${figure.padStart(10)}  ${remark}`.trimEnd())
}

export function heading(text: string): void {
  if (!isBrief) console.log(`\n${text}`)
}

export function progress(text: string): void {
  if (!isBrief) console.log(`  ... ${text}`)
}

export const machineText = (): string =>
  `Node.js ${process.versions.node}, ${availableParallelism()} ${process.arch} cores (${cpus()[0]?.model.trim()})`

export function machine(): void {
  console.log(machineText())
  console.log('Figures depend on this machine and its load; only the ratios within one run are comparable.')
}

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`
export const spread = (rates: readonly number[]): string => `rounds: ${rates.map(Math.round).join(' ')}`
export const milliseconds = (value: number): string => `${value.toFixed(1)} ms`
export const seconds = (value: number): string => `${value.toFixed(1)} s`
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

type Sides = Readonly<{ ours?: string; rival?: string }>

function record(measure: Measure): void {
  measures.push(measure)
  const aim = `aim: ${shownAim(measure)}${isMet(measure) ? '' : ', missed'}`
  line(measure.name, shown(measure.result, measure.unit), aim)
}

/** Records a ratio that should be large. */
export function ratio(name: string, result: number, aim: number, { ours = '', rival = '' }: Sides = {}): void {
  record({ name, ours, rival, result, unit: '', bound: 'at least', aim })
}

/** Records a figure that should be small; a ratio has no unit. */
export function atMost(
  name: string,
  result: number,
  aim: number,
  unit: string,
  { ours = '', rival = '' }: Sides = {},
): void {
  record({ name, ours, rival, result, unit, bound: 'at most', aim })
}

/** Records a ratio that should be smaller than the aim. */
export function below(name: string, result: number, aim: number, { ours = '', rival = '' }: Sides = {}): void {
  record({ name, ours, rival, result, unit: '', bound: 'below', aim })
}

/** Requests per second, and the processor time of one where the platform reports it. */
export const shownResult = ({
  median,
  processorMicroseconds,
}: Pick<Result, 'median' | 'processorMicroseconds'>): string =>
  processorMicroseconds === undefined
    ? perSecond(median)
    : `${perSecond(median)}, ${Math.round(processorMicroseconds).toLocaleString('en')} µs`

export function printResult({ name, median, rates, processorMicroseconds: cost }: Result): void {
  const each = cost === undefined ? '' : `; processor time of one: ${Math.round(cost)} µs`
  line(name, perSecond(median), `${spread(rates)}${each}`)
}
