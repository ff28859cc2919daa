import { type Static, Type } from 'typebox'
import { oneOf } from '../../core/schema.ts'
import { plural } from '../../core/text.ts'
import { EventRecord } from '../import/schema.ts'

/** Something about an event out of messages that people should look at. It goes with the record as far as the stage, and
 *  from there into the summary. */
export const Remark = Type.Object(
  { Kind: oneOf('CalledOffUnknown', 'Elected'), Text: Type.String() },
  { additionalProperties: false },
)
export const MessageEventRecord = Type.Object(
  { ...EventRecord.properties, Remark: Type.Optional(Remark) },
  { additionalProperties: false },
)
export type MessageEventRecord = Static<typeof MessageEventRecord>

export type Remarks = Readonly<{ kind: Static<typeof Remark>['Kind']; total: number; told: readonly string[] }>

/** One sentence for all remarks of a kind. */
export function warningNote({ kind, total, told }: Remarks): string {
  const named = [...told, ...(total > told.length ? [`and ${total - told.length} more`] : [])].join(', ')
  if (kind === 'Elected')
    return `${plural(total, 'event')} ${total === 1 ? 'keeps' : 'keep'} what accounts have elected, although the message has it no more; such options are Cancelled: ${named}.`
  const are = total === 1 ? '1 cancellation is of an event that is' : `${total} cancellations are of events that are`
  return `${are} not known, perhaps by another reference: ${named}.`
}
