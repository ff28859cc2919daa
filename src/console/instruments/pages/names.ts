import { assetTypes } from '../../../core/asset-type.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { InstrumentDetails, InstrumentSummary } from '../../../instruments/api/schema.ts'
import { copyValue, type Link } from '../../shared/elements.ts'
import { words } from '../../shared/format.ts'

const acronyms = /\b(cfd|etc|etf|etn|fx|ipo|srd)\b/gi

const names = new Map<string, string>(assetTypes.map((assetType) => [assetType, spelledOut(assetType)]))

function spelledOut(assetType: string): string {
  if (assetType === 'ContractFutures') return 'Future'
  return words(assetType)
    .replaceAll(acronyms, (word) => word.toUpperCase())
    .replace(/knock (in|out)/, 'knock-$1')
}

/** `CFD on stock` for `CfdOnStock`. */
export const assetTypeName = (assetType: string): string => names.get(assetType) ?? spelledOut(assetType)

export const commonAssetTypes: readonly string[] = [
  ...['Stock', 'Etf', 'Bond', 'MutualFund', 'FxSpot', 'FxCrypto', 'StockIndex', 'ContractFutures'],
  ...['StockOption', 'StockIndexOption', 'FuturesOption', 'CfdOnStock', 'CfdOnIndex'],
]

type Named = Readonly<{ Description?: string; Symbol?: string; Uic?: number; OptionRootId?: number }>

export const nameOf = ({ Description, Symbol: symbol, Uic, OptionRootId }: Named): string =>
  Description ?? symbol ?? `Instrument ${Uic ?? OptionRootId}`

export const instrumentsCrumb: Link = ['Instruments', '/console/instruments']

/** Name and symbol for a heading. `bdi` isolates right-to-left text. */
export function headingOf(named: Named): Html {
  const { Symbol: symbol } = named
  return html`<bdi>${nameOf(named)}</bdi> ${symbol && html`<span class="quiet symbol">${copyValue(symbol, 'symbol')}</span>`}`
}

export const pageHead = (named: Named) => ({
  title: nameOf(named),
  heading: headingOf(named),
  crumbs: [instrumentsCrumb],
})

export const instrumentHref = (uic: number, assetType: string): string =>
  `/console/instruments/${uic}/${encodeURIComponent(assetType)}`

export const scheduleHref = (uic: number, assetType: string): string =>
  `/console/schedule/${uic}/${encodeURIComponent(assetType)}`

/** Option roots link to their chain, continuous futures to their curve, all others to their details. */
export function resultHref({ SummaryType, DisplayHint, Identifier, AssetType }: InstrumentSummary): string {
  if (SummaryType === 'ContractOptionRoot') return `/console/options/${Identifier}`
  return DisplayHint === 'Continuous' ? `/console/futures/${Identifier}` : instrumentHref(Identifier, AssetType)
}

export const reasonNames: Record<InstrumentDetails['NonTradableReason'], string> = {
  ETFsWithoutKIIDs: 'Not tradable: no key information document',
  ExpiredInstrument: 'Not tradable: expired',
  NonShortableInstrument: 'Cannot be sold short',
  None: 'Tradable',
  NotOnlineClientTradable: 'Not tradable: no trading right',
  OfflineTradableBonds: 'Traded by phone only',
  OtherReason: 'Not tradable',
  ReduceOnlyInstrument: 'Reduce only',
}
