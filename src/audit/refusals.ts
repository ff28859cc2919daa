import { singleFlight } from '../core/async/single-flight.ts'
import { isoMilliseconds, type TravelClock } from '../core/clock.ts'
import { rateLimitNetwork } from '../core/network/address.ts'
import type { AuditEntry } from './append.ts'

/** A rejection that callers can cause without being authenticated. */
export type Refusal = Readonly<{
  kind: 'SignInRefused' | 'SecretRefused' | 'GrantRefused' | 'AttemptsBlocked'
  address: string
  /** Undefined if there is no such app: all unknown keys share an entry. */
  app: string | undefined
  user?: string | undefined
}>

type Counted = { refusal: Refusal; minute: number; firstMs: number; lastMs: number; count: number }

type Write = (entries: readonly AuditEntry[]) => Promise<void>
type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }

const maxEntries = 1_000
const checkMs = 1_000

/** Counts refusals and logs them as one entry per minute, kind, address, app and user, so that no caller can fill the log. Above
 *  the maximum, further addresses share an entry per kind. Written when the minute is over and on stop; a node that is killed
 *  loses what it counted in its last minute. */
export class Refusals {
  readonly #write: Write
  readonly #clock: TravelClock
  readonly #max: number
  readonly #counted = new Map<string, Counted>()
  #timer: NodeJS.Timeout | undefined
  #log: Log | undefined
  #isFailing = false

  constructor(write: Write, clock: TravelClock, max = maxEntries) {
    this.#write = write
    this.#clock = clock
    this.#max = max
  }

  note(refusal: Refusal): void {
    const nowMs = this.#clock.nowMs()
    const address = rateLimitNetwork(refusal.address)
    this.#add({ refusal: { ...refusal, address }, minute: this.#minute(), firstMs: nowMs, lastMs: nowMs, count: 1 })
  }

  /** Writes the minutes that are over. Never throws. */
  readonly flush = singleFlight(() => {
    const minute = this.#minute()
    return this.#writeIf((counted) => counted.minute !== minute)
  })

  start(log: Log): void {
    this.#log = log
    this.#timer ??= setInterval(() => void this.flush(), checkMs).unref()
  }

  /** Writes everything. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
    await this.#writeIf(() => true)
  }

  #minute(): number {
    return Math.floor(this.#clock.real.nowMs() / 60_000)
  }

  #add(counted: Counted): void {
    const { kind, address, app = '', user = '' } = counted.refusal
    const key = `${counted.minute} ${kind} ${address} ${app} ${user}`
    const isFull = this.#counted.size >= this.#max && !this.#counted.has(key)
    const known = this.#counted.get(isFull ? kind : key)
    if (known) {
      known.count += counted.count
      known.lastMs = counted.lastMs
    } else if (isFull)
      this.#counted.set(kind, { ...counted, refusal: { kind, address: 'other addresses', app: undefined } })
    else this.#counted.set(key, counted)
  }

  async #writeIf(isDue: (counted: Counted) => boolean): Promise<void> {
    const due = [...this.#counted].filter(([, counted]) => isDue(counted))
    if (due.length === 0) return
    // Removed first: what is counted meanwhile must not be lost.
    for (const [key] of due) this.#counted.delete(key)
    try {
      await this.#write(due.map(([, counted]) => entryOf(counted)))
      if (this.#isFailing) this.#log?.info({}, 'logging refusals again')
      this.#isFailing = false
    } catch (error) {
      for (const [, counted] of due) this.#add(counted)
      // Logged once per outage.
      if (!this.#isFailing) this.#log?.warn({ reason: (error as Error).message }, 'cannot log refusals; will retry')
      this.#isFailing = true
    }
  }
}

function entryOf({ refusal: { kind, address, app, user }, firstMs, lastMs, count }: Counted): AuditEntry {
  const detail = { count, lastAt: isoMilliseconds(lastMs) }
  return { at: firstMs, kind, ...(user && { user }), ...(app && { app }), address, detail }
}
