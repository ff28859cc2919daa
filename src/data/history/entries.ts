import { wireTime } from '../../core/clock.ts'
import { type HistoryEntry, maxFields, maxValue } from '../api/history-schema.ts'
import { differences } from '../rules/differences.ts'
import type { RecordVersion } from './versions.ts'

type Members = Readonly<Record<string, unknown>>
/** What is left of a record for a caller. */
export type FieldFilter = (record: Members) => Members
export const everything: FieldFilter = (record) => record

type Sourced = { Source?: { Reference?: string } }

/** Nothing if the caller may see none of the differences. */
export function entryOf({ before, after, ...run }: RecordVersion, filter: FieldFilter): HistoryEntry[] {
  const fields = differences(before ? filter(before) : {}, after ? filter(after) : {})
  if (fields.length === 0) return []
  const shown = fields.slice(0, maxFields).map((field) => ({
    Name: field.name,
    ...('before' in field && { Before: shortened(field.before) }),
    ...('after' in field && { After: shortened(field.after) }),
  }))
  const reference = (after as Sourced | undefined)?.Source?.Reference
  return [
    {
      Change: before ? (after ? 'Changed' : 'Removed') : 'Added',
      Fields: shown,
      ...(fields.length > shown.length && { MoreFields: fields.length - shown.length }),
      ...(reference !== undefined && { Reference: reference }),
      ...(run.revision !== null && { Revision: run.revision }),
      Run: run.run,
      ...(run.source !== '' && { Source: run.source }),
      Time: wireTime(run.at),
    },
  ]
}

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text.length > maxValue ? `${text.slice(0, maxValue).toWellFormed()}…` : value
}
