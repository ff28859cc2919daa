import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentState, decideRun, isRunning, uploadStates } from './upload-state.ts'

const outcomes = (wish: 'check' | 'apply', hasErrors = false) =>
  uploadStates.map((state) => {
    const decided = decideRun(wish, { state, hasErrors, isUndo: false })
    return typeof decided === 'string' ? decided : 'rejected'
  })

test('a run whose node has stopped leaves the state from before it', () => {
  assert.deepEqual(
    uploadStates.map((state) => currentState(state, false)),
    ['Uploaded', 'Uploaded', 'Checked', 'Checked', 'Applied'],
  )
  assert.deepEqual(
    uploadStates.map((state) => currentState(state, true)),
    uploadStates,
  )
  assert.deepEqual(uploadStates.filter(isRunning), ['Checking', 'Applying'])
})

test('files can be checked again until they are applied', () => {
  assert.deepEqual(outcomes('check'), ['start', 'started', 'start', 'rejected', 'rejected'])
})

test('only checked files without errors are applied, and a repeated request applies nothing twice', () => {
  assert.deepEqual(outcomes('apply'), ['rejected', 'rejected', 'start', 'started', 'started'])
  assert.deepEqual(outcomes('apply', true), ['rejected', 'rejected', 'rejected', 'started', 'started'])
})

test('an undo has no files, so its rejections do not speak of files', () => {
  for (const wish of ['check', 'apply'] as const)
    for (const state of uploadStates) {
      const [undo, files] = [true, false].map((isUndo) => decideRun(wish, { state, hasErrors: true, isUndo }))
      assert.equal(typeof undo, typeof files)
      assert.doesNotMatch(JSON.stringify(undo), /file/)
    }
})
