import { plural } from '../core/text.ts'

const redrawMs = 200
const lineMs = 10_000
const barWidth = 24

type Screen = Readonly<{ isTTY?: boolean; write(text: string): unknown }>

/** What an import reports while it runs. */
export type ImportProgress = Readonly<{
  addBytes(count: number): void
  addRecords(count: number): void
  /** Begins a phase of so many steps; 0 if no one knows how many. */
  begin(phase: Phase, steps?: number): void
  step(): void
}>

export type Phase = 'reading' | 'checking' | 'merging' | 'committing' | 'serving'

/** Shows how far an import is: on a terminal one line, redrawn in place, else a plain line every ten seconds. Ends with
 *  `end`, which also stops its timer. */
export class Progress implements ImportProgress {
  readonly #screen: Screen
  readonly #totalBytes: number | undefined
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  readonly #spent = new Map<Phase, number>()
  #phase: Phase = 'reading'
  #phaseSince: number
  #bytes = 0
  #records = 0
  #steps = 0
  #step = 0
  #saidAt: number
  #drawn = 0

  constructor(screen: Screen, totalBytes: number | undefined, now: () => number = () => performance.now()) {
    this.#screen = screen
    this.#totalBytes = totalBytes
    this.#now = now
    this.#phaseSince = now()
    this.#saidAt = this.#phaseSince
    // A statement of the database may take long, while nothing else happens here.
    this.#timer = setInterval(() => this.#tick(), redrawMs).unref()
  }

  addBytes(count: number): void {
    this.#bytes += count
  }

  addRecords(count: number): void {
    this.#records += count
    this.#tick()
  }

  begin(phase: Phase, steps = 0): void {
    this.#close()
    this.#phase = phase
    this.#steps = steps
    this.#step = 0
    this.#tick(this.#screen.isTTY === true)
  }

  step(): void {
    this.#step++
    this.#tick()
  }

  end(): void {
    clearInterval(this.#timer)
    this.#close()
    if (this.#drawn > 0) this.#screen.write(`\r${' '.repeat(this.#drawn)}\r`)
    this.#drawn = 0
  }

  /** After the end: how long it took, by phase if that is long enough to matter. */
  took(): string {
    const phases = [...this.#spent]
    const total = phases.reduce((sum, [, ms]) => sum + ms, 0)
    const parts = phases.filter(([, ms]) => ms >= 50).map(([name, ms]) => `${name} ${seconds(ms)}`)
    return `Took ${seconds(total)} s${total >= 1_000 && parts.length > 1 ? `: ${parts.join(', ')}` : ''}.`
  }

  #close(): void {
    const now = this.#now()
    this.#spent.set(this.#phase, (this.#spent.get(this.#phase) ?? 0) + now - this.#phaseSince)
    this.#phaseSince = now
  }

  #tick(isDue = false): void {
    const now = this.#now()
    if (!isDue && now - this.#saidAt < (this.#screen.isTTY ? redrawMs : lineMs)) return
    this.#saidAt = now
    this.#say(this.#phase === 'reading' ? this.#reading(now) : this.#working(now))
  }

  #reading(now: number): string {
    const rate = Math.round(this.#records / Math.max(0.001, (now - this.#phaseSince) / 1_000))
    const part =
      this.#totalBytes === undefined ? undefined : this.#totalBytes === 0 ? 1 : this.#bytes / this.#totalBytes
    return this.#line(part, `${plural(this.#records, 'record')}, ${rate}/s`)
  }

  #working(now: number): string {
    const elapsed = `${Math.floor((now - this.#phaseSince) / 1_000)} s`
    const part = this.#steps === 0 ? undefined : this.#step / this.#steps
    return this.#line(part, `${plural(this.#records, 'record')}, ${elapsed}`)
  }

  #line(part: number | undefined, text: string): string {
    if (part === undefined) return `${this.#phase} ${text}`
    const share = Math.min(1, part)
    const filled = Math.floor(share * barWidth)
    const bar = this.#screen.isTTY ? `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ` : ''
    return `${this.#phase} ${bar}${Math.floor(share * 100)} %, ${text}`
  }

  #say(text: string): void {
    if (!this.#screen.isTTY) {
      this.#screen.write(`${text}\n`)
      return
    }
    this.#screen.write(`\r${text.padEnd(this.#drawn)}`)
    this.#drawn = text.length
  }
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
