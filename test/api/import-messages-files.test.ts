import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../../src/core/clock.ts'
import { importFiles } from '../../src/data/commands.ts'
import {
  apple,
  bae,
  idsOf,
  messageDatabase,
  mt564,
  seev031,
  unlisted,
  vodafone,
} from '../support/events/message-import.ts'
import { parseCall } from '../support/service/command-line.ts'
import { importTexts, instrument, lines } from '../support/service/import.ts'
import { temporaryFolder } from '../support/service/process.ts'
import { masterKey } from '../support/service/service.ts'

const { connection, exported, remove } = await messageDatabase()

test('an unknown ISIN is an error with file, line and message; the instrument may be in the same run', async () => {
  const two = mt564('REF4', apple) + mt564('REF5', bae)
  const { errors } = await importTexts(connection, { 'two.fin': two })
  assert.deepEqual(errors, [
    `two.fin:21: Message 2: No instrument has the ISIN ${bae}. Import an instrument with it (Isin or Identifiers), or skip such messages with --skip-unknown.`,
  ])
  assert.deepEqual(await exported(), [])
  const texts = { 'two.fin': two, 'instrument.ndjson': lines(instrument(3, { Isin: bae })) }
  const dry = await importTexts(connection, texts, { isDryRun: true })
  assert.deepEqual(dry.counts, { instrument: { added: 1 }, event: { added: 4 } })
  assert.deepEqual(await exported(), [])
  const rejected = await importTexts(connection, { ...texts, 'instrument.ndjson': lines(instrument(3, { Isin: 'X' })) })
  assert.equal(rejected.errors.length, 1)
  assert.match(rejected.errors[0] ?? '', /^instrument\.ndjson:1 instrument 3, field Isin/)
})

test('reports unreadable files with their position, and applies nothing', async () => {
  const broken = { 'a.xml': '<Document><CorpActnNtfctn>', 'b.fin': mt564('REF6', apple), 'c.fin': 'no message' }
  const { errors } = await importTexts(connection, broken)
  assert.deepEqual(
    errors.map((error) => error.slice(0, 5)),
    ['a.xml', 'c.fin'],
    errors.join('\n'),
  )
  const large = await importTexts(connection, { 'big.fin': Buffer.alloc(32 * 1024 * 1024 + 1, '\n') })
  assert.match(large.errors.join('\n'), /^big\.fin:1: Is larger than 32 MB, unpacked\. Split it /)
  assert.deepEqual(await exported(), [])
})

test('a malformed value is an error and never replaces a known one', async () => {
  await importTexts(connection, { 'good.fin': mt564('REF14', vodafone) })
  const before = await exported()
  const wrong = mt564('REF14', vodafone).replace('20261102', '20270231')
  const { errors } = await importTexts(connection, { 'bd.fin': wrong + wrong, 'b.fin': mt564('REF15', vodafone) })
  assert.deepEqual(errors, [
    'bd.fin:18: Message 1: CADETL/98A:XDTE "20270231" is not a valid day.',
    'bd.fin:38: Message 2: CADETL/98A:XDTE "20270231" is not a valid day.',
  ])
  const late = seev031('REF14', vodafone).replace('<Cd>CASH<', '<Cd>CASSH<')
  assert.match(
    (await importTexts(connection, { 'a.xml': late })).errors.join('\n'),
    /OptnTp\/Cd "CASSH" is not a valid four-letter code/,
  )
  assert.deepEqual(await exported(), before)
  await remove(idsOf(before))
})

test('reports messages with a wrong file ending once, with a remedy', async () => {
  const hint = async (name: string, text: string) => (await importTexts(connection, { [name]: text })).errors
  assert.deepEqual(await hint('a.ndjson', `\n${mt564('REF4', apple)}`), [
    'a.ndjson:2: Is not NDJSON; it looks like an MT564: name it .fin, or use --format mt564.',
  ])
  assert.deepEqual(await hint('a.ndjson', seev031('REF4', apple)), [
    'a.ndjson:1: Is XML, not NDJSON: name it .xml, or use --format seev031.',
  ])
  assert.deepEqual(await hint('a.xml', mt564('REF4', apple)), [
    'a.xml:1: The file looks like MT564, not XML. Name it .fin, or use --format mt564.',
  ])
})

test('combines pages across the files of a run; an incomplete message is reported with its own file', async () => {
  const page = (name: string) => mt564('REF10', apple).replace('\n:20C::CORP', `\n:28E:${name}\n:20C::CORP`)
  const { errors } = await importTexts(connection, { 'p.fin': `\n${page('1/MORE')}`, 'q.fin': mt564('REF11', apple) })
  assert.equal(errors.length, 1)
  assert.match(errors[0] ?? '', /^p\.fin:2: Message 1: Missing pages of REF10: the last\.$/)
  const two = await importTexts(connection, { 'p.fin': `\n${page('1/MORE')}`, 'q.fin': page('3/LAST') })
  assert.deepEqual(two.errors, ['p.fin:2: Message 1: Missing pages of REF10: 2.'])
  const whole = await importTexts(connection, { 'p.fin': page('1/MORE'), 'q.fin': page('2/LAST') }, { isDryRun: true })
  assert.deepEqual(whole.errors, [])
  assert.deepEqual(whole.counts, { event: { added: 3 } })
})

/** Runs the command on files in a folder. */
async function command(files: Record<string, string | Buffer>, ...options: string[]) {
  const folder = await temporaryFolder()
  const [said, complained]: [string[], string[]] = [[], []]
  const out = { say: (line: string) => said.push(line), complain: (line: string) => complained.push(line) }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const paths = Object.keys(files).map((name) => join(folder, name))
  const work = { connection, masterKey, clock: systemClock, config: { secrets: 'listed' } } as const
  const call = await parseCall(['import', ...paths, ...options])
  const status = await importFiles(call.words, call.options, (run) => run(work), out)
  return { status, said, complained }
}

test('the command detects messages by ending or --format, reads gzip, and skips unknown securities on request', async () => {
  const skipped = await command(
    { 'a.xml': seev031('REF7', unlisted), 'b.mt564': mt564('REF8', apple) },
    '--skip-unknown',
  )
  assert.equal(skipped.status, 0, skipped.complained.join('\n'))
  assert.ok(skipped.said.some((line) => /^event +3 +0 +0 +0$/.test(line)))
  assert.ok(skipped.said.includes(`1 message was skipped: no instrument has its identifier: ISIN ${unlisted}.`))
  const other = mt564('REF7', apple).replace(`ISIN ${apple}`, 'APPLE INC')
  const without = await command({ 'a.fin': other + mt564('REF8', apple) + other }, '--skip-unknown')
  assert.equal(without.status, 0, without.complained.join('\n'))
  assert.ok(without.said.includes('2 messages were skipped: the security has no identifier.'))
  assert.deepEqual((await command({ 'a.fin': other })).complained, [
    'a.fin:1: Message 1: The security has no identifier: neither an ISIN nor another one. Skip such messages with --skip-unknown.',
    'Nothing was changed.',
  ])
  const unknown = await command({ 'a.xml.gz': gzipSync(seev031('REF7', unlisted)) })
  assert.equal(unknown.status, 1)
  assert.match(
    unknown.complained.join('\n'),
    /^a\.xml\.gz:\d+: Message 1: No instrument has .*\nNothing was changed\.$/,
  )
  const others = mt564('REF16', vodafone).replace('I564', 'I566') + mt564('REF17', unlisted)
  const status =
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:seev.039.001.09"><CorpActnCxlAdvc>1</CorpActnCxlAdvc></Document>'
  const inbox = { 'a.fin': others, 'b.xml': status }
  assert.match(
    (await command(inbox, '--skip-unknown')).complained.join('\n'),
    /^a\.fin:1: Message 1: The message is an MT566; only MT564 is supported\. Skip such messages with --skip-other\.\nb\.xml:1: Message 1: The message is seev\.039/,
  )
  const left = await command(inbox, '--skip-unknown', '--skip-other')
  assert.equal(left.status, 0, left.complained.join('\n'))
  assert.deepEqual(left.said, [
    'Nothing changed.',
    `1 message was skipped: no instrument has its identifier: ISIN ${unlisted}.`,
    '2 messages were skipped: neither seev.031 nor MT564.',
  ])
  const found = await command({ 'c.txt': mt564('REF9', apple) }, '--format', 'MT564', '--dry-run')
  assert.equal(found.status, 0, found.complained.join('\n'))
  assert.ok(found.said.some((line) => /^event +3 +0 +0 +0$/.test(line)))
  assert.deepEqual(idsOf(await exported()), ['REF8-1', 'REF8-1-CfdOnStock', 'REF8-2'])
})
