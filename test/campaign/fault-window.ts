import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Findings } from './findings.ts'

export const recoverySeconds = 10

type Options = Readonly<{
  /** Whether times are judged at all. */
  isTimed: boolean
  /** For how long the service was ready to run and had no processor. */
  starvation: Readonly<{ milliseconds: number; reset(): void }>
}>

/** Says when requests may fail: during a fault, and for ten seconds after it if they began after its end. Time in which
 *  the service had no processor does not count: on a busy machine it says nothing about the service. */
export class FaultWindow {
  readonly #findings: Findings
  readonly #options: Options
  readonly #delays = monitorEventLoopDelay({ resolution: 10 })
  #isActive = false
  #name = 'the start'
  #endedAt = Number.NEGATIVE_INFINITY
  #recoveryMs = 0
  #starvedMs = 0
  #isReported = false

  constructor(findings: Findings, options: Options) {
    this.#findings = findings
    this.#options = options
    this.#delays.enable()
  }

  begin(name: string): void {
    this.#isActive = true
    this.#name = name
    this.#recoveryMs = 0
    this.#starvedMs = 0
    this.#isReported = false
  }

  end(): void {
    this.#isActive = false
    this.#endedAt = performance.now()
    this.#delays.reset()
    this.#options.starvation.reset()
  }

  get isActive(): boolean {
    return this.#isActive
  }

  /** Whether a moment is within, or shortly after, a fault, so that bounds on times do not hold. */
  isDisturbed(at: number): boolean {
    return !this.#options.isTimed || this.#isActive || at - this.#endedAt < recoverySeconds * 1_000
  }

  /** The longest time that this process did not run since the last fault. */
  get stallMs(): number {
    return this.#delays.max / 1e6
  }

  /** The longest time after the end of the last fault at which a request still failed. */
  get lastRecoverySeconds(): number {
    return this.#recoveryMs / 1_000
  }

  /** For how long the service had no processor since the last fault, in milliseconds. */
  get starvedMs(): number {
    return this.#options.starvation.milliseconds
  }

  /** For how much of it the service had no processor. */
  get lastStarvedSeconds(): number {
    return this.#starvedMs / 1_000
  }

  /** A request that got 503, or no answer. Those that began before the end of a fault were hit by it. */
  failed(what: string, startedAt: number): void {
    if (this.#isActive || startedAt <= this.#endedAt) return
    this.#note(what)
  }

  recovered(): void {
    this.#note('the nodes served')
  }

  #note(what: string): void {
    const lateMs = performance.now() - this.#endedAt
    if (lateMs <= this.#recoveryMs || lateMs === Number.POSITIVE_INFINITY) return
    this.#recoveryMs = lateMs
    this.#starvedMs = this.#options.starvation.milliseconds
    const excessMs = lateMs - this.#starvedMs - this.stallMs - recoverySeconds * 1_000
    if (!this.#options.isTimed || this.#isReported || excessMs <= 0) return
    this.#isReported = true
    const [late, starved] = [lateMs, this.#starvedMs].map((each) => (each / 1_000).toFixed(1))
    this.#findings.add('slow recovery', `${what} ${late} s (${starved} s without a processor) after: ${this.#name}`)
  }
}
