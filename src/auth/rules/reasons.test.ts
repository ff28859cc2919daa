import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRefusal, reasons } from './reasons.ts'

test('every reason is found again by its text, with what to send instead', () => {
  for (const reason of Object.values(reasons)) {
    assert.deepEqual(findRefusal('/token', 'any', reason.text), reason)
    assert.match(reason.advice, /^[A-Z].+\.$/)
  }
})

test('an error whose text says enough is found by its code, in the section of its endpoint', () => {
  const sectionOf = (path: string, code: string) => findRefusal(path, code, 'text')?.section
  assert.deepEqual(findRefusal('/login?client_id=1', 'tooMany', 'Too many wrong passwords.'), {
    section: '§4.10',
    text: 'Too many wrong passwords.',
    advice: 'Wait for five minutes, then sign in with the right password.',
  })
  assert.equal(sectionOf('/authorize?prompt=none', 'login_required'), '§4.8')
  assert.equal(sectionOf('/authorize?scope=', 'invalid_request'), '§4.8')
  assert.equal(sectionOf('/token', 'invalid_request'), '§4.9')
  assert.equal(sectionOf('/revoke', 'invalid_request'), '§4.11')
  assert.equal(sectionOf('/token', 'NoResultFound'), undefined)
})
