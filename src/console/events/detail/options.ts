import type { Event } from '../../../events/api/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { facts, table, tag } from '../../shared/elements.ts'
import { day, figure, type Reader } from '../../shared/format.ts'
import { type EventOption, isSet } from '../deadlines.ts'
import { momentIn, optionName } from '../labels.ts'
import { narrative } from '../narrative.ts'
import { codeText, factsIn, factTable, indicatorList } from './facts.ts'
import { termsOf } from './terms.ts'

export function optionsSection(event: Event, reader: Reader): Html | undefined {
  const { Options = [] } = event
  if (Options.length === 0) return undefined
  const isSingle = Options.length === 1
  return html`<section class="flow"><h2>${isSingle ? 'Entitlement' : `${Options.length} options`}</h2>
<div class="option-table">${optionTable(event, Options, reader)}</div>
<div class="card options">${Options.map((option) => optionDetails(option, reader, isSingle))}</div></section>`
}

/** Columns without a value are omitted. */
function optionTable(event: Event, options: readonly EventOption[], { zone }: Reader): Html {
  const terms = new Map(options.map((option) => [option, termsOf(option, event)]))
  const hasPrice = [...terms.values()].some(({ pay }) => pay.length > 0)
  const showsElections = event.Electable === 'Electable' && event.Holdings !== undefined
  return table<EventOption>(
    'Options compared',
    [
      ['Option', (option) => html`${optionName(option)} ${optionTags(option)}`, 'name'],
      ['You receive', (option) => receiveCell(option, terms.get(option)?.receive ?? [])],
      hasPrice && ['You pay', (option) => lines(terms.get(option)?.pay ?? [])],
      options.some(({ Deadline }) => Deadline) && [
        'Deadline',
        ({ Deadline }) => Deadline && (isSet(Deadline.Date) ? momentIn(Deadline.Date, zone) : 'not set yet'),
      ],
      options.some(({ Payment }) => Payment) && [
        'Payment',
        ({ Payment }) => Payment && (isSet(Payment.Date) ? day(Payment.Date) : 'not set yet'),
      ],
      showsElections && ['Elected', (option) => electedText(event, option), 'figure'],
    ],
    options,
    { rowClass: ({ IsDefault }) => (IsDefault ? 'default' : undefined) },
  )
}

function electedText({ Holdings = [] }: Event, { OptionId }: EventOption): string {
  const held = Holdings.reduce((sum, { Amount }) => sum + Amount, 0)
  const elected = Holdings.flatMap(({ Options = [] }) => Options)
    .filter((one) => one.OptionId === OptionId)
    .reduce((sum, { ElectedAmount }) => sum + ElectedAmount, 0)
  return `${figure(elected)} of ${figure(held)}`
}

const lines = (texts: readonly string[]): Html[] => texts.map((text) => html`<span class="term">${text}</span>`)

/** Longer narratives are shown only in the details. */
const maxShortNarrative = 300

/** The terms of an option, or its description, and a short narrative, which may be all that tells two options apart. */
function receiveCell({ OptionType, Narrative }: EventOption, texts: readonly string[]): Html {
  const isShort = Narrative !== undefined && Narrative.length <= maxShortNarrative
  return html`${lines(texts)}${texts.length === 0 && !isShort && html`<span class="quiet">${OptionType?.Description}</span>`}${
    isShort && html`<div class="small quiet">${narrative(Narrative)}</div>`
  }`
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
