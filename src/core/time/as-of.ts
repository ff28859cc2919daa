import { Type } from 'typebox'
import { invalid } from '../problem.ts'
import { isDateTime, plusInQuery } from '../validation/formats.ts'

/** What was known: the parameter of operations 1 to 9 (§9.7). Any text, because the errors say more than a schema could. */
export const AsOf = Type.Optional(
  Type.String({
    maxLength: 50,
    description:
      'Answer with the data that the service had at this moment: an instant of real time such as 2026-12-31T17:30:00Z, or a ' +
      'revision of the data. Access rights and the clock are those of now.',
  }),
)

/** A moment as it is asked for. */
export type AskedMoment = Readonly<{ at: Temporal.Instant }> | Readonly<{ revision: number }>

/** With its offset, an instant may be in a year that PostgreSQL does not read. */
const isStorable = (at: Temporal.Instant): boolean => /^(?!0000)\d{4}-/.test(at.toString())

export function parseAsOf(text: string): AskedMoment {
  if (/^\d{1,15}$/.test(text)) return { revision: Number(text) }
  const at = isDateTime(text) ? Temporal.Instant.from(text) : undefined
  if (at && isStorable(at)) return { at }
  throw invalid({
    AsOf: [`Must be an instant such as 2026-12-31T17:30:00Z, or a revision, such as that of a change.${plusInQuery}`],
  })
}
