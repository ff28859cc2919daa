import { plural } from '../../../core/text.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { InstrumentDetails, InstrumentTradability } from '../../../instruments/api/schema.ts'
import { emptyState, facts, table, tag } from '../../shared/elements.ts'
import { assetTypeName, reasonNames } from './names.ts'

type AccountTradability = InstrumentTradability['Accounts'][number]

export function tradableTag(
  instrument: Pick<InstrumentDetails, 'IsTradable' | 'NonTradableReason' | 'TradableOn'>,
): Html {
  const { IsTradable, NonTradableReason, TradableOn } = instrument
  if (!IsTradable) return tag(reasonNames[NonTradableReason], 'warn')
  return tag(`Tradable on ${plural(TradableOn.length, 'account')}`, 'good')
}

/** Whether each account can trade the instrument, and the access right that decides it. */
export function accountsSection({ Accounts, __next }: Pick<InstrumentTradability, 'Accounts' | '__next'>): Html {
  const rows = table<AccountTradability>(
    'Your accounts',
    [
      [
        'Account',
        (account) =>
          html`<span class="num">${account.AccountId}</span> <span class="quiet">${account.Currency}</span><br>${accountTag(account)}`,
        'name',
      ],
      ['Reason', reasonCell],
    ],
    Accounts,
  )
  const noAccounts = emptyState(
    'Your client has no accounts.',
    'Trading requires an account. Contact the operator of this service.',
  )
  return html`<section class="flow" id="accounts"><h2>Tradability by account</h2>
${Accounts.length === 0 ? noAccounts : rows}
${__next !== undefined && html`<p class="quiet small">Showing the first ${Accounts.length} accounts. The API lists all of them.</p>`}</section>`
}

function accountTag({ IsTradable, MayTrade, MayView, NonTradableReason }: AccountTradability): Html {
  if (IsTradable) return tag('Tradable', 'good')
  if (MayTrade) return tag(reasonNames[NonTradableReason], 'warn')
  return MayView ? tag('View only', 'warn') : tag('No access', 'bad')
}

function reasonCell({ Reason, Right }: AccountTradability): Html {
  return html`<div class="why"><p>${Reason}</p>${
    Right &&
    html`<details><summary>Show the access right</summary>${facts([
      ['Level', Right.Level],
      ['Granted to', `the ${Right.Of.toLowerCase()}`],
      ['Asset types', Right.AssetTypes ? Right.AssetTypes.map(assetTypeName).join(', ') : 'all'],
      ['Exchanges', Right.ExchangeIds?.join(', ') ?? 'all'],
    ])}</details>`
  }</div>`
}
