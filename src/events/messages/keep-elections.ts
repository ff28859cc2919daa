import { isElectable } from '../import/canonical.ts'
import type { EventOptionRecord, EventRecord } from '../import/schema.ts'

/** Messages have no elections, so existing ones stay. An elected option that the message no longer has is kept as
 *  Cancelled, and the event stays Electable; otherwise the elections would refer to nothing. `kept` describes it. */
export function keepElections(
  record: EventRecord,
  before: EventRecord | undefined,
  elected: readonly string[],
): { record: EventRecord; kept: string | undefined } {
  if (elected.length === 0) return { record, kept: undefined }
  const present = new Set(record.Options?.map(({ OptionId }) => OptionId))
  const missing = new Set(elected.filter((id) => !present.has(id)))
  const known = (before?.Options ?? []).filter(({ OptionId }) => missing.delete(OptionId))
  const cancelled = [...known, ...[...missing].toSorted().map((OptionId) => ({ OptionId }))].map(asCancelled)
  const merged = cancelled.length > 0 ? { ...record, Options: [...(record.Options ?? []), ...cancelled] } : record
  const kept = cancelled.map(({ OptionId }) => `option ${OptionId}`)
  if (isElectable(merged)) return { record: merged, kept: kept.join(', ') || undefined }
  return { record: { ...merged, Electable: 'Electable' }, kept: [...kept, 'Electable'].join(', ') }
}

/** A cancelled option is no longer the default. */
function asCancelled(option: EventOptionRecord): EventOptionRecord {
  return { ...option, ...(option.IsDefault && { IsDefault: false }), OptionStatus: 'Cancelled' }
}
