import type { Event } from '../../events/api/schema.ts'
import { describeStatus } from '../../events/rules/status/texts.ts'
import { addCookie, readCookie } from '../../http/html/cookies.ts'
import { type Html, html } from '../../http/html/html.ts'
import type { Exchange } from '../../instruments/api/schema.ts'
import { eventsPath, type Feed } from '../events/event-data.ts'
import { instrumentName, typeName } from '../events/labels.ts'
import { sessionsOf } from '../instruments/schedule/state.ts'
import type { ApiClient } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { table } from '../shared/elements.ts'
import { day, shortDay } from '../shared/format.ts'
import { openSealed, sealed } from '../shared/session.ts'
import { orNone } from './clock-targets.ts'

type Kind = 'event' | 'expiry' | 'secret' | 'exchange'
/** Something that time can change, and how it is now. */
export type Item = Readonly<{ kind: Kind; id: string; name: string; state: string }>
export type Change = Readonly<{ kind: Kind; id: string; name: string; from: string; to: string }>

const maxEvents = 200

type ListedExchange = Pick<Exchange, 'ExchangeId' | 'Name' | 'ExchangeSessions'>

/** What does not change by itself: the option chain, and when secrets end. Undefined if it could not be read. */
export type Compared = Readonly<{
  chain: number | undefined
  secrets: readonly Readonly<{ id: string; name: string; at: Temporal.Instant }>[] | undefined
}>

/** The items of each kind that could be read. */
export type Items = Readonly<Partial<Record<Kind, readonly Item[] | undefined>>>

/** What is compared before and after a travel, read through the public operations. */
export async function readItems(api: ApiClient, now: Temporal.Instant, { chain, secrets }: Compared): Promise<Items> {
  const query = { IncludeLapsedEvents: true, $top: maxEvents }
  const [events, exchanges, expiries] = await Promise.all([
    api.get<Feed<Event>>(eventsPath, query).catch(orNone),
    api.get<Feed<ListedExchange>>('/ref/v1/exchanges').catch(orNone),
    chain === undefined ? undefined : readExpiries(api, chain).catch(orNone),
  ])
  return {
    // The API's order is latest first.
    event: events?.Data.map((event) => eventItem(event, now)).toReversed(),
    expiry: expiries?.map(expiryItem),
    secret: secrets?.map(({ id, name, at }): Item => {
      const isOver = Temporal.Instant.compare(at, now) <= 0
      return { kind: 'secret', id, name, state: isOver ? 'Ended' : 'Valid' }
    }),
    exchange: exchanges?.Data.map(exchangeItem),
  }
}

async function readExpiries(api: ApiClient, chain: number): Promise<string[]> {
  const path = `/ref/v1/instruments/contractoptionspaces/${chain}`
  const space = await api.find<{ OptionSpace: { Expiry: string }[] }>(path)
  return (space?.OptionSpace ?? []).map(({ Expiry }) => Expiry)
}

function eventItem(event: Event, now: Temporal.Instant): Item {
  const { label } = describeStatus(event, now, { short: shortDay, long: day })
  return { kind: 'event', id: event.EventId, name: `${typeName(event)}, ${instrumentName(event)}`, state: label }
}

const expiryItem = (expiry: string): Item => ({
  kind: 'expiry',
  id: expiry.slice(0, 10),
  name: `Apple's options of ${day(expiry)}`,
  state: 'Listed',
})

/** The first session is the current one. */
export const exchangeItem = ({ ExchangeId, Name, ExchangeSessions: Sessions }: ListedExchange): Item => ({
  kind: 'exchange',
  id: ExchangeId,
  name: Name,
  state: sessionsOf({ Sessions })[0]?.name ?? 'Unknown',
})

/** The list of events leaves out some that are still active, such as those of long ago. */
const missing: Record<Kind, Readonly<{ before: string; now: string }>> = {
  event: { before: 'Not in your list', now: 'No longer in your list' },
  expiry: { before: 'Not listed', now: 'Expired' },
  secret: { before: 'Not created', now: 'Deleted' },
  exchange: { before: 'Not in your list', now: 'No longer in your list' },
}
const kinds: readonly Kind[] = ['event', 'expiry', 'secret', 'exchange']

/** Decisions that passed come first, then the other events, expiries and exchanges. A kind that could not be read
 *  before or after is left out: nothing is known of its changes. */
export function compareItems(before: Items, after: Items): Change[] {
  const changes = kinds.flatMap((kind) => {
    const [was, is] = [before[kind], after[kind]]
    return was && is ? changesOf(kind, was, is) : []
  })
  const rank = ({ kind, from }: Change) => kinds.indexOf(kind) * 2 + (from.startsWith('Decide') ? 0 : 1)
  return changes.toSorted((a, b) => rank(a) - rank(b))
}

function changesOf(kind: Kind, before: readonly Item[], after: readonly Item[]): Change[] {
  const byId = (items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))
  const [was, is] = [byId(before), byId(after)]
  return [...new Map([...was, ...is]).values()].flatMap(({ id, name }): Change[] => {
    const [from, to] = [was.get(id)?.state ?? missing[kind].before, is.get(id)?.state ?? missing[kind].now]
    return from === to ? [] : [{ kind, id, name, from, to }]
  })
}

const cookie = 'refdesk_travel'
const purpose = 'changes of a travel'
/** A cookie has 4,096 bytes. */
const maxBytes = 2_600
const maxName = 70
const maxOf: Record<Kind, number> = { event: 12, expiry: 4, secret: 4, exchange: 4 }

/** `user`: who travelled. A browser may switch users, and another one may not see these changes. */
type Kept = Readonly<{ user: string | undefined; changes: readonly Change[]; more: Partial<Record<Kind, number>> }>

/** At most 70 characters, with an ellipsis if it was longer. */
export function shortName(name: string): string {
  const characters = [...name]
  return characters.length <= maxName
    ? name
    : `${characters
        .slice(0, maxName - 1)
        .join('')
        .trimEnd()}…`
}

/** Keeps what changed for the page that the browser is sent to: any node may render it. */
export function keepChanges(ctx: PageContext, changes: readonly Change[]): void {
  const shown = kinds.flatMap((kind) => changes.filter((change) => change.kind === kind).slice(0, maxOf[kind]))
  const short = shown.map((change) => ({ ...change, name: shortName(change.name) }))
  let size = 0
  const kept = short.filter((change) => {
    size += Buffer.byteLength(JSON.stringify(change))
    return size < maxBytes
  })
  const content: Kept = { user: ctx.session?.userName, changes: kept, more: countMore(changes, kept) }
  const value = sealed(ctx.deps, content, purpose)
  addCookie(ctx.deps.publicUrl, ctx.reply, cookie, value, 600)
}

/** How many changes of each kind are not kept. */
function countMore(changes: readonly Change[], kept: readonly Change[]): Kept['more'] {
  const count = (all: readonly Change[], kind: Kind) => all.filter((change) => change.kind === kind).length
  return Object.fromEntries(kinds.map((kind) => [kind, count(changes, kind) - count(kept, kind)]))
}

const lists: Record<Kind, Readonly<{ name: string; href: string }>> = {
  event: { name: 'corporate action', href: '/console/events' },
  expiry: { name: 'option expiry', href: '/console/instruments?Keywords=AAPL&AssetTypes=StockOption' },
  secret: { name: 'secret', href: '/console/apps' },
  exchange: { name: 'exchange', href: '/console/exchanges' },
}

/** `And 28 more corporate actions, 3 more exchanges.` */
export function moreLinks(more: Kept['more']): Html | undefined {
  const links = kinds.flatMap((kind) => {
    const [count = 0, { name, href }] = [more[kind], lists[kind]]
    const plural = name.replace(/y$/, 'ie')
    return count > 0 ? [html`<a href="${href}">${count} more ${count === 1 ? name : `${plural}s`}</a>`] : []
  })
  if (links.length === 0) return undefined
  return html`<p class="small quiet">And ${links.map((link, index) => html`${index > 0 && ', '}${link}`)}.</p>`
}

export function changesCard(ctx: PageContext): Html | undefined {
  const value = readCookie(ctx.deps.publicUrl, ctx.request, cookie)
  const kept = value ? openSealed<Kept>(ctx.deps, value, purpose) : undefined
  if (!kept || kept.user !== ctx.session?.userName) return undefined
  const { changes, more } = kept
  if (changes.length === 0)
    return html`<section class="card" id="changed"><h2>What changed</h2><p>Nothing that you can see.</p></section>`
  const nameCell = ({ kind, id, name }: Change) =>
    kind === 'event'
      ? html`<a href="/console/events/${encodeURIComponent(id)}"><bdi>${name}</bdi></a>`
      : html`<bdi>${name}</bdi>`
  return html`<section class="flow changes" id="changed"><h2>What changed</h2>
${table<Change>(
  'What changed',
  [
    ['What', nameCell, 'name'],
    ['Before', ({ from }) => html`<span data-name="Before">${from}</span>`],
    ['Now', ({ to }) => html`<strong data-name="Now">${to}</strong>`],
  ],
  changes,
)}
${moreLinks(more)}</section>`
}
