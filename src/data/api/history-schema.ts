import { type Static, Type } from 'typebox'
import { named, oneOf, optional } from '../../core/schema.ts'
import { FeedOf, pageQuery } from '../../http/output/feed.ts'
import { historyKinds } from '../history/kinds.ts'

export const maxRows = 50
/** Longer values are cut, and more fields only counted. */
export const [maxFields, maxValue] = [200, 2_000]

export const HistoryParams = Type.Object({
  Kind: Type.Unsafe<(typeof historyKinds)[number]>({
    ...oneOf(...historyKinds),
    description: 'The kind of the record, as in an import.',
    examples: ['instrument'],
  }),
  Id: Type.String({
    minLength: 1,
    maxLength: 200,
    examples: ['1000'],
    description:
      'The key of the record, such as its Uic. Of a position: AccountKey, Uic, AssetType and From, separated by spaces. Of access rights: the ClientKey.',
  }),
})

export const HistoryQuery = Type.Object(pageQuery({ defaultTop: 20, maxTop: maxRows }))

const AnyValue = (description: string) => Type.Optional(Type.Unsafe<unknown>({ description }))

const FieldChange = Type.Object(
  {
    Name: Type.String({ description: 'The field, with its path: `As[Stock].Description`.' }),
    Before: AnyValue('The value before. Absent: there was none.'),
    After: AnyValue('The value after. Absent: there is none.'),
  },
  { title: 'FieldChange' },
)

const Change = named('HistoryChange', oneOf('Added', 'Changed', 'Removed'), 'What happened to the record.')

export const HistoryEntry = Type.Object(
  {
    Change,
    Fields: Type.Array(FieldChange, {
      maxItems: maxFields,
      description: `The fields that differ. The JSON of a value of over ${maxValue} characters is cut and returned as a text that ends with an ellipsis.`,
    }),
    MoreFields: optional(Type.Integer({ minimum: 1 }), `How many fields differ besides the first ${maxFields}.`),
    Reference: optional(Type.String(), 'Of an event: the reference of the message that it came from.'),
    Revision: optional(
      Type.Integer({ minimum: 1 }),
      'The revision of the reference data, or of the events, that it led to.',
    ),
    Run: Type.Integer({ minimum: 1, description: 'The number of the run, by which an operator can undo it.' }),
    Source: optional(Type.String(), 'What changed it: the names of the files of an import, a scenario, a command.'),
    Time: Type.String({
      format: 'date-time',
      description: 'When it was committed, in real time. The data of this moment (AsOf) includes it.',
    }),
  },
  {
    title: 'HistoryEntry',
    examples: [
      {
        Change: 'Changed',
        Fields: [{ Name: 'Ex.Date', Before: '2026-12-03', After: '2026-12-05' }],
        Reference: 'CA-2026-118',
        Revision: 7,
        Run: 17,
        Source: 'notices.xml',
        Time: '2026-11-16T12:00:00.000000Z',
      },
    ],
  },
)
export type HistoryEntry = Static<typeof HistoryEntry>
export const HistoryFeed = FeedOf(HistoryEntry)

/** Fields of a record in the list of a run. Its history has more. */
export const maxRunFields = 20

export const RunRecord = Type.Object(
  {
    Change,
    Fields: Type.Array(FieldChange, { maxItems: maxRunFields, description: 'The first fields that differ.' }),
    Id: Type.String({ description: 'The key of the record. Of an access right: the ClientKey.' }),
    Kind: Type.String({ description: 'The kind of the record, as in an import.' }),
    MoreFields: optional(Type.Integer({ minimum: 1 }), `How many fields differ besides the first ${maxRunFields}.`),
  },
  {
    title: 'RunRecord',
    examples: [
      {
        Change: 'Changed',
        Fields: [{ Name: 'Description', Before: 'Apple Inc', After: 'Apple Inc.' }],
        Id: '1000',
        Kind: 'instrument',
      },
    ],
  },
)
export type RunRecord = Static<typeof RunRecord>
