import type { ModelState } from '../../../core/problem.ts'
import { minute } from '../../../core/text.ts'
import { epochDay } from '../../../core/time/days.ts'
import type { EventState } from '../../api/enums.ts'
import type { Elections } from '../../import/canonical.ts'
import type { EventOptionRecord } from '../../import/schema.ts'
import { isMultipleOf, sumOf } from '../decimals.ts'
import { isSet } from '../option-terms.ts'
import { lastMsOf } from './closing.ts'

type ElectedOption = NonNullable<Elections['Options']>[number]

/** What a holder asks for: how much of the holding each option gets. The rest is not elected. */
export type RequestedOption = Readonly<{ OptionId: string; Amount: number; Remarks?: string | undefined }>

/** An election and everything it is judged by, at one moment. */
export type ElectionCase = Readonly<{
  state: EventState
  isElectable: boolean
  options: readonly EventOptionRecord[]
  /** What the account holds for the event: on a past record date, else today. */
  amount: number
  present: readonly ElectedOption[]
  requested: readonly RequestedOption[]
  nowMs: number
}>

/** Why an election is rejected: the event does not take it at all, or fields of the request are wrong. */
export type Rejection = Readonly<{ reason: string }> | Readonly<{ modelState: ModelState }>

const dayMs = 86_400_000

/** States in which an event takes elections. */
const openStates: readonly EventState[] = ['Approved', 'Confirmed', 'Preliminary']

/** Undefined if the election is allowed (§7.9). */
export function rejectionOf(election: ElectionCase): Rejection | undefined {
  const { state, isElectable, amount, options, nowMs } = election
  if (!isElectable) return { reason: 'There is nothing to elect for this event.' }
  if (!openStates.includes(state)) return { reason: `The event is ${state.toLowerCase()}: it takes no elections.` }
  if (amount === 0) return { reason: 'The account holds nothing that the event applies to.' }
  if (!options.some((option) => closedReason(option, nowMs) === undefined))
    return { reason: lastReason(options, nowMs) }
  const modelState = fieldErrors(election)
  return Object.keys(modelState).length > 0 ? { modelState } : undefined
}

function fieldErrors(election: ElectionCase): ModelState {
  const { requested, amount, options } = election
  const errors: ModelState = {}
  for (const [index, each] of requested.entries()) {
    const at = `Options[${index}]`
    const option = options.find(({ OptionId }) => OptionId === each.OptionId)
    const isRepeated = requested.findIndex(({ OptionId }) => OptionId === each.OptionId) < index
    if (isRepeated) errors[`${at}.OptionId`] = ['Must not be repeated.']
    else if (!option)
      errors[`${at}.OptionId`] = [`Must be one of: ${options.map(({ OptionId }) => OptionId).join(', ')}.`]
    const amountError = option && amountErrorOf(option, each.Amount, election)
    if (amountError !== undefined) errors[`${at}.Amount`] = [amountError]
  }
  const kept = keptElections(election)
  if (kept.length > 0) errors.Options = [`${kept.join(' ')} Repeat ${kept.length === 1 ? 'it' : 'them'} as elected.`]
  const total = sumOf(requested.map(({ Amount }) => Amount))
  if (Math.abs(total) > Math.abs(amount))
    errors.Options = [...(errors.Options ?? []), `The amounts add up to ${total}; the account holds ${amount}.`]
  return errors
}

const electedOf = ({ present }: ElectionCase, optionId: string): number =>
  present.find(({ OptionId }) => OptionId === optionId)?.ElectedAmount ?? 0

/** An amount may be repeated after the deadline, but not changed. */
function amountErrorOf(option: EventOptionRecord, given: number, election: ElectionCase): string | undefined {
  const { amount, nowMs } = election
  if (given === electedOf(election, option.OptionId)) return undefined
  if (given === 0 && !isAvailable(option)) return undefined
  const closed = closedReason(option, nowMs)
  if (closed !== undefined) return isAvailable(option) ? `${closed} ${nowSentence(nowMs)}` : closed
  if (given === 0) return undefined
  if (Math.sign(given) !== Math.sign(amount))
    return `Must be ${amount < 0 ? 'negative' : 'positive'}, as the holding is.`
  return quantityError(option, Math.abs(given))
}

function quantityError(option: EventOptionRecord, size: number): string | undefined {
  const { MinExercisableQuantity: min, MaxExercisableQuantity: max, MinExercisableMultipleQuantity: step } = option
  if (min !== undefined && size < min) return `Must be at least ${min} for this option.`
  if (max !== undefined && size > max) return `Must be at most ${max} for this option.`
  if (step !== undefined && step > 0 && !isMultipleOf(size, step))
    return `Must be a multiple of ${step} for this option.`
  return undefined
}

/** Elections whose deadline has passed and that the request leaves out: it must repeat them. Those of an option that the
 *  event no longer has or offers may be left out. */
function keptElections({ present, requested, options, nowMs }: ElectionCase): string[] {
  return present.flatMap(({ OptionId, ElectedAmount }) => {
    if (ElectedAmount === 0 || requested.some((each) => each.OptionId === OptionId)) return []
    const option = options.find((each) => each.OptionId === OptionId)
    const isPassedOn = option !== undefined && isAvailable(option) && hasPassed(option, nowMs)
    return isPassedOn ? [`Option ${OptionId} can no longer be changed: ${ElectedAmount} are elected.`] : []
  })
}

/** Why an option cannot be elected now; undefined if it can. */
export function closedReason(option: EventOptionRecord, nowMs: number): string | undefined {
  const { OptionStatus, ElectionPeriod } = option
  if (!isAvailable(option)) return `The option is ${String(OptionStatus).toLowerCase()}.`
  const start = ElectionPeriod?.Start?.Date
  if (start !== undefined && nowMs < epochDay(start) * dayMs) return `The option can be elected from ${start}.`
  return hasPassed(option, nowMs) ? `The deadline of the option was ${endOf(option)}.` : undefined
}

/** A travelled clock is the usual reason for surprise. */
const nowSentence = (nowMs: number): string =>
  `By the clock of the service it is ${minute(Temporal.Instant.fromEpochMilliseconds(nowMs))}.`

const isAvailable = ({ OptionStatus }: EventOptionRecord): boolean =>
  OptionStatus !== 'Cancelled' && OptionStatus !== 'Inactive'

const endOf = ({ Deadline, ElectionPeriod }: EventOptionRecord): string | undefined =>
  Deadline?.Date ?? ElectionPeriod?.End?.Date

function hasPassed(option: EventOptionRecord, nowMs: number): boolean {
  const end = endOf(option)
  return end !== undefined && isSet(end) && nowMs > lastMsOf(end)
}

/** Of an event without any open option. */
function lastReason(options: readonly EventOptionRecord[], nowMs: number): string {
  const reasons = options.map((option) => `${option.OptionId}: ${closedReason(option, nowMs)}`)
  return `No option can be elected now. ${reasons.join(' ')} ${nowSentence(nowMs)}`
}
