import { assetTypes } from '../../../core/asset-type.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { InstrumentDetails, InstrumentSummary } from '../../../instruments/api/schema.ts'
import { words } from '../../shared/format.ts'

const acronyms = /\b(cfd|etc|etf|etn|fx|ipo|srd)\b/gi

/** Every page names many of them, and there are not many. */
const names = new Map<string, string>(assetTypes.map((assetType) => [assetType, spelledOut(assetType)]))

function spelledOut(assetType: string): string {
  if (assetType === 'ContractFutures') return 'Future'
  return words(assetType).replaceAll(acronyms, (word) => word.toUpperCase())
}

/** `CfdOnStock` as `CFD on stock`. */
export const assetTypeName = (assetType: string): string => names.get(assetType) ?? spelledOut(assetType)

/** What people look for first; every other asset type is one click further. */
export const commonAssetTypes: readonly string[] = [
  'Stock',
  'Etf',
  'Bond',
  'MutualFund',
  'FxSpot',
  'FxCrypto',
  'StockIndex',
  'ContractFutures',
  'StockOption',
  'StockIndexOption',
  'FuturesOption',
  'CfdOnStock',
  'CfdOnIndex',
]

/** A record need not have a description: then its symbol, and at last its number names it. */
export function nameOf(told: { Description?: string; Symbol?: string; Uic?: number; OptionRootId?: number }): string {
  return told.Description ?? told.Symbol ?? `Instrument ${told.Uic ?? told.OptionRootId}`
}

/** Name and symbol as a page's heading; neither can turn round what stands beside it. */
export function headingOf(told: Parameters<typeof nameOf>[0]): Html {
  const { Symbol: symbol } = told
  return html`<bdi>${nameOf(told)}</bdi> ${symbol && html`<bdi class="quiet num symbol">${symbol}</bdi>`}`
}

export const instrumentHref = (uic: number, assetType: string): string =>
  `/console/instruments/${uic}/${encodeURIComponent(assetType)}`

export const scheduleHref = (uic: number, assetType: string): string =>
  `/console/schedule/${uic}/${encodeURIComponent(assetType)}`

/** Where the days stand on which the exchange of an instrument is closed. */
export const holidaysHref = (uic: number, assetType: string): string => `${scheduleHref(uic, assetType)}#holidays`

/** An option root leads to its chain, a continuous future to its curve, everything else to its details. */
export function resultHref({ SummaryType, DisplayHint, Identifier, AssetType }: InstrumentSummary): string {
  if (SummaryType === 'ContractOptionRoot') return `/console/options/${Identifier}`
  return DisplayHint === 'Continuous' ? `/console/futures/${Identifier}` : instrumentHref(Identifier, AssetType)
}

/** Why something cannot be traded, in as few words as a tag has room for. */
export const reasonNames: Record<InstrumentDetails['NonTradableReason'], string> = {
  ETFsWithoutKIIDs: 'Not tradable: no key information document',
  ExpiredInstrument: 'Not tradable: expired',
  NonShortableInstrument: 'Cannot be sold short',
  None: 'Tradable',
  NotOnlineClientTradable: 'Not tradable: no right to trade',
  OfflineTradableBonds: 'Traded by phone only',
  OtherReason: 'Not tradable',
  ReduceOnlyInstrument: 'Reduce only',
}
