import { plural } from '../../core/text.ts'
import type { Count } from '../kind.ts'
import type { Deletions } from '../store/deletions.ts'
import { printable } from './errors.ts'

const columns = ['added', 'changed', 'unchanged', 'removed'] as const
const width = 11

export function summaryOf(counts: readonly Count[], notes: readonly string[], isDryRun: boolean): string[] {
  const listed = counts.filter((count) => columns.some((column) => count[column] > 0))
  const changes = listed.some(({ added, changed, removed }) => added + changed + removed > 0)
  const head = `${''.padEnd(12)}${columns.map((column) => column.padStart(width)).join('')}`
  const rows = listed.map(
    (count) => `${count.kind.padEnd(12)}${columns.map((name) => String(count[name]).padStart(width)).join('')}`,
  )
  return [
    ...(isDryRun ? ['Dry run: nothing was changed. Without --dry-run:'] : []),
    ...(listed.length > 0 ? [head, ...rows] : []),
    ...(changes ? [] : ['Nothing changed.']),
    ...notes.map(printable),
  ]
}

export const undoNote = (run: number): string => `This was run ${run}. Undo it with: refdesk import --undo ${run}`

const maxNamed = 10

/** Lists deletions of records that do not exist: mostly a typo in a key. */
export function absentNote(deletions: readonly Deletions[]): string[] {
  const total = deletions.reduce((sum, { absent }) => sum + absent, 0)
  if (total === 0) return []
  const named = deletions.flatMap(({ kind, named }) => named.map((key) => `${kind} ${key}`)).slice(0, maxNamed)
  if (total > named.length) named.push(`and ${total - named.length} more`)
  const were = total === 1 ? 'was' : 'were'
  return [`${plural(total, 'record')} to delete ${were} not found: ${named.join(', ')}.`]
}
