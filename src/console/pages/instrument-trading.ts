import { type Html, html } from '../../http/html.ts'
import type { InstrumentDetails, TradingScheduleAnswer } from '../../instruments/schema.ts'
import { facts, table, tag } from '../elements.ts'
import { fromNow, time, weekdayName, words } from '../format.ts'
import { helpFor } from './instrument-fields.ts'
import { assetTypeName, reasonNames } from './instrument-names.ts'

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
${__next !== undefined && html`<p class="quiet small">These are the first ${Accounts.length} accounts; the API tells the others.</p>`}
${helpFor(['IsTradable', 'NonTradableReason', 'TradableOn'])}</section>`
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

type Session = TradingScheduleAnswer['Sessions'][number]
const isTrading = ({ State }: Session): boolean => State === 'AutomatedTrading'

/** What the sessions are called where the wire's name would puzzle. */
const sessionName = ({ State }: Session): string => (isTrading({ State } as Session) ? 'Regular trading' : words(State))

export type Zones = Readonly<{ reader: string; exchange: string }>

/** What takes place now and next, in the reader's time and at the exchange. */
export function sessionCard(details: InstrumentDetails, now: Temporal.Instant, zones: Zones): Html | undefined {
  const sessions = details.TradingSessions?.Sessions ?? []
  const present = sessions.find(({ EndTime }) => Temporal.Instant.compare(EndTime, now) > 0)
  if (!present) return undefined
  const next = sessions.find((session) => isTrading(session) && Temporal.Instant.compare(session.StartTime, now) > 0)
  const opensThen = next?.StartTime === present.EndTime
  return html`<section class="card"><h2>Open now? ${isTrading(present) ? tag('Open', 'good') : tag(sessionName(present), 'warn')}</h2>
${facts([
  ['Now', sessionName(present)],
  [isTrading(present) ? 'Closes' : 'Until', !opensThen && moment(present.EndTime, now, zones)],
  ['Opens', next && moment(next.StartTime, now, zones)],
])}
<p class="more small"><a href="/console/schedule/${details.Uic}/${details.AssetType}">The whole week</a></p>
${helpFor(['TradingSessions'])}</section>`
}

function moment(at: string, now: Temporal.Instant, { reader, exchange }: Zones): Html {
  // Sessions are told for a week, so that the day of the week names the day.
  const line = (zone: string) => {
    const date = Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate()
    return html`<br>${weekdayName(date)} ${time(at, zone)} <span class="quiet">${zoneName(zone)}</span>`
  }
  return html`${fromNow(at, now)}${[...new Set([reader, exchange])].map(line)}`
}

/** `Europe/Copenhagen` as `Copenhagen`. */
const zoneName = (zone: string): string => zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone
