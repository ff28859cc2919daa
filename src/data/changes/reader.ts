import { LRUCache } from 'lru-cache'
import { ownTurn } from '../../core/async/own-turn.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import { type Db, inSnapshot } from '../../database/open.ts'
import { recordText } from '../../events/import/canonical.ts'
import { eventOfRow, presentRecords } from '../history/state.ts'
import { recordOfRow } from '../history/stored.ts'
import type { Position } from './rules/cursor.ts'
import { changedFields, pairsOf } from './rules/fields.ts'
import type { Change, RecordChange } from './rules/shown.ts'
import { type ChangeRow, readChangeRows, readExtent, type Selection } from './store/changes.ts'

type Members = Readonly<Record<string, unknown>>

/** Changes in order. All up to `through` were read; `isLast` if there were no more then. */
export type Chunk = Readonly<{ changes: readonly RecordChange[]; through: Position; isLast: boolean }>

/** Few, because the records of a chunk are in memory at once, and option roots can be large. */
const chunkSize = 100
const maxChunks = 200

/** Reads the history for all readers of a node: those at the same place share a read, and one chunk is read at a time. A full
 *  chunk never changes, so it is kept for readers that come later. */
export class ChangeReader {
  readonly #db: Db
  readonly #chunks = new LRUCache<string, Promise<Chunk>>({ max: maxChunks })
  readonly #waiting = new Set<() => void>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(db: Db, feed: Pick<ChangeFeed, 'on' | 'onGap'>) {
    this.#db = db
    feed.on('history', () => this.#wake())
    feed.onGap(() => {
      this.#chunks.clear()
      this.#wake()
    })
  }

  /** The changes after a number. */
  read(identity: string, selection: Selection, after: number): Promise<Chunk> {
    const key = JSON.stringify([identity, selection, after])
    const known = this.#chunks.get(key)
    if (known) return known
    const reading = this.#last.then(() => readChunk(this.#db, selection, after))
    this.#last = reading.catch(() => undefined)
    this.#chunks.set(key, reading)
    const forget = () => {
      if (this.#chunks.peek(key) === reading) this.#chunks.delete(key)
    }
    // More may come after the last chunk.
    reading.then(({ isLast }) => isLast && forget(), forget)
    return reading
  }

  /** Calls `report` whenever there may be new changes, until the returned function is called. */
  follow(report: () => void): () => void {
    this.#waiting.add(report)
    return () => void this.#waiting.delete(report)
  }

  #wake(): void {
    for (const report of this.#waiting) report()
  }
}

/** For commands too. */
export function readChunk(source: Db, selection: Selection, after: number): Promise<Chunk> {
  return inSnapshot(source, async (db) => {
    const rows = await readChangeRows(db, selection, after, chunkSize)
    const present = await readPresent(db, rows)
    const changes: RecordChange[] = []
    for (const row of rows) {
      // Comparing two large option roots takes milliseconds.
      await ownTurn()
      const key = `${row.kind} ${row.id}`
      const change = changeOf(row, present.get(key))
      if (change) changes.push(change)
    }
    const last = rows.at(-1)
    if (last && rows.length === chunkSize) return { changes, through: last, isLast: false }
    return { changes, through: await readExtent(db), isLast: true }
  })
}

const hasRecord = ({ kind }: ChangeRow): boolean => kind !== 'accessRight'

/** The records of the rows after which none changed. */
async function readPresent(db: Db, rows: readonly ChangeRow[]): Promise<Map<string, Members>> {
  const latest = rows.filter((row) => hasRecord(row) && !row.isLater && row.last !== 'removed')
  const found = new Map<string, Members>()
  for (const [kind, some] of Map.groupBy(latest, (row) => row.kind)) {
    const ids = some.map(({ id }) => id)
    const texts = await presentRecords(db, kind, ids)
    for (const [id, text] of texts) {
      await ownTurn()
      found.set(`${kind} ${id}`, withoutParts(JSON.parse(text)))
    }
  }
  return found
}

/** Account groups and elections are rows of their own. */
const withoutParts = ({ AccountGroups, Holdings, ...own }: Members): Members => own

function recordOf(kind: string, row: string): Members {
  if (kind === 'event') return withoutParts(JSON.parse(recordText({ ...eventOfRow(row), holdings: null })))
  return ['client', 'account', 'user', 'position'].includes(kind) ? recordOfRow(kind, row) : JSON.parse(row)
}

/** What changes with the other rows of a record. */
const partFields: Readonly<Record<string, string>> = {
  event: 'Holdings',
  client: 'AccountGroups',
  accessRight: 'AccessRights',
}

/** Undefined if the record is as it was. */
function changeOf(row: ChangeRow, present: Members | undefined): RecordChange | undefined {
  const { seq, check, run, kind, id, first, last } = row
  const after = last === 'removed' ? undefined : row.after === null ? present : recordOf(kind, row.after)
  const before = first === null ? after : row.before === null ? undefined : recordOf(kind, row.before)
  const isThere = after !== undefined || !hasRecord(row)
  const wasThere = before !== undefined || !hasRecord(row)
  if (!isThere && !wasThere) return undefined
  const change: Change = !wasThere ? 'Added' : isThere ? 'Changed' : 'Removed'
  const own = first === null ? [] : changedFields(before ?? {}, after ?? {})
  const parts = row.hasParts ? [partFields[kind] ?? ''] : []
  const fields = change === 'Changed' ? [...own, ...parts] : []
  if (change === 'Changed' && fields.length === 0) return undefined
  const revision = kind === 'event' ? row.eventRevision : referenceKinds.has(kind) ? row.referenceRevision : null
  return {
    ...{ at: { seq, check }, run, kind, id, time: row.at, change, fields },
    ...(revision !== null && { revision }),
    before: before && pairsOf(kind, before),
    after: after && pairsOf(kind, after),
  }
}

const referenceKinds = new Set(['calendar', 'exchange', 'instrument', 'optionRoot'])
