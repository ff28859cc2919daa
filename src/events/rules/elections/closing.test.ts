import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appliedElections, type ClosingOption, closingOf, isApplied, lastMsOf, type Standing } from './closing.ts'

const option = (optionId: string, more: Partial<ClosingOption> = {}): ClosingOption => ({
  ...{ optionId, optionType: null, isDefault: false, isOpen: true, deadline: '2026-12-01T12:00:00Z' },
  ...more,
})
const atNoon = Temporal.Instant.from('2026-12-01T12:00:00Z').epochMilliseconds

test('a deadline lasts to its millisecond, a whole day to its end in UTC', () => {
  assert.equal(lastMsOf('2026-12-01T13:00:00.000999+01:00'), atNoon)
  for (const day of ['2026-12-01', '2026-12-01T00:00:00Z'])
    assert.equal(lastMsOf(day), Temporal.Instant.from('2026-12-02T00:00:00Z').epochMilliseconds - 1)
})

test('elections end with the last deadline of an open option', () => {
  const options = [
    option('1', { isDefault: true, optionType: 'CASH', deadline: '2026-11-01' }),
    option('2', { optionType: 'SECU' }),
    option('3', { isOpen: false, optionType: 'LAPS', deadline: '2027-01-01' }),
    option('4', { deadline: '9999-12-31T00:00:00Z' }),
    option('5', { deadline: null }),
  ]
  assert.deepEqual(closingOf(options), {
    lastMs: atNoon,
    defaultOption: '1',
    byType: new Map([
      ['CASH', '1'],
      ['SECU', '2'],
    ]),
  })
})

test('of several options of a type the default counts, else the first', () => {
  const cash = (optionId: string, more: Partial<ClosingOption> = {}) =>
    option(optionId, { optionType: 'CASH', ...more })
  const secu = (optionId: string) => option(optionId, { optionType: 'SECU' })
  const { byType } = closingOf([cash('1'), secu('2'), cash('3', { isDefault: true }), secu('4'), cash('5')]) ?? {}
  assert.deepEqual([byType?.get('CASH'), byType?.get('SECU')], ['3', '2'])
})

test('nothing ends without a deadline or a default option', () => {
  assert.equal(closingOf([option('1', { deadline: null, isDefault: true })]), undefined)
  assert.equal(closingOf([option('1'), option('2', { isDefault: true, isOpen: false })]), undefined)
})

const closing = closingOf([option('1', { isDefault: true, optionType: 'CASH' }), option('2', { optionType: 'SECU' })])
const dividend = { closing, state: 'Confirmed', eventType: 'DVOP' } as const

test('an option is applied after the last deadline, unless the event does not take place', () => {
  assert.equal(isApplied(dividend, atNoon), false)
  assert.equal(isApplied(dividend, atNoon + 1), true)
  assert.equal(isApplied({ ...dividend, closing: undefined }, atNoon + 1), false)
  for (const state of ['Cancelled', 'Withdrawn'] as const)
    assert.equal(isApplied({ ...dividend, state }, atNoon + 1), false)
})

const nothing = { elected: 0, elections: null, standing: [] }
const part = { OptionId: '2', ElectedAmount: 30 }

test('what was not elected gets the default option', () => {
  const applied = appliedElections(dividend, atNoon + 1, { amount: 100, ...nothing })
  assert.deepEqual(applied, {
    elected: 100,
    elections: { Options: [{ OptionId: '1', ElectedAmount: 100, ElectionType: 'Auto' }] },
  })
  const elections = { Options: [part], CashReserved: { Currency: 'USD', Value: 1 } }
  assert.deepEqual(appliedElections(dividend, atNoon + 1, { ...nothing, amount: 100, elected: 30, elections }), {
    elected: 100,
    elections: { ...elections, Options: [part, { OptionId: '1', ElectedAmount: 70, ElectionType: 'Auto' }] },
  })
})

test('the rest is added to an election of the same option', () => {
  const manual = { OptionId: '1', ElectedAmount: -0.1, ElectionType: 'Manual' } as const
  const elections = { Options: [manual, part] }
  const held = { ...nothing, amount: -0.3, elected: -0.1, elections }
  const { elections: applied } = appliedElections(dividend, atNoon + 1, held)
  assert.deepEqual(applied?.Options, [{ ...manual, ElectedAmount: -0.3 }, part])
})

test('a standing instruction chooses among the options of dividends and reinvestments', () => {
  const optionOf = (eventType: string, ...standing: Standing[]) =>
    appliedElections({ ...dividend, eventType }, atNoon + 1, { ...nothing, amount: 1, standing }).elections
      ?.Options?.[0]?.OptionId
  assert.equal(optionOf('DVOP', ['SECU', atNoon, null]), '2')
  assert.equal(optionOf('DVOP', ['EXER', 0, null]), '1')
  assert.equal(optionOf('TEND', ['SECU', 0, null]), '1')
})

test('what was in force at the deadline counts, whatever happened to it later', () => {
  const optionOf = (...standing: Standing[]) =>
    appliedElections(dividend, atNoon + 1, { ...nothing, amount: 1, standing }).elections?.Options?.[0]?.OptionId
  assert.equal(optionOf(['SECU', 0, atNoon + 1]), '2')
  assert.equal(optionOf(['SECU', 0, atNoon], ['CASH', atNoon, null]), '1')
  assert.equal(optionOf(['SECU', atNoon + 1, null]), '1')
  assert.equal(optionOf(['CASH', 0, atNoon + 1], ['SECU', 5, null]), '2', 'the latest, after a time travel')
})

test('nothing is applied before the deadline, to nothing held, or beyond what is held', () => {
  const same = (nowMs: number, amount: number, elected: number) =>
    assert.deepEqual(appliedElections(dividend, nowMs, { ...nothing, amount, elected }), { elected, elections: null })
  same(atNoon, 100, 0)
  same(atNoon + 1, 0, 0)
  same(atNoon + 1, 100, 100)
  same(atNoon + 1, 100, 120)
  const without = { ...dividend, closing: undefined }
  assert.equal(appliedElections(without, atNoon + 1, { ...nothing, amount: 100 }).elected, 0)
})
