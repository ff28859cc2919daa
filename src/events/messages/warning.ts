import { type Static, Type } from 'typebox'
import { oneOf } from '../../core/schema.ts'
import { plural } from '../../core/text.ts'
import { EventRecord } from '../import/schema.ts'

/** A warning about an event from a message. It is staged with the record and shown in the summary of the import. */
const Warning = Type.Object(
  { Kind: oneOf('UnknownCancelled', 'ElectionsKept'), Text: Type.String() },
  { additionalProperties: false },
)
export const MessageEventRecord = Type.Object(
  { ...EventRecord.properties, Warning: Type.Optional(Warning) },
  { additionalProperties: false },
)
export type MessageEventRecord = Static<typeof MessageEventRecord>

export type Warnings = Readonly<{ kind: Static<typeof Warning>['Kind']; total: number; listed: readonly string[] }>

export function warningNote({ kind, total, listed }: Warnings): string {
  const events = [...listed, ...(total > listed.length ? [`and ${total - listed.length} more`] : [])].join(', ')
  if (kind === 'ElectionsKept')
    return `${plural(total, 'event')} ${total === 1 ? 'keeps' : 'keep'} elected options that the message no longer has, as Cancelled: ${events}.`
  return `${plural(total, 'cancellation')} of unknown events, perhaps under another reference: ${events}.`
}
