import type { Event, Holding } from '../../../events/api/schema.ts'
import { effectOf } from '../../../events/rules/elections/effect.ts'
import { type EventOption, isSet } from '../../../events/rules/status/deadlines.ts'
import { type Html, type HtmlValue, html } from '../../../http/html/html.ts'
import { facts, tag } from '../../shared/elements.ts'
import { day, figure, type Reader } from '../../shared/format.ts'
import { momentIn, moneyFigure, optionName, unsetText } from '../labels.ts'
import { narrative } from '../narrative.ts'
import { effectList } from './effect.ts'
import { codeText, factsIn, factTable, indicatorList } from './facts.ts'

export function optionsSection(event: Event, reader: Reader): Html | undefined {
  const { Options = [] } = event
  if (Options.length === 0) return undefined
  const isSingle = Options.length === 1
  return html`<section class="flow"><h2>${isSingle ? 'Entitlement' : `${Options.length} options`}</h2>
${optionCards(event, Options, reader)}
<div class="card options">${Options.map((option) => optionDetails(option, reader, isSingle))}</div></section>`
}

/** The options side by side: each is a card with the same facts. */
function optionCards(event: Event, options: readonly EventOption[], { zone }: Reader): Html {
  const showsElections = event.Electable === 'Electable' && event.Holdings !== undefined
  const held = sumOf(event.Holdings ?? [])
  const dateText = (date: DateOrStatus, textOf: (at: string) => HtmlValue) =>
    date && (isSet(date.Date) ? textOf(date.Date) : unsetText(date))
  return html`<div class="option-cards" role="region" aria-label="Options compared" tabindex="0">${options.map(
    (option) => {
      const { receive, pay } = termsOf(option, event)
      return html`<article class="card option-card${option.IsDefault && ' default'}"><h3>${optionName(option)} ${optionTags(option)}</h3>${optionAbout(option, receive)}
${facts([
  ['You receive', receive.length > 0 && lines(receive)],
  ['You pay', pay.length > 0 && lines(pay)],
  [`For ${figure(held)} held`, held !== 0 && effectList(effectOf(option, event, held))],
  ['Deadline', dateText(option.Deadline, (at) => momentIn(at, zone))],
  ['Payment', dateText(option.Payment, day)],
  ['Elected', showsElections && electedText(event, option)],
])}</article>`
    },
  )}</div>`
}

type DateOrStatus = Readonly<{ Date?: string; Status?: string }> | undefined

const sumOf = (holdings: readonly Holding[]): number => holdings.reduce((sum, { Amount }) => sum + Amount, 0)

function electedText({ Holdings = [] }: Event, { OptionId }: EventOption): string {
  const held = sumOf(Holdings)
  const elected = Holdings.flatMap(({ Options = [] }) => Options)
    .filter((one) => one.OptionId === OptionId)
    .reduce((sum, { ElectedAmount }) => sum + ElectedAmount, 0)
  return `${figure(elected)} of ${figure(held)}`
}

const lines = (texts: readonly string[]): Html[] => texts.map((text) => html`<span class="term">${text}</span>`)

const maxShortNarrative = 300

/** A short narrative, or the description of an option without terms: some options differ in nothing else. */
function optionAbout({ OptionType, Narrative }: EventOption, terms: readonly string[]): Html | undefined {
  if (Narrative !== undefined && Narrative.length <= maxShortNarrative)
    return html`<div class="small quiet">${narrative(Narrative)}</div>`
  const description = terms.length === 0 ? OptionType?.Description : undefined
  return description === undefined ? undefined : html`<p class="small quiet">${description}</p>`
}

const optionTags = ({ IsDefault, OptionStatus }: EventOption): Html =>
  html`${IsDefault && tag('Default', 'accent')} ${OptionStatus && tag(OptionStatus, OptionStatus === 'Unknown' ? undefined : 'bad')}`

function optionDetails(option: EventOption, { zone }: Reader, isOpen: boolean): Html {
  const indicators = indicatorList(option.OptionIndicators)
  return html`<details class="option"${isOpen && html` open`}><summary><h3>${isOpen ? 'Details' : `${optionName(option)}: details`}</h3>
${option.OptionType?.Description && html`<span class="small quiet">${option.OptionType.Description}</span>`}</summary>
<div class="flow">${option.Narrative !== undefined && narrative(option.Narrative)}
${facts([['Option type', option.OptionType && codeText({ ...option.OptionType, Description: undefined })], ...factsIn(option, zone)])}
${factTable('Cash movements', option.CashMovements, zone)}
${factTable('Security movements', option.SecurityMovements, zone)}
${factTable('Payout breakdown', option.PayoutBreakdown, zone)}
${indicators && html`<h4>Indicators</h4>${indicators}`}</div></details>`
}

type CashMovement = NonNullable<EventOption['CashMovements']>[number]
type SecurityMovement = NonNullable<EventOption['SecurityMovements']>[number]

export function termsOf(option: EventOption, event: Event): { receive: string[]; pay: string[] } {
  const { CashMovements = [], SecurityMovements = [] } = option
  const isPaid = ({ CashMovementType }: CashMovement) => CashMovementType === 'Debit'
  return {
    receive: unique([
      ...rateTexts(option),
      ...CashMovements.filter((movement) => !isPaid(movement)).flatMap(cashTexts),
      ...SecurityMovements.flatMap((movement) => ratioTexts(movement, SecurityMovements, event)),
    ]),
    pay: unique([
      ...CashMovements.flatMap(({ SubscriptionPrice, ...unit }) => priced(SubscriptionPrice, unit, 'for each')),
      ...CashMovements.filter(isPaid).flatMap(cashTexts),
      ...SecurityMovements.flatMap(({ ReinvestmentPrice, Currency }) =>
        priced(ReinvestmentPrice, { ...(Currency && { Currency }) }, 'for each, from the dividend'),
      ),
    ]),
  }
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

type Unit = Pick<CashMovement, 'Currency' | 'PriceType'>

/** `12.40 EUR`, `101.5 %`. */
const money = (value: number, { Currency, PriceType }: Unit): string =>
  PriceType === 'Percentage' ? `${figure(value)} %` : [moneyFigure(value), Currency].filter(Boolean).join(' ')

const priced = (value: number | undefined, unit: Unit, after = ''): string[] =>
  value === undefined ? [] : [`${money(value, unit)} ${after}`.trim()]

/** The rates of the option. Cash movements give their currency, and often repeat them. */
function rateTexts({ GrossRate, NetRate, CashMovements = [] }: EventOption): string[] {
  const unit = CashMovements.find((each) => (each.GrossDividend ?? each.NetDividend) !== undefined) ?? CashMovements[0]
  const gross = GrossRate ?? unit?.GrossDividend
  const net = NetRate ?? unit?.NetDividend
  if (gross !== undefined && net !== undefined && gross !== net)
    return [`${money(gross, unit ?? {})} each, ${moneyFigure(net)} after tax`]
  return [...priced(gross ?? net, unit ?? {}, gross === undefined ? 'each, after tax' : 'each')]
}

function cashTexts(movement: CashMovement): string[] {
  const { Amount, OfferPrice, InterestRate, Quantity, GrossDividend, NetDividend } = movement
  // A movement repeats the dividend as its amount.
  const isNew = Amount !== GrossDividend && Amount !== NetDividend
  const per = Quantity === undefined ? 'each' : `for ${figure(Quantity)}`
  return [
    ...priced(OfferPrice, movement, 'each'),
    ...(isNew ? priced(Amount, movement, per) : []),
    ...(InterestRate === undefined ? [] : [`interest of ${figure(InterestRate)} %`]),
  ]
}

/** `15 new for 7 held`. The securities given up may be in a movement of their own. */
function ratioTexts(movement: SecurityMovement, all: readonly SecurityMovement[], event: Event): string[] {
  const received = movement.NewQuantity ?? movement.ReceivedQuantity
  if (received === undefined || movement.SecurityMovementType === 'Debit') return []
  const given = [movement, ...all].map((one) => one.OldQuantity ?? one.HeldQuantity).find((one) => one !== undefined)
  return [`${figure(received)} ${whatOf(movement, event)}${given === undefined ? '' : ` for ${figure(given)} held`}`]
}

function whatOf({ Uic, DisplayAndFormat: names }: SecurityMovement, event: Event): string {
  const name = names?.Description ?? names?.Symbol
  if (name === undefined || Uic === event.Uic || name === event.DisplayAndFormat?.Description) return 'new'
  return name
}
