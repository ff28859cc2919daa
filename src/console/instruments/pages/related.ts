import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import type { InstrumentDetails, OptionSpace } from '../../../instruments/api/schema.ts'
import { withQuery } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { table, tabs, tag } from '../../shared/elements.ts'
import { words } from '../../shared/format.ts'
import { assetTypeName, instrumentHref, scheduleHref } from './names.ts'

export type RelatedData = Readonly<{
  instruments: readonly InstrumentDetails[]
  /** The Uics that would be among the instruments if the user may see them. */
  requested: readonly number[]
  chains: readonly Pick<OptionSpace, 'OptionRootId' | 'Description' | 'Symbol'>[]
}>

const maxRelated = 50
const maxChains = 10

/** The instrument and the instruments it names; one call reads them all. */
export function namedUics(details: InstrumentDetails): number[] {
  const { Uic, RelatedInstruments = [], PrimaryListing = Uic, UnderlyingUic = Uic } = details
  const all = [Uic, PrimaryListing, UnderlyingUic, ...RelatedInstruments.map((related) => related.Uic)]
  return [...new Set(all)].slice(0, maxRelated)
}

/** The option chains that an instrument names; each needs its own call. */
export function namedChains({ RelatedOptionRootsEnhanced = [], OptionRootId }: InstrumentDetails): number[] {
  const written = RelatedOptionRootsEnhanced.map((root) => root.OptionRootId)
  return (OptionRootId === undefined ? written : [OptionRootId, ...written]).slice(0, maxChains)
}

/** The option chains that an instrument names and the user may see, without their options. */
export async function chainsOf(ctx: PageContext, details: InstrumentDetails): Promise<OptionSpace[]> {
  const find = (id: number) =>
    ctx.api.findShared<OptionSpace>(`/ref/v1/instruments/contractoptionspaces/${id}?OptionSpaceSegment=None`)
  const chains = await Promise.all(namedChains(details).map(find))
  return chains.filter((chain) => chain !== undefined)
}

export const relatedCall = (details: InstrumentDetails): string =>
  withQuery('/ref/v1/instruments/details', { Uics: namedUics(details).join(','), $top: 200 })

export async function readRelated(ctx: PageContext, details: InstrumentDetails): Promise<RelatedData> {
  const [instruments, chains] = await Promise.all([
    ctx.api.getShared<{ Data: InstrumentDetails[]; __next?: string }>(relatedCall(details)),
    chainsOf(ctx, details),
  ])
  // Only a complete response shows that an instrument is not visible.
  const requested = instruments.__next === undefined ? namedUics(details) : []
  return { instruments: instruments.Data, requested, chains }
}

export function linkTo(
  { instruments, requested }: Pick<RelatedData, 'instruments' | 'requested'>,
  uic: number,
  assetType?: string,
): Html {
  const known = instruments.filter((other) => other.Uic === uic)
  const found = known.find((other) => other.AssetType === assetType) ?? known.find(isMain) ?? known[0]
  if (found)
    return html`<a href="${instrumentHref(uic, found.AssetType)}"><bdi>${found.Description ?? uic}</bdi></a> <bdi class="num quiet">${found.Symbol}</bdi>`
  if (requested.includes(uic))
    return html`<span class="num">${uic}</span> <span class="quiet">not visible to you</span>`
  return assetType
    ? html`<a class="num" href="${instrumentHref(uic, assetType)}">${uic}</a>`
    : html`<span class="num">${uic}</span>`
}

/** False for CFDs, SRDs, and forwards and options on a currency pair, which share the Uic of their underlying. */
export const isMain = ({ AssetType, Uic, UnderlyingUic }: InstrumentDetails): boolean =>
  UnderlyingUic !== Uic && !/^(Cfd|Srd)On/.test(AssetType)

export function typeTabs(details: InstrumentDetails, instruments: readonly InstrumentDetails[]): Html | undefined {
  const types = instruments
    .filter(({ Uic }) => Uic === details.Uic)
    .toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)))
  if (types.length < 2) return undefined
  const all = types.map(({ AssetType: type }) => {
    const href = instrumentHref(details.Uic, type)
    return { href, name: `As ${assetTypeName(type)}`, current: type === details.AssetType }
  })
  return tabs('Asset types of this instrument', all)
}

type Row = readonly [type: string, link: HtmlValue, note: HtmlValue]

function instrumentRows(details: InstrumentDetails, related: RelatedData): Row[] {
  const { RelatedInstruments = [], Uic, UnderlyingUic } = details
  const rows = RelatedInstruments.map(
    ({ Uic, AssetType }): Row => ['Instrument', linkTo(related, Uic, AssetType), assetTypeName(AssetType)],
  )
  if (UnderlyingUic === undefined || UnderlyingUic === Uic) return rows
  return [...rows, ['Underlying', linkTo(related, UnderlyingUic), 'the instrument that its price follows']]
}

export function chainLink(chains: RelatedData['chains'], id: number): Html {
  const root = chains.find(({ OptionRootId }) => OptionRootId === id)
  const name = root?.Description ? html`<bdi>${root.Description}</bdi>` : html`Chain <span class="num">${id}</span>`
  return html`<a href="/console/options/${id}">${name}</a> <bdi class="num quiet">${root?.Symbol}</bdi>`
}

function spaceRows(details: InstrumentDetails, { chains }: RelatedData, continuousUic: number | undefined): Row[] {
  const { RelatedOptionRootsEnhanced = [], OptionRootId, ExpiryDate } = details
  const rows = RelatedOptionRootsEnhanced.map(({ OptionRootId, AssetType, OptionType }): Row => {
    const note = html`${assetTypeName(AssetType)} ${OptionType !== 'Default' && tag(words(OptionType), 'warn')}`
    return ['Option chain', chainLink(chains, OptionRootId), note]
  })
  const strikes = html`<a href="/console/options/${OptionRootId}?expiry=${ExpiryDate ?? ''}">All strikes of this expiry</a>`
  const expiries = html`<a href="/console/futures/${continuousUic}">All expiries</a>`
  if (OptionRootId !== undefined) rows.push(['Option chain', strikes, 'the chain that it belongs to'])
  if (continuousUic !== undefined) rows.push(['Futures curve', expiries, 'all contracts of this future'])
  return rows
}

/** Companies and funds have corporate actions; currencies, indices and contracts that expire do not. */
export const hasEvents = ({ AssetType, ExpiryDate }: InstrumentDetails): boolean =>
  ExpiryDate === undefined && !/^(Fx|Cash|ContractFutures|CfdOn(Index|Futures)|StockIndex)/.test(AssetType)

export function relatedSection(
  details: InstrumentDetails,
  related: RelatedData,
  continuousUic: number | undefined,
): Html {
  const { Uic, AssetType, Symbol: symbol = '' } = details
  const schedule = html`<a href="${scheduleHref(Uic, AssetType)}">Trading hours and holidays</a>`
  const rows: Row[] = [
    ...instrumentRows(details, related),
    ...spaceRows(details, related, continuousUic),
    ['Schedule', schedule, 'sessions of the week, and when the exchange is closed'],
  ]
  if (hasEvents(details)) {
    const link = html`<a href="/console/events?Keywords=${encodeURIComponent(symbol)}">Events of <bdi class="num">${symbol}</bdi></a>`
    rows.push(['Corporate actions', link, 'dividends, splits and rights issues on your holdings'])
  }
  return html`<section class="wraps">
${table<Row>(
  'Related',
  [
    ['Type', ([type]) => type, 'name'],
    ['Link', ([, link]) => link],
    ['Note', ([, , note]) => note],
  ],
  rows,
)}</section>`
}
