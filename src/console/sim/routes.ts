import type { FastifyReply } from 'fastify'
import type { RenewedToken } from '../../auth/api/schema.ts'
import { endOf } from '../../events/rules/status/deadlines.ts'
import { html } from '../../http/html/html.ts'
import { readApps } from '../apps/app-data.ts'
import { readDecisions } from '../events/event-data.ts'
import { findAppleChain } from '../home/data.ts'
import { ApiError, catchApiError } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { doneNotice } from '../shared/elements.ts'
import { dayOf } from '../shared/format.ts'
import type { PageRouter } from '../shared/router.ts'
import { clearSession, storeSession } from '../shared/session.ts'
import { orNone, readSecretEnds, readTargets, targetAxis } from './clock-targets.ts'
import { type FaultRow, faultCard, faultFields } from './faults.ts'
import { onlyOperators, pathOf } from './paths.ts'
import { scenarioRoutes } from './scenarios.ts'
import { snapshotRoutes } from './snapshots.ts'
import { type ClockState, resetCard, steps, timeCard } from './time-travel.ts'
import { changesCard, compareItems, keepChanges, readItems } from './what-changed.ts'

const path = pathOf('sim')
const faultsPath = pathOf('faults')

const doneMessages = new Map([
  ['travelled', 'The clock was changed. You are still signed in.'],
  ['frozen', 'The clock is frozen.'],
  ['running', 'The clock is running again.'],
  ['real', 'The service clock is back at real time.'],
  ['reset', 'Reset complete. The demo data was loaded as of today.'],
])
const faultMessages = new Map([
  ['fault', 'The fault is active.'],
  ['removed', 'The fault was removed.'],
])

export function simRoutes(router: PageRouter): void {
  router.get(path, (ctx) => showClock(ctx))
  router.post(`${path}/clock`, orShowErrors(showClock, 'time', changeClock))
  router.post(`${path}/reset`, orShowErrors(showClock, 'reset', reset))
  router.get(faultsPath, (ctx) => showFaults(ctx))
  router.post(faultsPath, orShowErrors(showFaults, 'faults', injectFault))
  router.post(`${faultsPath}/remove`, orShowErrors(showFaults, 'faults', removeFault))
  scenarioRoutes(router)
  snapshotRoutes(router)
}

type Rejected = Readonly<{ card: 'time' | 'faults' | 'reset'; form: URLSearchParams; errors: readonly string[] }>
type Show = (ctx: PageContext, rejected?: Rejected) => Promise<FastifyReply>
type Handler = (ctx: PageContext, form: URLSearchParams) => Promise<FastifyReply>

/** Shows errors on the card that caused them, with its input. */
function orShowErrors(show: Show, card: Rejected['card'], handler: Handler): Handler {
  return (ctx, form) =>
    handler(ctx, form).catch((error: unknown) => {
      // 404: the chosen app no longer exists. 409: imported data would be deleted.
      const { messages } = catchApiError(400, 404, 409)(error)
      return show(ctx, { card, form, errors: messages })
    })
}

type Renewed = Readonly<{ Session?: RenewedToken; Now?: string }>

/** The session continues with another access token. Returns false if it has ended. */
function keepSession(ctx: PageContext, renewed: RenewedToken | undefined): boolean {
  const { session } = ctx
  if (renewed && session) storeSession(ctx, { ...renewed, refresh_token: session.refreshToken }, session)
  else clearSession(ctx)
  return renewed !== undefined
}

async function changeClock(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const step = form.get('step') ?? ''
  if (step === 'freeze' || step === 'run') {
    keepSession(ctx, (await ctx.api.send<Renewed>('PUT', '/x/v1/clock', { Frozen: step === 'freeze' })).Session)
    return ctx.redirect(`${path}?done=${step === 'freeze' ? 'frozen' : 'running'}`)
  }
  const change = step === 'real' ? undefined : await clockChange(ctx, form, step)
  const compared = {
    chain: await findChain(ctx).catch(orNone),
    secrets: await readSecretEnds(ctx).catch(orNone),
  }
  const before = await readItems(ctx.api, ctx.now, compared)
  const { Session, Now } = change
    ? await ctx.api.send<Renewed>('PUT', '/x/v1/clock', change)
    : await ctx.api.send<Renewed>('DELETE', '/x/v1/clock')
  if (keepSession(ctx, Session) && Session && Now !== undefined) {
    const api = ctx.deps.apiFor(ctx.request, Session.access_token)
    keepChanges(ctx, compareItems(before, await readItems(api, Temporal.Instant.from(Now), compared)))
  }
  return ctx.redirect(`${path}?done=${change ? 'travelled' : 'real'}&changed=1`)
}

async function clockChange(ctx: PageContext, form: URLSearchParams, step: string): Promise<object> {
  if (step === 'expiry') {
    const expiry = await nextExpiry(ctx)
    if (!expiry) throw new ApiError(400, 'There is no upcoming expiry.')
    return { Now: `${expiry.add({ days: 1 })}T12:00:00Z` }
  }
  const target = form.get('to')
  if (target !== null) return { Now: target }
  if (step === 'deadline') return { Now: await beforeNextDeadline(ctx) }
  const days = /^[1-9]\d{0,3}$/.exec(form.get('days') ?? '')?.[0]
  const length = step === 'days' && days ? { days: Number(days) } : steps.get(step)
  if (length) return { Now: ctx.now.toZonedDateTimeISO('UTC').add(length).toInstant().toString() }
  if (step !== '') throw new ApiError(400, 'Unknown step. Use one of the buttons or set a time.')
  const then = form.get('then') ?? 'run'
  if (then !== 'run' && then !== 'freeze') throw new ApiError(400, 'Choose whether the clock runs or is frozen.')
  return { Now: parseTime(form.get('at') ?? ''), Frozen: then === 'freeze' }
}

function parseTime(typed: string): string {
  try {
    return `${Temporal.PlainDateTime.from(typed.trim()).toString()}Z`
  } catch {
    throw new ApiError(400, 'Enter a date and time, such as 2026-12-18T09:30.')
  }
}

/** An hour before the next decision is due, so that there is time to elect; within that hour, just after it. */
async function beforeNextDeadline(ctx: PageContext): Promise<string> {
  const { body } = await readDecisions(ctx, new Map())
  const next = body?.due[0]
  if (!next) throw new ApiError(400, 'No decision is pending, so there is no deadline to travel to.')
  const end = endOf(next.at)
  const before = end.subtract({ hours: 1 })
  return (Temporal.Instant.compare(before, ctx.now) > 0 ? before : end.add({ minutes: 1 })).toString()
}

const findChain = async (ctx: PageContext) => (ctx.deps.demo ? findAppleChain(ctx) : undefined)

/** The option expiries of the demo's Apple chain, if the user may see it. */
async function readExpiries(ctx: PageContext): Promise<Temporal.PlainDate[]> {
  const root = await findChain(ctx)
  if (root === undefined) return []
  const spacePath = `/ref/v1/instruments/contractoptionspaces/${root}`
  const chain = await ctx.api.find<{ OptionSpace: { Expiry: string }[] }>(spacePath)
  return (chain?.OptionSpace ?? [])
    .map(({ Expiry }) => Expiry)
    .toSorted()
    .map(dayOf)
}

const nextExpiry = async (ctx: PageContext): Promise<Temporal.PlainDate | undefined> => (await readExpiries(ctx))[0]

const faultPath = (form: URLSearchParams): string => `/x/v1/faults/${encodeURIComponent(form.get('app') ?? '')}`

async function injectFault(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const { kind, percent, delay, group, seconds } = Object.fromEntries(form)
  await ctx.api.send('PUT', faultPath(form), {
    Kind: kind,
    Percent: Number(percent),
    ForSeconds: Number(seconds),
    ...(group && { Group: group }),
    ...(kind === 'Slow' && { DelaySeconds: Number(delay) }),
  })
  // The form keeps its values: the next fault often differs in one of them.
  const kept = faultFields.map((name) => [name, form.get(name) ?? ''])
  return ctx.redirect(`${faultsPath}?${new URLSearchParams([['done', 'fault'], ...kept])}`)
}

async function removeFault(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  await ctx.api.send('DELETE', faultPath(form))
  return ctx.redirect(`${faultsPath}?done=removed`)
}

async function reset(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const Confirm = (form.get('confirm') ?? '').trim()
  if (Confirm !== 'reset') throw new ApiError(400, 'Nothing was deleted. Type reset to confirm.')
  const { Session } = await ctx.api.send<Renewed>('POST', '/x/v1/reset', { Confirm })
  return keepSession(ctx, Session) ? ctx.redirect(`${path}?done=reset#content`) : ctx.redirect('/')
}

async function showClock(ctx: PageContext, rejected?: Rejected): Promise<FastifyReply> {
  const [clock, expiries] = await Promise.all([ctx.api.get<ClockState>('/x/v1/clock'), readExpiries(ctx)])
  const [expiry] = expiries
  const targets = clock.MayControl ? await readTargets(ctx, expiries) : undefined
  const { formToken } = ctx
  const errorsOf = (card: Rejected['card']) => (rejected?.card === card ? rejected.errors : [])
  return ctx.render({
    title: 'Clock',
    status: rejected ? 400 : 200,
    body: html`<p class="lead">Test what you cannot wait for: another date, or a fresh start. Time travel and reset affect every user.</p>
${doneNotice(doneMessages.get(ctx.query('done') ?? ''))}
${!clock.MayControl && onlyOperators}
${ctx.query('changed') && changesCard(ctx)}
${timeCard({ clock, expiry, targets: targets && targetAxis(targets, ctx.now, formToken), formToken, errors: errorsOf('time'), typed: rejected?.form.get('at') })}
${clock.MayControl && resetCard({ hasDemo: ctx.deps.demo !== undefined, formToken, errors: errorsOf('reset'), typed: rejected?.form.get('confirm') })}`,
  })
}

async function showFaults(ctx: PageContext, rejected?: Rejected): Promise<FastifyReply> {
  const [clock, faults, apps] = await Promise.all([
    ctx.api.get<ClockState>('/x/v1/clock'),
    ctx.api.get<{ Data: FaultRow[] }>('/x/v1/faults'),
    readApps(ctx),
  ])
  const kept = Object.fromEntries(faultFields.map((name) => [name, ctx.query(name)]))
  const entry = rejected ? Object.fromEntries(rejected.form) : kept
  const realNow = Temporal.Instant.from(clock.RealNow)
  const { formToken } = ctx
  return ctx.render({
    title: 'Faults',
    status: rejected ? 400 : 200,
    body: html`${doneNotice(faultMessages.get(ctx.query('done') ?? ''))}
${!clock.MayControl && onlyOperators}
${faultCard({ faults: faults.Data, apps, entry, formToken, realNow, errors: rejected?.errors ?? [], mayControl: clock.MayControl, hasRequestLog: ctx.deps.hasRequestLog, demoKey: ctx.deps.demo?.appKey })}`,
  })
}
