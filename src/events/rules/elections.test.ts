import assert from 'node:assert/strict'
import { test } from 'node:test'
import { electionStatus } from './elections.ts'

test('only electable events have an election status', () => {
  assert.equal(electionStatus(false, 10, 10), undefined)
})

test('distinguishes no, partial and full elections; more than held is full', () => {
  assert.equal(electionStatus(true, 10, 0), 'NotElected')
  assert.equal(electionStatus(true, 10, 9.999), 'PartialElected')
  assert.equal(electionStatus(true, 10, 10), 'Elected')
  assert.equal(electionStatus(true, 10, 11), 'Elected')
})

test('elections from short positions are negative', () => {
  assert.equal(electionStatus(true, -10, -4), 'PartialElected')
  assert.equal(electionStatus(true, -10, -10), 'Elected')
})

test('with nothing held, any election is full', () => {
  assert.equal(electionStatus(true, 0, 0), 'NotElected')
  assert.equal(electionStatus(true, 0, 5), 'Elected')
})
