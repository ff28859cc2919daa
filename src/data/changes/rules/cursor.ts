/** A place in the history: after the version with this number. */
export type Position = Readonly<{
  seq: number
  /** Of the run that the version belongs to: after the loss of changes, such as in a failover, another run has its number. */
  check: string
}>

/** `within`: the changes that follow from this version were read up to this one. */
export type Cursor = Position & Readonly<{ identity: string; within?: string }>

const pattern = /^([0-9a-f]{16})\.([0-9a-z]{1,11})\.([0-9a-f]{8}|0)(?:\.([\w-]{1,400}))?$/

/** The cursor as text, which callers need not understand (§9.6). */
export function formatCursor({ identity, seq, check, within }: Cursor): string {
  const suffix = within === undefined ? '' : `.${Buffer.from(within).toString('base64url')}`
  return `${identity}.${seq.toString(36)}.${check}${suffix}`
}

/** Undefined if the text was never a cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const [, identity, seq, check, within] = pattern.exec(text) ?? []
  if (identity === undefined || seq === undefined || check === undefined) return undefined
  const number = Number.parseInt(seq, 36)
  if (!Number.isSafeInteger(number)) return undefined
  const suffix = within === undefined ? {} : { within: Buffer.from(within, 'base64url').toString() }
  return { identity, seq: number, check, ...suffix }
}

/** What the history has: all changes after `prunedSeq` and up to `seq`. */
export type Extent = Readonly<{ identity: string; prunedSeq: number; seq: number }>

/** Whether the history goes on from a cursor without a gap. `check` is that of the run that now has its number. */
export function isContinued(cursor: Cursor, extent: Extent, check: string): boolean {
  if (cursor.identity !== extent.identity || cursor.seq < extent.prunedSeq || cursor.seq > extent.seq) return false
  // The run of the last version that was pruned is gone.
  return cursor.seq === extent.prunedSeq || cursor.check === check
}
