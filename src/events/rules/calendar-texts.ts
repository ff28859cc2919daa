import type { Event, Holding } from '../api/schema.ts'
import { assetTypeName } from './lookup.ts'
import { type EventOption, isPast, isSet, movesOnlySecurities, optionName, termsOf } from './option-terms.ts'

const mostOptionsInTitle = 3
const mostOptions = 20
const mostTerms = 6
const maxAccounts = 20
const mostNarrative = 600
/** As much of a narrative as is looked at for these. */
const mostMarkup = 6_000

/** `Apple Inc., Tender Offer`: what it is about, as people say it. */
export function eventTitle({ DisplayAndFormat, Uic, AssetType, EventType }: Event): string {
  const instrument = DisplayAndFormat?.Description ?? DisplayAndFormat?.Symbol ?? `Uic ${Uic}`
  const kind = assetKind(AssetType)
  return `${instrument}${kind && ` (${kind})`}, ${typeName({ EventType })}`
}

export const typeName = ({ EventType }: Pick<Event, 'EventType'>): string => EventType.Name ?? EventType.Code

const plainTypes: readonly Event['AssetType'][] = [
  'Bond',
  'CompanyWarrant',
  'Etc',
  'Etf',
  'Etn',
  'Fund',
  'MutualFund',
  'Rights',
  'Stock',
  'Warrant',
]

/** What tells the events of a share from those of a contract on it, which has the same name. */
function assetKind(assetType: Event['AssetType']): string {
  if (plainTypes.includes(assetType)) return ''
  return assetType.startsWith('CfdOn') ? 'CFD' : assetTypeName(assetType)
}

/** ` (options 1 Cash, 2 Securities; default 3 No action)`: which of the choices an entry is about, where it is not about all
 *  of them, and what happens to those who do not choose. Nothing where there is no choice. */
export function choiceText(options: readonly EventOption[], all: readonly EventOption[]): string {
  if (all.length < 2 || options.length === 0) return ''
  const fallback = all.find(({ IsDefault }) => IsDefault)
  if (options.length === all.length) return fallback ? ` (default ${optionName(fallback)})` : ''
  const names = `option${options.length > 1 ? 's' : ''} ${namesOf(options)}`
  if (!fallback) return ` (${names})`
  if (options.length === 1 && options[0] === fallback) return ` (${names}, the default)`
  const isNamed = options.slice(0, mostOptionsInTitle).includes(fallback)
  return ` (${names}; default ${isNamed ? fallback.OptionId : optionName(fallback)})`
}

function namesOf(options: readonly EventOption[]): string {
  const names = options.slice(0, mostOptionsInTitle).map(optionName)
  const more = options.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** What one wants to know without opening anything else. The same for all entries of an event. */
export function eventDescription(event: Event, options: readonly EventOption[], now: Temporal.Instant): string {
  const { DisplayAndFormat: names, AssetType, EventType, CorporateActionType, EventState, Narrative = '' } = event
  const isin = names?.IsinCode && `ISIN ${names.IsinCode}`
  const facts = [
    [names?.Description, names?.Symbol, isin, assetKind(AssetType)].filter(Boolean).join(', '),
    `${typeName(event)} (${EventType.Code}), ${CorporateActionType}, ${EventState}`,
    ...options.slice(0, mostOptions).map((option) => optionLine(option, event)),
    ...moreOf(options.length - mostOptions, 'options'),
    ...holdingLines(event),
    electionLine(event, options, now),
  ]
  const narrative = shortened(plainText(Narrative.slice(0, mostMarkup)))
  return [facts.filter(Boolean).join('\n'), narrative, `Event ${event.EventId}`].filter(Boolean).join('\n\n')
}

function optionLine(option: EventOption, event: Event): string {
  const { IsDefault, Deadline, MarketDeadline, Payment } = option
  const terms = termsOf(option, event)
  return [
    `Option ${optionName(option)}${IsDefault ? ' (default)' : ''}`,
    ...terms.slice(0, mostTerms),
    ...moreOf(terms.length - mostTerms, 'terms'),
    ...dated('deadline', Deadline, momentText),
    ...dated('market deadline', MarketDeadline, momentText),
    ...dated(movesOnlySecurities(option) ? 'delivery' : 'payment', Payment, (day) => day.slice(0, 10)),
  ].join(', ')
}

const dated = (what: string, at: { Date: string } | undefined, textOf: (date: string) => string): string[] =>
  at && isSet(at.Date) ? [`${what} ${textOf(at.Date)}`] : []

/** `2026-12-18 16:00 UTC`; the clients of a calendar show an entry's own time in their zone, but not its text. */
const momentText = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`

function holdingLines(event: Event): string[] {
  const { Holdings = [], AffectedAccounts, EligibleHoldings = 0 } = event
  const isElectable = event.Electable === 'Electable'
  return [
    ...Holdings.slice(0, maxAccounts).map((holding) => holdingLine(holding, isElectable)),
    ...moreOf(Holdings.length && (AffectedAccounts ?? Holdings.length) - maxAccounts, 'accounts'),
    AffectedAccounts === undefined ? '' : `Accounts: ${AffectedAccounts}, together holding ${EligibleHoldings}`,
  ]
}

function electionLine(
  { ElectionStatus, EventState }: Event,
  options: readonly EventOption[],
  now: Temporal.Instant,
): string {
  if (ElectionStatus === undefined) return ''
  if (ElectionStatus !== 'NotElected') return `Elections: ${ElectionStatus === 'Elected' ? 'complete' : 'in part'}`
  const deadlines = options.flatMap(({ Deadline }) => Deadline?.Date ?? [])
  const isOff = EventState === 'Cancelled' || EventState === 'Withdrawn'
  const isOver = isOff || (deadlines.length > 0 && deadlines.every((deadline) => isPast(deadline, now)))
  return `Elections: ${isOver ? 'none were made' : 'none yet'}`
}

function holdingLine({ AccountId, Amount, ElectedAmount, Options = [] }: Holding, isElectable: boolean): string {
  const elected = Options.map((option) => `${option.ElectedAmount} for option ${option.OptionId}`).join(', ')
  const choice = isElectable ? `, elected ${elected || ElectedAmount}` : ''
  return `Account ${AccountId}: holds ${Amount}${choice}`
}

const moreOf = (count: number, what: string): string[] => (count > 0 ? [`and ${count} more ${what}`] : [])

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

/** A narrative may hold simple HTML, which calendar programs show as it is. */
export function plainText(narrative: string): string {
  return narrative
    .replaceAll(/<(br|\/p|\/li|\/tr|\/h\d)\b[^<>]*>/gi, '\n')
    .replaceAll(/<\/?(a|b|em|font|i|span|strong|sub|sup|u)\b[^<>]*>/gi, '')
    .replaceAll(/<[a-z/!][^<>]*>/gi, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] as string)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** Cut between words where there is one nearby; never within a character. */
function shortened(text: string): string {
  if (text.length <= mostNarrative) return text
  const cut = text.slice(0, mostNarrative).replace(/\s\S{0,40}$|[\uD800-\uDBFF]$/, '')
  return `${cut} …`
}
