import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { ThreadsReader } from './peers.ts'
import type { Report, RequestReader, Summary, WholeExchange } from './reader.ts'

const rowOf = (Id: string): Summary => ({ Id }) as Summary

/** The log of one thread. Its first entry has the request id `shared`. */
function ownLog(kept: string[]) {
  const reports = new Set<Report>()
  const own: RequestReader = {
    list: async ({ limit }) => kept.map(rowOf).slice(0, limit),
    find: async (id) => {
      const Id = id === 'shared' ? kept[0] : kept.find((each) => each === id)
      return Id === undefined ? undefined : ({ Id } as WholeExchange)
    },
    follow(_selection, report) {
      reports.add(report)
      return () => void reports.delete(report)
    },
  }
  return { own, reports }
}

// A channel reaches every other end of it, in whatever thread.
const logs = [ownLog(['f', 'c', 'a']), ownLog(['e', 'd']), ownLog(['b'])]
const readers = logs.map(({ own }) => new ThreadsReader(own, logs.length))
const [first, second] = readers as [ThreadsReader, ThreadsReader]
after(() => {
  for (const reader of readers) reader.close()
})
const selection = { client: undefined, filter: {} }
const until = (condition: () => boolean) => eventually(async () => condition() || undefined)

test('the threads of a process list and find as one', async () => {
  const rows = await first.list({ ...selection, limit: 5 })

  assert.deepEqual(
    rows.map(({ Id }) => Id),
    ['f', 'e', 'd', 'c', 'b'],
  )
  assert.equal((await second.find('a', undefined))?.Id, 'a')
  assert.equal((await second.find('e', undefined))?.Id, 'e')
  assert.equal(await second.find('x', undefined), undefined)
})

test('of entries with the same request id, every thread finds the newest of all', async () => {
  for (const reader of readers) assert.equal((await reader.find('shared', undefined))?.Id, 'f')
})

test('a reader follows the entries of all threads until it stops', async () => {
  const got: string[] = []
  let lost = 0
  const stop = second.follow(selection, (rows, dropped) => {
    got.push(...rows.map(({ Id }) => Id))
    lost += dropped
  })
  await until(() => logs.every(({ reports }) => reports.size === 1))
  for (const [at, { reports }] of logs.entries()) for (const report of reports) report([rowOf(`new ${at}`)], at)
  await until(() => got.length === 3)

  assert.deepEqual(got.toSorted(), ['new 0', 'new 1', 'new 2'])
  assert.equal(lost, 3)
  stop()
  await until(() => logs.every(({ reports }) => reports.size === 0))
})
