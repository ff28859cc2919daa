import { endOf } from '../../events/rules/status/deadlines.ts'
import { type Html, html } from '../../http/html/html.ts'
import { readApps, readSecretUses } from '../apps/app-data.ts'
import { nameOf } from '../apps/pages/model.ts'
import { readDecisions } from '../events/event-data.ts'
import { instrumentName, typeName } from '../events/labels.ts'
import { mondaysIn, positionOf } from '../events/list/gantt.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { hiddenText } from '../shared/elements.ts'
import { day, dayAndTime, shortDay } from '../shared/format.ts'

/** A time worth travelling to: just after something happens. */
export type Target = Readonly<{ at: Temporal.Instant; name: string }>
export type Targets = Readonly<Record<'deadlines' | 'expiries' | 'holidays' | 'secrets', readonly Target[]>>

const windowDays = 60
const maxTargets = 12
const maxApps = 3
/** For reads that neither the page of the clock nor a travel depends on. */
export const orNone = undefinedIf(({ status }) => status !== 401)

export async function readTargets(ctx: PageContext, expiries: readonly Temporal.PlainDate[]): Promise<Targets> {
  const [decisions, holidays, secrets] = await Promise.all([
    readDecisions(ctx, new Map()).catch(orNone),
    readHolidays(ctx).catch(orNone),
    readSecretEnds(ctx).catch(orNone),
  ])
  const due = decisions?.body?.due ?? []
  const minute = { minutes: 1 }
  const targets = {
    deadlines: due.map(({ event, at }) => ({
      at: endOf(at).add(minute),
      name: `Deadline of ${typeName(event)}, ${instrumentName(event)}`,
    })),
    expiries: expiries.map((date) => ({ at: noonAfter(date), name: `Apple's options of ${day(date)} expire` })),
    holidays: holidays ?? [],
    secrets: (secrets ?? []).map(({ at, name }) => ({ at: at.add(minute), name })),
  }
  return Object.fromEntries(Object.entries(targets).map(([kind, all]) => [kind, inWindow(all, ctx.now)])) as Record<
    keyof Targets,
    Target[]
  >
}

const noonOf = (date: Temporal.PlainDate): Temporal.Instant =>
  date.toZonedDateTime({ timeZone: 'UTC', plainTime: '12:00' }).toInstant()
const noonAfter = (date: Temporal.PlainDate): Temporal.Instant => noonOf(date.add({ days: 1 }))

/** Those of the next 60 days, one per minute, earliest first. */
export function inWindow(targets: readonly Target[], now: Temporal.Instant): Target[] {
  const end = now.add({ hours: 24 * windowDays })
  const ahead = targets.filter(
    ({ at }) => Temporal.Instant.compare(at, now) > 0 && Temporal.Instant.compare(at, end) < 0,
  )
  const byTime = Map.groupBy(ahead, ({ at }) => at.epochMilliseconds)
  return [...byTime.values()]
    .flatMap(([first, ...others]) =>
      first ? [{ ...first, name: `${first.name}${others.length > 0 ? ` and ${others.length} more` : ''}` }] : [],
    )
    .toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))
    .slice(0, maxTargets)
}

type Holidays = Readonly<{ Data: readonly { Name: string; Data: readonly { Date: string; Name: string }[] }[] }>

/** Noon of each holiday: one target per day, whichever exchanges are closed. */
async function readHolidays(ctx: PageContext): Promise<Target[]> {
  const period = { FromDate: ctx.today.toString(), ToDate: ctx.today.add({ days: windowDays }).toString() }
  const { Data } = await ctx.api.get<Holidays>('/x/v1/holidays', period)
  return Data.flatMap(({ Name: exchange, Data: days }) =>
    days.map(({ Date: on, Name }) => ({ at: noonOf(Temporal.PlainDate.from(on)), name: `${Name}, ${exchange}` })),
  )
}

/** When the secrets of the newest apps end. */
export async function readSecretEnds(ctx: PageContext): Promise<(Target & Readonly<{ id: string }>)[]> {
  const apps = (await readApps(ctx)).slice(0, maxApps)
  const uses = await Promise.all(apps.map(async (app) => ({ app, secrets: await readSecretUses(ctx, app.AppKey) })))
  return uses.flatMap(({ app, secrets }) =>
    secrets.map((secret) => ({
      id: String(secret.SecretId),
      at: Temporal.Instant.from(secret.ValidUntil),
      name: `Secret ${nameOf(secret)} of ${app.Name}`,
    })),
  )
}

const rows = [
  ['deadlines', 'Deadlines', 'due'],
  ['expiries', 'Expiries', 'ex'],
  ['holidays', 'Holidays', 'record'],
  ['secrets', 'Secrets end', 'pay'],
] as const

/** The next 60 days with what happens in them. A click travels there. */
export function targetAxis(targets: Targets, now: Temporal.Instant, formToken: Html): Html | undefined {
  const shown = rows.filter(([kind]) => targets[kind].length > 0)
  if (shown.length === 0) return undefined
  const window = { from: now.toZonedDateTimeISO('UTC').toPlainDate(), days: windowDays }
  const x = (at: Temporal.Instant) => positionOf(at.epochMilliseconds, window)
  const weeks = mondaysIn(window)
  const grid = html`${weeks.map((week) => html`<line class="week" x1="${week.x}%" x2="${week.x}%" y1="0" y2="100%"/>`)}<line class="now" x1="${x(now)}%" x2="${x(now)}%" y1="0" y2="100%"/>`
  const axis = weeks.filter((week) => week.x > 3 && week.x < 95)
  return html`<form method="post" action="/console/sim/clock">${formToken}<div class="scroll gantt targets" role="region" aria-label="Targets" tabindex="0"><table>
<caption class="unseen">What happens in the next ${windowDays} days. Each button moves the clock to that time.</caption>
<thead><tr><th scope="col">Travel to</th><th scope="col">${hiddenText('Times')}<svg class="gantt-axis" aria-hidden="true" focusable="false">${axis.map((week) => html`<text x="${week.x}%" y="13">${shortDay(week.date)}</text>`)}</svg></th></tr></thead>
<tbody>${shown.map(
    ([kind, name, mark]) =>
      html`<tr><th scope="row">${name}</th><td><svg class="gantt-row" focusable="false">${grid}${targets[kind].map(({ at, name: what }) => targetButton({ x: x(at), at, what, mark }))}</svg></td></tr>`,
  )}</tbody></table></div></form>`
}

function targetButton({
  x,
  at,
  what,
  mark,
}: Readonly<{ x: number; at: Temporal.Instant; what: string; mark: string }>): Html {
  const text = `${what}: ${dayAndTime(at, 'UTC')} UTC`
  return html`<foreignObject x="${x}%" y="5" width="24" height="24" transform="translate(-12)"><button class="target ${mark}" name="to" value="${at.toString()}" title="${text}" aria-label="Travel to ${text}"></button></foreignObject>`
}
