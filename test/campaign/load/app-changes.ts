import type { Random } from '../random.ts'
import { type AppState, hasNewSecret, hasOneMore, isSame } from './app-state.ts'
import type { Call, Outcome } from './caller.ts'

/** A change of an app: the request, the state after it, and whether a state may come of it if its outcome is unknown. */
export type AppChange = Readonly<{
  what: string
  call: Call
  after(state: AppState, outcome: Outcome): AppState
  couldBe(before: AppState, found: AppState): boolean
}>

let counter = 0

export function pickChange(state: AppState, random: Random): AppChange {
  if (!state.IsActive) return rename(state, true)
  const { Secrets, RedirectUris } = state
  const roll = random.next()
  if (roll < 0.35) return rename(state, false)
  if (roll < 0.5 && Secrets.length < 6) return addSecret(state)
  if (roll < 0.65 && Secrets.length > 0) return regenerate(state, random.pick(Secrets).SecretId)
  if (roll < 0.75 && Secrets.length > 1) return deleteSecret(state, random.pick(Secrets).SecretId)
  if (roll < 0.87 && RedirectUris.length < 8) return addUri(state)
  if (roll < 0.93 && RedirectUris.length > 1) return deleteUri(state, random.pick(RedirectUris).RedirectUriId)
  return deactivate(state)
}

const pathOf = ({ AppKey }: AppState, more = ''): string => `/developer/apps/${AppKey}${more}`

/** Two members at once: one without the other would be half a change. */
function rename(before: AppState, isActivation: boolean): AppChange {
  const number = ++counter
  const json = {
    Name: `Campaign name ${number}`,
    Description: `Campaign description ${number}`,
    ...(isActivation && { IsActive: true }),
  }
  const changed = (state: AppState): AppState => ({ ...state, ...json })
  return {
    what: 'app changes',
    call: { method: 'PATCH', path: pathOf(before), json, expected: [204] },
    after: changed,
    couldBe: (state, found) => isSame(changed(state), found),
  }
}

function deactivate(before: AppState): AppChange {
  const changed = (state: AppState): AppState => ({ ...state, IsActive: false })
  return {
    what: 'app changes',
    call: { method: 'DELETE', path: pathOf(before), expected: [204] },
    after: changed,
    couldBe: (state, found) => isSame(changed(state), found),
  }
}

/** Valid at any time that the clock of the service may have. */
const validity = () => {
  const now = Temporal.Now.instant().toZonedDateTimeISO('UTC')
  const text = (time: Temporal.ZonedDateTime) => time.toInstant().toString({ smallestUnit: 'second' })
  return { ValidFrom: text(now.subtract({ months: 6 })), ValidUntil: text(now.add({ months: 12 })) }
}

function addSecret(before: AppState): AppChange {
  return {
    what: 'secret changes',
    call: { method: 'POST', path: pathOf(before, '/secrets'), json: validity(), expected: [201] },
    after: (state, { text }) => ({ ...state, Secrets: [...state.Secrets, JSON.parse(text)] }),
    couldBe: (state, found) => hasOneMore('Secrets', state, found),
  }
}

function regenerate(before: AppState, id: number): AppChange {
  const json = { Regenerate: true }
  return {
    what: 'secret changes',
    call: { method: 'PATCH', path: pathOf(before, `/secrets/${id}`), json, expected: [200] },
    after: (state, { text }) => ({
      ...state,
      Secrets: state.Secrets.map((each) => (each.SecretId === id ? JSON.parse(text) : each)),
    }),
    couldBe: (state, found) => hasNewSecret(id, state, found),
  }
}

function deleteSecret(before: AppState, id: number): AppChange {
  const changed = (state: AppState) => ({ ...state, Secrets: state.Secrets.filter(({ SecretId }) => SecretId !== id) })
  return {
    what: 'secret changes',
    call: { method: 'DELETE', path: pathOf(before, `/secrets/${id}`), expected: [204] },
    after: changed,
    couldBe: (state, found) => isSame(changed(state), found),
  }
}

function addUri(before: AppState): AppChange {
  const json = { Uri: `https://app.example/callback/${++counter}` }
  return {
    what: 'app changes',
    call: { method: 'POST', path: pathOf(before, '/redirecturis'), json, expected: [201] },
    after: (state, { text }) => ({ ...state, RedirectUris: [...state.RedirectUris, JSON.parse(text).Data] }),
    couldBe: (state, found) => hasOneMore('RedirectUris', state, found),
  }
}

function deleteUri(before: AppState, id: number): AppChange {
  const changed = (state: AppState) => ({
    ...state,
    RedirectUris: state.RedirectUris.filter(({ RedirectUriId }) => RedirectUriId !== id),
  })
  return {
    what: 'app changes',
    call: { method: 'DELETE', path: pathOf(before, `/redirecturis/${id}`), expected: [204] },
    after: changed,
    couldBe: (state, found) => isSame(changed(state), found),
  }
}
