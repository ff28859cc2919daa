import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventRecord } from '../import/schema.ts'
import { keepElections } from './keep-elections.ts'

const record = (Electable: EventRecord['Electable'], ...ids: string[]): EventRecord => ({
  EventId: 'R-1',
  Uic: 1,
  AssetType: 'Stock',
  CorporateActionType: 'Voluntary',
  EventType: { Code: 'TEND' },
  EventState: 'Confirmed',
  ...(Electable && { Electable }),
  ...(ids.length > 0 && { Options: ids.map((OptionId) => ({ OptionId, GrossRate: 1, IsDefault: true })) }),
})
const cancelled = (OptionId: string) => ({
  OptionId,
  GrossRate: 1,
  IsDefault: false,
  OptionStatus: 'Cancelled' as const,
})

test('changes nothing without elections, or if all elected options still exist', () => {
  for (const [notified, elected] of [
    [record('NotElectable', '001'), []],
    [record('Electable', '001', '002'), ['002']],
  ] as const)
    assert.deepEqual(keepElections(notified, record('Electable', '001', '002'), elected), {
      record: notified,
      kept: undefined,
    })
})

test('keeps elected options as cancelled, in order, and not as the default', () => {
  const before = record('Electable', '004', '001', '002', '005')
  const { record: after, kept } = keepElections(record('Electable', '001', '003'), before, ['002', '001', '004'])
  const options = record('Electable', '001', '003').Options ?? []
  assert.deepEqual(after.Options, [...options, cancelled('004'), cancelled('002')])
  assert.equal(kept, 'option 004, option 002')
  assert.deepEqual(keepElections(record('Electable', '001', '003'), after, ['001', '002', '004']).record, after)
})

test('keeps an unknown option by its number', () => {
  const { record: after, kept } = keepElections(record('Electable'), undefined, ['009', '008'])
  assert.deepEqual(after.Options, [
    { OptionId: '008', OptionStatus: 'Cancelled' },
    { OptionId: '009', OptionStatus: 'Cancelled' },
  ])
  assert.equal(kept, 'option 008, option 009')
})

test('an event with elections stays electable', () => {
  const before = record('Electable', '001', '002')
  assert.deepEqual(keepElections(record('NotElectable', '001'), before, ['001']), {
    record: record('Electable', '001'),
    kept: 'Electable',
  })
  const { record: after, kept } = keepElections(record(undefined), before, ['002'])
  assert.deepEqual([after.Electable, after.Options, kept], ['Electable', [cancelled('002')], 'option 002, Electable'])
})
