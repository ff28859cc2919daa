import { assetTypes } from '../../../core/asset-type.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { Exchange, InstrumentSummary } from '../../../instruments/api/schema.ts'
import { type Choice, type Column, inputField, selectField, table, tag } from '../../shared/elements.ts'
import { figure } from '../../shared/format.ts'
import { assetTypeName, commonAssetTypes, holidaysHref, instrumentHref, resultHref } from './names.ts'

export const rowsOnPage = 25

/** What the address asks for; empty texts are absent. */
export type SearchAsk = Readonly<{
  Keywords: string
  AssetTypes: readonly string[]
  ExchangeId: string
  Class: string
  IncludeNonTradable: string
  /** How many rows stand on the pages before; what is no such number is refused by the API. */
  $skip: string
}>

export type SearchResult = Readonly<{
  Data: readonly InstrumentSummary[]
  __count?: number
  __next?: string
}>

/** The same search with something else in it; a changed search begins at its first page. */
export function searchHref(ask: SearchAsk, change: Partial<SearchAsk> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...ask, $skip: '', ...change }))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== '') query.append(name, one)
  return query.size === 0 ? '/console/instruments' : `/console/instruments?${query}`
}

const noFilters = { AssetTypes: [], ExchangeId: '', Class: '' } as const
const hasFilters = (ask: SearchAsk): boolean => ask.AssetTypes.length > 0 || ask.ExchangeId !== '' || ask.Class !== ''

const box = (assetType: string, ticked: boolean): Html =>
  html`<label class="choice"><input type="checkbox" name="AssetTypes" value="${assetType}"${ticked && html` checked`}>${assetTypeName(assetType)}</label>`
const otherAssetTypes = assetTypes.filter((assetType) => !commonAssetTypes.includes(assetType))
/** Most boxes are empty on most pages. */
const emptyBoxes = new Map<string, Html>(assetTypes.map((assetType) => [assetType, box(assetType, false)]))

/** Those that there are, by name. One that the address has and that is none of them is shown as it came. */
function exchangeChoices(exchanges: readonly Exchange[], asked: string): { choices: Choice[]; chosen: string } {
  const wanted = asked.toLowerCase()
  const chosen = exchanges.find(({ ExchangeId }) => ExchangeId.toLowerCase() === wanted)?.ExchangeId
  const names = exchanges.map(({ ExchangeId, Name }) => ({
    value: ExchangeId,
    name: Name === ExchangeId ? Name : `${Name} (${ExchangeId})`,
  }))
  const unknown = asked !== '' && chosen === undefined ? [{ value: asked, name: asked }] : []
  const choices = names.sort((a, b) => a.name.localeCompare(b.name, 'en'))
  return { choices: [{ value: '', name: 'Any' }, ...unknown, ...choices], chosen: chosen ?? asked }
}

export function searchForm(ask: SearchAsk, exchanges: readonly Exchange[]): Html {
  const { choices, chosen } = exchangeChoices(exchanges, ask.ExchangeId)
  const isOpen = ask.AssetTypes.some((assetType) => !commonAssetTypes.includes(assetType))
  const boxes = (types: readonly string[]) =>
    types.map((type) => (ask.AssetTypes.includes(type) ? box(type, true) : emptyBoxes.get(type)))
  return html`<form class="card search" action="/console/instruments" data-search role="search" aria-label="Instruments">
<div class="search-words">${inputField('Keywords', 'Name, symbol or ISIN', ask.Keywords, {
    type: 'search',
    attributes: html` maxlength="500" autocomplete="off" spellcheck="false" placeholder="apple, AAPL, US0378331005"`,
  })}<button class="button">Search</button></div>
<fieldset class="choices"><legend>Asset types <span class="quiet">none chosen: all</span></legend>
<div class="choices scrolled">${boxes(commonAssetTypes)}</div>
<details${isOpen && html` open`}><summary>All other types</summary><div class="choices">${boxes(otherAssetTypes)}</div></details></fieldset>
<div class="filters">
${selectField('ExchangeId', 'Exchange', choices, chosen)}
${selectField(
  'Class',
  'Class',
  [
    { value: '', name: 'Complex or not' },
    { value: 'NonComplex', name: 'Not complex' },
    { value: 'Complex', name: 'Complex' },
  ],
  ask.Class,
)}
${selectField(
  'IncludeNonTradable',
  'Tradable',
  [
    { value: '', name: 'Only what I can trade' },
    { value: 'true', name: 'All that I may see' },
  ],
  ask.IncludeNonTradable,
)}
</div>
<p class="hint">When is an exchange closed? Choose it, or open what is traded there: its week and holidays are a click away.</p>
<p class="unseen" role="status" data-told></p>
</form>`
}

const columns: readonly Column<InstrumentSummary>[] = [
  { head: 'Symbol', cell: ({ Symbol: symbol }) => html`<bdi class="num">${symbol}</bdi>`, isRowHead: true },
  { head: 'Name', cell: nameCell },
  { head: 'Type', cell: ({ AssetType }) => assetTypeName(AssetType) },
  { head: 'Exchange', cell: ({ ExchangeId }) => html`<bdi>${ExchangeId}</bdi>` },
  { head: 'Currency', cell: ({ CurrencyCode }) => CurrencyCode },
  { head: 'Tradable as', cell: tradableCell },
]

function nameCell(row: InstrumentSummary): Html {
  const { SummaryType, DisplayHint, Description, Identifier, AssetType } = row
  const link = html`<a href="${resultHref(row)}"><bdi>${Description}</bdi></a>`
  if (SummaryType === 'ContractOptionRoot') return html`${link} ${tag('option chain', 'accent')}`
  if (DisplayHint !== 'Continuous') return link
  return html`${link} ${tag('curve', 'accent')} <a class="small" href="${instrumentHref(Identifier, AssetType)}">details<span class="unseen"> of <bdi>${Description}</bdi></span></a>`
}

/** A currency pair is traded in six ways: the first ones are named, the others counted. */
function tradableCell({ TradableAs = [] }: InstrumentSummary): Html {
  if (TradableAs.length === 0) return tag('not tradable', 'warn')
  const more = TradableAs.length - 2
  return html`<span class="row tight">${TradableAs.slice(0, 2).map((type) => tag(assetTypeName(type)))}${more > 0 && html`<span class="quiet small"><span aria-hidden="true">+${more}</span><span class="unseen">and ${more} more</span></span>`}</span>`
}

/** How many there are, in words that are also read out. */
export function toldCount(ask: SearchAsk, result: SearchResult): string {
  const count = result.__count ?? result.Data.length
  if (count === 0) return `Nothing found${askedFor(ask)}.`
  const asked = askedFor(ask)
  return asked === '' ? `${figure(count)} instruments and option chains` : `${figure(count)} found${asked}`
}

function askedFor(ask: SearchAsk): string {
  const { Keywords, AssetTypes, ExchangeId, Class } = ask
  return [
    Keywords && ` for “${Keywords}”`,
    AssetTypes.length > 0 && ` among ${AssetTypes.map(assetTypeName).join(', ')}`,
    ExchangeId && ` on ${ExchangeId}`,
    Class && (Class.toLowerCase() === 'complex' ? ', complex' : ', not complex'),
  ]
    .filter((part) => part)
    .join('')
}

/** The part of the page that follows what is typed: the count, the table, the way on. */
export function searchResults(
  ask: SearchAsk,
  result: SearchResult,
  more: Readonly<{ hint?: string | undefined }>,
): Html {
  const told = toldCount(ask, result)
  const isWhole = Number(ask.$skip) === 0 && result.__next === undefined
  return html`<section id="results" class="flow" aria-label="Results" data-told="${told}">
${
  result.Data.length === 0
    ? nothingFound(ask, result, more.hint)
    : html`<div class="row between"><h2>${told}</h2>${ask.ExchangeId !== '' && holidaysLink(result.Data)}</div>
<div class="found">${table('Instruments found', columns, result.Data, { sortable: isWhole })}</div>
${!isWhole && pageLinks(ask, result)}`
}</section>`
}

/** An exchange has no page of its own: its week is that of what is traded there. */
function holidaysLink(found: SearchResult['Data']): Html | undefined {
  const traded = found.find(({ SummaryType }) => SummaryType === 'Instrument')
  return (
    traded &&
    html`<a href="${holidaysHref(traded.Identifier, traded.AssetType)}">When <bdi>${traded.ExchangeId}</bdi> is closed</a>`
  )
}

/** Where the walk is. Headings sort only what is shown, so that they do not where that is a part. */
function pageLinks(ask: SearchAsk, { Data, __count, __next }: SearchResult): Html {
  const before = Number(ask.$skip)
  const last = before + Data.length
  return html`<nav class="row" aria-label="Pages">${before > 0 && html`<a class="button plain" href="${searchHref(ask)}">First page</a>`}${
    __next !== undefined &&
    html`<a class="button plain" rel="next" href="${searchHref(ask, { $skip: String(last) })}">Next page</a>`
  }<span class="quiet">Page ${Math.floor(before / rowsOnPage) + 1}: ${figure(before + 1)}–${figure(last)} of ${figure(__count ?? last)}</span></nav>`
}

function nothingFound(ask: SearchAsk, result: SearchResult, hint: string | undefined): Html {
  const told = toldCount(ask, result)
  if (result.__count)
    return html`<div class="empty"><h2>${told}</h2><p class="quiet">They end before this page.</p>
<p><a class="button" href="${searchHref(ask)}">First page</a></p></div>`
  const isNarrow = ask.IncludeNonTradable === ''
  return html`<div class="empty"><h2>${told}</h2>
<p class="quiet">${hint ?? (isNarrow ? 'Only what you can trade was looked at.' : 'All that you may see was looked at.')}
Every word must be the beginning of a word of the name or the symbol, or an ISIN.</p>
<p class="row">${isNarrow && html`<a class="button" href="${searchHref(ask, { IncludeNonTradable: 'true' })}">Look also at what I cannot trade</a>`}${
    hasFilters(ask) && html`<a class="button plain" href="${searchHref(ask, noFilters)}">Drop the filters</a>`
  }${ask.Keywords !== '' && html`<a class="button plain" href="${searchHref(ask, { Keywords: '' })}">Drop the words</a>`}</p></div>`
}

/** The search could not be made: the API's own words, where the results would be. */
export function searchRefused(refused: Html | undefined): Html {
  return html`<section id="results" class="flow" aria-label="Results" data-told="The search was refused.">${refused}
<p><a class="button plain" href="/console/instruments">Begin again</a></p></section>`
}
