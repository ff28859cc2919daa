import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppStatus, AuthorizationLevel } from '../../core/app.ts'
import { checkPatch, isTradingEnabled, levelsAfter, type Refusal } from './app-state.ts'

const statuses: AppStatus[] = ['OK', 'Pending', 'PendingUserApprovalCheck']
const waiting = statuses.filter((status) => status !== 'OK')
const bools = [true, false]

/** The table of §3.1 with contract §8: the state, what PATCH says of IsActive, and what comes of it. */
const table: [
  isActive: boolean,
  statuses: AppStatus[],
  hasRedirectUri: boolean[],
  IsActive: boolean | undefined,
  refusal: Refusal | undefined,
][] = [
  [true, statuses, bools, undefined, undefined],
  [true, statuses, bools, true, undefined],
  [true, statuses, bools, false, 'UseDelete'],
  [false, statuses, bools, undefined, 'AppInactive'],
  [false, statuses, bools, false, 'AppInactive'],
  [false, ['OK'], [true], true, undefined],
  [false, ['OK'], [false], true, 'UnableToActivateApp'],
  [false, waiting, bools, true, 'UnableToActivateApp'],
]

for (const [isActive, states, uris, IsActive, refusal] of table)
  for (const status of states)
    for (const hasRedirectUri of uris) {
      const state = { isActive, status, hasRedirectUri }
      const app = `${isActive ? 'active' : 'inactive'}, ${status}, ${hasRedirectUri ? 'with' : 'without'} redirect URIs`
      test(`PATCH of an app that is ${app}: IsActive ${IsActive} is ${refusal ?? 'applied'} (§3.1)`, () => {
        for (const more of [{}, { IsTradingEnabled: true }, { IsTradingEnabled: false }])
          assert.equal(checkPatch(state, IsActive === undefined ? more : { ...more, IsActive }), refusal)
      })
    }

test('the table has every state and every request once', () => {
  assert.equal(
    table.reduce((sum, [, states, uris]) => sum + states.length * uris.length, 0),
    2 * statuses.length * bools.length * 3,
  )
})

const levels: AuthorizationLevel[] = ['None', 'Read', 'Trade']
const everyApp = statuses.flatMap((status) =>
  levels.flatMap((onlineLevel) => levels.map((offlineLevel) => ({ status, onlineLevel, offlineLevel }))),
)
const trading = { onlineLevel: 'Trade', offlineLevel: 'Trade' } as const
const reading = { onlineLevel: 'Read', offlineLevel: 'Read' } as const

test('trading is enabled when both levels are Trade, and only then (§2.3)', () => {
  const enabled = everyApp.filter(isTradingEnabled)
  assert.deepEqual(
    enabled,
    statuses.map((status) => ({ status, ...trading })),
  )
})

for (const environment of ['sim', 'live'] as const) {
  test(`${environment}: a PATCH that does not speak of trading leaves status and levels alone`, () => {
    for (const app of everyApp) assert.deepEqual(levelsAfter(app, undefined, environment), app)
  })

  test(`${environment}: giving trading up makes both levels Read at once, and takes back what was asked for`, () => {
    for (const app of everyApp)
      assert.deepEqual(levelsAfter(app, false, environment), {
        status: app.status === 'Pending' ? 'OK' : app.status,
        ...reading,
      })
  })

  test(`${environment}: whoever may trade keeps it when asking again`, () => {
    for (const app of everyApp.filter(isTradingEnabled)) assert.deepEqual(levelsAfter(app, true, environment), app)
  })
}

const others = everyApp.filter((app) => !isTradingEnabled(app))

test('sim: asking for trading grants it at once, whatever the status', () => {
  for (const app of others) assert.deepEqual(levelsAfter(app, true, 'sim'), { status: app.status, ...trading })
})

test('live: asking for trading makes an app wait for an operator, with the levels that it has', () => {
  for (const app of others) {
    const status = app.status === 'OK' ? 'Pending' : app.status
    assert.deepEqual(levelsAfter(app, true, 'live'), { ...app, status })
  }
})
