import { second } from '../../core/text.ts'
import { type Db, inSnapshot } from '../../database/open.ts'
import type { HistoryEntry } from '../api/history-schema.ts'
import { printable } from '../import/errors.ts'
import { listRecordRuns } from '../store/versions.ts'
import { entryOf, everything } from './entries.ts'
import { type HistoryKind, historyKinds } from './kinds.ts'
import { versionsOf } from './versions.ts'

type Say = (line: string) => void
type Options = Readonly<{ json?: boolean; limit?: string }>

const page = 20

/** refdesk history KIND ID: what each run changed in a record, latest first. */
export async function showHistory(
  db: Db,
  [kind = '', id = '']: readonly string[],
  { json = false, limit = '20' }: Options,
  say: Say,
): Promise<0> {
  if (!isKind(kind)) throw new Error(`KIND must be one of: ${historyKinds.join(', ')}.`)
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new Error(`--limit must be a number from 1 to 999999, not ${limit}.`)
  let shown = 0
  for (let skip = 0; skip < Number(limit); skip += page) {
    const { runs, entries } = await inSnapshot(db, async (snapshot) => {
      const runs = await listRecordRuns(snapshot, { kind, id }, { limit: Math.min(page, Number(limit) - skip), skip })
      return {
        runs,
        entries: await versionsOf(snapshot, { kind, id }, runs, (version) => entryOf(version, everything)),
      }
    })
    for (const entry of entries) {
      shown++
      for (const line of json ? [JSON.stringify(entry)] : linesOf(entry)) say(line)
    }
    if (runs.length < page) break
  }
  if (shown === 0 && !json) say(`The history has no change of ${kind} ${printable(id)}.`)
  return 0
}

const isKind = (text: string): text is HistoryKind => (historyKinds as readonly string[]).includes(text)

function linesOf({ Change, Fields, MoreFields, Reference, Revision, Run, Source, Time }: HistoryEntry): string[] {
  const by = [Source, Reference && `message ${Reference}`].filter(Boolean).join(', ')
  const revision = Revision === undefined ? '' : `, revision ${Revision}`
  const head = `${second(Temporal.Instant.from(Time))}  ${Change} by run ${Run}${revision}${by && `: ${by}`}`
  const fields = Fields.map(({ Name, Before, After }) => `  ${Name}: ${textOf(Before)} → ${textOf(After)}`)
  return [head, ...fields, ...(MoreFields === undefined ? [] : [`  and ${MoreFields} more`])].map(printable)
}

const maxValue = 200

function textOf(value: unknown): string {
  const text = value === undefined ? '(none)' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxValue ? `${text.slice(0, maxValue).toWellFormed()}…` : text
}
