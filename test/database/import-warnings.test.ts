import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomEntityKey } from '../../src/core/crypto/keys.ts'
import { testRejections } from '../support/import-errors.ts'
import {
  databaseForFile,
  event,
  exchange,
  importTexts,
  instrument,
  lines,
  optionRoot,
} from '../support/service/import.ts'

const { connection } = await databaseForFile()
const As = [{ AssetType: 'ContractFutures' }]
await importTexts(connection, { 'there.ndjson': lines(exchange, instrument(1)) })

testRejections(connection, [
  [
    'an asset type that is not in As',
    lines({ ...instrument(9, { AssetType: 'Stock' }), As: undefined }),
    /^f:1 instrument 9, field As: Is required\. Must be a list of 1 to 20 values, such as \[\{"AssetType":"Stock"\}\]\.$/,
    /^f:1 instrument 9, field AssetType: Is not a field here\. It goes into As\.$/,
  ],
  [
    'a code and days that are not objects',
    lines(event('E', 1, { EventType: 'DVOP', Ex: '2026-12-01' })),
    /^f:1 event E, field EventType: Must be an object such as \{"Code":"DVOP"\}\.$/,
    /^f:1 event E, field Ex: Must be an object such as \{"Date":"2026-12-01"\}\.$/,
  ],
])

test('warns, with line and field, of records that show less than was probably meant', async () => {
  const [ClientKey, UserKey] = [randomEntityKey(), randomEntityKey()]
  const Options = [{ OptionId: '1' }, { OptionId: '2' }]
  const text = lines(
    instrument(50, { UnderlyingUic: 1 }),
    instrument(51, { As: [{ AssetType: 'CfdOnStock', UnderlyingAssetType: 'Stock' }] }),
    instrument(52, { As }),
    optionRoot(50, [], { UnderlyingUic: 1 }),
    { ...exchange, ExchangeId: 'IDLE', Hours: [] },
    { kind: 'client', ClientKey, ClientId: 'blind', Name: 'Blind' },
    { kind: 'user', UserKey, Name: 'tiresias', ClientKey },
    event('W-1', 50, { CorporateActionType: 'Voluntary' }),
    event('W-2', 50, { Options }),
    { kind: 'app', AppKey: 'a'.repeat(32), Name: 'App', Flow: 'Code', ClientKey },
  )

  const { notes, errors } = await importTexts(connection, { 'w.ndjson': text }, { isDryRun: true })

  assert.deepEqual(errors, [])
  assert.deepEqual(notes, [
    'Warning: users see no instruments, because their client has no accessRight: blind.',
    'Warning: w.ndjson:1 instrument 50, field As[0].UnderlyingAssetType: Is missing: apps find the underlying by UnderlyingUic and this.',
    'Warning: w.ndjson:2 instrument 51, field As[0].UnderlyingUic: Is missing: apps find the underlying by UnderlyingAssetType and this.',
    'Warning: w.ndjson:3 instrument 52, field ContinuousFuturesUic: Is missing: no futures space lists the future.',
    'Warning: w.ndjson:4 optionRoot 50, field UnderlyingAssetType: Is missing: apps find the underlying by UnderlyingUic and this.',
    'Warning: w.ndjson:4 optionRoot 50, field Series: Has no options.',
    'Warning: w.ndjson:5 exchange IDLE, field Hours: Is empty: it never opens.',
    `Warning: w.ndjson:7 user ${UserKey}, field Password: Is missing: tiresias cannot sign in until refdesk users password sets one.`,
    'Warning: w.ndjson:8 event W-1, field Options: Is missing: holders of a voluntary event have nothing to choose.',
    'Warning: w.ndjson:9 event W-2, field Options: Has no option with IsDefault: what is not elected gets none after the deadline.',
    'Warning: w.ndjson:9 event W-2, field Options: Has no option with a Deadline: elections never close.',
    `Warning: w.ndjson:10 app ${'a'.repeat(32)}, field RedirectUris: Is missing: no one can sign in to the app.`,
    `Warning: w.ndjson:10 app ${'a'.repeat(32)}, field Secrets: Is missing: an app with the Code flow needs one to get tokens.`,
  ])
})

test('lists the first twenty warnings and counts the rest', async () => {
  const text = lines(...Array.from({ length: 23 }, (_, at) => instrument(200 + at, { UnderlyingUic: 1 })))

  const { notes } = await importTexts(connection, { 'w.ndjson': text }, { isDryRun: true })

  assert.equal(notes.length, 21)
  assert.equal(notes.at(-1), 'Warning: and 3 more')
})
