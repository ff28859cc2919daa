import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventOptionRecord } from '../../import/schema.ts'
import { type ElectionCase, rejectionOf } from './election.ts'

const nowMs = Temporal.Instant.from('2026-12-01T12:00:00Z').epochMilliseconds
const tomorrow = { Date: '2026-12-02T12:00:00Z' }
const yesterday = { Date: '2026-11-30T12:00:00Z' }
const options: EventOptionRecord[] = [
  { OptionId: '1', Deadline: tomorrow, IsDefault: true },
  { OptionId: '2', Deadline: tomorrow, MinExercisableQuantity: 10, MaxExercisableQuantity: 50 },
  { OptionId: '3', Deadline: tomorrow, MinExercisableMultipleQuantity: 0.1 },
  { OptionId: '4', Deadline: yesterday },
  { OptionId: '5', OptionStatus: 'Inactive' },
]
const election = (more: Partial<ElectionCase> = {}): ElectionCase => ({
  ...{ state: 'Approved', isElectable: true, options, amount: 100, present: [], requested: [], nowMs },
  ...more,
})
const elect = (...requested: [OptionId: string, Amount: number][]) =>
  requested.map(([OptionId, Amount]) => ({ OptionId, Amount }))
const rejected = (more: Partial<ElectionCase>) => rejectionOf(election(more))
const reasonOf = (more: Partial<ElectionCase>) => {
  const rejection = rejected(more)
  return rejection && 'reason' in rejection ? rejection.reason : undefined
}
const errorsOf = (more: Partial<ElectionCase>) => {
  const rejection = rejected(more)
  return rejection && 'modelState' in rejection ? rejection.modelState : undefined
}

test('accepts a part, all and none of what is held', () => {
  for (const requested of [
    elect(['1', 40]),
    elect(['1', 60], ['2', 40]),
    elect(['3', 0.3]),
    elect(['2', 0]),
    elect(['1', 100]),
    [],
  ])
    assert.equal(rejected({ requested }), undefined)
  const present = [{ OptionId: '2', ElectedAmount: 10 }]
  assert.equal(rejected({ present, requested: elect(['2', 0], ['1', 5]) }), undefined)
  assert.equal(rejected({ amount: -100, requested: elect(['1', -100]) }), undefined)
})

test('an event without a choice, in another state, or of nothing held takes no election', () => {
  assert.match(reasonOf({ isElectable: false }) ?? '', /^There is nothing to elect for this event\.$/)
  for (const state of ['Cancelled', 'Complete', 'Withdrawn'] as const)
    assert.match(reasonOf({ state }) ?? '', new RegExp(`is ${state.toLowerCase()}`))
  assert.match(reasonOf({ amount: 0 }) ?? '', /holds nothing/)
})

test('an event all of whose options are closed says why', () => {
  const closed: EventOptionRecord[] = [
    { OptionId: '1', Deadline: yesterday },
    { OptionId: '2', OptionStatus: 'Cancelled' },
    { OptionId: '3', ElectionPeriod: { Start: { Date: '2026-12-02' } } },
    { OptionId: '4', ElectionPeriod: { End: { Date: '2026-11-30' } } },
  ]
  assert.equal(
    reasonOf({ options: closed }),
    'No option can be elected now. 1: The deadline of the option was 2026-11-30T12:00:00Z. 2: The option is cancelled. ' +
      '3: The option can be elected from 2026-12-02. 4: The deadline of the option was 2026-11-30. By the clock of the service it is 2026-12-01T12:00Z.',
  )
  assert.match(reasonOf({ options: [] }) ?? '', /^No option can be elected now/)
})

test('an option without a deadline or a multiple, or with one that is not set, is open', () => {
  const unset = { MinExercisableMultipleQuantity: 0, Deadline: { Date: '9999-12-31' } }
  for (const option of [{ Deadline: { Status: 'Ongoing' } }, unset, {}] as const)
    assert.equal(rejected({ options: [{ OptionId: '1', ...option }], requested: elect(['1', 1]) }), undefined)
})

test('names every field that is wrong', () => {
  const requested = elect(['9', 1], ['1', -1], ['1', 1], ['2', 9], ['3', 0.25], ['4', 1], ['5', 1])
  assert.deepEqual(errorsOf({ requested }), {
    'Options[0].OptionId': ['Must be one of: 1, 2, 3, 4, 5.'],
    'Options[1].Amount': ['Must be positive, as the holding is.'],
    'Options[2].OptionId': ['Must not be repeated.'],
    'Options[3].Amount': ['Must be at least 10 for this option.'],
    'Options[4].Amount': ['Must be a multiple of 0.1 for this option.'],
    'Options[5].Amount': [
      'The deadline of the option was 2026-11-30T12:00:00Z. By the clock of the service it is 2026-12-01T12:00Z.',
    ],
    'Options[6].Amount': ['The option is inactive.'],
  })
  assert.deepEqual(errorsOf({ requested: elect(['2', 51]) }), {
    'Options[0].Amount': ['Must be at most 50 for this option.'],
  })
  assert.deepEqual(errorsOf({ amount: -5, requested: elect(['1', 1]) }), {
    'Options[0].Amount': ['Must be negative, as the holding is.'],
  })
})

test('elections add up to at most what is held, as decimals', () => {
  const tooMuch = { Options: ['The amounts add up to 0.4; the account holds 0.3.'] }
  assert.equal(rejected({ amount: 0.3, requested: elect(['1', 0.1], ['3', 0.2]) }), undefined)
  assert.deepEqual(errorsOf({ amount: 0.3, requested: elect(['1', 0.2], ['3', 0.2]) }), tooMuch)
  assert.deepEqual(errorsOf({ amount: -5, requested: elect(['1', -6]) })?.Options?.length, 1)
})

test('what was elected of an option whose deadline has passed must be repeated', () => {
  const passed = { OptionId: '4', ElectedAmount: 20 }
  const alsoPassed: EventOptionRecord = { OptionId: '6', ElectionPeriod: { End: { Date: '2026-11-30' } } }
  const present = [passed, { OptionId: '5', ElectedAmount: 0 }, { OptionId: '1', ElectedAmount: 10 }]
  const repeated = elect(['4', 20], ['1', 30])
  assert.equal(rejected({ present, requested: repeated }), undefined)
  assert.deepEqual(errorsOf({ present, requested: [] }), {
    Options: ['Option 4 can no longer be changed: 20 are elected. Repeat it as elected.'],
  })
  const both = [...present, { OptionId: '6', ElectedAmount: 1 }]
  assert.match(
    errorsOf({ present: both, options: [...options, alsoPassed], requested: [] })?.Options?.[0] ?? '',
    /^Option 4 .* Option 6 .* Repeat them as elected\.$/,
  )
  assert.equal(errorsOf({ present, requested: elect(['1', 101]) })?.Options?.length, 2)
  assert.deepEqual(errorsOf({ present, requested: elect(['4', 19]) }), {
    'Options[0].Amount': [
      'The deadline of the option was 2026-11-30T12:00:00Z. By the clock of the service it is 2026-12-01T12:00Z.',
    ],
  })
})

test('what was elected of an option that is gone, cancelled or inactive can be given up', () => {
  const present = [
    { OptionId: '8', ElectedAmount: 5 },
    { OptionId: '5', ElectedAmount: 7 },
  ]
  assert.equal(rejected({ present, requested: elect(['1', 12]) }), undefined)
  assert.equal(rejected({ present, requested: elect(['5', 0], ['1', 12]) }), undefined)
  assert.deepEqual(errorsOf({ present, requested: elect(['5', 8]) }), {
    'Options[0].Amount': ['The option is inactive.'],
  })
})
