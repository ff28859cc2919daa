import { realTime, type TravelClock } from '../core/clock.ts'
import type { Db } from '../database/open.ts'
import { type ClockDecision, decideChange, moveClock } from './move-clock.ts'
import { describeClock } from './rules/clock-change.ts'
import { parseTime } from './rules/time-text.ts'
import { readShift } from './store/clock.ts'

type Service = Readonly<{ db: Db; clock: TravelClock; environment: string }>

/** refdesk clock: shows the time of the service, or changes it as PUT and DELETE /x/v1/clock do. */
export async function clockCommand(
  { db, clock, environment }: Service,
  change: string | undefined,
  say: (line: string) => void,
): Promise<0> {
  if (environment !== 'sim') throw new Error('The clock can be changed in the sim environment only.')
  const decide = change === undefined ? undefined : decisionOf(change)
  if (decide) await db.transaction().execute((trx) => moveClock(trx, clock, decide, { address: 'command line' }))
  for (const line of clockLines((await readShift(db)) ?? realTime, clock.real.now())) say(line)
  if (decide) say('Running nodes follow. Tokens that are not valid at this time are rejected.')
  return 0
}

function decisionOf(text: string): ClockDecision {
  if (text === 'reset') return () => realTime
  const change = parseTime(text)
  if (!change)
    throw new Error(
      `"${text}" is not a time. Send a time (2026-12-18T12:00:00Z), a day (2026-12-18), a step (+3d, +12h, +90m, -1d), freeze, run or reset.`,
    )
  return decideChange(change)
}

function clockLines(shift: typeof realTime, real: Temporal.Instant): string[] {
  const { now, isFrozen, isTravelled } = describeClock(shift, real)
  const text = (instant: Temporal.Instant) => instant.toString({ smallestUnit: 'second' })
  const state = isFrozen ? 'frozen' : isTravelled ? 'travelled, running' : 'real time'
  return [`Service time: ${text(now)} (${state})`, ...(isTravelled ? [`Real time:    ${text(real)}`] : [])]
}
