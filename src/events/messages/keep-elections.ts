import { isElectable } from '../import/canonical.ts'
import type { EventOptionRecord, EventRecord } from '../import/schema.ts'

/** What was kept for the sake of elections, in words; undefined when nothing had to be. */
export type KeptElected = Readonly<{ record: EventRecord; kept: string | undefined }>

/**
 * Messages say nothing of the accounts' elections, so these stay. An option that was elected stays with them, as a
 * cancelled one, when the message has it no more; and so does the choice itself. Else there would be elections of
 * nothing, which no import takes.
 */
export function keepElections(
  record: EventRecord,
  before: EventRecord | undefined,
  elected: readonly string[],
): KeptElected {
  if (elected.length === 0) return { record, kept: undefined }
  const told = new Set(record.Options?.map(({ OptionId }) => OptionId))
  const missing = new Set(elected.filter((id) => !told.has(id)))
  const known = (before?.Options ?? []).filter(({ OptionId }) => missing.delete(OptionId))
  const withdrawn = [...known, ...[...missing].toSorted().map((OptionId) => ({ OptionId }))].map(asCancelled)
  const options = withdrawn.length > 0 ? { ...record, Options: [...(record.Options ?? []), ...withdrawn] } : record
  const words = withdrawn.map(({ OptionId }) => `option ${OptionId}`)
  if (isElectable(options)) return { record: options, kept: words.join(', ') || undefined }
  return { record: { ...options, Electable: 'Electable' }, kept: [...words, 'Electable'].join(', ') }
}

/** What is cancelled is no default any more: another option may be it now. */
function asCancelled(option: EventOptionRecord): EventOptionRecord {
  return { ...option, ...(option.IsDefault && { IsDefault: false }), OptionStatus: 'Cancelled' }
}
