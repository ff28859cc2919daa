import { cursorExpired, invalid } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import type { Chunk } from './reader.ts'
import { type Cursor, formatCursor, isContinued, type Position, parseCursor } from './rules/cursor.ts'
import type { RecordChange } from './rules/shown.ts'
import { readExtent, type Selection } from './store/changes.ts'
import { type Entry, keyOf, type Viewer } from './viewer.ts'

/** An entry with the cursor to go on from after it. */
export type CursorEntry = Entry & Readonly<{ cursor: string; changed: RecordChange }>
export type Page = Readonly<{ entries: readonly CursorEntry[]; cursor: Cursor; hasMore: boolean }>
export type Read = (identity: string, selection: Selection, after: number) => Promise<Chunk>

/** A page may have fewer rows than asked for if the reader sees few of the changes. */
const maxChunks = 50

const notCursor = (name: string): string =>
  `Must be a cursor of this service, such as that of an export or of a change. Without ${name} you get the current cursor.`

/** Where a reader is. Without a cursor: at the end. A cursor from which the history does not go on is rejected;
 *  `name` is what the caller sent it as. */
export async function requireCursor(db: Db, since: string | undefined, name = 'Since'): Promise<Cursor> {
  if (since === undefined) {
    const { identity, seq, check } = await readExtent(db)
    return { identity, seq, check }
  }
  const cursor = parseCursor(since)
  if (!cursor) throw invalid({ [name]: [notCursor(name)] })
  const { check, ...extent } = await readExtent(db, cursor.seq)
  if (isContinued(cursor, extent, check)) return cursor
  throw cursorExpired()
}

/** The next entries after a cursor that the history has. */
export async function readPage(read: Read, viewer: Viewer, cursor: Cursor, top: number): Promise<Page> {
  const { identity } = cursor
  const entries: CursorEntry[] = []
  // What follows from the version at the cursor was read in part.
  let at: Position = cursor.within === undefined ? cursor : { seq: cursor.seq - 1, check: cursor.check }
  for (let chunks = 1; ; chunks++) {
    const { changes, through, isLast } = await read(identity, viewer.selection, at.seq)
    for (const changed of changes) {
      const all = await viewer.entriesOf(changed)
      const within = changed.at.seq === cursor.seq ? (cursor.within ?? '') : ''
      const rest = all.filter((entry) => within === '' || keyOf(entry) > within)
      for (const [index, entry] of rest.entries()) {
        const isWhole = index === rest.length - 1
        const place = { identity, ...changed.at, ...(!isWhole && { within: keyOf(entry) }) }
        entries.push({ ...entry, changed, cursor: formatCursor(place) })
        if (entries.length === top) return { entries, cursor: place, hasMore: true }
      }
    }
    at = { seq: through.seq, check: through.check }
    if (isLast || chunks === maxChunks) return { entries, cursor: { identity, ...at }, hasMore: !isLast }
  }
}
