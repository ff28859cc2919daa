import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import type { Ending } from '../http/streams/event-stream.ts'
import type { Report, RequestReader, Summary } from './reader.ts'
import { RequestStreams, type StreamLimits } from './streams.ts'

const rowOf = (Id: string): Summary => ({ Id, Path: 'x'.repeat(100) }) as Summary
const ids = (text: string): string[] => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? '')

/** A log of which the test decides what it has and reports. */
function ownLog(limits: Partial<StreamLimits> = {}, kept: Summary[] = []) {
  const reports = new Set<Report>()
  const reader = {
    list: async ({ filter, limit }) =>
      kept
        .filter(({ Id }) => Id > (filter.since ?? ''))
        .toReversed()
        .slice(0, limit),
    find: async () => undefined,
    follow(_selection, report) {
      reports.add(report)
      return () => void reports.delete(report)
    },
  } satisfies RequestReader
  const streams = new RequestStreams(reader, limits)
  const selection = { client: undefined, filter: {} }
  const open = (name: string, since?: string, findEnding = async (): Promise<Ending | undefined> => undefined) =>
    streams.open({ reader: name, selection, since, findEnding })
  return {
    streams,
    open,
    reports,
    report: (rows: Summary[], dropped = 0) => {
      for (const each of reports) each(rows, dropped)
    },
  }
}

/** Collects what a stream sends. */
function read(stream: Readable): { text: string; hasEnded: boolean } {
  const got = { text: '', hasEnded: false }
  stream.on('data', (part: Buffer) => {
    got.text += part.toString()
  })
  stream.on('end', () => {
    got.hasEnded = true
  })
  return got
}

const until = (condition: () => boolean) => eventually(async () => condition() || undefined)

test('what was missed comes first, once and in order, also while new entries arrive', async () => {
  const { open, report } = ownLog({}, ['a', 'b', 'c'].map(rowOf))
  const got = read(open('ada', 'a'))
  report(['c', 'd'].map(rowOf))
  await until(() => ids(got.text).length >= 3)
  report([rowOf('e')])

  await until(() => ids(got.text).length >= 4)
  assert.deepEqual(ids(got.text), ['b', 'c', 'd', 'e'])
})

test('a slow reader loses the oldest entries and is told how many', async () => {
  const { open, report } = ownLog({ rows: 10 })
  const stream = open('ada')
  await until(() => stream.readableLength > 0)
  for (let each = 100; each < 400; each++) report([rowOf(String(each))])
  report([], 5)

  const got = read(stream)
  await until(() => got.text.includes('id: 399'))
  const [, dropped] = /event: dropped\ndata: {"Dropped":(\d+)}/.exec(got.text) ?? []
  assert.equal(Number(dropped), 300 - ids(got.text).length + 5)
  assert.deepEqual(
    ids(got.text).slice(-10),
    Array.from({ length: 10 }, (_, at) => String(390 + at)),
  )
})

test('a reader has a limit, and so have all together; a closed stream makes room', async () => {
  const { open, streams, reports } = ownLog({ streams: 3, perReader: 2 })
  const first = open('ada')
  open('ada')
  assert.throws(() => open('ada'), { code: 'LimitReached' })
  open('bo')
  assert.throws(() => open('cy'), { code: 'LimitReached' })

  first.destroy()
  await until(() => streams.count === 2)
  assert.equal(reports.size, 2)
  open('cy').destroy()
  streams.close()
})

test('nothing is written after the end, even if no one has read it yet', async () => {
  const { open, streams, reports } = ownLog({ checkMs: 1 })
  const errors: Error[] = []
  const stream = open('ada').on('error', (error) => errors.push(error))
  for (let each = 0; each < 2; each++) {
    streams.close()
    for (const report of reports) report([rowOf('1')], 1)
  }
  const got = read(stream)
  await until(() => got.hasEnded)
  assert.deepEqual(errors, [])
  assert.match(got.text, /event: end\ndata: {"Reason":"closing"}\n\n$/)
})

test('a stream ends with the right to read it, after a while, and when the service closes', async () => {
  let ending: Ending | undefined
  const { open, streams } = ownLog({ checkMs: 1 })
  const own = read(open('ada', undefined, async () => ending))
  ending = 'signed out'
  await until(() => own.hasEnded)
  assert.match(own.text, /event: end\ndata: {"Reason":"signed out"}/)

  const short = ownLog({ checkMs: 1, streamMs: 20, heartbeatMs: 5 })
  const got = read(short.open('ada'))
  await until(() => got.hasEnded)
  assert.match(got.text, /event: end\ndata: {"Reason":"reconnect"}/)

  const last = read(open('bo'))
  streams.close()
  await until(() => last.hasEnded)
  assert.match(last.text, /event: end\ndata: {"Reason":"closing"}/)
  await until(() => streams.count === 0)
})

test('a stream ends if it cannot be checked whether its reader may read it, and is checked once at a time', async () => {
  const { open, streams } = ownLog({ checkMs: 1, heartbeatMs: 1 })
  const check = Promise.withResolvers<undefined>()
  let checks = 0
  const got = read(
    open('ada', undefined, () => {
      checks += 1
      return check.promise
    }),
  )
  await until(() => got.text.split(': still here\n\n').length > 3)
  assert.equal(checks, 1)
  check.reject(new Error('no connection'))

  await until(() => got.hasEnded)
  assert.match(got.text, /event: end\ndata: {"Reason":"reconnect"}/)
  await until(() => streams.count === 0)
})

test('an idle stream sends heartbeats', async () => {
  const { open, streams } = ownLog({ checkMs: 1, heartbeatMs: 1 })
  const got = read(open('ada'))
  await until(() => got.text.split(': still here\n\n').length > 3)
  streams.close()
})
