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
let heard: string[]
/** Each test has a topic of its own: a feed may begin by telling what was raised shortly before. */
let topic = ''
let tests = 0

beforeEach(async () => {
  topic = `topic ${++tests}`
  const keys: string[] = []
  heard = keys
  feed = await startFeed((key) => void keys.push(key))
})

async function startFeed(onThing: (key: string) => void | Promise<void>): Promise<ChangeFeed> {
  const started = new ChangeFeed(db, database.connection, testLog())
  started.on(topic, onThing)
  await started.start()
  feeds.push(started)
  return started
}

const raise = (key: string) => announce(db, [{ topic, key }])

/** A transaction of its own that has raised a change and not committed it yet. */
async function openTransaction(key: string): Promise<pg.Client> {
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query('begin')
  await client.query('insert into change (topic, key) values ($1, $2)', [topic, key])
  return client
}

test('every change is told once, in order, and only to those who asked for its topic', async () => {
  await raise('a')
  await announce(db, [{ topic: 'another topic', key: 'unheard' }])
  await announce(db, [
    { topic, key: 'b' },
    { topic, key: 'c' },
  ])
  await feed.poll()
  await raise('d')
  await feed.poll()
  await feed.poll()
  assert.deepEqual(heard, ['a', 'b', 'c', 'd'])
})

test('nobody has to ask: a change is told by itself', async () => {
  await raise('a')
  await eventually(async () => heard[0])
  assert.deepEqual(heard, ['a'])
})

test('what was rolled back is never told', async () => {
  const client = await openTransaction('undone')
  await client.query('rollback')
  await raise('done')
  await feed.poll()
  assert.deepEqual(heard, ['done'])
  await client.end()
})

test('a transaction that commits after later ones were told is told too, and they are not told again', async () => {
  const late = await openTransaction('late')
  const later = await openTransaction('later')
  for (const key of ['a', 'b', 'c']) {
    await raise(key)
    await feed.poll()
  }
  assert.deepEqual(heard, ['a', 'b', 'c'])
  await later.query('commit')
  await feed.poll()
  await raise('d')
  await feed.poll()
  await late.query('commit')
  await feed.poll()
  await feed.poll()
  assert.deepEqual(heard, ['a', 'b', 'c', 'later', 'd', 'late'])
  await Promise.all([late.end(), later.end()])
})

test('a transaction that was open when the feed started is told when it commits', async () => {
  const early = await openTransaction('early')
  const keys: string[] = []
  const fresh = await startFeed((key) => void keys.push(key))
  await early.query('commit')
  await fresh.poll()
  assert.deepEqual(keys, ['early'])
  await early.end()
})

test('many writers at once: nothing is missed and nothing is told twice', async () => {
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
  assert.deepEqual(heard.toSorted(), keys.toSorted())
})

test('without its notifications the feed still hears, and listens again', async () => {
  const { rows } = await sql<{ pid: number }>`select pid, pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen refdesk_change'`.execute(db)
  const gone = new Set(rows.map(({ pid }) => pid))
  assert.ok(gone.size > 0)
  await raise('by polling')
  await eventually(async () => heard[0])
  await eventually(async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and query = 'listen refdesk_change'`.execute(db)
    return rows.length === feeds.length && rows.every(({ pid }) => !gone.has(pid)) ? true : undefined
  })
  await raise('again')
  await eventually(async () => heard[1])
  assert.deepEqual(heard, ['by polling', 'again'])
})

test('what a handler could not take in is told again until it can', async () => {
  const keys: string[] = []
  let failures = 2
  const fresh = await startFeed((key) => {
    if (failures-- > 0) throw new Error('not now')
    keys.push(key)
  })
  await raise('a')
  await eventually(async () => {
    await fresh.poll()
    return keys[0]
  })
  assert.deepEqual(keys, ['a'])
})

test('a change that this node committed is known to it when its poll resolves', async () => {
  for (let round = 0; round < 20; round++) {
    await Promise.all([raise(`noise ${round}`), feed.poll(), feed.poll()])
    await raise(`mine ${round}`)
    await Promise.all([feed.poll(), feed.poll()])
    assert.ok(heard.includes(`mine ${round}`))
  }
})

test('a feed that has heard lately says so, and a stopped one tells nothing more', async () => {
  assert.equal(feed.isCurrentWithin(10), true)
  assert.equal(new ChangeFeed(db, database.connection, testLog()).isCurrentWithin(3600), false)
  await feed.stop()
  await raise('too late')
  await feed.poll()
  assert.deepEqual(heard, [])
})
