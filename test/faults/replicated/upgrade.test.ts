import assert from 'node:assert/strict'
import { cp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../support/eventually.ts'
import {
  emptyDatabase,
  failedStart,
  projectFolder,
  type ServiceProcess,
  startProcess,
  temporaryFolder,
} from '../../support/service/process.ts'
import { masterKey } from '../../support/service/service.ts'
import { getRest, obtainTokens, refresh } from '../../support/sign-in.ts'

const database = await emptyDatabase()
const env = { DATABASE_URL: database.url, MASTER_KEY: masterKey.toString('base64'), LOG_LEVEL: 'warn' }

/** This version with one more migration, which only adds. */
async function nextVersion(): Promise<string> {
  const folder = await temporaryFolder()
  for (const name of ['package.json', 'src', 'migrations', 'public', 'demo'])
    await cp(join(projectFolder, name), join(folder, name), { recursive: true })
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
  const sql = `alter table app add column next_version text not null default '';
    alter table session add column next_version text;
    create table next_version (only_row boolean primary key);`
  await writeFile(join(folder, 'migrations', '900_next_version.sql'), sql)
  return folder
}

async function statusOf({ baseUrl }: ServiceProcess, token: string): Promise<number> {
  const answer = await getRest(baseUrl, '/port/v1/users/me', token)
  await answer.arrayBuffer()
  return answer.status
}

test('a rolling upgrade: the old version keeps serving on the migrated database, next to the new one', async () => {
  const old = await startProcess({ ...env, DATA_DIR: await temporaryFolder() })
  after(() => old.stop())
  const before = await obtainTokens(old.url)
  const shared = { ...env, PUBLIC_URL: old.url }

  const next = await startProcess({ ...shared, DATA_DIR: await temporaryFolder() }, { folder: await nextVersion() })
  after(() => next.stop())

  assert.equal(await statusOf(next, before.access_token), 200)
  const refreshed = await eventually(async () => {
    const { status, body } = await refresh(old.url, before.refresh_token)
    return status === 503 ? undefined : { status, body }
  })
  assert.equal(refreshed.status, 200, 'a migration costs at most one 503 per connection')
  assert.equal(await statusOf(next, refreshed.body.access_token), 200)
  assert.equal((await obtainTokens(old.url)).token_type, 'Bearer')

  const { code, stderr } = await failedStart({ ...shared, DATA_DIR: await temporaryFolder() })
  assert.equal(code, 1)
  assert.match(stderr, /The database is newer than this refdesk \(it has 900_next_version\.sql\)/)
  assert.equal(await statusOf(old, refreshed.body.access_token), 200)
})
