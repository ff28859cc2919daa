import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../support/eventually.ts'
import { temporaryFolder } from '../../support/service/process.ts'
import { startReplicated } from '../../support/service/replicated.ts'

test('a replica that is promoted has everything, and the old primary follows it', async () => {
  const pair = await startReplicated({ folder: await temporaryFolder(), synchronous: true })
  try {
    const first = pair.primary
    await pair.query(first, 'create table note (line text)')
    await pair.query(first, "insert into note values ('before')")
    await pair.kill(first, 'SIGKILL')

    await pair.promote()
    await pair.query(pair.primary, "insert into note values ('after')")
    await pair.rebuild()

    assert.equal(pair.replica.port, first.port)
    const lines = "select string_agg(line, ' ' order by line desc) as lines, pg_is_in_recovery() as standby from note"
    await pair.query(pair.primary, "insert into note values ('again')")
    await eventually(async () => (await pair.lagBytes()) === 0 || undefined)
    assert.deepEqual(await pair.query(pair.replica, lines), [{ lines: 'before again after', standby: true }])
  } finally {
    await pair.stop()
  }
})
