import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { cursorExpired } from '../../core/problem.ts'
import { OpenStreams, type StreamLimits } from '../../http/streams/open-streams.ts'
import type { CursorEntry, Page } from './page.ts'
import type { Cursor } from './rules/cursor.ts'
import { ChangeStream } from './stream.ts'

const identity = '0123456789abcdef'
const time = Temporal.Instant.from('2026-11-16T12:00Z')
const changed = { at: { seq: 1, check: '0' }, run: 1, kind: 'event', id: '1', time, change: 'Added' } as const
const entry = (seq: number): CursorEntry => ({
  ...{ kind: 'event', id: String(seq), change: 'Added', fields: ['x'.repeat(500)], cursor: `${seq}` },
  changed: { ...changed, fields: [], before: undefined, after: [] },
})

/** A history whose last change the test decides on, in pages of ten. */
function history(limits: Partial<StreamLimits> = {}) {
  const state = { last: 0, reads: 0, error: undefined as Error | undefined }
  const read = async ({ seq }: Cursor): Promise<Page> => {
    state.reads += 1
    if (state.error) throw state.error
    const count = Math.min(10, state.last - seq)
    const entries = Array.from({ length: count }, (_, index) => entry(seq + 1 + index))
    return { entries, cursor: { identity, seq: seq + count, check: '0' }, hasMore: seq + count < state.last }
  }
  const streams = new OpenStreams({ checkMs: 1, ...limits })
  const open = () =>
    streams.open({
      reader: 'ada',
      findEnding: async () => undefined,
      make: () => new ChangeStream({ identity, seq: 0, check: '0' }, read),
    })
  return { state, streams, open }
}

function collect(stream: ChangeStream) {
  const got = { text: '', hasEnded: false }
  stream.on('data', (part: Buffer) => {
    got.text += part.toString()
  })
  stream.on('end', () => {
    got.hasEnded = true
  })
  return got
}
const ids = (text: string): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
const until = (condition: () => boolean) => eventually(async () => condition() || undefined)

test('every change is sent once and in order, also those that come while a page is read', async () => {
  const { state, open } = history()
  state.last = 25
  const stream = open()
  const got = collect(stream)
  await until(() => ids(got.text).length === 25)
  const { reads } = state
  stream.beat()
  await until(() => got.text.includes(`: still here\nid: ${identity}.p.0\n\n`))
  assert.equal(state.reads, reads, 'nothing is read while nothing changes')
  state.last = 30
  stream.wake()
  await until(() => ids(got.text).length === 30)

  assert.deepEqual(
    ids(got.text),
    Array.from({ length: 30 }, (_, index) => index + 1),
  )
  stream.destroy()
})

test('a reader that takes nothing holds one page, is cut with a last event, and loses its connection', async () => {
  const { state, open, streams } = history({ idleMs: 20, graceMs: 100_000 })
  state.last = 100_000
  const stream = open()
  stream.read(0)
  await until(() => stream.isOver)

  assert.ok(state.reads < 10, String(state.reads))
  const got = collect(stream)
  await until(() => got.hasEnded)
  assert.match(got.text, /event: end\ndata: {"Reason":"too slow"}\n\n$/)
  const sent = ids(got.text)
  assert.deepEqual(
    sent,
    sent.map((_, index) => index + 1),
  )
  await until(() => streams.count === 0)

  const short = history({ idleMs: 20, graceMs: 1 })
  short.state.last = 100_000
  const gone = short.open()
  gone.read(0)
  await until(() => gone.destroyed)
})

test('a stream ends if its cursor expires, and readers connect again after other errors', async () => {
  for (const [error, reason] of [
    [cursorExpired(), 'cursor expired'],
    [new Error('no connection'), 'reconnect'],
  ] as const) {
    const { state, open } = history()
    const stream = open()
    const got = collect(stream)
    await until(() => state.reads > 0)
    state.error = error
    stream.wake()
    await until(() => got.hasEnded)
    assert.match(got.text, new RegExp(`event: end\ndata: {"Reason":"${reason}"}`))
  }
})
