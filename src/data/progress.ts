import { plural } from '../core/text.ts'

const redrawMs = 100
const lineMs = 10_000
const barWidth = 24

type Screen = Readonly<{ isTTY?: boolean; write(text: string): unknown }>

/** Shows progress: one line redrawn in place on a terminal, else a plain line every ten seconds. */
export class Progress {
  readonly #screen: Screen
  readonly #totalBytes: number | undefined
  readonly #now: () => number
  readonly #startedAt: number
  #bytes = 0
  #records = 0
  #saidAt: number
  #drawn = 0

  constructor(screen: Screen, totalBytes: number | undefined, now: () => number = () => performance.now()) {
    this.#screen = screen
    this.#totalBytes = totalBytes
    this.#now = now
    this.#startedAt = now()
    this.#saidAt = this.#startedAt
  }

  addBytes(count: number): void {
    this.#bytes += count
  }

  addRecords(count: number): void {
    this.#records += count
    const now = this.#now()
    if (now - this.#saidAt < (this.#screen.isTTY ? redrawMs : lineMs)) return
    this.#saidAt = now
    this.#say(this.#reading(now))
  }

  phase(name: string): void {
    this.#say(`${name} ${plural(this.#records, 'record')}`)
  }

  end(): void {
    if (this.#drawn > 0) this.#screen.write(`\r${' '.repeat(this.#drawn)}\r`)
    this.#drawn = 0
  }

  #reading(now: number): string {
    const rate = Math.round(this.#records / Math.max(0.001, (now - this.#startedAt) / 1_000))
    const counts = `${plural(this.#records, 'record')}, ${rate}/s`
    if (this.#totalBytes === undefined) return `reading ${counts}`
    const part = this.#totalBytes === 0 ? 1 : Math.min(1, this.#bytes / this.#totalBytes)
    const filled = Math.floor(part * barWidth)
    const bar = this.#screen.isTTY ? `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ` : ''
    return `reading ${bar}${Math.floor(part * 100)} %, ${counts}`
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
