import { availableParallelism, cpus } from 'node:os'

/** Plain aligned lines: a name, a figure, what belongs to it. */
export function line(name: string, figure: string, remark = ''): void {
  console.log(`  ${name.padEnd(44)}${figure.padStart(10)}  ${remark}`.trimEnd())
}

export function heading(text: string): void {
  console.log(`\n${text}`)
}

/** What is done meanwhile, for whoever waits. */
export function progress(text: string): void {
  console.log(`  ... ${text}`)
}

export function machine(): void {
  console.log(`node ${process.version}, ${availableParallelism()} cores (${process.arch}, ${cpus()[0]?.model.trim()})`)
  console.log('Figures are of this machine at this moment; the ratios within one run are what counts.')
}

export const perSecond = (rate: number): string => `${Math.round(rate)}/s`
export const spread = (rates: readonly number[]): string => `rounds: ${rates.map(Math.round).join(' ')}`
export const milliseconds = (value: number): string => `${value.toFixed(1)} ms`
export const seconds = (value: number): string => `${value.toFixed(1)} s`
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

export function ratio(name: string, value: number, aim: number): void {
  line(name, value.toFixed(2), `aim: at least ${aim.toFixed(2)}${value >= aim ? '' : ', missed'}`)
}

/** A figure that should be small. `told` is how it is written. */
export function atMost(name: string, value: number, aim: number, told: (value: number) => string, remark = ''): void {
  line(name, told(value), `aim: at most ${told(aim)}${value <= aim ? '' : ', missed'}${remark && `; ${remark}`}`)
}
