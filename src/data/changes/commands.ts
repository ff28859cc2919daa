import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Db } from '../../database/open.ts'
import { historyKinds } from '../history/kinds.ts'
import { changeView } from './api/view.ts'
import { type CursorEntry, readPage, requireCursor } from './page.ts'
import { ChangeReader } from './reader.ts'
import { formatCursor } from './rules/cursor.ts'
import { everything } from './viewer.ts'

type ChangesOptions = Readonly<{ since?: string; kinds?: readonly string[]; follow?: boolean; json?: boolean }>

export type ChangesTarget = Readonly<{
  db: Db
  feed: ChangeFeed
  signal: AbortSignal
  say(line: string): void
  complain(line: string): void
}>

const rowsAtOnce = 500
const retryMs = 1_000

/** refdesk changes: prints what has changed, and with --follow new changes as they come. */
export async function printChanges(options: ChangesOptions, target: ChangesTarget): Promise<number> {
  const { db, feed, signal, say, complain } = target
  const reader = new ChangeReader(db, feed)
  const viewer = everything(options.kinds ?? historyKinds)
  const print = (entry: CursorEntry) => say(options.json ? JSON.stringify(changeView(entry)) : lineOf(entry))
  let cursor = await requireCursor(db, options.since, '--since')
  const printAll = async () => {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const page = await readPage((...place) => reader.read(...place), viewer, cursor, rowsAtOnce)
      for (const entry of page.entries) print(entry)
      ;({ cursor, hasMore } = { cursor: page.cursor, hasMore: page.hasMore || page.entries.length > 0 })
    }
  }
  await printAll()
  complain(`The cursor is now ${formatCursor(cursor)}`)
  while (options.follow && !signal.aborted) {
    await untilChanged(reader, signal)
    try {
      // Another database may have taken its place.
      cursor = await requireCursor(db, formatCursor(cursor))
      await printAll()
    } catch (error) {
      if ((error as { code?: unknown }).code === 'CursorExpired') throw error
      complain(`The changes cannot be read now: ${(error as Error).message}`)
      await sleep(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return 0
}

/** Also after a while: the notification may have come before this was called. */
async function untilChanged(reader: ChangeReader, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = reader.follow(resolve)
  const timer = setTimeout(resolve, retryMs)
  const end = () => resolve()
  signal.addEventListener('abort', end, { once: true })
  await promise
  signal.removeEventListener('abort', end)
  clearTimeout(timer)
  stop()
}

const lineOf = ({ kind, id, change, fields, changed }: CursorEntry): string => {
  const time = changed.time.round({ smallestUnit: 'second', roundingMode: 'trunc' })
  return `${time}  ${change.padEnd(7)}  ${kind} ${id}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`
}
