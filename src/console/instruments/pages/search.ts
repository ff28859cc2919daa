import { assetTypes } from '../../../core/asset-type.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { Exchange, InstrumentDetails, InstrumentSummary } from '../../../instruments/api/schema.ts'
import { exchangeHref } from '../../exchanges/paths.ts'
import { type Column, copyValue, errorNotice, hiddenText, pageLinks, table, tag } from '../../shared/elements.ts'
import { type Choice, selectField } from '../../shared/fields.ts'
import { figure } from '../../shared/format.ts'
import { Remembered } from '../../shared/remembered.ts'
import { assetTypeName, commonAssetTypes, instrumentHref, nameOf, resultHref } from './names.ts'
import { isMain } from './related.ts'

export const pageSize = 25

export type SearchQuery = Readonly<{
  Keywords: string
  AssetTypes: readonly string[]
  ExchangeId: string
  Class: string
  IncludeNonTradable: string
  $skip: string
  /** A number is searched for as text, although an instrument has it as its Uic. */
  ByText: string
}>

export type SearchResult = Readonly<{
  Data: readonly InstrumentSummary[]
  __count?: number
  __next?: string
  /** How many more a search for the number as text finds. */
  byText?: number
}>

/** The Uic that the keywords are. The search of the API does not look for it. */
export function searchedUic({ Keywords, $skip, ByText }: SearchQuery): string | undefined {
  return Number($skip) === 0 && ByText === '' ? /^[1-9]\d{0,8}$/.exec(Keywords)?.[0] : undefined
}

/** The instrument of the searched Uic alone, if there is one and the filters admit it. */
export function withUic(query: SearchQuery, result: SearchResult, named: readonly InstrumentDetails[]): SearchResult {
  const found = named.filter((details) => isAdmitted(query, details))
  const details = found.find(isMain) ?? found[0]
  if (!details) return result
  const row = summaryOf(details)
  const isSame = ({ SummaryType, Identifier }: InstrumentSummary) =>
    SummaryType === row.SummaryType && Identifier === row.Identifier
  const all = result.__count ?? result.Data.length
  return { Data: [row], __count: 1, byText: result.Data.some(isSame) ? all - 1 : all }
}

function isAdmitted({ AssetTypes, ExchangeId, Class }: SearchQuery, details: InstrumentDetails): boolean {
  if (AssetTypes.length > 0 && !AssetTypes.includes(details.AssetType)) return false
  if (ExchangeId !== '' && ExchangeId.toLowerCase() !== details.Exchange.ExchangeId.toLowerCase()) return false
  return Class === '' || (Class.toLowerCase() === 'complex') === details.IsComplex
}

function summaryOf(details: InstrumentDetails): InstrumentSummary {
  const { Uic, AssetType, CurrencyCode = '', DisplayHint, Exchange, GroupId = 0, TradableAs } = details
  return {
    ...{ AssetType, CurrencyCode, GroupId, Identifier: Uic, SummaryType: 'Instrument', Symbol: details.Symbol ?? '' },
    Description: nameOf(details),
    ExchangeId: Exchange.ExchangeId,
    ExchangeName: Exchange.Name,
    ExchangeCountry: Exchange.CountryCode,
    ...(DisplayHint !== undefined && { DisplayHint }),
    ...(TradableAs !== undefined && { TradableAs }),
  }
}

/** A link to a changed search, which starts at its first page. */
function searchHref(query: SearchQuery, change: Partial<SearchQuery> = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, $skip: '', ...change }))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== '') parameters.append(name, one)
  return parameters.size === 0 ? '/console/instruments' : `/console/instruments?${parameters}`
}

const noFilters = { AssetTypes: [], ExchangeId: '', Class: '' } as const
const hasFilters = ({ AssetTypes, ExchangeId, Class }: SearchQuery): boolean =>
  AssetTypes.length > 0 || ExchangeId !== '' || Class !== ''

const checkbox = (assetType: string, isChecked: boolean): Html =>
  html`<label class="choice"><input type="checkbox" name="AssetTypes" value="${assetType}"${isChecked && html` checked`}>${assetTypeName(assetType)}</label>`
const otherAssetTypes = assetTypes.filter((assetType) => !commonAssetTypes.includes(assetType))
/** Rendered once: most boxes are unchecked on most pages. */
const uncheckedBoxes = new Map<string, Html>(assetTypes.map((assetType) => [assetType, checkbox(assetType, false)]))

const choicesByName = (exchanges: readonly Exchange[]): Choice[] =>
  exchanges
    .map(({ ExchangeId, Name }): Choice => [ExchangeId, Name === ExchangeId ? Name : `${Name} (${ExchangeId})`])
    .sort(([, a], [, b]) => a.localeCompare(b, 'en'))

const exchangeOption = ([value, text]: Choice, chosen: string): Html =>
  html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`

const options = new Remembered<Html>()

/** Exchanges by name. An unknown one from the URL is added as it is. */
const exchangeOptions = (exchanges: readonly Exchange[], wanted: string): Html =>
  options.get(exchanges, [wanted], () => {
    const known = exchanges.find(({ ExchangeId }) => ExchangeId.toLowerCase() === wanted.toLowerCase())?.ExchangeId
    const unknown: Choice[] = wanted !== '' && known === undefined ? [[wanted, wanted]] : []
    const choices: Choice[] = [['', 'Any exchange'], ...unknown, ...choicesByName(exchanges)]
    return html`${choices.map((choice) => exchangeOption(choice, known ?? wanted))}`
  })

const complexityChoices: readonly Choice[] = [
  ['', 'Any'],
  ['NonComplex', 'Not complex'],
  ['Complex', 'Complex'],
]
const tradableChoices: readonly Choice[] = [
  ['', 'Only tradable instruments'],
  ['true', 'All visible instruments'],
]

/** Opens below its name, without script too. */
const popover = (name: string, body: Html, isActive: boolean): Html =>
  html`<details class="pop${isActive && ' on'}"><summary>${name}</summary><div class="card flow">${body}</div></details>`

/** One row: search, asset types, exchange, and what is rarely needed. */
export function searchForm(query: SearchQuery, exchanges: readonly Exchange[]): Html {
  const boxes = (types: readonly string[]) =>
    types.map((type) => (query.AssetTypes.includes(type) ? checkbox(type, true) : uncheckedBoxes.get(type)))
  const isOther = query.AssetTypes.some((assetType) => !commonAssetTypes.includes(assetType))
  const types = html`<fieldset class="choices"><legend>Asset types <span class="quiet">all if none is selected</span></legend>
<div class="choices">${boxes(commonAssetTypes)}</div>
<details${isOther && html` open`}><summary>More asset types</summary><div class="choices">${boxes(otherAssetTypes)}</div></details></fieldset>`
  const more = html`${selectField('Class', 'Complexity', complexityChoices, query.Class)}
${selectField('IncludeNonTradable', 'Tradable', tradableChoices, query.IncludeNonTradable)}`
  return html`<form class="search" action="/console/instruments" data-search role="search" aria-label="Instruments">
<input id="f-Keywords" type="search" name="Keywords" aria-label="Name, symbol, ISIN or Uic" placeholder="Name, symbol, ISIN or Uic" value="${query.Keywords}" maxlength="500" autocomplete="off" spellcheck="false">
${popover('Asset types', types, query.AssetTypes.length > 0)}
<select id="f-ExchangeId" name="ExchangeId" aria-label="Exchange"${query.ExchangeId !== '' && html` class="on"`}>${exchangeOptions(exchanges, query.ExchangeId)}</select>
${popover('More', more, query.Class !== '' || query.IncludeNonTradable !== '')}
<button class="button">Search</button>
<p class="unseen" role="status" data-status></p>
</form>`
}

/** The filters in use. Each chip removes its own. */
function filterChips(query: SearchQuery): Html | undefined {
  const chip = (text: string, change: Partial<SearchQuery>) =>
    html`<a class="chip" href="${searchHref(query, change)}"><bdi>${text}</bdi> <span aria-hidden="true">✕</span>${hiddenText(' remove')}</a>`
  const chips = [
    ...query.AssetTypes.map((type) =>
      chip(assetTypeName(type), { AssetTypes: query.AssetTypes.filter((other) => other !== type) }),
    ),
    query.ExchangeId !== '' && chip(query.ExchangeId, { ExchangeId: '' }),
    query.Class !== '' && chip(query.Class.toLowerCase() === 'complex' ? 'Complex' : 'Not complex', { Class: '' }),
    query.IncludeNonTradable !== '' && chip('All visible', { IncludeNonTradable: '' }),
  ].filter((one) => one !== false)
  return chips.length === 0 ? undefined : html`<span class="row tight">${chips}</span>`
}

const columns: readonly Column<InstrumentSummary>[] = [
  ['Symbol', ({ Symbol: symbol }) => copyValue(symbol, 'symbol')],
  ['Name', nameCell, 'name'],
  ['Uic', ({ SummaryType, Identifier }) => SummaryType === 'Instrument' && copyValue(Identifier, 'Uic'), 'figure'],
  ['Type', ({ AssetType }) => assetTypeName(AssetType)],
  ['Exchange', ({ ExchangeId }) => html`<bdi>${ExchangeId}</bdi>`],
  ['Currency', ({ CurrencyCode }) => CurrencyCode],
  ['Tradable as', tradableCell],
]

function nameCell(row: InstrumentSummary): Html {
  const { SummaryType, DisplayHint, Description, Identifier, AssetType } = row
  const link = html`<a href="${resultHref(row)}"><bdi>${Description}</bdi></a>`
  if (SummaryType === 'ContractOptionRoot') return html`${link} ${tag('option chain', 'accent')}`
  if (DisplayHint !== 'Continuous') return link
  return html`${link} ${tag('curve', 'accent')} <a class="small" href="${instrumentHref(Identifier, AssetType)}">details${hiddenText(html` of <bdi>${Description}</bdi>`)}</a>`
}

function tradableCell({ TradableAs = [], ...row }: InstrumentSummary): Html | undefined {
  // Option roots have neither in the vendor profile (§3).
  if (row.SummaryType === 'ContractOptionRoot' && row.ExchangeName === undefined) return undefined
  if (TradableAs.length === 0) return tag('not tradable', 'warn')
  const more = TradableAs.length - 2
  return html`<span class="row tight">${TradableAs.slice(0, 2).map((type) => tag(assetTypeName(type)))}${more > 0 && html`<span class="quiet small"><span aria-hidden="true">+${more}</span>${hiddenText(`and ${more} more`)}</span>`}</span>`
}

function resultSummary(query: SearchQuery, result: SearchResult): string {
  const count = result.__count ?? result.Data.length
  const criteria = criteriaText(query)
  if (result.byText !== undefined) return `1 instrument has the Uic ${query.Keywords}`
  if (count === 0) return `No results${criteria}.`
  if (criteria === '')
    return `${figure(count)} ${query.IncludeNonTradable === '' ? 'tradable' : 'visible'} instruments and option chains`
  return `${figure(count)} ${count === 1 ? 'result' : 'results'}${criteria}`
}

function criteriaText({ Keywords, AssetTypes, ExchangeId, Class }: SearchQuery): string {
  return [
    Keywords && ` for “${Keywords}”`,
    AssetTypes.length > 0 && ` in ${AssetTypes.map(assetTypeName).join(', ')}`,
    ExchangeId && ` on ${ExchangeId}`,
    Class && (Class.toLowerCase() === 'complex' ? ', complex' : ', not complex'),
  ]
    .filter(Boolean)
    .join('')
}

/** Of an empty result: a hint, and why it is empty. */
type WhenEmpty = Readonly<{ hint: string | undefined; why: Html | undefined }>

export function searchResults(query: SearchQuery, result: SearchResult, { hint, why }: WhenEmpty): Html {
  const summary = resultSummary(query, result)
  const isComplete = Number(query.$skip) === 0 && result.__next === undefined
  return html`<section id="results" class="flow" aria-label="Results" data-summary="${summary}">
${
  result.Data.length === 0
    ? html`${noResults(query, result, hint)}${why}`
    : html`<div class="results-line"><h2>${summary}</h2>${filterChips(query)}${textLink(query, result)}${query.ExchangeId !== '' && html`<a href="${exchangeHref(query.ExchangeId)}">Hours and holidays of <bdi>${query.ExchangeId}</bdi></a>`}</div>
<div class="found">${table('Search results', columns, result.Data, { sortable: isComplete })}</div>
${!isComplete && paging(query, result)}`
}</section>`
}

/** The other results of a number that is also a Uic. */
function textLink(query: SearchQuery, { byText = 0 }: SearchResult): Html | undefined {
  if (byText === 0) return undefined
  return html`<a href="${searchHref(query, { ByText: 'true' })}">${figure(byText)} more with “${query.Keywords}” in name or symbol</a>`
}

function paging(query: SearchQuery, { Data, __count, __next }: SearchResult): Html | undefined {
  const skipped = Number(query.$skip)
  const last = skipped + Data.length
  const text = html`<span class="quiet">Page ${Math.floor(skipped / pageSize) + 1}: ${figure(skipped + 1)}–${figure(last)} of ${figure(__count ?? last)}</span>`
  const next = __next !== undefined && searchHref(query, { $skip: String(last) })
  return pageLinks({ 'First page': skipped > 0 && searchHref(query), 'Next page': next }, { text })
}

function noResults(query: SearchQuery, result: SearchResult, hint: string | undefined): Html {
  const summary = resultSummary(query, result)
  if (result.__count)
    return html`<div class="empty"><h2>${summary}</h2><p class="quiet">This page is past the last result.</p>
<p><a class="button" href="${searchHref(query)}">First page</a></p></div>`
  const onlyTradable = query.IncludeNonTradable === ''
  const searched = onlyTradable ? 'Only tradable instruments were searched.' : 'All visible instruments were searched.'
  return html`<div class="empty"><h2>${summary}</h2>
<p class="quiet">${hint ?? searched}
Every word must match the start of a word in the name or symbol, or be an ISIN or a Uic.</p>
<p class="row">${onlyTradable && html`<a class="button" href="${searchHref(query, { IncludeNonTradable: 'true' })}">Include non-tradable instruments</a>`}${
    hasFilters(query) && html`<a class="button plain" href="${searchHref(query, noFilters)}">Clear filters</a>`
  }${query.Keywords !== '' && html`<a class="button plain" href="${searchHref(query, { Keywords: '' })}">Clear keywords</a>`}</p></div>`
}

export function rejectedSearch(errors: readonly string[]): Html {
  return html`<section id="results" class="flow" aria-label="Results" data-summary="The search is invalid.">${errorNotice(errors)}
<p><a class="button plain" href="/console/instruments">Start over</a></p></section>`
}
