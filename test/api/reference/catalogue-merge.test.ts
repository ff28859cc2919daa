import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ChangeFeed } from '../../../src/database/changes.ts'
import { buildWhole } from '../../../src/instruments/catalogue/build/build.ts'
import { CatalogueBuilder } from '../../../src/instruments/catalogue/builder.ts'
import { Catalogue } from '../../../src/instruments/catalogue/catalogue.ts'
import { readKeptSegment, writeKeptSegment } from '../../../src/instruments/catalogue/kept/segment-file.ts'
import type { Segment } from '../../../src/instruments/catalogue/segment.ts'
import { readRevision } from '../../../src/instruments/store/reference.ts'
import { eventually } from '../../support/eventually.ts'
import { databaseForFile, exchange, importTexts, instrument, lines, optionRoot } from '../../support/service/import.ts'
import { testLog } from '../../support/service/service.ts'

const { connection, db } = await databaseForFile()
const feed = new ChangeFeed(db, connection, testLog())
await feed.start()
const folder = await mkdtemp(join(tmpdir(), 'refdesk-merge-'))
const infos: Record<string, unknown>[] = []
const log = {
  info: (detail: object) => void infos.push({ ...detail }),
  warn: (detail: object, message: string) => assert.fail(`${message}: ${JSON.stringify(detail)}`),
}

/** More changes than are kept beside the base, and less than half of all. */
const many = 5_100
const all = 2 * many
const named = (uic: number, name: string) => instrument(uic, { Description: `${name} ${uic}`, Rank: 1 + (uic % 97) })

async function change(records: object[]): Promise<number> {
  const { errors } = await importTexts(connection, { 'change.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  return readRevision(db)
}

await change([exchange, ...Array.from({ length: all }, (_, at) => named(at + 1, 'Old')), optionRoot(1, [100_001])])
const catalogue = await Catalogue.start(new CatalogueBuilder({ db, connection, feed, log, folder }))
after(async () => {
  await catalogue.stop()
  await feed.stop()
  await rm(folder, { recursive: true, force: true })
})

const changes = (name: string): object[] => [
  ...Array.from({ length: many - 1 }, (_, at) => named(2 * at + 1, name)),
  { kind: 'instrument', Uic: 2, delete: true },
]

/** What does not depend on the order in which records were added. */
const facts = ({ docIds, docRanks, docRows, words, names, symbols, options, revision }: Segment) =>
  ({ docIds, docRanks, docRows, words, names, symbols, uics: options.uics, docs: options.rootDocs, revision }) as const

async function kept(revision: number): Promise<Segment> {
  return eventually(async () => {
    const segment = await readKeptSegment(folder)
    return segment?.revision === revision ? segment : undefined
  })
}

/** The segment of a catalogue, once the changes have been merged with the base. */
const merged = (of: Catalogue): Promise<Segment> =>
  eventually(async () => {
    const [reader, ...others] = of.current().readers
    return others.length === 0 ? reader?.segment : undefined
  })

/** What was served of a revision: the changes beside the base (false), or all as one segment (true). */
const servedOf = (wanted: number) =>
  infos.filter(({ revision }) => revision === wanted).map(({ whole, docs }) => ({ whole, docs }))

test('a large change is served beside the base, merged with it, served as one segment, and kept', async () => {
  const contracts = catalogue.current().readers[0]?.segment.options.uics
  const revision = await change(changes('New'))
  await catalogue.reached(revision)
  assert.equal(catalogue.current().counts.Instruments, all - 1)
  const { base } = await buildWhole(db)
  assert.deepEqual(facts(await merged(catalogue)), facts(base))
  assert.equal((await merged(catalogue)).options.uics, contracts)
  assert.equal(catalogue.current().counts.Instruments, all - 1)
  assert.equal(catalogue.current().revision, revision)
  assert.deepEqual(facts(await kept(revision)), facts(base))
  assert.deepEqual(servedOf(revision), [
    { whole: false, docs: many - 1 },
    { whole: true, docs: all },
  ])
  assert.deepEqual(await readdir(folder), ['catalogue.segment'])
})

test('then small changes are kept beside it, and the next large one is merged again', async () => {
  await catalogue.reached(await change([named(4, 'Small')]))
  assert.equal(catalogue.current().readers.length, 2)
  const revision = await change([...changes('Newer'), optionRoot(2, [100_002])])
  await catalogue.reached(revision)
  assert.deepEqual(facts(await merged(catalogue)), facts((await buildWhole(db)).base))
  await kept(revision)
})

test('without a folder a thread merges', async () => {
  const own = await Catalogue.start(new CatalogueBuilder({ db, connection, feed, log }))
  try {
    const revision = await change(changes('Other'))
    await own.reached(revision)
    assert.deepEqual(facts(await merged(own)), facts((await buildWhole(db)).base))
    // The other one merges too, and would not be able to with the file of the next test.
    await merged(catalogue)
  } finally {
    await own.stop()
  }
})

test('a kept base that is not the served one is not merged with the changes', async () => {
  const { base: newer } = await buildWhole(db)
  await writeKeptSegment(folder, {
    ...newer,
    revision: newer.revision - 1,
    docIds: new Uint32Array(newer.docIds.length),
  })
  await catalogue.reached(await change(changes('Another')))
  assert.deepEqual(facts(await merged(catalogue)), facts((await buildWhole(db)).base))
  await writeKeptSegment(folder, (await buildWhole(db)).base)
})

test('a start with many changes since the kept base merges them', async () => {
  await catalogue.stop()
  const revision = await change(changes('Newest'))
  const next = await Catalogue.start(new CatalogueBuilder({ db, connection, feed, log, folder }))
  try {
    assert.equal(next.current().revision, revision)
    assert.equal((await merged(next)).revision, revision)
    assert.equal(infos.at(-1)?.from, 'disk')
    await kept(revision)
  } finally {
    await next.stop()
  }
})
