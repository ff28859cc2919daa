import { Problem } from '../../core/problem.ts'
import type { Db } from '../../database/open.ts'
import { EventStream } from '../../http/streams/event-stream.ts'
import { changeView } from './api/view.ts'
import { type CursorEntry, type Page, requireCursor } from './page.ts'
import { type Cursor, formatCursor } from './rules/cursor.ts'

/** Reads the next page for the reader, with the rights that they have then. */
type ReadNext = (cursor: Cursor) => Promise<Page>

/** The page of a stream goes on only if the history still has its cursor. */
export const readOnlyAfter =
  (db: Db, read: ReadNext): ReadNext =>
  async (cursor) =>
    read(await requireCursor(db, formatCursor(cursor)))

const eventOf = (entry: CursorEntry): string =>
  `id: ${entry.cursor}\nevent: change\ndata: ${JSON.stringify(changeView(entry))}\n\n`

/** A live stream of changes. It reads a page when the connection has taken the one before, so a slow reader holds one page. */
export class ChangeStream extends EventStream {
  readonly #read: ReadNext
  #cursor: Cursor
  #waiting: CursorEntry[] = []
  #isReading = false
  #mayHaveMore = true

  constructor(cursor: Cursor, read: ReadNext) {
    super()
    this.#cursor = cursor
    this.#read = read
    this.push(`id: ${formatCursor(cursor)}\n\n`)
  }

  /** There may be new changes. */
  wake(): void {
    this.#mayHaveMore = true
    this.sendWaiting()
  }

  /** With the cursor: changes that the reader does not see pass too. */
  protected override heartbeat(): string {
    return `: still here\nid: ${formatCursor(this.#cursor)}\n\n`
  }

  protected override sendWaiting(): void {
    while (this.isWanted && !this.isOver) {
      const entry = this.#waiting.shift()
      if (!entry) break
      this.send(eventOf(entry))
    }
    if (this.isWanted && !this.isOver && this.#mayHaveMore && !this.#isReading) void this.#readNext()
  }

  async #readNext(): Promise<void> {
    this.#isReading = true
    this.#mayHaveMore = false
    try {
      const { entries, cursor, hasMore } = await this.#read(this.#cursor)
      this.#waiting.push(...entries)
      this.#cursor = cursor
      // What was read may have been read before the last notification.
      if (hasMore || entries.length > 0) this.#mayHaveMore = true
    } catch (error) {
      const isExpired = error instanceof Problem && error.code === 'CursorExpired'
      this.finish(isExpired ? 'cursor expired' : 'reconnect')
    }
    this.#isReading = false
    if (!this.destroyed) this.sendWaiting()
  }
}
