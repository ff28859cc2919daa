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

function faultsOf(more: Partial<EventRecord>): string[] {
  const fields: string[] = []
  checkEvent({ ...event, ...more }, (field) => fields.push(field))
  return fields
}

test('what is right has no fault', () => {
  assert.deepEqual(faultsOf({}), [])
  const Deadline = { Date: '2026-11-20T18:00:00.123456+02:00' }
  const period = { Start: { Date: '2026-11-01' }, End: { Date: '2026-11-01' } }
  const Options = [
    { OptionId: '1', Deadline, ElectionPeriod: period, Payment: { Date: '9999-12-31' } },
    { OptionId: '2' },
  ]
  const Holdings = [{ AccountKey: 'A', Options: [{ OptionId: '2', ElectedAmount: 1 }] }, { AccountKey: 'B' }]
  assert.deepEqual(faultsOf({ Options, Holdings, ClaimPeriod: { Start: { Status: 'Unknown' } } }), [])
  assert.deepEqual(faultsOf({ ClaimPeriod: { ...period, Start: { Status: 'Ongoing' } } }), [])
})

test('an EventId is no address of another operation, and a description not blank', () => {
  assert.deepEqual(faultsOf({ EventId: 'LookupData' }), ['EventId'])
  assert.deepEqual(faultsOf({ DisplayAndFormat: { Description: ' ' } }), ['DisplayAndFormat.Description'])
})

test('a day is Date or Status, in years that are kept; a period does not end before it starts', () => {
  assert.deepEqual(faultsOf({ Ex: {} }), ['Ex'])
  assert.deepEqual(faultsOf({ Ex: { Date: '2026-11-01', Status: 'Unknown' } }), ['Ex'])
  assert.deepEqual(faultsOf({ AnnouncedDate: '0000-01-01' }), ['AnnouncedDate'])
  const ElectionPeriod = { Start: { Date: '2026-11-02' }, End: { Date: '2026-11-01' } }
  assert.deepEqual(faultsOf({ Options: [{ OptionId: '1', ElectionPeriod }] }), ['Options[0].ElectionPeriod.End'])
})

test('an instant comes back as it was written, so it has no leap second and no more digits than are kept', () => {
  for (const UpdatedDateTime of [
    '2016-12-31T23:59:60Z',
    '2026-11-20T18:00:00.1234567Z',
    '2026-11-20 18:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])
    assert.deepEqual(faultsOf({ UpdatedDateTime }), ['UpdatedDateTime'], UpdatedDateTime)
  assert.deepEqual(faultsOf({ UpdatedDateTime: '0001-01-01T00:00:00Z' }), [])
})

test('options and holdings are told once each, and elections only of options that there are', () => {
  assert.deepEqual(faultsOf({ Options: [...choice, { OptionId: '1' }] }), ['Options[2].OptionId'])
  assert.deepEqual(faultsOf({ Holdings: [{ AccountKey: 'A' }, { AccountKey: 'A' }] }), ['Holdings[1].AccountKey'])
  const elect = (OptionId: string) => [{ AccountKey: 'A', Options: [{ OptionId, ElectedAmount: 1 }] }]
  assert.deepEqual(faultsOf({ Options: choice, Holdings: elect('3') }), ['Holdings[0].Options[0].OptionId'])
  assert.deepEqual(faultsOf({ Options: choice.slice(1), Holdings: elect('2') }), ['Holdings[0].Options'])
})
