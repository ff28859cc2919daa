import type { LoadContext } from '../context.ts'
import { Lane } from '../lane.ts'
import { TokenHolder } from '../token-holder.ts'
import { type ElectedOption, electionOf, type HoldingModel } from './model.ts'

type Row = Readonly<{ Number: number; EventId: string; Options: ElectedOption[] }>

const path = '/x/v1/elections'

/** A back office that reads the elections of a client with a cursor: each exactly once, in order. */
export class ElectionReadLane extends Lane {
  readonly #context: LoadContext
  readonly #holder: TokenHolder
  readonly #holdings: readonly HoldingModel[]
  #cursor = 0

  constructor(
    context: LoadContext,
    reader: Readonly<{ user: string; holdings: readonly HoldingModel[] }>,
    pauseMs: number,
  ) {
    super(context.random, pauseMs)
    this.#context = context
    this.#holder = new TokenHolder(context, reader.user)
    this.#holdings = reader.holdings
  }

  protected override async step(): Promise<void> {
    await this.#read(this.#context.random.whole(1, 20))
  }

  /** What was acknowledged before the last page was read must be on one of the pages. */
  protected override async check(): Promise<void> {
    const due = this.#holdings.flatMap((holding) => holding.unread())
    for (;;) {
      const rows = await this.#read(1_000)
      if (rows === undefined) return
      if (rows === 0) break
    }
    for (const { id, isRead } of due)
      if (!isRead) this.#context.findings.add('lost', `election ${id} was acknowledged and is not listed`)
  }

  /** Reads a page. Returns how many rows it had, or undefined if the service did not answer. */
  async #read(top: number): Promise<number | undefined> {
    const query = new URLSearchParams({ Since: String(this.#cursor), $top: String(top) })
    const outcome = await this.#holder.send({ path: `${path}?${query}`, expected: [200] })
    if (outcome?.status !== 200) return undefined
    const { Data } = JSON.parse(outcome.text) as { Data: Row[] }
    for (const { Number: number, EventId, Options } of Data) {
      if (number <= this.#cursor)
        this.#context.findings.add('wrong answer', `election ${number} was listed after ${this.#cursor}`)
      this.#cursor = number
      const holding = this.#holdings.find(({ eventId }) => eventId === EventId)
      if (holding) holding.read(electionOf(Options), number)
      else this.#context.findings.add('wrong answer', `election ${number} of ${EventId} is listed`)
    }
    return Data.length
  }
}
