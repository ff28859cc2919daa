import type { FaultWindow } from '../fault-window.ts'
import type { Findings, Tally } from '../findings.ts'
import type { Random } from '../random.ts'
import type { Caller } from './caller.ts'

/** The clocks as the campaign has set them. */
export class Clocks {
  /** 0 is real time. Every travel of the service's clock has a number of its own, also while it is under way. */
  era = 0
  isSettled = true
  #lastEra = 0
  #skewedUntil = Number.NEGATIVE_INFINITY
  #isSkewed = false

  /** The clock begins to move: the nodes may disagree until it is `settled`. */
  travel(): void {
    this.era = ++this.#lastEra
    this.isSettled = false
  }

  settled(): void {
    this.era = ++this.#lastEra
    this.isSettled = true
  }

  returned(): void {
    this.era = 0
    this.isSettled = true
  }

  /** Whether the clock of one node is wrong. */
  setSkew(isSkewed: boolean): void {
    if (this.#isSkewed && !isSkewed) this.#skewedUntil = performance.now()
    this.#isSkewed = isSkewed
  }

  /** Whether the clock of a node was wrong at any time since this moment. */
  wasSkewedSince(at: number): boolean {
    return this.#isSkewed || this.#skewedUntil >= at
  }
}

export type LoadContext = Readonly<{
  caller: Caller
  random: Random
  findings: Findings
  tally: Tally
  window: FaultWindow
  clocks: Clocks
  revoked: RevokedTokens
}>

export type RevokedToken = Readonly<{ access: string; refresh: string; at: number; how: string }>

const maxRevoked = 400

/** Tokens whose end was acknowledged. */
export class RevokedTokens {
  readonly all: RevokedToken[] = []

  add(token: RevokedToken): void {
    this.all.push(token)
    if (this.all.length > maxRevoked) this.all.splice(0, this.all.length - maxRevoked)
  }
}
