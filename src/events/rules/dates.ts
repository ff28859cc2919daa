import type { EventRecord } from '../import/schema.ts'

/** Days are YYYY-MM-DD, which sort as text. */
export type EventDates = Readonly<{
  announcedOn: string | null
  exOn: string | null
  recordOn: string | null
  keyDate: string | null
  startsOn: string | null
  endsOn: string | null
  deadlines: string[]
  payments: string[]
}>

type Dated = Pick<EventRecord, 'AnnouncedDate' | 'Effective' | 'Ex' | 'Record' | 'Options'>

/** The UTC days by which an event is listed, sorted and filtered (§7.2). */
export function eventDates({ AnnouncedDate, Effective, Ex, Record, Options = [] }: Dated): EventDates {
  const deadlines = Options.flatMap(({ Deadline }) => (Deadline ? [utcDay(Deadline.Date)] : []))
  const payments = Options.flatMap(({ Payment }) => (Payment ? [Payment.Date] : []))
  const electionStarts = Options.flatMap(({ ElectionPeriod }) => ElectionPeriod?.Start?.Date ?? [])
  const [announced, ex] = [AnnouncedDate ?? [], Ex?.Date ?? []].map((day) => [day].flat()) as [string[], string[]]
  return {
    announcedOn: AnnouncedDate ?? null,
    exOn: Ex?.Date ?? null,
    recordOn: Record?.Date ?? null,
    keyDate: keyDate([Ex?.Date, Effective?.Date, Record?.Date, first(payments), AnnouncedDate]),
    startsOn: first([...announced, ...ex, ...electionStarts]) ?? null,
    endsOn: last([...ex, ...payments, ...deadlines]) ?? null,
    deadlines: unique(deadlines),
    payments: unique(payments),
  }
}

/** Ex, else Effective, Record, the earliest Payment, AnnouncedDate (§7.2). */
const keyDate = (days: readonly (string | undefined)[]): string | null => days.find((day) => day !== undefined) ?? null

const unique = (days: readonly string[]): string[] => [...new Set(days)].toSorted()
const first = (days: readonly string[]): string | undefined => days.toSorted()[0]
const last = (days: readonly string[]): string | undefined => days.toSorted().at(-1)

export const utcDay = (instant: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO('UTC').toPlainDate().toString()
