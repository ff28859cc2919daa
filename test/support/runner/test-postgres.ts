import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../src/core/clock.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { administer, demoLoadedAt, demoTemplate, fixedTemplates, template, usersTemplate } from '../service/postgres.ts'
import { fillDatabase } from '../service/service.ts'

/** A PostgreSQL with the templates of the tests' databases. Nothing must survive a crash, so nothing waits for the disk. */
export async function startTestDatabase(folder?: string): Promise<EmbeddedDatabase> {
  const own = folder === undefined ? await mkdtemp(join(tmpdir(), 'refdesk-fuzz-')) : undefined
  const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  // The databases are small and soon gone: to vacuum them is wasted.
  const settings = { ...unsafe, autovacuum: 'off', max_connections: '300' }
  const print = (fields: object, message: string) => console.error(message, fields)
  const log = { info: () => undefined, warn: print, error: print }
  const started = await startEmbedded({ dataDir: join(folder ?? own ?? '', 'data'), log, settings })
  const stop = async () => {
    await started.stop()
    if (own !== undefined) await rm(own, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await createTemplates(started.connection)
  } catch (error) {
    await stop()
    throw error
  }
  return { ...started, stop }
}

async function createTemplates(connection: EmbeddedDatabase['connection']): Promise<void> {
  await administer(connection, `create database ${template}`)
  await migrate({ ...connection, database: template })
  const filled = [usersTemplate, demoTemplate, ...fixedTemplates.values()]
  for (const name of filled) await administer(connection, `create database ${name} template ${template}`)
  await fillDatabase({ ...connection, database: usersTemplate }, 'sim', systemClock.now(), false)
  await fillDatabase({ ...connection, database: demoTemplate }, 'sim', Temporal.Instant.from(demoLoadedAt), true)
  for (const [at, name] of fixedTemplates)
    await fillDatabase({ ...connection, database: name }, 'sim', Temporal.Instant.from(at), false)
  // A database can be copied only while no one is connected to it.
  for (const name of [template, ...filled])
    await administer(connection, `alter database ${name} with is_template true allow_connections false`)
}
