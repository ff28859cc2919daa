import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { recordSchema } from '../data/json-schema.ts'
import { familiesOf } from '../data/kinds.ts'
import { readDemoRecords } from '../sim/demo/load.ts'
import { shippedScenarios } from '../sim/scenarios/shipped.ts'
import { headSchema } from '../sim/scenarios/text.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const families = familiesOf({ masterKey: Buffer.alloc(32), config: { secrets: 'listed' }, now })
const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false })
formats.default(ajv)
const validate = ajv.compile(
  recordSchema(
    families.flatMap((family) => family.kinds),
    headSchema(),
  ),
)

/** What the schema says against a record, as the field and the reason. */
function errorsOf(record: unknown): string[] {
  if (validate(record)) return []
  const errors = validate.errors ?? []
  return errors.filter(({ keyword }) => keyword !== 'if').map((one) => `${one.instancePath} ${one.message}`)
}

const instrument = {
  kind: 'instrument',
  Uic: 9,
  ExchangeId: 'LSE',
  Symbol: 'S:xlon',
  Description: 'S',
  CurrencyCode: 'GBP',
  As: [{ AssetType: 'Stock' }],
}

test('the JSON Schema of the records accepts the demo and the scenarios', async () => {
  for (const record of await readDemoRecords(now)) assert.deepEqual(errorsOf(record), [], JSON.stringify(record))
  for (const { text } of (await shippedScenarios()).values())
    for (const line of text.split('\n').filter(Boolean)) assert.deepEqual(errorsOf(JSON.parse(line)), [], line)
})

test('it accepts relative days, terms, repeated records and deletions', () => {
  const { As: _, ...common } = instrument
  for (const record of [
    instrument,
    { ...instrument, ExpiryDate: '@+3b' },
    { kind: 'terms', Name: 'uk', CurrencyCode: 'GBP', As: [{ AssetType: 'Stock' }] },
    { ...common, Terms: ['uk'] },
    { kind: 'instrument', Uic: 9, delete: true },
    { ...instrument, Repeat: { Count: 3 } },
  ])
    assert.deepEqual(errorsOf(record), [])
})

test('it rejects what the import rejects, at the field', () => {
  assert.deepEqual(errorsOf({ ...instrument, Colour: 1 }), [' must NOT have additional properties'])
  assert.deepEqual(errorsOf({ ...instrument, As: undefined }), [" must have required property 'As'"])
  assert.deepEqual(errorsOf({ ...instrument, Rank: 'first' }), ['/Rank must be integer'])
  assert.deepEqual(errorsOf({ kind: 'instrument', delete: true }), [" must have required property 'Uic'"])
  assert.match(errorsOf({ ...instrument, ExpiryDate: 'soon' })[0] ?? '', /^\/ExpiryDate must match format "date"/)
  assert.deepEqual(errorsOf({ kind: 'instrumnt' }), ['/kind must be equal to one of the allowed values'])
  const event = { kind: 'event', EventId: 'E', Uic: 1, AssetType: 'Stock', CorporateActionType: 'Mandatory' }
  assert.deepEqual(errorsOf({ ...event, EventState: 'Approved', EventType: 'DVCA' }), ['/EventType must be object'])
})
