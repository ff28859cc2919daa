import { type Html, html } from '../../../http/html/html.ts'
import type { InstrumentDetails } from '../../../instruments/api/schema.ts'
import { facts, table, tag } from '../../shared/elements.ts'
import { fromNow, time, weekdayName, zoneName } from '../../shared/format.ts'
import { presentOf, sessionsOf } from '../schedule/state.ts'
import { assetTypeName, reasonNames, scheduleHref } from './names.ts'

/** GET /x/v1/tradability/{Uic}/{AssetType}, as far as the page tells of it. */
export type TradabilityView = Readonly<{
  Accounts: readonly AccountView[]
  __next?: string
}>
type AccountView = Readonly<{
  AccountId: string
  Currency: string
  MayView: boolean
  MayTrade: boolean
  IsTradable: boolean
  NonTradableReason: InstrumentDetails['NonTradableReason']
  Reason: string
  Right?: Readonly<{ Level: string; Of: string; AssetTypes?: readonly string[]; ExchangeIds?: readonly string[] }>
}>

export function tradableTag({ IsTradable, NonTradableReason, TradableOn }: InstrumentDetails): Html {
  if (!IsTradable) return tag(reasonNames[NonTradableReason], 'warn')
  return tag(`Tradable on ${TradableOn.length} account${TradableOn.length === 1 ? '' : 's'}`, 'good')
}

/** Where it can be traded, and why not elsewhere: a sentence for each account, and the right behind it. */
export function accountsSection({ Accounts, __next }: TradabilityView): Html {
  const rows = table<AccountView>(
    'Your accounts',
    [
      {
        head: 'Account',
        cell: (account) =>
          html`<span class="num">${account.AccountId}</span> <span class="quiet">${account.Currency}</span><br>${accountTag(account)}`,
        isRowHead: true,
      },
      { head: 'Why', cell: reasonCell },
    ],
    Accounts,
  )
  return html`<section class="flow" id="accounts"><h2>Where you can trade it, and why not</h2>
${Accounts.length === 0 ? html`<div class="empty"><p><strong>Your client has no account.</strong></p><p class="quiet">Trading takes one: ask whoever runs this service.</p></div>` : rows}
${__next !== undefined && html`<p class="quiet small">These are the first ${Accounts.length} accounts; the API tells the others.</p>`}</section>`
}

function accountTag({ IsTradable, MayTrade, MayView, NonTradableReason }: AccountView): Html {
  if (IsTradable) return tag('Tradable', 'good')
  if (MayTrade) return tag(reasonNames[NonTradableReason], 'warn')
  return MayView ? tag('Only to view', 'warn') : tag('No right', 'bad')
}

function reasonCell({ Reason, Right }: AccountView): Html {
  return html`<div class="why"><p>${Reason}</p>${
    Right &&
    html`<details><summary>Show the right that decides</summary>${facts([
      ['Level', Right.Level],
      ['Belongs to', `the ${Right.Of.toLowerCase()}`],
      ['Asset types', Right.AssetTypes ? Right.AssetTypes.map(assetTypeName).join(', ') : 'all'],
      ['Exchanges', Right.ExchangeIds?.join(', ') ?? 'all'],
    ])}</details>`
  }</div>`
}

export type Zones = Readonly<{ reader: string; exchange: string }>

/** What takes place now and next, in the reader's time and at the exchange. */
export function sessionCard(details: InstrumentDetails, now: Temporal.Instant, zones: Zones): Html | undefined {
  const sessions = sessionsOf(details.TradingSessions ?? { Sessions: [] })
  const present = presentOf(sessions, now)
  if (!present) return undefined
  const isOpen = present.kind === 'open'
  const opening = sessions.find(({ kind, start }) => kind === 'open' && Temporal.Instant.compare(start, now) > 0)?.start
  const opensThen = present.until && opening?.equals(present.until)
  const said = (at: Temporal.Instant | undefined) => (at ? moment(at, now, zones) : 'not within the coming week')
  return html`<section class="card"><h2>Open now? ${tag(present.name, isOpen ? 'good' : 'warn')}</h2>
${facts(
  isOpen
    ? [['Closes', said(present.until)]]
    : [
        ['Until', !opensThen && present.until && moment(present.until, now, zones)],
        ['Opens', said(opening)],
      ],
)}
<p class="more small"><a href="${scheduleHref(details.Uic, details.AssetType)}">Trading week and holidays</a></p></section>`
}

function moment(at: Temporal.Instant, now: Temporal.Instant, { reader, exchange }: Zones): Html {
  // Sessions are told for a week, so that the day of the week names the day.
  const line = (zone: string) => {
    const date = at.toZonedDateTimeISO(zone).toPlainDate()
    return html`<br>${weekdayName(date)} ${time(at, zone)} <span class="quiet">${zoneName(zone)}</span>`
  }
  return html`${fromNow(at, now)}${[...new Set([reader, exchange])].map(line)}`
}
