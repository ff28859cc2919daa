import { plural } from '../../core/text.ts'
import type { Count } from '../kind.ts'
import type { Deletions } from '../store/deletions.ts'
import { printable } from './errors.ts'

const columns = ['added', 'changed', 'unchanged', 'removed'] as const
const width = 11

/** What an import has done: a line for each kind it had records of. */
export function summaryOf(counts: readonly Count[], notes: readonly string[], isDryRun: boolean): string[] {
  const told = counts.filter((count) => columns.some((column) => count[column] > 0))
  const changes = told.some(({ added, changed, removed }) => added + changed + removed > 0)
  const head = `${''.padEnd(12)}${columns.map((column) => column.padStart(width)).join('')}`
  const rows = told.map(
    (count) => `${count.kind.padEnd(12)}${columns.map((name) => String(count[name]).padStart(width)).join('')}`,
  )
  return [
    ...(isDryRun ? ['A dry run: nothing was changed. Without --dry-run it would be:'] : []),
    ...(told.length > 0 ? [head, ...rows] : []),
    ...(changes ? [] : ['Nothing has changed.']),
    ...notes.map(printable),
  ]
}

const maxNamed = 10

/** What should have gone and was not there: mostly a slip of the pen in a key. */
export function absentNote(deletions: readonly Deletions[]): string[] {
  const total = deletions.reduce((sum, { absent }) => sum + absent, 0)
  if (total === 0) return []
  const named = deletions.flatMap(({ kind, named }) => named.map((key) => `${kind} ${key}`)).slice(0, maxNamed)
  if (total > named.length) named.push(`and ${total - named.length} more`)
  const were = total === 1 ? 'was' : 'were'
  return [`${plural(total, 'record')} to delete ${were} not there: ${named.join(', ')}.`]
}
