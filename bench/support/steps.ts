import { printBriefly, seconds } from './report.ts'

type Step = readonly [name: string, work: () => Promise<void>]

const barWidth = 24

/** Runs steps one after the other, with a progress bar on a terminal and one line per step elsewhere. */
export class Steps {
  readonly #steps: readonly Step[]

  constructor(steps: readonly Step[]) {
    this.#steps = steps
  }

  async run(afterEach: () => Promise<void>): Promise<void> {
    printBriefly()
    const start = performance.now()
    for (const [index, [name, work]] of this.#steps.entries()) {
      const since = performance.now()
      const bar = new Bar(index / this.#steps.length, `${index + 1} of ${this.#steps.length}: ${name}`, start)
      try {
        await work()
        await afterEach()
      } finally {
        bar.end()
      }
      console.log(`  ${name.padEnd(32)}${seconds((performance.now() - since) / 1_000).padStart(8)}`)
    }
    console.log(`  ${'in all'.padEnd(32)}${seconds((performance.now() - start) / 1_000).padStart(8)}`)
  }
}

class Bar {
  readonly #timer: NodeJS.Timeout | undefined

  constructor(share: number, text: string, start: number) {
    if (!process.stdout.isTTY) return
    const draw = () => {
      const filled = '█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '░')
      process.stdout.write(`\r\x1b[2K${filled} ${text}, ${seconds((performance.now() - start) / 1_000)}`)
    }
    draw()
    this.#timer = setInterval(draw, 200).unref()
  }

  end(): void {
    if (!this.#timer) return
    clearInterval(this.#timer)
    process.stdout.write('\r\x1b[2K')
  }
}
