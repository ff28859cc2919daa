import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { InstrumentDetails, InstrumentSummary } from '../../instruments/schema.ts'
import { table, tabs, tag } from '../elements.ts'
import { words } from '../format.ts'
import { helpFor } from './instrument-fields.ts'
import { assetTypeName, instrumentHref } from './instrument-names.ts'

/** What is known of the others that an instrument names: every one in each of its asset types. */
export type Others = readonly InstrumentDetails[]

/** All that is known of what an instrument names. */
export type Neighbours = Readonly<{
  others: Others
  /** Option roots by which its chains may be named. */
  chains: readonly InstrumentSummary[]
  /** The curve that a future stands on. */
  continuousUic: number | undefined
}>

/** More than these are not looked up: a list is read, not studied. */
export const mostOthers = 50

/** Those that an instrument names, beside itself: they are looked up in one call. */
export function namedUics(details: InstrumentDetails): number[] {
  const { Uic, RelatedInstruments = [], PrimaryListing = Uic, UnderlyingUic = Uic } = details
  const all = [Uic, PrimaryListing, UnderlyingUic, ...RelatedInstruments.map((related) => related.Uic)]
  return [...new Set(all)].slice(0, mostOthers)
}

/** A link by name where it is known, which it is not when the reader may not see it. */
export function linkIn(others: Others, uic: number, assetType?: string): HtmlValue {
  const known = others.filter((other) => other.Uic === uic)
  const found = known.find((other) => other.AssetType === assetType) ?? known.find(isMain) ?? known[0]
  if (!found) return html`<span class="num">${uic}</span> <span class="quiet">not visible to you</span>`
  return html`<a href="${instrumentHref(uic, found.AssetType)}">${found.Description ?? uic}</a> <span class="num quiet">${found.Symbol}</span>`
}

/** A CFD stands beside what it is on; the latter is meant when only a number is told. */
export const isMain = ({ AssetType }: InstrumentDetails): boolean => !/^(Cfd|Srd)On/.test(AssetType)

/** The same Uic in its other asset types. */
export function typeTabs(details: InstrumentDetails, others: Others): Html | undefined {
  const types = others
    .filter(({ Uic }) => Uic === details.Uic)
    .toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)))
  if (types.length < 2) return undefined
  return tabs(
    'Asset types of this instrument',
    types.map(({ AssetType }) => ({
      href: instrumentHref(details.Uic, AssetType),
      name: `As ${assetTypeName(AssetType)}`,
      current: AssetType === details.AssetType,
    })),
  )
}

type Row = Readonly<{ what: string; link: HtmlValue; note: HtmlValue }>

function instrumentRows({ RelatedInstruments = [], Uic, UnderlyingUic }: InstrumentDetails, others: Others): Row[] {
  const related = RelatedInstruments.map(({ Uic, AssetType }) => ({
    what: 'Instrument',
    link: linkIn(others, Uic, AssetType),
    note: assetTypeName(AssetType),
  }))
  if (UnderlyingUic === undefined || UnderlyingUic === Uic) return related
  return [...related, { what: 'Underlying', link: linkIn(others, UnderlyingUic), note: 'what its price follows' }]
}

/** What to search for to learn the names of an instrument's chains, whose roots are told by their numbers alone. */
export function chainSearch({ RelatedOptionRootsEnhanced = [], Symbol: symbol = '' }: InstrumentDetails) {
  if (RelatedOptionRootsEnhanced.length === 0) return undefined
  const AssetTypes = [...new Set(RelatedOptionRootsEnhanced.map(({ AssetType }) => AssetType))]
  const [Keywords = symbol] = symbol.split(/[:./]/)
  return { Keywords, AssetTypes, IncludeNonTradable: true, $top: mostOthers }
}

function spaceRows(details: InstrumentDetails, { chains, continuousUic }: Neighbours): Row[] {
  const { RelatedOptionRootsEnhanced = [], OptionRootId, ExpiryDate } = details
  const rows: Row[] = RelatedOptionRootsEnhanced.map(({ OptionRootId, AssetType, OptionType }) => {
    const root = chains.find(({ Identifier }) => Identifier === OptionRootId)
    const name = root ? html`${root.Description}` : html`Chain <span class="num">${OptionRootId}</span>`
    return {
      what: 'Option chain',
      link: html`<a href="/console/options/${OptionRootId}">${name}</a> <span class="num quiet">${root?.Symbol}</span>`,
      note: html`${assetTypeName(AssetType)} ${OptionType !== 'Default' && tag(words(OptionType), 'warn')}`,
    }
  })
  if (OptionRootId !== undefined)
    rows.push({
      what: 'Option chain',
      link: html`<a href="/console/options/${OptionRootId}?expiry=${ExpiryDate ?? ''}">All strikes of this expiry</a>`,
      note: 'the options beside this one',
    })
  if (continuousUic !== undefined)
    rows.push({
      what: 'Futures curve',
      link: html`<a href="/console/futures/${continuousUic}">All expiries</a>`,
      note: 'the same future in all its expiries',
    })
  return rows
}

/** Companies and funds have corporate actions; currencies, indices and contracts that expire have none. */
const hasEvents = ({ AssetType, ExpiryDate }: InstrumentDetails): boolean =>
  ExpiryDate === undefined && !/^(Fx|Cash|ContractFutures|CfdOn(Index|Futures)|StockIndex)/.test(AssetType)

/** Where to go from here: other instruments, chains, the curve, the week, what companies do with it. */
export function relatedSection(details: InstrumentDetails, neighbours: Neighbours): Html {
  const { Uic, AssetType, Symbol: symbol = '' } = details
  const rows: Row[] = [
    ...instrumentRows(details, neighbours.others),
    ...spaceRows(details, neighbours),
    {
      what: 'Schedule',
      link: html`<a href="/console/schedule/${Uic}/${AssetType}">Trading week</a>`,
      note: 'sessions and holidays',
    },
  ]
  if (hasEvents(details))
    rows.push({
      what: 'Corporate actions',
      link: html`<a href="/console/events?Keywords=${encodeURIComponent(symbol)}">Events of <span class="num">${symbol}</span></a>`,
      note: 'dividends, splits and rights of what you hold',
    })
  return html`<section class="flow wraps" id="related"><h2>Related</h2>
${table(
  'Related',
  [
    { head: 'What', cell: (row: Row) => row.what, isRowHead: true },
    { head: 'Which', cell: (row) => row.link },
    { head: 'Note', cell: (row) => row.note },
  ],
  rows,
)}
${helpFor(['RelatedInstruments', 'RelatedOptionRootsEnhanced'])}</section>`
}
