import { availableParallelism, cpus } from 'node:os'

/** Prints an aligned line: a name, a figure and a remark. */
export function line(name: string, figure: string, remark = ''): void {
  console.log(`  ${name.padEnd(44)}${figure.padStart(10)}  ${remark}`.trimEnd())
}

export function heading(text: string): void {
  console.log(`\n${text}`)
}

export function progress(text: string): void {
  console.log(`  ... ${text}`)
}

export function machine(): void {
  console.log(`node ${process.version}, ${availableParallelism()} cores (${process.arch}, ${cpus()[0]?.model.trim()})`)
  console.log('Figures depend on this machine and its load; only the ratios within one run are comparable.')
}

export const perSecond = (rate: number): string => `${Math.round(rate)}/s`
export const spread = (rates: readonly number[]): string => `rounds: ${rates.map(Math.round).join(' ')}`
export const milliseconds = (value: number): string => `${value.toFixed(1)} ms`
export const seconds = (value: number): string => `${value.toFixed(1)} s`
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

export function ratio(name: string, value: number, aim: number): void {
  line(name, value.toFixed(2), `aim: at least ${aim.toFixed(2)}${value >= aim ? '' : ', missed'}`)
}

/** Prints a figure that should be small. */
export function atMost(name: string, value: number, aim: number, format: (value: number) => string, remark = ''): void {
  line(name, format(value), `aim: at most ${format(aim)}${value <= aim ? '' : ', missed'}${remark && `; ${remark}`}`)
}
