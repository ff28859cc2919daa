import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsOf, matching, pagesOf } from './commands.ts'

const demo = { appKey: '', secret: '', redirectUri: '', password: '', users: ['ada', 'bo'] }
const sim = { environment: 'sim', hasRequestLog: true, demo, travel: () => undefined } as const
const live = { environment: 'live', hasRequestLog: false, demo: undefined, travel: () => undefined } as const
const names = (items: readonly { name: string }[]) => items.map(({ name }) => name)

test('live offers no page and no action of the simulation', () => {
  const all = [...pagesOf(live, false), ...actionsOf(live, 'eve')]
  assert.deepEqual(names(actionsOf(live, 'eve')), ['Create an app', 'Sign out'])
  assert.doesNotMatch(JSON.stringify(all), /sim|switch|token|requests/)
})

test('the simulation offers a token, time travel and the other demo users', () => {
  const offered = names(actionsOf(sim, 'ada'))
  for (const name of ['Get a token', 'Travel to the next deadline', 'Switch to bo']) assert.ok(offered.includes(name))
  assert.ok(!offered.includes('Switch to ada'))
  assert.ok(!offered.includes('Back to real time'))
  const travelled = { ...sim, travel: () => ({ frozen: false, offsetSeconds: 1 }) }
  assert.ok(names(actionsOf(travelled, 'ada')).includes('Back to real time'))
})

test('finds by the beginnings of words, in any order, and prefers names that begin with the first one', () => {
  const items = [...pagesOf(sim, false), ...actionsOf(sim, 'ada')]
  assert.deepEqual(names(matching(items, 'dead tra')), ['Travel to the next deadline'])
  assert.deepEqual(names(matching(items, 'app')).slice(0, 2), ['Apps', 'Create an app'])
  assert.deepEqual(matching(items, 'zzz'), [])
  assert.equal(matching(items, ' ').length, items.length)
})
