import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listCommand, loadCommand, showCommand, unloadCommand } from '../../../src/sim/scenarios/commands.ts'
import { instrument, lines } from '../../support/service/import.ts'
import { masterKey, serviceForFile } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'
import { head, holdEverything, scenarioPath as path } from './scenario-support.ts'
import { callWith } from './support.ts'

const service = await serviceForFile({ reference: true })
const { connection } = service.database
const { db } = service.node.context
const ada = callWith(service, (await obtainTokens(service.url)).access_token)
const stock = { ...instrument(82_001), ExchangeId: 'NASDAQ' }

test('the commands list, show, load and unload scenarios, also from a file', async () => {
  const isUnchanged = await holdEverything(connection)
  const deps = { db, clock: service.node.context.clock, masterKey, secrets: service.config.secrets }
  const run = async (command: (say: (line: string) => void) => Promise<number>) => {
    const said: string[] = []
    assert.equal(await command((line) => said.push(line)), 0)
    return said.join('\n')
  }
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-scenario-'))
  const file = join(folder, 'own.ndjson')
  await writeFile(file, lines(head('own'), stock))

  const loaded = await run((say) => loadCommand(deps, 'tender-offer', say))
  assert.match(loaded, /^Loaded tender-offer: .*\nSign in as ada/)
  assert.match(
    loaded,
    /^Added:\n(?: {2}\d+ .*\n)+\nNext:\n {2}refdesk events ada \S+\n {2}refdesk scenario unload tender-offer$/m,
  )
  assert.match(await run((say) => loadCommand(deps, file, say)), /^Loaded own: T\./)
  assert.match(await run((say) => listCommand(deps, say)), /^own +loaded +T$.*^tender-offer +loaded +A tender/ms)
  const listed = (await run((say) => listCommand(deps, say, true))).split('\n').map((line) => JSON.parse(line))
  assert.deepEqual(
    listed.filter(({ IsLoaded }) => IsLoaded).map(({ Name }) => Name),
    ['own', 'tender-offer'],
  )
  assert.match(await run((say) => showCommand(deps, 'own', say)), /^T\n\nShows +S\.\n.*1 instrument: 82001$/ms)
  await assert.rejects(
    loadCommand(deps, file, () => {}),
    /The scenario own is loaded already/,
  )
  await writeFile(file, Buffer.from(lines({ ...head('latin'), Title: 'Zürich' }), 'latin1'))
  await assert.rejects(
    loadCommand(deps, file, () => {}),
    /own\.ndjson must be UTF-8 text\. Save it as UTF-8/,
  )
  await run((say) => unloadCommand(deps, 'own', say))
  await run((say) => unloadCommand(deps, 'tender-offer', say))
  assert.match(
    await run((say) => showCommand(deps, 'tender-offer', say)),
    /Not loaded\. To load it: refdesk scenario load/,
  )
  await writeFile(file, lines(head('own'), { ...stock, Uic: 1000 }))
  await assert.rejects(
    loadCommand(deps, file, () => {}),
    /^Error: own\.ndjson:2 instrument 1000: Exists already\.\nNothing was changed\.$/,
  )
  await writeFile(file, ' '.repeat(1_048_577))
  await assert.rejects(
    loadCommand(deps, file, () => {}),
    /is larger than a scenario may be: 1 MB\./,
  )
  await assert.rejects(
    loadCommand(deps, 'unknown', () => {}),
    /There is no scenario unknown/,
  )
  await assert.rejects(
    showCommand(deps, 'unknown', () => {}),
    /There is no scenario unknown/,
  )
  await assert.rejects(
    unloadCommand(deps, 'own', () => {}),
    /No scenario own is loaded\./,
  )
  await rm(folder, { recursive: true })
  await isUnchanged()
})

test('scenario data is no imported data: a reset works, and removes it with its record', async () => {
  await ada('PUT', `${path}/tender-offer`)
  assert.equal((await ada('POST', '/x/v1/reset', { Confirm: 'reset' })).status, 200)
  const { rows } = await sql<{ left: number }>`select (select count(*) from scenario)
    + (select count(*) from instrument where uic = 81001) as left`.execute(db)
  assert.equal(rows[0]?.left, 0)
})
