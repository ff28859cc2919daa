import { type Static, Type } from 'typebox'
import { listOf, oneOf, optional } from '../../../core/schema.ts'
import { FeedOf } from '../../../http/output/feed.ts'
import { historyKinds } from '../../history/kinds.ts'

export const defaultRows = 100
export const maxRows = 1_000

const exampleCursor = '5f0c2f6ad1e84739.2s.9a31c07e'

export const ChangesQuery = Type.Object({
  Since: Type.Optional(
    Type.String({
      maxLength: 512,
      description:
        'Returns changes after this cursor, which is from a page, from a change or from `refdesk export`. Without it, the response has ' +
        'no changes and the current cursor.',
    }),
  ),
  Kinds: Type.Optional({
    ...listOf(oneOf(...historyKinds)),
    description: 'Only records of these kinds, as in an import. Without it, all that the caller may see.',
  }),
  $top: Type.Integer({ minimum: 1, maximum: maxRows, default: defaultRows, description: 'Rows per page, at most.' }),
})
export type ChangesQuery = Static<typeof ChangesQuery>

const example = {
  Change: 'Changed',
  Cursor: exampleCursor,
  Fields: ['Description', 'As[Stock]'],
  Id: '211',
  Kind: 'instrument',
  Revision: 7,
  Time: '2026-11-16T12:00:00.000000Z',
}

export const ChangeSchema = Type.Object(
  {
    Change: Type.Unsafe<'Added' | 'Changed' | 'Removed'>({
      ...oneOf('Added', 'Changed', 'Removed'),
      description: 'What happened: the record is there, differs, or is gone, for the caller.',
    }),
    Cursor: Type.String({ description: 'The cursor to go on from after this change.' }),
    Fields: Type.Array(Type.String(), {
      description:
        'The members of the record that differ, such as `Description` or `As[Stock]`; empty if it was added or removed.',
    }),
    Id: Type.String({ description: 'The key of the record, as in its history: such as the Uic of an instrument.' }),
    Kind: Type.Unsafe<(typeof historyKinds)[number]>({
      ...oneOf(...historyKinds),
      description: 'The kind of the record, as in an import.',
    }),
    Revision: optional(
      Type.Integer({ minimum: 1 }),
      'The revision of the reference data, or of the events, that it led to.',
    ),
    Time: Type.String({
      format: 'date-time',
      description: 'When it was committed, in real time. The data of this moment (AsOf) includes it.',
    }),
  },
  { title: 'Change', examples: [example] },
)
export type ChangeView = Static<typeof ChangeSchema>

const { __next, Data, MaxRows } = FeedOf(ChangeSchema).properties
export const ChangesResponse = Type.Object(
  {
    __next,
    Cursor: Type.String({ description: 'The cursor to go on from after this page.' }),
    Data,
    MaxRows,
  },
  { title: 'ChangeFeed', examples: [{ Cursor: exampleCursor, Data: [example], MaxRows: maxRows }] },
)

export const liveExample = `retry: 1000\n\nid: ${exampleCursor}\nevent: change\ndata: ${JSON.stringify(example)}\n\n`
