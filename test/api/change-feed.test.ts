import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { announce, ChangeFeed } from '../../src/database/changes.ts'
import { openDatabase } from '../../src/database/open.ts'
import { eventually } from '../support/eventually.ts'
import { testDatabase } from '../support/service/postgres.ts'
import { testLog } from '../support/service/service.ts'

const database = await testDatabase()
const { db, close } = openDatabase(database.connection)
const feeds: ChangeFeed[] = []
afterEach(async () => {
  for (const started of feeds.splice(0)) await started.stop()
})
after(async () => {
  await close()
  await database.drop()
})

let feed: ChangeFeed
let received: string[]
/** Each test has its own topic, because a feed may begin with changes from shortly before. */
let topic = ''
let tests = 0

beforeEach(async () => {
  topic = `topic ${++tests}`
  const keys: string[] = []
  received = keys
  feed = await startFeed((key) => void keys.push(key))
})

async function startFeed(onThing: (key: string) => void | Promise<void>): Promise<ChangeFeed> {
  const started = new ChangeFeed(db, database.connection, testLog())
  started.on(topic, onThing)
  await started.start()
  feeds.push(started)
  return started
}

const announceKey = (key: string) => announce(db, [{ topic, key }])

/** A transaction with a change that is not committed yet. */
async function openTransaction(key: string): Promise<pg.Client> {
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query('begin')
  await client.query('insert into change (topic, key) values ($1, $2)', [topic, key])
  return client
}

test('every change is delivered once, in order, and only to handlers of its topic', async () => {
  await announceKey('a')
  await announce(db, [{ topic: 'another topic', key: 'ignored' }])
  await announce(db, [
    { topic, key: 'b' },
    { topic, key: 'c' },
  ])
  await feed.poll()
  await announceKey('d')
  await feed.poll()
  await feed.poll()
  assert.deepEqual(received, ['a', 'b', 'c', 'd'])
})

test('a change is delivered without a poll', async () => {
  await announceKey('a')
  await eventually(async () => received[0])
  assert.deepEqual(received, ['a'])
})

test('a change that was rolled back is never delivered', async () => {
  const client = await openTransaction('undone')
  await client.query('rollback')
  await announceKey('done')
  await feed.poll()
  assert.deepEqual(received, ['done'])
  await client.end()
})

test('a late commit is delivered too, and earlier deliveries are not repeated', async () => {
  const late = await openTransaction('late')
  const later = await openTransaction('later')
  for (const key of ['a', 'b', 'c']) {
    await announceKey(key)
    await feed.poll()
  }
  assert.deepEqual(received, ['a', 'b', 'c'])
  await later.query('commit')
  await feed.poll()
  await announceKey('d')
  await feed.poll()
  await late.query('commit')
  await feed.poll()
  await feed.poll()
  assert.deepEqual(received, ['a', 'b', 'c', 'later', 'd', 'late'])
  await Promise.all([late.end(), later.end()])
})

test('a transaction that was open when the feed started is delivered when it commits', async () => {
  const early = await openTransaction('early')
  const keys: string[] = []
  const fresh = await startFeed((key) => void keys.push(key))
  await early.query('commit')
  await fresh.poll()
  assert.deepEqual(keys, ['early'])
  await early.end()
})

test('concurrent writers: every change is delivered exactly once', async () => {
  const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`)
  await Promise.all(
    keys.map((key) =>
      db.transaction().execute(async (trx) => {
        await announce(trx, [{ topic, key }])
        await sql`select pg_sleep(${Math.random() / 50})`.execute(trx)
      }),
    ),
  )
  await feed.poll()
  assert.deepEqual(received.toSorted(), keys.toSorted())
})

test('without notifications changes arrive by polling, and the feed listens again', async () => {
  const { rows } = await sql<{ pid: number }>`select pid, pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen refdesk_change'`.execute(db)
  const gone = new Set(rows.map(({ pid }) => pid))
  assert.ok(gone.size > 0)
  await announceKey('by polling')
  await eventually(async () => received[0])
  await eventually(async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and query = 'listen refdesk_change'`.execute(db)
    return rows.length === feeds.length && rows.every(({ pid }) => !gone.has(pid)) ? true : undefined
  })
  await announceKey('again')
  await eventually(async () => received[1])
  assert.deepEqual(received, ['by polling', 'again'])
})

test('a change whose handler fails is delivered again until it succeeds', async () => {
  const keys: string[] = []
  let failures = 2
  const fresh = await startFeed((key) => {
    if (failures-- > 0) throw new Error('not now')
    keys.push(key)
  })
  await announceKey('a')
  await eventually(async () => {
    await fresh.poll()
    return keys[0]
  })
  assert.deepEqual(keys, ['a'])
})

test('poll resolves after the node’s own committed changes were delivered', async () => {
  for (let round = 0; round < 20; round++) {
    await Promise.all([announceKey(`noise ${round}`), feed.poll(), feed.poll()])
    await announceKey(`mine ${round}`)
    await Promise.all([feed.poll(), feed.poll()])
    assert.ok(received.includes(`mine ${round}`))
  }
})

test('a feed knows whether it is current, and delivers nothing after it is stopped', async () => {
  assert.equal(feed.isCurrentWithin(10), true)
  assert.equal(new ChangeFeed(db, database.connection, testLog()).isCurrentWithin(3600), false)
  await feed.stop()
  await announceKey('too late')
  await feed.poll()
  assert.deepEqual(received, [])
})

test('tables that were restored under a running node are a gap: everything is read again, and changes follow', async () => {
  let gaps = 0
  feed.onGap(() => void gaps++)
  await feed.poll()
  assert.equal(gaps, 0)

  await sql`truncate change`.execute(db)
  await feed.poll()
  assert.equal(gaps, 1)

  await announceKey('after the restore')
  await feed.poll()
  assert.deepEqual([gaps, received], [1, ['after the restore']])
})
