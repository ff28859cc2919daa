import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import type { InstrumentDetails, OptionSpace } from '../../../instruments/api/schema.ts'
import { table, tabs, tag } from '../../shared/elements.ts'
import { words } from '../../shared/format.ts'
import { assetTypeName, instrumentHref, scheduleHref } from './names.ts'

/** What is known of the others that an instrument names: every one in each of its asset types. */
export type Others = readonly InstrumentDetails[]

/** All that is known of what an instrument names. */
export type Neighbours = Readonly<{
  others: Others
  /** Those that were looked for and would be among the others if the reader may see them. */
  asked: readonly number[]
  /** The chains that are written on it, and the one that it stands in. */
  chains: readonly Pick<OptionSpace, 'OptionRootId' | 'Description' | 'Symbol'>[]
  /** The curve that a future stands on. */
  continuousUic: number | undefined
}>

/** More than these are not looked up: a list is read, not studied. */
const mostOthers = 50

/** Those that an instrument names, beside itself: they are looked up in one call. */
export function namedUics(details: InstrumentDetails): number[] {
  const { Uic, RelatedInstruments = [], PrimaryListing = Uic, UnderlyingUic = Uic } = details
  const all = [Uic, PrimaryListing, UnderlyingUic, ...RelatedInstruments.map((related) => related.Uic)]
  return [...new Set(all)].slice(0, mostOthers)
}

const mostChains = 10

/** The chains that an instrument names: each is looked up by a call of its own. */
export function namedChains({ RelatedOptionRootsEnhanced = [], OptionRootId }: InstrumentDetails): number[] {
  const written = RelatedOptionRootsEnhanced.map((root) => root.OptionRootId)
  return (OptionRootId === undefined ? written : [OptionRootId, ...written]).slice(0, mostChains)
}

/** A link by name where it is known, which it is not when the reader may not see it, or nobody looked. */
export function linkIn({ others, asked }: Pick<Neighbours, 'others' | 'asked'>, uic: number, assetType?: string): Html {
  const known = others.filter((other) => other.Uic === uic)
  const found = known.find((other) => other.AssetType === assetType) ?? known.find(isMain) ?? known[0]
  if (!found && asked.includes(uic))
    return html`<span class="num">${uic}</span> <span class="quiet">not visible to you</span>`
  if (!found)
    return assetType
      ? html`<a class="num" href="${instrumentHref(uic, assetType)}">${uic}</a>`
      : html`<span class="num">${uic}</span>`
  return html`<a href="${instrumentHref(uic, found.AssetType)}"><bdi>${found.Description ?? uic}</bdi></a> <bdi class="num quiet">${found.Symbol}</bdi>`
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

function instrumentRows(details: InstrumentDetails, neighbours: Neighbours): Row[] {
  const { RelatedInstruments = [], Uic, UnderlyingUic } = details
  const related = RelatedInstruments.map(({ Uic, AssetType }) => ({
    what: 'Instrument',
    link: linkIn(neighbours, Uic, AssetType),
    note: assetTypeName(AssetType),
  }))
  if (UnderlyingUic === undefined || UnderlyingUic === Uic) return related
  return [...related, { what: 'Underlying', link: linkIn(neighbours, UnderlyingUic), note: 'what its price follows' }]
}

/** A chain by name where it is known, else by its number. */
export function chainLink(chains: Neighbours['chains'], id: number): Html {
  const root = chains.find(({ OptionRootId }) => OptionRootId === id)
  const name = root?.Description ? html`<bdi>${root.Description}</bdi>` : html`Chain <span class="num">${id}</span>`
  return html`<a href="/console/options/${id}">${name}</a> <bdi class="num quiet">${root?.Symbol}</bdi>`
}

function spaceRows(details: InstrumentDetails, { chains, continuousUic }: Neighbours): Row[] {
  const { RelatedOptionRootsEnhanced = [], OptionRootId, ExpiryDate } = details
  const rows: Row[] = RelatedOptionRootsEnhanced.map(({ OptionRootId, AssetType, OptionType }) => ({
    what: 'Option chain',
    link: chainLink(chains, OptionRootId),
    note: html`${assetTypeName(AssetType)} ${OptionType !== 'Default' && tag(words(OptionType), 'warn')}`,
  }))
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
    ...instrumentRows(details, neighbours),
    ...spaceRows(details, neighbours),
    {
      what: 'Schedule',
      link: html`<a href="${scheduleHref(Uic, AssetType)}">Trading week and holidays</a>`,
      note: 'when it can be traded, and when the exchange is closed',
    },
  ]
  if (hasEvents(details))
    rows.push({
      what: 'Corporate actions',
      link: html`<a href="/console/events?Keywords=${encodeURIComponent(symbol)}">Events of <bdi class="num">${symbol}</bdi></a>`,
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
)}</section>`
}
