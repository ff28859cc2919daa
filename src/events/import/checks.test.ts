import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEvent } from './checks.ts'
import type { EventRecord } from './schema.ts'

const event: EventRecord = {
  EventId: 'E',
  Uic: 1,
  AssetType: 'Stock',
  CorporateActionType: 'Mandatory',
  EventType: { Code: 'DVCA' },
  EventState: 'Confirmed',
}
const choice = [{ OptionId: '1' }, { OptionId: '2' }]

function errorsOf(more: Partial<EventRecord>): string[] {
  const fields: string[] = []
  checkEvent({ ...event, ...more }, (field) => fields.push(field))
  return fields
}

test('accepts valid events', () => {
  assert.deepEqual(errorsOf({}), [])
  const Deadline = { Date: '2026-11-20T18:00:00.123456+02:00' }
  const period = { Start: { Date: '2026-11-01' }, End: { Date: '2026-11-01' } }
  const Options = [
    { OptionId: '1', Deadline, ElectionPeriod: period, Payment: { Date: '9999-12-31' } },
    { OptionId: '2', Deadline: { Date: '9999-12-31' } },
  ]
  const Holdings = [{ AccountKey: 'A', Options: [{ OptionId: '2', ElectedAmount: 1 }] }, { AccountKey: 'B' }]
  assert.deepEqual(errorsOf({ Options, Holdings, ClaimPeriod: { Start: { Status: 'Unknown' } } }), [])
  assert.deepEqual(errorsOf({ ClaimPeriod: { ...period, Start: { Status: 'Ongoing' } } }), [])
})

test('rejects an EventId that is the path of an operation, and a blank description', () => {
  assert.deepEqual(errorsOf({ EventId: 'LookupData' }), ['EventId'])
  assert.deepEqual(errorsOf({ DisplayAndFormat: { Description: ' ' } }), ['DisplayAndFormat.Description'])
})

test('a deadline and a payment have either Date or Status', () => {
  const options = (more: object) => [{ OptionId: '1', ...more }]
  assert.deepEqual(
    errorsOf({ Options: options({ Deadline: { Status: 'Ongoing' }, Payment: { Status: 'Unknown' } }) }),
    [],
  )
  const both = { Date: '2026-11-20T16:00:00Z', Status: 'Unknown' as const }
  assert.deepEqual(errorsOf({ Options: options({ Deadline: both, MarketDeadline: {} }) }), [
    'Options[0].Deadline',
    'Options[0].MarketDeadline',
  ])
  assert.deepEqual(errorsOf({ Options: options({ Payment: {} }) }), ['Options[0].Payment'])
})

test('requires either Date or Status, and periods that do not end before they start', () => {
  assert.deepEqual(errorsOf({ Ex: {} }), ['Ex'])
  assert.deepEqual(errorsOf({ Ex: { Date: '2026-11-01', Status: 'Unknown' } }), ['Ex'])
  const ElectionPeriod = { Start: { Date: '2026-11-02' }, End: { Date: '2026-11-01' } }
  assert.deepEqual(errorsOf({ Options: [{ OptionId: '1', ElectionPeriod }] }), ['Options[0].ElectionPeriod.End'])
})

test('rejects instants that could not be exported unchanged', () => {
  for (const UpdatedDateTime of ['2016-12-31T23:59:60Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])
    assert.deepEqual(errorsOf({ UpdatedDateTime }), ['UpdatedDateTime'], UpdatedDateTime)
  assert.deepEqual(errorsOf({ UpdatedDateTime: '0001-01-01T00:00:00Z' }), [])
})

test('rejects duplicate options and holdings, and elections of unknown options', () => {
  assert.deepEqual(errorsOf({ Options: [...choice, { OptionId: '1' }] }), ['Options[2].OptionId'])
  assert.deepEqual(errorsOf({ Holdings: [{ AccountKey: 'A' }, { AccountKey: 'A' }] }), ['Holdings[1].AccountKey'])
  const elect = (OptionId: string) => [{ AccountKey: 'A', Options: [{ OptionId, ElectedAmount: 1 }] }]
  assert.deepEqual(errorsOf({ Options: choice, Holdings: elect('3') }), ['Holdings[0].Options[0].OptionId'])
  assert.deepEqual(errorsOf({ Options: choice.slice(1), Holdings: elect('2') }), ['Holdings[0].Options'])
})
