import { type Findings, findingKinds, type Tally } from './findings.ts'
import { type FaultKind, faultKinds, type PlannedFault } from './schedule.ts'

const maxPrinted = 10

type Print = (line: string) => void

export type FaultResult = Readonly<{
  fault: PlannedFault
  what: string
  recoverySeconds: number
  /** For how much of that the service had no processor. */
  starvedSeconds: number
  unavailable: number
  writes: number
  isSkipped: boolean
}>

const count = (value: number): string => value.toLocaleString('en')
const clock = (seconds: number): string =>
  [Math.floor(seconds / 60), Math.floor(seconds % 60)].map((part) => String(part).padStart(2, '0')).join(':')

/** Prints a line per fault, and a summary. */
export class Report {
  readonly #print: Print
  readonly #seed: number
  readonly #startedAt = performance.now()
  readonly #results: FaultResult[] = []

  constructor(seed: number, print: Print) {
    this.#seed = seed
    this.#print = print
  }

  started(minutes: number): void {
    this.#print(
      `Campaign of ${count(Math.round(minutes * 60))} seconds with seed ${this.#seed}: two nodes, a primary and a synchronous replica.`,
    )
    this.#print('')
    this.#print(
      `${'No'.padStart(4)}  ${'Time'.padEnd(6)} ${'Fault'.padEnd(20)} ${'Recovered'.padStart(9)} ${'503'.padStart(5)} ${'Writes'.padStart(7)}  What`,
    )
  }

  fault(result: FaultResult, findings: readonly string[]): void {
    const { fault, what, recoverySeconds, unavailable, writes, isSkipped } = result
    this.#results.push(result)
    const figures = isSkipped
      ? [''.padStart(9), ''.padStart(5), ''.padStart(7)]
      : [`${recoverySeconds.toFixed(1)} s`.padStart(9), count(unavailable).padStart(5), count(writes).padStart(7)]
    const [recovered, refused, written] = figures
    this.#print(
      `${String(fault.number).padStart(4)}  ${this.#time().padEnd(6)} ${fault.kind.padEnd(20)} ${recovered} ${refused} ${written}  ${what}`,
    )
    this.wrong(findings)
  }

  wrong(findings: readonly string[]): void {
    for (const finding of findings.slice(0, maxPrinted)) this.#print(`      WRONG  ${finding}`)
    if (findings.length > maxPrinted) this.#print(`             and ${count(findings.length - maxPrinted)} more`)
  }

  summary(findings: Findings, tally: Tally): void {
    const done = this.#results.filter(({ isSkipped }) => !isSkipped)
    const row = (name: string, value: string, note = '') =>
      this.#print(`${name.padEnd(26)} ${value.padStart(9)}${note === '' ? '' : `  ${note}`}`)
    const cycles = (this.#results.at(-1)?.fault.cycle ?? 1) - 1
    this.#print('')
    row('Seed', String(this.#seed))
    row('Time', this.#time())
    row('Faults', count(done.length), `${count(cycles)} complete cycles of all kinds`)
    for (const kind of faultKinds) this.#kind(kind, row)
    row('Requests', count(tally.requests), `${count(tally.unavailable)} got 503, ${count(tally.cutOff)} no answer`)
    const kinds = [...tally.writes].map(([what, number]) => `${count(number)} ${what}`)
    row('Writes checked', count(tally.allWrites), kinds.join(', '))
    for (const kind of findingKinds) row(headings[kind], count(findings.count(kind)))
    const slowest = done.toSorted((a, b) => b.recoverySeconds - a.recoverySeconds)[0]
    if (slowest)
      row(
        'Slowest recovery',
        `${slowest.recoverySeconds.toFixed(1)} s`,
        `fault ${slowest.fault.number}: ${slowest.fault.kind}; the service had no processor for ${slowest.starvedSeconds.toFixed(1)} s of it`,
      )
    row(
      'Latest use after an end',
      `${(tally.slowestRevocationMs / 1_000).toFixed(1)} s`,
      'a token accepted after its session ended, within the bound',
    )
    this.#print('')
    this.#print(findings.total === 0 ? 'Nothing is wrong.' : `Wrong: ${count(findings.total)}.`)
  }

  #kind(kind: FaultKind, row: (name: string, value: string, note?: string) => void): void {
    const all = this.#results.filter(({ fault }) => fault.kind === kind)
    const skipped = all.filter(({ isSkipped }) => isSkipped).length
    row(`  ${kind}`, count(all.length - skipped), skipped > 0 ? `${count(skipped)} ${all[0]?.what}` : '')
  }

  #time(): string {
    return clock((performance.now() - this.#startedAt) / 1_000)
  }
}

const headings = {
  lost: 'Lost',
  'half done': 'Half done',
  'double winner': 'Double winners',
  'revoked token accepted': 'Revoked tokens accepted',
  'wrong answer': 'Wrong answers',
  'audit chain broken': 'Audit chain broken',
  'slow recovery': 'Slow recoveries',
  'restart needed': 'Restarts needed',
} as const
