import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppStatus, AuthorizationLevel } from '../../core/app.ts'
import { checkPatch, isTradingEnabled, levelsAfter, type PatchError } from './app-state.ts'

const statuses: AppStatus[] = ['OK', 'Pending', 'PendingUserApprovalCheck']
const waiting = statuses.filter((status) => status !== 'OK')
const bools = [true, false]

/** The table of §8.2: the state, IsActive of the PATCH, and the outcome. */
const table: [
  isActive: boolean,
  statuses: AppStatus[],
  hasRedirectUri: boolean[],
  IsActive: boolean | undefined,
  error: PatchError | undefined,
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

for (const [isActive, states, uris, IsActive, error] of table)
  for (const status of states)
    for (const hasRedirectUri of uris) {
      const state = { isActive, status, hasRedirectUri }
      const app = `${isActive ? 'active' : 'inactive'}, ${status}, ${hasRedirectUri ? 'with' : 'without'} redirect URIs`
      test(`PATCH of an app that is ${app}: IsActive ${IsActive} is ${error ?? 'accepted'} (§8.2)`, () => {
        assert.equal(checkPatch(state, IsActive), error)
      })
    }

test('the table covers every state and every request once', () => {
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

test('trading is enabled when both levels are Trade, and only then (§8.5)', () => {
  const enabled = everyApp.filter(isTradingEnabled)
  assert.deepEqual(
    enabled,
    statuses.map((status) => ({ status, ...trading })),
  )
})

for (const environment of ['sim', 'live'] as const) {
  test(`${environment}: a PATCH without IsTradingEnabled keeps status and levels`, () => {
    for (const app of everyApp) assert.deepEqual(levelsAfter(app, undefined, environment), app)
  })

  test(`${environment}: giving up trading sets both levels to Read and withdraws a pending request`, () => {
    for (const app of everyApp)
      assert.deepEqual(levelsAfter(app, false, environment), {
        status: app.status === 'Pending' ? 'OK' : app.status,
        ...reading,
      })
  })

  test(`${environment}: an app that may trade keeps it when it asks again`, () => {
    for (const app of everyApp.filter(isTradingEnabled)) assert.deepEqual(levelsAfter(app, true, environment), app)
  })
}

const others = everyApp.filter((app) => !isTradingEnabled(app))

test('sim: trading is granted immediately, whatever the status', () => {
  for (const app of others) assert.deepEqual(levelsAfter(app, true, 'sim'), { status: app.status, ...trading })
})

test('live: an app that requests trading becomes Pending and keeps its levels', () => {
  for (const app of others) {
    const status = app.status === 'OK' ? 'Pending' : app.status
    assert.deepEqual(levelsAfter(app, true, 'live'), { ...app, status })
  }
})
