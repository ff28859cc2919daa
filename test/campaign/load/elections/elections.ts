import { setTimeout as sleep } from 'node:timers/promises'
import { recoverySeconds } from '../../fault-window.ts'
import { electedAmounts, heldAmount } from '../../system/data.ts'
import { type Outcome, patienceMs, short } from '../caller.ts'
import type { LoadContext } from '../context.ts'
import { Lane } from '../lane.ts'
import { TokenHolder } from '../token-holder.ts'
import { type ElectedOption, electionOf, type HoldingModel, type SentElection } from './model.ts'

type Holding = Readonly<{ Amount: number; ElectedAmount: number; Options?: ElectedOption[] }>

const pathOf = (accountKey: string, { eventId }: HoldingModel): string =>
  `/ca/v2/holdings?${new URLSearchParams({ EventId: eventId, AccountKey: accountKey })}`

/** A holder who elects, often several times at once, and with and without the tag of the holding. */
export class ElectionLane extends Lane {
  readonly #context: LoadContext
  readonly #holder: TokenHolder
  readonly #accountKey: string
  readonly #holdings: readonly HoldingModel[]
  /** The tags that the last two elections of a holding were answered with. */
  readonly #tags = new Map<HoldingModel, readonly (string | undefined)[]>()

  constructor(
    context: LoadContext,
    holder: Readonly<{ user: string; accountKey: string; holdings: readonly HoldingModel[] }>,
    pauseMs: number,
  ) {
    super(context.random, pauseMs)
    this.#context = context
    this.#holder = new TokenHolder(context, holder.user)
    this.#accountKey = holder.accountKey
    this.#holdings = holder.holdings
  }

  protected override async step(): Promise<void> {
    const { random } = this.#context
    const holding = random.pick(this.#holdings)
    const [tag, staleTag] = this.#tags.get(holding) ?? []
    const roll = random.next()
    if (roll < 0.05) await this.#electTooMuch(holding)
    else if (roll < 0.15 && staleTag !== undefined) await this.#elect(holding, 1, staleTag, [412])
    else if (roll < 0.35 && tag !== undefined && holding.isSettled)
      await this.#elect(holding, random.whole(1, 3), tag, [202, 412])
    else if (roll < 0.5) await this.#elect(holding, random.whole(2, 3), undefined, [202, 409])
    else await this.#elect(holding, 1, undefined, holding.isSettled ? [202] : [202, 409])
  }

  async #elect(holding: HoldingModel, count: number, tag: string | undefined, expected: number[]): Promise<void> {
    const { findings, random, tally } = this.#context
    const before = holding.possible
    const round = holding.begin(count)
    const node = random.whole(0, 1)
    const outcomes = await Promise.all(
      round.map((election) => this.#send(holding, election, tag, { expected, ...(count === 1 && { node }) })),
    )
    const late = round.filter((_, index) => isLate(outcomes[index]))
    holding.end(round, before, late)
    const accepted = outcomes.filter((outcome) => outcome?.status === 202)
    tally.wrote('elections', accepted.length)
    if (tag !== undefined && accepted.length > 1)
      findings.add('double winner', `${accepted.length} elections with the same If-Match were accepted`)
    if (accepted.length === 0) return
    const newTag = holding.isSettled ? (accepted[0]?.headers.get('etag') ?? undefined) : undefined
    this.#tags.set(holding, [newTag, this.#tags.get(holding)?.[0]])
    // The node that has accepted an election shows it at once.
    if (count === 1 && random.chance(0.4)) await this.#compare(holding, node, 0)
  }

  async #send(
    holding: HoldingModel,
    election: SentElection,
    ifMatch: string | undefined,
    call: Readonly<{ expected: readonly number[]; node?: number }>,
  ): Promise<Outcome | undefined> {
    const Options = electedAmounts(election.id).map((option) => ({ ...option, Remarks: election.id }))
    const json = { EventId: holding.eventId, AccountKey: this.#accountKey, Options }
    const condition = ifMatch === undefined ? {} : { ifMatch }
    const request = { method: 'PUT', path: '/ca/v2/elections', json, ...condition, ...call } as const
    const outcome = await this.#holder.send(request)
    election.fate = outcome?.status === 202 ? 'accepted' : outcome?.kind === 'unknown' ? 'unknown' : 'rejected'
    if (outcome?.status === 409) {
      const { Holding } = JSON.parse(outcome.text) as { Holding?: Holding }
      if (!Holding || electionOf(Holding.Options ?? []) === undefined)
        this.#context.findings.add('wrong answer', `409 without the present election: ${short(outcome.text)}`)
    }
    return outcome
  }

  /** More than is held is rejected, and changes nothing. */
  async #electTooMuch({ eventId: EventId }: HoldingModel): Promise<void> {
    const Options = [{ OptionId: '1', Amount: heldAmount + 1 }]
    const json = { EventId, AccountKey: this.#accountKey, Options }
    await this.#holder.send({ method: 'PUT', path: '/ca/v2/elections', json, expected: [400] })
  }

  /** Both nodes show the last acknowledged election, or a later one whose outcome is unknown. A node that reads from the replica
   *  learns of an election of the other one soon. */
  protected override async check(): Promise<void> {
    for (const node of [0, 1])
      for (const holding of this.#holdings) await this.#compare(holding, node, recoverySeconds * 1_000)
  }

  async #compare(holding: HoldingModel, node: number, waitMs: number): Promise<void> {
    const { findings, window } = this.#context
    const since = performance.now()
    for (;;) {
      const outcome = await this.#holder.send({ path: pathOf(this.#accountKey, holding), expected: [200], node })
      if (outcome?.status !== 200) return
      const wrong = wrongOf(holding, outcome.text)
      if (wrong === undefined) return
      const isOver = performance.now() - since > waitMs + (waitMs > 0 ? window.stallMs + window.starvedMs : 0)
      if (isOver || wrong[0] === 'half done') return findings.add(wrong[0], `${wrong[1]} at node ${node + 1}`)
      await sleep(50)
    }
  }
}

const isLate = (outcome: Outcome | undefined): boolean =>
  outcome?.status === 0 && outcome.endedAt - outcome.startedAt >= 0.9 * patienceMs

/** What is wrong about a holding as it is shown. */
function wrongOf({ eventId, possible }: HoldingModel, text: string): ['half done' | 'lost', string] | undefined {
  const { Data } = JSON.parse(text) as { Data: Holding[] }
  const [{ Amount, ElectedAmount, Options = [] } = { Amount: 0, ElectedAmount: 0 }] = Data
  const id = electionOf(Options)
  const sum = Options.reduce((total, option) => total + option.ElectedAmount, 0)
  if (id === undefined || sum !== ElectedAmount || sum > Amount)
    return ['half done', `${eventId}: ${ElectedAmount} of ${Amount} elected: ${JSON.stringify(Options)}`]
  return possible.has(id) ? undefined : ['lost', `${eventId}: the election is ${id}, not ${[...possible].join(' or ')}`]
}
