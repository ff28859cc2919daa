import assert from 'node:assert/strict'
import { test } from 'node:test'
import { electionStatus } from './elections.ts'

test('only electable events have an election status', () => {
  assert.equal(electionStatus(false, 10, 10), undefined)
})

test('nothing elected, a part, all of it, and more than is held', () => {
  assert.equal(electionStatus(true, 10, 0), 'NotElected')
  assert.equal(electionStatus(true, 10, 9.999), 'PartialElected')
  assert.equal(electionStatus(true, 10, 10), 'Elected')
  assert.equal(electionStatus(true, 10, 11), 'Elected')
})

test('what is held short is elected below zero', () => {
  assert.equal(electionStatus(true, -10, -4), 'PartialElected')
  assert.equal(electionStatus(true, -10, -10), 'Elected')
})

test('whoever holds nothing has elected nothing, or all of it', () => {
  assert.equal(electionStatus(true, 0, 0), 'NotElected')
  assert.equal(electionStatus(true, 0, 5), 'Elected')
})
