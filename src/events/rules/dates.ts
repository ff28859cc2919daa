import type { EventRecord } from '../import/schema.ts'

type Dated = Pick<EventRecord, 'AnnouncedDate' | 'Effective' | 'Ex' | 'Record' | 'Options'>

/** The UTC days (YYYY-MM-DD) by which an event is listed, sorted and filtered (§7.2). */
export function eventDates({ AnnouncedDate, Effective, Ex, Record, Options = [] }: Dated) {
  const deadlines = Options.flatMap(({ Deadline }) => (Deadline?.Date ? [utcDay(Deadline.Date)] : []))
  const payments = Options.flatMap(({ Payment }) => Payment?.Date ?? [])
  const electionStarts = Options.flatMap(({ ElectionPeriod }) => ElectionPeriod?.Start?.Date ?? [])
  return {
    announcedOn: AnnouncedDate ?? null,
    exOn: Ex?.Date ?? null,
    recordOn: Record?.Date ?? null,
    keyDate: Ex?.Date ?? Effective?.Date ?? Record?.Date ?? inOrder(payments)[0] ?? AnnouncedDate ?? null,
    startsOn: inOrder([AnnouncedDate, Ex?.Date, ...electionStarts])[0] ?? null,
    endsOn: inOrder([Ex?.Date, ...payments, ...deadlines]).at(-1) ?? null,
    deadlines: inOrder(deadlines),
    payments: inOrder(payments),
  }
}

const inOrder = (days: readonly (string | undefined)[]): string[] =>
  [...new Set(days)].filter((day) => day !== undefined).toSorted()

/** The UTC day of a day or an instant. */
export const utcDay = (date: string): string =>
  date.length === 10 ? date : Temporal.Instant.from(date).toZonedDateTimeISO('UTC').toPlainDate().toString()
