import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ChangeFeed } from '../../src/database/changes.ts'
import { CatalogueBuilder } from '../../src/instruments/catalogue/builder.ts'
import { Catalogue } from '../../src/instruments/catalogue/catalogue.ts'
import { databaseForFile, exchange, importTexts, instrument, lines, optionRoot } from '../support/service/import.ts'
import { testLog } from '../support/service/service.ts'

const { connection, db } = await databaseForFile()
const feed = new ChangeFeed(db, connection, testLog())
await feed.start()
const folder = await mkdtemp(join(tmpdir(), 'refdesk-kept-'))
const file = join(folder, 'catalogue.segment')
after(async () => {
  await feed.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Too many to build without a thread. */
const many = 5_001
const records = Array.from({ length: many }, (_, index) => instrument(index + 1))
await importTexts(connection, { 'all.ndjson': lines(exchange, ...records, optionRoot(1, [100_001])) })

type Line = { detail: Record<string, unknown>; message: string }

/** Starts a catalogue, hands it over, and stops it. Returns what it logged. */
async function start(
  look: (catalogue: Catalogue) => void | Promise<void> = () => {},
  inFolder = folder,
): Promise<{ warnings: Line[]; wholes: unknown[] }> {
  const warnings: Line[] = []
  const infos: Line[] = []
  const log = {
    info: (detail: object, message: string) => void infos.push({ detail: { ...detail }, message }),
    warn: (detail: object, message: string) => void warnings.push({ detail: { ...detail }, message }),
  }
  const catalogue = await Catalogue.start(new CatalogueBuilder({ db, connection, feed, log, folder: inFolder }))
  try {
    await look(catalogue)
  } finally {
    await catalogue.stop()
  }
  return { warnings, wholes: infos.map(({ detail }) => detail.from) }
}

const hasAll = (catalogue: Catalogue): void => {
  assert.equal(catalogue.current().counts.Instruments, many)
  assert.ok(catalogue.current().findInstrument(many))
  assert.ok(catalogue.current().findContract(100_001))
}
const writtenAt = async (): Promise<number> => (await stat(file)).mtimeMs

test('the first start builds from the database and keeps the result; the next one reads that', async () => {
  assert.deepEqual(await start(hasAll), { warnings: [], wholes: ['database'] })
  const before = await writtenAt()
  assert.deepEqual(await readdir(folder), ['catalogue.segment'])
  assert.deepEqual(await start(hasAll), { warnings: [], wholes: ['disk'] })
  assert.equal(await writtenAt(), before)
})

test('what has changed since is read from the database', async () => {
  const before = await writtenAt()
  await importTexts(connection, {
    'new.ndjson': lines(instrument(7, { Symbol: 'NEWNAME' }), { kind: 'instrument', Uic: 8, delete: true }),
  })
  const { wholes } = await start((catalogue) => {
    assert.equal(catalogue.current().findInstrument(8), undefined)
    assert.equal(catalogue.current().counts.Instruments, many - 1)
    assert.equal(catalogue.current().readers.length, 2)
  })
  assert.deepEqual(wholes, ['disk'])
  assert.equal(await writtenAt(), before)
  await importTexts(connection, { 'back.ndjson': lines(instrument(8)) })
})

test('a damaged file is not used, and is replaced', async () => {
  const bytes = await readFile(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1_000) ^ 1, bytes.length - 1_000)
  await writeFile(file, bytes)
  const { warnings, wholes } = await start(hasAll)
  assert.deepEqual(wholes, ['database'])
  assert.deepEqual(warnings, [{ detail: { reason: 'It is damaged.', folder }, message: 'kept catalogue not used' }])
  assert.deepEqual((await start(hasAll)).wholes, ['disk'])
})

test('a file of other data is not used: a restored database counts the same revisions again', async () => {
  // As after a restore: the revision of the file is there, but was not this data's.
  await sql`update reference_history set identity = gen_random_uuid()`.execute(db)
  await sql`update instrument set document = (document::jsonb || '{"Symbol":"RESTORED"}')::json where uic = 9`.execute(
    db,
  )
  await importTexts(connection, { 'new.ndjson': lines(instrument(7, { Symbol: 'LATER' })) })
  assert.deepEqual((await start(hasAll)).wholes, ['database'])
  assert.deepEqual((await start(hasAll)).wholes, ['disk'])
})

test('without a folder to write to, every start builds from the database', async () => {
  const plain = join(folder, 'plain')
  await writeFile(plain, '')
  for (let round = 0; round < 2; round++) {
    const { warnings, wholes } = await start(hasAll, plain)
    assert.deepEqual(wholes, ['database'])
    assert.deepEqual(
      warnings.map(({ message }) => message),
      ['kept catalogue not used', 'catalogue not kept on disk'],
    )
  }
  await rm(plain)
})

test('nodes that start at once share one folder', async () => {
  await rm(file)
  const started = await Promise.all([start(hasAll), start(hasAll), start(hasAll)])
  assert.deepEqual(
    started.flatMap(({ warnings }) => warnings),
    [],
  )
  assert.deepEqual(await readdir(folder), ['catalogue.segment'])
  assert.deepEqual((await start(hasAll)).wholes, ['disk'])
})
