import type { Event } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { type Column, facts, table, tag } from '../../shared/elements.ts'
import { day, figure } from '../../shared/format.ts'
import { type EventOption, isSet, momentIn, optionName } from '../labels.ts'
import type { Reader } from '../list/event-list.ts'
import { narrative } from '../narrative.ts'
import { bidLabels, codeText, factsIn, factTable, idText, indicatorList, type Labels, moneyText } from './facts.ts'
import { termsOf } from './terms.ts'

/** The options of an event side by side, and then each in full. */
export function optionsSection(event: Event, reader: Reader): Html | undefined {
  const { Options = [] } = event
  if (Options.length === 0) return undefined
  const isChoice = Options.length > 1
  return html`<section class="flow"><h2>${isChoice ? `${Options.length} options` : 'What is booked'}</h2>
<div class="option-table">${optionTable(event, Options, reader)}</div>
<div class="card options">${Options.map((option) => optionPart(option, reader, !isChoice))}</div></section>`
}

/** A column that says nothing of any option is left out. */
function optionTable(event: Event, options: readonly EventOption[], { zone }: Reader): Html {
  const terms = new Map(options.map((option) => [option, termsOf(option, event)]))
  const isElectable = event.Electable === 'Electable' && event.Holdings !== undefined
  const columns: (Column<EventOption> | false)[] = [
    { head: 'Option', isRowHead: true, cell: (option) => html`${optionName(option)} ${marks(option)}` },
    { head: 'You receive', cell: (option) => receives(option, terms.get(option)?.receive ?? []) },
    [...terms.values()].some(({ pay }) => pay.length > 0) && {
      head: 'You pay',
      cell: (option) => lines(terms.get(option)?.pay ?? []),
    },
    options.some(({ Deadline }) => Deadline) && {
      head: 'Deadline',
      cell: ({ Deadline }) => Deadline && (isSet(Deadline.Date) ? momentIn(Deadline.Date, zone) : 'not set yet'),
    },
    options.some(({ Payment }) => Payment) && {
      head: 'Payment',
      cell: ({ Payment }) => Payment && (isSet(Payment.Date) ? day(Payment.Date) : 'not set yet'),
    },
    isElectable && { head: 'Elected', isFigure: true, cell: (option) => electedText(event, option) },
  ]
  return table(
    'Options side by side',
    columns.filter((column) => column !== false),
    options,
    { rowClass: ({ IsDefault }) => (IsDefault ? 'default' : undefined) },
  )
}

/** `280 of 420`. */
function electedText({ Holdings = [] }: Event, { OptionId }: EventOption): string {
  const held = Holdings.reduce((sum, { Amount }) => sum + Amount, 0)
  const elected = Holdings.flatMap(({ Options = [] }) => Options)
    .filter((one) => one.OptionId === OptionId)
    .reduce((sum, { ElectedAmount }) => sum + ElectedAmount, 0)
  return `${figure(elected)} of ${figure(held)}`
}

const lines = (texts: readonly string[]): Html[] => texts.map((text) => html`<span class="term">${text}</span>`)

/** Longer ones are for those who open the option. */
const shortNarrative = 300

/** An option that gives nothing that could be named says what it means; what tells two of a kind apart is here too. */
function receives({ OptionType, Narrative }: EventOption, texts: readonly string[]): Html {
  const isShort = Narrative !== undefined && Narrative.length <= shortNarrative
  return html`${lines(texts)}${texts.length === 0 && !isShort && html`<span class="quiet">${OptionType?.Description}</span>`}${
    isShort && html`<div class="small quiet">${narrative(Narrative)}</div>`
  }`
}

/** The default is what happens to those who do not answer. */
const marks = ({ IsDefault, OptionStatus }: EventOption): Html =>
  html`${IsDefault && tag('Default', 'accent')} ${OptionStatus && tag(OptionStatus, OptionStatus === 'Unknown' ? undefined : 'bad')}`

const optionLabels: Labels<EventOption> = [
  ['OptionId', 'Option id'],
  ['OptionStatus', 'Status'],
  ['IsDefault', 'Default'],
  ['GrossRate', 'Gross rate'],
  ['NetRate', 'Net rate'],
  ['IsGross', 'Gross'],
  ['IsTaxable', 'Taxable'],
  ['CashRequired', 'Cash required'],
  ...bidLabels,
  ['MinExercisableQuantity', 'At least'],
  ['MinExercisableMultipleQuantity', 'In multiples of'],
  ['MaxExercisableQuantity', 'At most'],
  ['NewBoardLotQuantity', 'New board lot'],
  ['NewDenominationQuantity', 'New denomination'],
]

const cashLabels: Labels<NonNullable<EventOption['CashMovements']>[number]> = [
  ['CashMovementType', 'Booked as'],
  ['Currency', 'Currency'],
  ['PriceType', 'Price as'],
  ['Amount', 'Amount', moneyText],
  ['GrossDividend', 'Gross', moneyText],
  ['NetDividend', 'Net', moneyText],
  ['DeemedRate', 'Deemed rate'],
  ['InterestRate', 'Interest %'],
  ['OfferPrice', 'Offer price', moneyText],
  ['SubscriptionPrice', 'Subscription price', moneyText],
  ['Quantity', 'For'],
]

const securityLabels: Labels<NonNullable<EventOption['SecurityMovements']>[number]> = [
  ['SecurityMovementType', 'Booked as'],
  ['DisplayAndFormat', 'Security'],
  ['Uic', 'Uic', idText],
  ['NewQuantity', 'New'],
  ['OldQuantity', 'for old'],
  ['ReceivedQuantity', 'Received'],
  ['HeldQuantity', 'for held'],
  ['Currency', 'Currency'],
  ['AvailableForTrade', 'Can be traded'],
  ['LastTrade', 'Last trade'],
]

const payoutLabels: Labels<NonNullable<EventOption['PayoutBreakdown']>[number]> = [
  ['Component', 'Part'],
  ['Amount', 'Amount', moneyText],
  ['Currency', 'Currency'],
]

/** All of an option. Where there is a choice it is shut: the table above compares. */
function optionPart(option: EventOption, { zone }: Reader, isOpen: boolean): Html {
  const indicators = indicatorList(option.OptionIndicators)
  return html`<details class="option"${isOpen && html` open`}><summary><h3>${isOpen ? 'All of it' : html`All of ${optionName(option)}`}</h3>
${option.OptionType?.Description && html`<span class="small quiet">${option.OptionType.Description}</span>`}</summary>
<div class="flow">${option.Narrative !== undefined && narrative(option.Narrative)}
${facts([['Option type', option.OptionType && codeText({ ...option.OptionType, Description: undefined })], ...factsIn(option, optionLabels, zone)])}
${factTable('Cash', option.CashMovements, cashLabels, zone)}
${factTable('Securities', option.SecurityMovements, securityLabels, zone)}
${factTable('What the payout is made of', option.PayoutBreakdown, payoutLabels, zone)}
${indicators && html`<h4>Indicators</h4>${indicators}`}</div></details>`
}
