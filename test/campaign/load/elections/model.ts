import type { FindingKind, Findings } from '../../findings.ts'
import { electedAmounts } from '../../system/data.ts'

type Fate = 'under way' | 'accepted' | 'unknown' | 'rejected'

/** One election that was sent. */
export type SentElection = {
  readonly id: string
  /** Elections of one round were sent at the same time. */
  readonly round: number
  fate: Fate
  isRead: boolean
}

export type ElectedOption = Readonly<{ OptionId: string; ElectedAmount: number; Remarks?: string }>

const none = 'none'

/** Which election these options are, or undefined if they are no whole one. Remarks name it, and its amounts follow from it. */
export function electionOf(options: readonly ElectedOption[]): string | undefined {
  if (options.length === 0) return none
  const [{ Remarks: id = '' } = {}] = options
  const found = options.map(({ OptionId, ElectedAmount, Remarks }) => [OptionId, ElectedAmount, Remarks])
  const whole = electedAmounts(id).map(({ OptionId, Amount }) => [OptionId, Amount, id])
  return JSON.stringify(found) === JSON.stringify(whole) ? id : undefined
}

/** All elections that were sent for one holding, and which of them may be the present one. */
export class HoldingModel {
  readonly eventId: string
  readonly #prefix: string
  readonly #findings: Findings
  readonly #sent = new Map<string, SentElection>()
  #round = 0
  #latestRead = 0
  /** The last acknowledged election, and those since whose outcome is unknown: an election waits for those before it. */
  possible: ReadonlySet<string> = new Set([none])
  /** Requests that a node may still carry out, because their caller did not wait for the answer. */
  readonly #late: string[] = []

  constructor(eventId: string, prefix: string, findings: Findings) {
    this.eventId = eventId
    this.#prefix = prefix
    this.#findings = findings
  }

  /** Whether there is only one election that can be the present one. */
  get isSettled(): boolean {
    return this.possible.size === 1
  }

  /** New elections that will be sent at the same time. Until all are answered each of them can be the present one. */
  begin(count: number): SentElection[] {
    const round = ++this.#round
    const elections = Array.from({ length: count }, (_, index): SentElection => {
      const id = `${this.#prefix}-${round}-${index}`
      return { id, round, fate: 'under way', isRead: false }
    })
    for (const election of elections) this.#sent.set(election.id, election)
    this.possible = new Set([...this.possible, ...elections.map(({ id }) => id)])
    return elections
  }

  /** All of a round are answered, or never will be. */
  end(round: readonly SentElection[], before: ReadonlySet<string>, late: readonly SentElection[]): void {
    const ids = (fate: Fate) => round.filter((each) => each.fate === fate).map(({ id }) => id)
    const accepted = ids('accepted')
    this.#late.push(...late.map(({ id }) => id))
    this.possible = new Set([...(accepted.length > 0 ? accepted : before), ...ids('unknown'), ...this.#late])
    for (const { id, fate, isRead } of round)
      if (fate === 'rejected' && isRead) this.#findings.add('half done', `election ${id} was rejected, and is listed`)
  }

  /** A reader with a cursor got this election. */
  read(id: string | undefined, number: number): void {
    const election = id === undefined ? undefined : this.#sent.get(id)
    const wrong = this.#wrongOf(election)
    if (wrong) this.#findings.add(wrong[0], `election ${id} of ${this.eventId} (number ${number}) ${wrong[1]}`)
    if (!election) return
    election.isRead = true
    if (election.fate === 'accepted') this.#latestRead = Math.max(this.#latestRead, election.round)
  }

  #wrongOf(election: SentElection | undefined): [FindingKind, string] | undefined {
    if (!election) return ['half done', 'is none that was sent']
    if (election.isRead) return ['double winner', 'was listed twice']
    if (election.fate === 'rejected') return ['half done', 'was rejected, and is listed']
    const isEarlier = election.fate === 'accepted' && election.round < this.#latestRead
    return isEarlier ? ['wrong answer', 'was listed after a later one'] : undefined
  }

  /** Those that a reader must have got by now: acknowledged, and not read yet. */
  unread(): SentElection[] {
    return [...this.#sent.values()].filter(({ fate, isRead }) => fate === 'accepted' && !isRead)
  }
}
