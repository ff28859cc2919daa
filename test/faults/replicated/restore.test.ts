import assert from 'node:assert/strict'
import { cp, rename, rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { systemClock } from '../../../src/core/clock.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { type App, authenticates, callerWith, firstSecret, makeApp } from '../../support/apps.ts'
import { accountKeys, event, importRecords, path, position, stocks } from '../../support/events/event-service.ts'
import { eventually } from '../../support/eventually.ts'
import { giveToOwner } from '../../support/service/base-backup.ts'
import { exchange } from '../../support/service/import.ts'
import { temporaryFolder } from '../../support/service/process.ts'
import { startReplicated } from '../../support/service/replicated.ts'
import { fillDatabase, startService } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const pair = await startReplicated({ folder: await temporaryFolder() })
after(() => pair.stop())
const { primary } = pair
const connectionString = pair.urlOf([primary], '')
await migrate({ connectionString })
await fillDatabase({ connectionString }, 'sim', systemClock.now(), false)
const service = await startService({ connectionString })
after(() => service.close())

test('a database that is restored under a running node: the node serves it without a restart, and nothing from after the backup', async () => {
  const { access_token: token } = await obtainTokens(service.url)
  const before = await makeApp(callerWith(service, token))
  const holding = { kind: 'position', ...position(accountKeys.ada, 1, 10) }
  await importRecords(service, [exchange, ...stocks, holding, { kind: 'event', ...event('before', 1) }])
  const backup = `${primary.folder}.backup`
  await pair.kill(primary, 'SIGKILL')
  await cp(primary.folder, backup, { recursive: true, verbatimSymlinks: true })
  await rm(`${backup}/postmaster.pid`, { force: true })
  await pair.start(primary)

  const later = await eventually(() => makeApp(callerWith(service, token)))
  await importRecords(service, [{ kind: 'event', ...event('later', 1) }])
  const statusOf = async (id: string) => (await getRest(service.baseUrl, `${path}/${id}`, token)).status
  const statuses = async () => [await statusOf('before'), await statusOf('later')]
  await eventually(async () => assert.deepEqual(await statuses(), [200, 200]) ?? true)
  await eventually(async () => (await authenticates(service, later.AppKey, firstSecret(later).Secret)) || undefined)

  await pair.kill(primary, 'SIGKILL')
  await rm(primary.folder, { recursive: true })
  await rename(backup, primary.folder)
  await giveToOwner(primary)
  await pair.start(primary)

  await eventually(async () => assert.deepEqual(await statuses(), [200, 404]) ?? true)
  await eventually(async () => !(await authenticates(service, later.AppKey, firstSecret(later).Secret)) || undefined)
  await eventually(async () => (await authenticates(service, before.AppKey, firstSecret(before).Secret)) || undefined)
})

test('a restored database that takes the name of the running one: the node serves it without a restart, and answers 503 until then', async () => {
  const { access_token: token } = await eventually(() => obtainTokens(service.url))
  const before = await makeApp(callerWith(service, token))
  const admin = async (statement: string) => (await pair.query(primary, statement, 'postgres')) ?? []
  const close = async () => {
    await admin('alter database refdesk allow_connections false')
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'refdesk'`)
  }
  await close()
  await eventually(() => admin('create database refdesk_restored template refdesk'))
  await admin('alter database refdesk allow_connections true')
  const later = await eventually(() => makeApp(callerWith(service, token)))

  await close()
  const { status, headers } = await getRest(service.baseUrl, '/x/v1/sessions', token)
  assert.deepEqual([status, headers.has('retry-after')], [503, true])
  const [aside, back] = ['refdesk rename to refdesk_before', 'refdesk_restored rename to refdesk']
  await eventually(() => admin(`begin; alter database ${aside}; alter database ${back}; commit`))

  const isKnown = (app: App) => authenticates(service, app.AppKey, firstSecret(app).Secret)
  await eventually(async () => !(await isKnown(later)) || undefined)
  await eventually(async () => (await isKnown(before)) || undefined)
  await admin('drop database refdesk_before')
})
