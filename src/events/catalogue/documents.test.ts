import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventFacts } from '../../../test/support/events/event-facts.ts'
import { wireProfiles } from '../../core/wire-profile.ts'
import { DocumentCache, eventDocument } from './documents.ts'

const headOf = (stored: string, profile: keyof typeof wireProfiles, more = {}) =>
  eventDocument(stored, eventFacts(more), wireProfiles[profile]).head.toString()

test('days have the form of the profile, deadlines are date-times in both, and texts stay as they are', () => {
  const stored =
    '{"Ex":{"Date":"2026-12-01"},"Deadline":{"Date":"2026-12-02"},"Narrative":"\\"Date\\":\\"2026-12-01\\""}'
  assert.equal(
    headOf(stored, 'off'),
    '{"Ex":{"Date":"2026-12-01T00:00:00Z"},"Deadline":{"Date":"2026-12-02T00:00:00Z"},"Narrative":"\\"Date\\":\\"2026-12-01\\""',
  )
  assert.equal(
    headOf(stored, 'vendor'),
    '{"Ex":{"Date":"2026-12-01"},"Deadline":{"Date":"2026-12-02T00:00:00Z"},"Narrative":"\\"Date\\":\\"2026-12-01\\""',
  )
})

test('has the names that are known', () => {
  assert.equal(headOf('{"a":1}', 'off'), '{"a":1')
  assert.equal(headOf('{"a":1}', 'off', { isin: 'X' }), '{"a":1,"DisplayAndFormat":{"IsinCode":"X"}')
})

test('the cache is bounded in bytes and drops what was used least recently', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((eventId) => eventFacts({ eventId })) as [
    ReturnType<typeof eventFacts>,
    ReturnType<typeof eventFacts>,
    ReturnType<typeof eventFacts>,
  ]
  const document = { head: Buffer.alloc(1_000), digest: '', updatedDateTime: '' }
  const cache = new DocumentCache(3_000)
  cache.set(a, document)
  cache.set(b, document)
  assert.ok(cache.get(a))
  cache.set(c, document)
  assert.deepEqual([cache.get(a), cache.get(b), cache.get(c)], [document, undefined, document])
  // The same event at another revision is another key.
  assert.equal(cache.get({ ...a, revision: 2 }), undefined)
  cache.forget([a])
  assert.equal(cache.get(a), undefined)
  cache.clear()
  assert.equal(cache.get(c), undefined)
})
