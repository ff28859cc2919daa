import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { setOperator } from '../../src/auth/commands/users.ts'
import { removeExpired } from '../../src/auth/store/housekeeping.ts'
import type { ImportView } from '../../src/data/api/import-schema.ts'
import { addUpload, beginRun, endRun, findUpload } from '../../src/data/store/uploads.ts'
import { locks } from '../../src/database/locks.ts'
import { demoKey } from '../support/demo.ts'
import { importClient } from '../support/http/import-client.ts'
import { lines } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl, node } = service
const { db } = node.context
for (const name of ['ada', 'bo']) await setOperator(node.context, name, true, () => {})
const ada = (await obtainTokens(url)).access_token
const bo = (await obtainTokens(url, { user: 'bo' })).access_token
const cy = (await obtainTokens(url, { user: 'cy' })).access_token

const path = `${baseUrl}/x/v1/imports`
const { call, send, settled, sendAndCheck } = importClient(path, ada)

const exchange = (id: string, more: object = {}) => ({
  ...{ kind: 'exchange', ExchangeId: id, Name: id, CountryCode: 'DK', TimeZone: 'Europe/Copenhagen', Hours: [] },
  ...more,
})
const hasExchange = async (id: string) => {
  const row = await db.selectFrom('exchange').select('exchange_id').where('exchange_id', '=', id).executeTakeFirst()
  return row !== undefined
}

async function applied(): Promise<{ user?: string; app?: string; detail: object }[]> {
  const { rows } = await sql<{ body: string }>`
    select body from (select body, seq from audit_log union all select body, 9e9 + id from audit_inbox) logged
    order by seq`.execute(db)
  return rows.map(({ body }) => JSON.parse(body)).filter(({ kind }) => kind === 'ImportApplied')
}

test('an operator sees what files would change, and applies exactly that, once', async () => {
  const checked = await sendAndCheck({
    'a.ndjson': lines(exchange('UPA'), exchange('UPB')),
    'b.ndjson.gz': Buffer.from(gzipSync(lines(exchange('UPC')))),
  })

  assert.deepEqual([checked.State, checked.Errors], ['Checked', []])
  assert.equal(checked.Notes[2], 'Warning: b.ndjson.gz:1 exchange UPC, field Hours: Is empty: it never opens.')
  assert.deepEqual(checked.Changes, [{ Kind: 'exchange', Added: 3, Changed: 0, Unchanged: 0, Removed: 0 }])
  assert.equal(await hasExchange('UPA'), false)
  assert.deepEqual(await applied(), [])

  const answers = await Promise.all(Array.from({ length: 3 }, () => call('POST', `${path}/${checked.ImportId}/apply`)))
  for (const { status } of answers) assert.equal(status, 202)
  const done = await settled(checked)

  assert.equal(done.State, 'Applied')
  assert.deepEqual(done.Changes, checked.Changes)
  assert.ok((done.Revision ?? 0) > 0)
  assert.equal(await hasExchange('UPC'), true)
  const entries = await applied()
  assert.deepEqual(
    entries.map(({ user, detail }) => [user, detail]),
    [[demoKey('user ada'), { by: 'operator', exchange: '3 added, 0 changed, 0 removed' }]],
  )
  assert.equal((await call('POST', `${path}/${checked.ImportId}/apply`)).status, 202)
  const again = await call('POST', `${path}/${checked.ImportId}/check`)
  assert.deepEqual([again.status, again.body.ErrorCode], [409, 'ImportNotReady'])
  assert.equal((await applied()).length, 1)
})

test('errors are listed by file and line, and then nothing can be applied', async () => {
  const checked = await sendAndCheck({ 'wrong.ndjson': lines(exchange('UPD'), exchange('UPE', { Name: 7 })) })

  assert.equal(checked.State, 'Checked')
  assert.equal(checked.Errors.length, 1)
  assert.match(checked.Errors[0] ?? '', /^wrong\.ndjson:2 exchange UPE, field Name: /)
  const { status, body } = await call('POST', `${path}/${checked.ImportId}/apply`)
  assert.deepEqual([status, body.ErrorCode], [409, 'ImportNotReady'])
  assert.equal(await hasExchange('UPD'), false)
})

test('files wait while another import is running, and none of them is lost', async () => {
  const running = Promise.withResolvers<undefined>()
  const held = node.imports.start(() => running.promise)
  const waiting = await send({ 'later.ndjson': lines(exchange('UPF')) })
  assert.deepEqual([waiting.status, waiting.body.State], [201, 'Uploaded'])
  const refused = await call('POST', `${path}/${waiting.body.ImportId}/check`)
  assert.deepEqual([refused.status, refused.body.ErrorCode], [409, 'ImportRunning'])
  running.resolve(undefined)
  await held

  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${locks.import})`.execute(connection)
    assert.equal((await call('POST', `${path}/${waiting.body.ImportId}/check`)).status, 202)
    const elsewhere = await settled(waiting.body)
    assert.equal(elsewhere.State, 'Uploaded')
    assert.match(elsewhere.Message ?? '', /^Another import is running\./)
    await sql`select pg_advisory_unlock(${locks.import})`.execute(connection)
  })

  assert.equal((await call('POST', `${path}/${waiting.body.ImportId}/check`)).status, 202)
  const checked = await settled(waiting.body)
  assert.deepEqual([checked.State, checked.Message], ['Checked', undefined])
})

test('a run whose node has stopped can be started again, and never applies anything later', async () => {
  const { ImportId } = await sendAndCheck({ 'stopped.ndjson': lines(exchange('UPG')) })
  const set = (state: string, ago: string) =>
    sql`update import_upload
    set state = ${state}, run_id = 'old', beat_at = clock_timestamp() - ${ago}::interval
    where import_id = ${ImportId}`.execute(db)

  await set('Applying', '1 minute')
  const stopped = await call('GET', `${path}/${ImportId}`)
  assert.deepEqual([stopped.body.State, /has stopped/.test(stopped.body.Message ?? '')], ['Checked', true])

  await set('Applying', '0')
  const kept = await call('DELETE', `${path}/${ImportId}`)
  assert.deepEqual([kept.status, kept.body.ErrorCode], [409, 'ImportNotReady'])

  await set('Applying', '1 minute')
  assert.equal((await call('POST', `${path}/${ImportId}/apply`)).status, 202)
  const done = await settled(stopped.body)
  assert.equal(done.State, 'Applied')
  const nothing = { errors: [], counts: [], notes: [], revision: 0 }
  assert.equal(await endRun(db, node.imports.key, { importId: ImportId, runId: 'old' }, 'Applied', nothing), false)

  // Read while the run seemed to have stopped, which has then applied it.
  const upload = (await findUpload(db, node.imports.key, demoKey('user ada'), ImportId)) ?? assert.fail()
  assert.equal(await beginRun(db, { ...upload, state: 'Checked' }, 'Applying'), undefined)
})

test('the files are sealed in the database, and deleted on request or after an hour', async () => {
  const { body } = await send({ 'kept.ndjson': lines(exchange('UPHIDDEN')) })
  const parts = await db
    .selectFrom('import_upload_part')
    .select('sealed')
    .where('import_id', '=', body.ImportId)
    .execute()
  assert.equal(parts.length, 1)
  for (const { sealed } of parts) assert.ok(!sealed.includes('UPHIDDEN'))
  await settled(body)
  assert.equal((await call('DELETE', `${path}/${body.ImportId}`)).status, 204)
  assert.equal((await call('GET', `${path}/${body.ImportId}`)).status, 404)

  const other = await sendAndCheck({ 'old.ndjson': lines(exchange('UPI')) })
  await sql`update import_upload set expires_at = clock_timestamp() where import_id = ${other.ImportId}`.execute(db)
  assert.equal((await call('GET', `${path}/${other.ImportId}`)).status, 404)
  await removeExpired(db, Temporal.Now.instant())
  const left = await db.selectFrom('import_upload_part').selectAll().where('import_id', '=', other.ImportId).execute()
  assert.deepEqual(left, [])
})

test('a user keeps the newest five imports, and no one else sees them', async () => {
  const ids: string[] = []
  for (let number = 0; number < 6; number++)
    ids.unshift(await db.transaction().execute((trx) => addUpload(trx, demoKey('user ada'), [])))
  const { body } = (await call('GET', path)) as unknown as { body: { Data: ImportView[] } }
  assert.deepEqual(
    body.Data.map(({ ImportId }) => ImportId),
    ids.slice(0, 5),
  )
  const foreign = `${path}/${ids[0]}`
  const unknown = `${path}/${'0'.repeat(32)}`
  for (const [method, end] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/check'],
    ['POST', '/apply'],
  ] as const) {
    const answers = await Promise.all([foreign, unknown].map((each) => call(method, `${each}${end}`, { token: bo })))
    assert.deepEqual(answers[0], answers[1])
    assert.equal(answers[0]?.status, 404)
    assert.equal((await call(method, `${foreign}${end}`, { token: cy })).status, 403)
  }
  assert.equal((await getRest(baseUrl, '/x/v1/imports', cy)).status, 403)
  assert.equal((await send({ 'a.ndjson': '' }, cy)).status, 403)
})

test('rejects files of unknown formats, with the same name, and anything but files', async () => {
  const form = new FormData()
  form.append('File', new Blob(['{}']), 'a.ndjson')
  form.append('File', new Blob(['{}']), 'a.ndjson')
  const text = new FormData()
  text.append('Text', 'a')
  const reasons = [
    await send({ 'a.txt': '' }),
    await call('POST', path, { body: form }),
    await call('POST', path, { body: text }),
    await send({ ['n'.repeat(200).concat('.csv')]: '' }),
    await send(Object.fromEntries(Array.from({ length: 21 }, (_, number) => [`${number}.csv`, '']))),
  ].map(({ status, body }) => [status, Object.values(body.ModelState ?? {})[0]?.[0]?.slice(0, 30)])
  assert.deepEqual(reasons, [
    [400, 'a.txt has an unknown format. T'],
    [400, 'Two files are called a.ndjson.'],
    [400, 'Is unknown. Send each file in '],
    [400, 'A name has at most 200 charact'],
    [400, 'Send at most 20 files.'],
  ])
})
