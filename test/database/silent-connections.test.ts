import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { Servers } from '../../src/database/servers/servers.ts'
import { eventually } from '../support/eventually.ts'
import { testDatabase } from '../support/service/postgres.ts'

const database = await testDatabase()
after(() => database.drop())

/** A connection that waits, although PostgreSQL waits for it. */
async function waitingClient(bytesMoved: () => number) {
  const session = new pg.Client(database.connection)
  await session.connect()
  after(() => session.end())
  const pid = (session as unknown as { processID: number }).processID
  const state = { isDropped: false, looks: 0 }
  const client = {
    ...{ server: undefined, openedAt: 0, waitingSince: Number.NEGATIVE_INFINITY, isUnused: false, pid },
    get bytesMoved() {
      state.looks++
      return bytesMoved()
    },
    drop: () => {
      state.isDropped = true
    },
  }
  return { client, state }
}

test('a connection is dropped if its answer was lost, but not while it arrives', async () => {
  let received = 0
  const lost = await waitingClient(() => 0)
  const arriving = await waitingClient(() => ++received)
  const servers = new Servers(database.connection, 'any')
  for (const { client } of [lost, arriving]) servers.add(client)
  after(() => {
    for (const { client } of [lost, arriving]) servers.delete(client)
  })
  servers.suspect()
  await eventually(async () => lost.state.isDropped || undefined)
  assert.equal(arriving.state.isDropped, false)
  assert.ok(arriving.state.looks >= 2, 'it was a suspect too')
})
