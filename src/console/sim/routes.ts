import type { FastifyReply } from 'fastify'
import { html } from '../../http/html/html.ts'
import { readApps } from '../apps/app-data.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import { notice } from '../shared/elements.ts'
import { dayOf } from '../shared/format.ts'
import type { Pages } from '../shared/router.ts'
import { forgetSession, sessionOf, type TokenAnswer, writeSession } from '../shared/session.ts'
import { type FaultEntry, type FaultRow, faultCard } from './faults.ts'
import { type ClockFacts, resetCard, steps, timeCard } from './time-travel.ts'

const path = '/console/sim'

/** What was done, by the word that the address carries after it. */
const doneSentences = byWord({
  travelled: 'You have travelled. Everything that has a time follows, and you are still signed in.',
  frozen: 'Time stands still until you let it run.',
  running: 'Time runs on from where it stood.',
  real: 'The service lives at real time again.',
  reset: 'Everything is as it began: the demo data, as of today.',
})

/** The same, told where the faults are. */
const faultSentences = byWord({
  fault: 'From now on the calls go wrong as you asked.',
  removed: 'Calls of the app are answered as ever.',
})

/** By a word that anybody may write into an address: only these, and nothing that every object has. */
function byWord(texts: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(texts))
}

/** Travel in time, faults for an app, a fresh start. In the sim only; in live this place does not exist. */
export function simPages(pages: Pages): void {
  pages.get(path, (visit) => showSim(visit))
  pages.post(`${path}/clock`, (visit, form) =>
    orSay(visit, { time: true, typed: form.get('at') ?? undefined }, () => travel(visit, form)),
  )
  pages.post(`${path}/faults`, (visit, form) => {
    const entry = entryOf(form)
    return orSay(visit, { entry }, async () => {
      await visit.api.send('PUT', faultPath(entry.app ?? ''), faultOf(entry))
      return visit.goTo(`${path}?done=fault#faults`)
    })
  })
  pages.post(`${path}/faults/remove`, (visit, form) =>
    orSay(visit, { entry: entryOf(new URLSearchParams()) }, async () => {
      await visit.api.send('DELETE', faultPath(form.get('app') ?? ''))
      return visit.goTo(`${path}?done=removed#faults`)
    }),
  )
  pages.post(`${path}/reset`, (visit, form) =>
    orSay(visit, { reset: true }, async () => {
      const Confirm = (form.get('confirm') ?? '').trim()
      if (Confirm !== 'reset') throw refused('Nothing was removed. Type the word reset to go on.')
      const { Session } = await visit.api.send<Renewed>('POST', '/x/v1/reset', { Confirm })
      return keepSession(visit, Session) ? visit.goTo(`${path}?done=reset`) : visit.goTo('/')
    }),
  )
}

type Renewed = Readonly<{ Session?: TokenAnswer }>

/** The session that asked has ended with what it did; the one in its place becomes ours. False where there is none. */
function keepSession({ parts, reply, session }: Visit, renewed: TokenAnswer | undefined): boolean {
  if (renewed && session) writeSession(parts, reply, sessionOf(parts, renewed, session.userName))
  else forgetSession(parts, reply)
  return renewed !== undefined
}

async function travel(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
  const step = form.get('step') ?? ''
  const { Session } =
    step === 'real'
      ? await visit.api.send<Renewed>('DELETE', '/x/v1/clock')
      : await visit.api.send<Renewed>('PUT', '/x/v1/clock', await changeOf(visit, form, step))
  keepSession(visit, Session)
  const done = { real: 'real', freeze: 'frozen', run: 'running' }[step] ?? 'travelled'
  return visit.goTo(`${path}?done=${done}`)
}

/** What the clock is asked for: a state, a step from where it stands, or a moment. */
async function changeOf(visit: Visit, form: URLSearchParams, step: string): Promise<object> {
  if (step === 'freeze' || step === 'run') return { Frozen: step === 'freeze' }
  if (step === 'expiry') {
    const expiry = await nextExpiry(visit)
    if (!expiry) throw refused('There is no next expiry to go past.')
    return { Now: `${expiry.add({ days: 1 })}T12:00:00Z` }
  }
  const length = steps.get(step)?.length
  if (length) return { Now: visit.now.toZonedDateTimeISO('UTC').add(length).toInstant().toString() }
  if (step !== '') throw refused('There is no such step. Press one of the buttons, or give a moment.')
  const then = form.get('then') ?? 'run'
  if (then !== 'run' && then !== 'freeze') throw refused('Choose whether time runs on from there or stands still.')
  return { Now: momentOf(form.get('at') ?? ''), Frozen: then === 'freeze' }
}

/** As a browser writes a date and a time, in UTC. */
function momentOf(typed: string): string {
  try {
    return `${Temporal.PlainDateTime.from(typed.trim()).toString()}Z`
  } catch {
    throw refused('Give the moment as a date and a time, such as 2026-12-18T09:30.')
  }
}

const refused = (Message: string): ApiRefusal => new ApiRefusal(400, JSON.stringify({ Message }))

/** When options of the demo's best known chain expire next; undefined where there is no such chain. */
async function nextExpiry(visit: Visit): Promise<Temporal.PlainDate | undefined> {
  if (!visit.parts.demo) return undefined
  const asked = { Keywords: 'AAPL', AssetTypes: 'StockOption', $top: 1 }
  const [root] = (await visit.api.get<{ Data: { Identifier: number }[] }>('/ref/v1/instruments', asked)).Data
  const chain =
    root &&
    (await visit.api.find<{ OptionSpace: { Expiry: string }[] }>(
      `/ref/v1/instruments/contractoptionspaces/${root.Identifier}`,
    ))
  const [first] = (chain?.OptionSpace ?? []).map(({ Expiry }) => Expiry).toSorted()
  return first === undefined ? undefined : dayOf(first)
}

const faultPath = (appKey: string): string => `/x/v1/faults/${encodeURIComponent(appKey)}`

function entryOf(form: URLSearchParams): FaultEntry {
  const given = (name: string) => form.get(name) ?? undefined
  return {
    app: given('app'),
    kind: given('kind'),
    percent: given('percent'),
    delay: given('delay'),
    group: given('group'),
    seconds: given('seconds'),
  }
}

function faultOf({ kind, percent, delay, group, seconds }: FaultEntry): object {
  return {
    Kind: kind,
    Percent: Number(percent),
    ForSeconds: Number(seconds),
    ...(group && { Group: group }),
    ...(kind === 'Slow' && { DelaySeconds: Number(delay) }),
  }
}

type Against = Readonly<{
  time?: boolean
  typed?: string | undefined
  entry?: FaultEntry
  reset?: boolean
  sentences?: readonly string[]
}>

/** What is said against an entry stands above the form that it was made in, with what was typed. */
async function orSay(visit: Visit, where: Against, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    // An app that is not there is a choice that cannot be, like any other.
    if (!(error instanceof ApiRefusal) || (error.status !== 400 && error.status !== 404)) throw error
    return showSim(visit, { ...where, sentences: error.sentences })
  }
}

async function showSim(visit: Visit, against: Against = {}): Promise<FastifyReply> {
  const [clock, faults, apps, expiry] = await Promise.all([
    visit.api.get<ClockFacts>('/x/v1/clock'),
    visit.api.get<{ Data: FaultRow[] }>('/x/v1/faults'),
    readApps(visit),
    nextExpiry(visit),
  ])
  const { formToken } = visit
  const said = (isThere: unknown) => (isThere ? (against.sentences ?? []) : [])
  const done = visit.asked('done') ?? ''
  const told = doneSentences.get(done)
  const entry = against.entry ?? entryOf(new URLSearchParams({ app: visit.asked('app') ?? '' }))
  return visit.show(
    {
      title: 'Sim',
      place: 'sim',
      body: html`<p class="lead">Try what cannot wait: another day, a bad day, a fresh start. A travel and a reset are for everybody on this service.</p>
${told && notice('good', told)}
${timeCard({ clock, expiry, formToken, against: said(against.time), typed: against.typed })}
${faultCard({ faults: faults.Data, apps, entry, formToken, against: said(against.entry), done: faultSentences.get(done), real: Temporal.Instant.from(clock.RealNow) })}
${resetCard({ hasDemo: visit.parts.demo !== undefined, formToken, against: said(against.reset) })}`,
    },
    { status: against.sentences ? 400 : 200 },
  )
}
