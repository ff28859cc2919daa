import { epochDay } from '../../../core/time/days.ts'
import type { EventState } from '../../api/enums.ts'
import type { Elections } from '../../import/canonical.ts'
import { sumOf } from '../decimals.ts'
import { isSet, isWholeDay } from '../option-terms.ts'

/** What decides when an option can be elected, and who gets it without electing. */
export type ClosingOption = Readonly<{
  optionId: string
  /** A CAOP code. */
  optionType: string | null
  isDefault: boolean
  /** Neither cancelled nor inactive. */
  isOpen: boolean
  /** A day or a time. */
  deadline: string | null
}>

/** What happens to holdings that were not elected: at the end of the last deadline they get the default option, or the one
 *  that a standing instruction of their account asks for. */
export type Closing = Readonly<{
  /** The last millisecond in which something can be elected. */
  lastMs: number
  defaultOption: string
  /** Options by type. */
  byType: ReadonlyMap<string, string>
}>

const dayMs = 86_400_000

/** The last millisecond in which a deadline has not passed. A whole day passes when it is over, in UTC. */
export const lastMsOf = (deadline: string): number =>
  isWholeDay(deadline)
    ? (epochDay(deadline.slice(0, 10)) + 1) * dayMs - 1
    : Temporal.Instant.from(deadline).epochMilliseconds

/** Undefined if no open option has a deadline, or none is the default: then nothing is ever applied. */
export function closingOf(options: readonly ClosingOption[]): Closing | undefined {
  const open = options.filter(({ isOpen }) => isOpen)
  const ends = open.flatMap(({ deadline }) => (deadline !== null && isSet(deadline) ? [lastMsOf(deadline)] : []))
  const defaultOption = open.find(({ isDefault }) => isDefault)?.optionId
  if (ends.length === 0 || defaultOption === undefined) return undefined
  return {
    lastMs: Math.max(...ends),
    defaultOption,
    // Of several options of a type, the default counts, else the first.
    byType: new Map(
      [...open.toReversed(), ...open.filter(({ isDefault }) => isDefault)].flatMap(({ optionId, optionType }) =>
        optionType === null ? [] : ([[optionType, optionId]] as const),
      ),
    ),
  }
}

/** An event that does not take place applies nothing. */
const endedStates: readonly EventState[] = ['Cancelled', 'Withdrawn']

type ClosingEvent = Readonly<{ closing: Closing | undefined; state: EventState; eventType: string }>

/** Whether elections have ended and what was not elected has got an option. */
export const isApplied = ({ closing, state }: ClosingEvent, nowMs: number): boolean =>
  closing !== undefined && nowMs > closing.lastMs && !endedStates.includes(state)

type Elected = Readonly<{ elected: number; elections: Elections | null }>

/** A standing instruction of an account: which type of option it asks for, from when and until when. */
export type Standing = readonly [optionType: string, fromMs: number, untilMs: number | null]

/** The elections of a holding with what was applied to the rest of it by now: what a standing instruction asked for that was
 *  in force at the deadline, else the default. */
export function appliedElections(
  event: ClosingEvent,
  nowMs: number,
  { amount, elected, elections, standing }: Elected & Readonly<{ amount: number; standing: readonly Standing[] }>,
): Elected {
  const { closing } = event
  if (!closing || !isApplied(event, nowMs)) return { elected, elections }
  const rest = sumOf([amount, -elected])
  if (rest === 0 || Math.sign(rest) !== Math.sign(amount)) return { elected, elections }
  const OptionId = standingOption(event.eventType, closing, standing) ?? closing.defaultOption
  const options = elections?.Options ?? []
  const isElected = options.some((option) => option.OptionId === OptionId)
  const Options = isElected
    ? options.map((option) =>
        option.OptionId === OptionId ? { ...option, ElectedAmount: sumOf([option.ElectedAmount, rest]) } : option,
      )
    : [...options, { OptionId, ElectedAmount: rest, ElectionType: 'Auto' as const }]
  return { elected: amount, elections: { ...elections, Options } }
}

/** Event types that a standing instruction can elect for: dividends in cash or securities, and reinvestments. */
const standingTypes: readonly string[] = ['DRIP', 'DVOP']
export const takesStandingInstructions = (eventType: string): boolean => standingTypes.includes(eventType)

function standingOption(eventType: string, closing: Closing, standing: readonly Standing[]): string | undefined {
  if (!takesStandingInstructions(eventType)) return undefined
  const { lastMs, byType } = closing
  // After a time travel several may have been in force at the deadline: the latest counts.
  const inForce = standing
    .filter(([, fromMs, untilMs]) => fromMs <= lastMs && (untilMs === null || untilMs > lastMs))
    .toSorted(([, a], [, b]) => b - a)[0]
  return inForce && byType.get(inForce[0])
}
