import type { Event, Holding } from '../api/schema.ts'
import { assetTypeName } from './lookup.ts'
import {
  type EventOption,
  isPast,
  isSet,
  isWholeDay,
  movesOnlySecurities,
  optionName,
  termsOf,
} from './option-terms.ts'

const maxOptionsInTitle = 3
const maxOptions = 20
const maxTerms = 6
const maxAccounts = 20
const maxNarrative = 600
/** Read from a narrative before its markup is removed. */
const maxMarkup = 6_000

/** `Apple Inc., Tender Offer` */
export function eventTitle({ DisplayAndFormat, Uic, AssetType, EventType }: Event): string {
  const instrument = DisplayAndFormat?.Description ?? DisplayAndFormat?.Symbol ?? `Uic ${Uic}`
  const kind = assetKind(AssetType)
  return `${instrument}${kind && ` (${kind})`}, ${typeName({ EventType })}`
}

export const typeName = ({ EventType }: Pick<Event, 'EventType'>): string => EventType.Name ?? EventType.Code

const plainTypes = /^(Bond|CompanyWarrant|Etc|Etf|Etn|Fund|MutualFund|Rights|Stock|Warrant)$/

/** Distinguishes the events of a share from those of a contract on it, which has the same name. */
function assetKind(assetType: Event['AssetType']): string {
  if (plainTypes.test(assetType)) return ''
  return assetType.startsWith('CfdOn') ? 'CFD' : assetTypeName(assetType)
}

/** ` (options 1 Cash, 2 Securities; default 3 No action)`: the options of an entry, unless they are all options, and the
 *  default. Empty if there is no choice. */
export function choiceText(options: readonly EventOption[], all: readonly EventOption[]): string {
  if (all.length < 2 || options.length === 0) return ''
  const fallback = all.find(({ IsDefault }) => IsDefault)
  if (options.length === all.length) return fallback ? ` (default ${optionName(fallback)})` : ''
  const names = `option${options.length > 1 ? 's' : ''} ${namesOf(options)}`
  if (!fallback) return ` (${names})`
  if (options.length === 1 && options[0] === fallback) return ` (${names}, the default)`
  const isNamed = options.slice(0, maxOptionsInTitle).includes(fallback)
  return ` (${names}; default ${isNamed ? fallback.OptionId : optionName(fallback)})`
}

function namesOf(options: readonly EventOption[]): string {
  const names = options.slice(0, maxOptionsInTitle).map(optionName)
  const more = options.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The text of an entry; the same for all entries of an event. */
export function eventDescription(event: Event, options: readonly EventOption[], now: Temporal.Instant): string {
  const { DisplayAndFormat: names, AssetType, EventType, CorporateActionType, EventState, Narrative = '' } = event
  const isin = names?.IsinCode && `ISIN ${names.IsinCode}`
  const facts = [
    [names?.Description, names?.Symbol, isin, assetKind(AssetType)].filter(Boolean).join(', '),
    `${typeName(event)} (${EventType.Code}), ${CorporateActionType}, ${EventState}`,
    ...options.slice(0, maxOptions).map((option) => optionLine(option, event)),
    ...moreOf(options.length - maxOptions, 'options'),
    ...holdingLines(event),
    electionLine(event, options, now),
  ]
  const narrative = shorten(plainText(Narrative.slice(0, maxMarkup)))
  return [facts.filter(Boolean).join('\n'), narrative, `Event ${event.EventId}`].filter(Boolean).join('\n\n')
}

function optionLine(option: EventOption, event: Event): string {
  const { IsDefault, Deadline, MarketDeadline, Payment } = option
  const terms = termsOf(option, event)
  return [
    `Option ${optionName(option)}${IsDefault ? ' (default)' : ''}`,
    ...terms.slice(0, maxTerms),
    ...moreOf(terms.length - maxTerms, 'terms'),
    ...dated('deadline', Deadline, momentText),
    ...dated('market deadline', MarketDeadline, momentText),
    ...dated(movesOnlySecurities(option) ? 'delivery' : 'payment', Payment, (day) => day.slice(0, 10)),
  ].join(', ')
}

const dated = (what: string, at: { Date?: string } | undefined, textOf: (date: string) => string): string[] =>
  at?.Date && isSet(at.Date) ? [`${what} ${textOf(at.Date)}`] : []

/** `2026-12-18 16:00 UTC`: calendar apps convert the time of an entry to local time, but not its text. */
const momentText = (date: string): string =>
  isWholeDay(date) ? date.slice(0, 10) : `${date.slice(0, 10)} ${date.slice(11, 16)} UTC`

function holdingLines(event: Event): string[] {
  const { Holdings = [], AffectedAccounts, EligibleHoldings = 0 } = event
  const isElectable = event.Electable === 'Electable'
  return [
    ...Holdings.slice(0, maxAccounts).map((holding) => holdingLine(holding, isElectable)),
    ...moreOf(Holdings.length && (AffectedAccounts ?? Holdings.length) - maxAccounts, 'accounts'),
    AffectedAccounts === undefined ? '' : `Accounts: ${AffectedAccounts}, holding ${EligibleHoldings} in total`,
  ]
}

function electionLine(
  { ElectionStatus, EventState }: Event,
  options: readonly EventOption[],
  now: Temporal.Instant,
): string {
  if (ElectionStatus === undefined) return ''
  if (ElectionStatus !== 'NotElected') return `Elections: ${ElectionStatus === 'Elected' ? 'complete' : 'partial'}`
  const deadlines = options.flatMap(({ Deadline }) => Deadline?.Date ?? [])
  const isCancelled = EventState === 'Cancelled' || EventState === 'Withdrawn'
  const isOver = isCancelled || (deadlines.length > 0 && deadlines.every((deadline) => isPast(deadline, now)))
  return `Elections: ${isOver ? 'none' : 'none yet'}`
}

function holdingLine({ AccountId, Amount, ElectedAmount, Options = [] }: Holding, isElectable: boolean): string {
  const elected = Options.map((option) => `${option.ElectedAmount} for option ${option.OptionId}`).join(', ')
  const choice = isElectable ? `, elected ${elected || ElectedAmount}` : ''
  return `Account ${AccountId}: holds ${Amount}${choice}`
}

const moreOf = (count: number, what: string): string[] => (count > 0 ? [`and ${count} more ${what}`] : [])

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** Removes simple HTML, which calendar apps would show verbatim. */
export function plainText(narrative: string): string {
  return narrative
    .replaceAll(/<(br|\/p|\/li|\/tr|\/h\d)\b[^<>]*>/gi, '\n')
    .replaceAll(/<\/?(a|b|em|font|i|span|strong|sub|sup|u)\b[^<>]*>/gi, '')
    .replaceAll(/<[a-z/!][^<>]*>/gi, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name) => entities[name] as string)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** Cuts between words if possible, never within a character. */
function shorten(text: string): string {
  if (text.length <= maxNarrative) return text
  const cut = text.slice(0, maxNarrative).replace(/\s\S{0,40}$|[\uD800-\uDBFF]$/, '')
  return `${cut} …`
}
