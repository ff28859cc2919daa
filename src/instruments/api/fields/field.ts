import { type TSchema, Type } from 'typebox'
import { describe } from '../../../core/schema.ts'
import { DateTime, Day } from './values.ts'

/** Where the catalogue keeps a field. `common`: per row, in search results and details. `row`: per row, in details
 *  only. `template`: once for all rows with equal values. `onRequest`: like template, sent only for its field group.
 *  `computed`: not in the record, because it depends on the caller, the day or the exchange. */
export type Storage = 'common' | 'row' | 'template' | 'onRequest' | 'computed'

type Described = TSchema & { description?: string }

/** The sentence is the description of the schema unless given. */
const field = <K extends Storage, S extends Described>(
  storage: K,
  schema: S,
  label: string,
  sentence = schema.description ?? '',
) => ({ storage, label, sentence, schema: describe(schema, sentence) })
const optionalField =
  <K extends Storage>(storage: K) =>
  <S extends Described>(schema: S, label: string, sentence = schema.description ?? '') =>
    field(storage, Type.Optional(schema), label, sentence)

export const [common, row] = [optionalField('common'), optionalField('row')]
export const [template, onRequest] = [optionalField('template'), optionalField('onRequest')]
/** Computed, and always present. */
export const computed = <S extends Described>(schema: S, label: string, sentence?: string) =>
  field('computed', schema, label, sentence)
/** Computed, and omitted where there is none. */
export const ifAny = optionalField('computed')
/** Whether an instrument has a property. Always sent: `absent` is the value of records without the field. */
export const flag = (label: string, sentence: string) => ({
  ...template(Type.Boolean(), label, sentence),
  absent: false,
})

const sentInstant = (text: string): string => Temporal.Instant.from(text).toString({ fractionalSecondDigits: 6 })

/** An instant, sent in UTC with six digits, however the record has it. */
export const instant = (label: string, sentence: string) => ({
  ...row(DateTime, label, sentence),
  toWire: sentInstant,
})

/** Instants that are members of an object, likewise. */
export const withInstants = (members: object): object =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? sentInstant(value) : value]),
  )

/** A day in the record, sent as the midnight at its start: clients expect a date-time. */
export const midnight = (label: string, sentence: string) => ({
  ...row(Day, label, sentence),
  wire: Type.Optional(describe(DateTime, sentence)),
  toWire: (day: string) => `${day}T00:00:00Z`,
})
