import type { Event, Holding } from '../../../events/api/schema.ts'
import { effectOf } from '../../../events/rules/elections/effect.ts'
import { type EventOption, isElectableNow, lastDeadlineOf, optionEnd } from '../../../events/rules/status/deadlines.ts'
import { needsDecision } from '../../../events/rules/status/status.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { doneNotice, errorNotice, notice, tag } from '../../shared/elements.ts'
import { confirmation, type FormErrors, hiddenField, inputField, noErrors } from '../../shared/fields.ts'
import { figure, type Reader } from '../../shared/format.ts'
import { movementText, nothingText, unknownText } from '../detail/effect.ts'
import { termsOf } from '../detail/options.ts'
import { electionTag, momentIn, optionName } from '../labels.ts'
import { type ElectionRow, type OpenHolding, type Rejected, restOption, standingPath } from './election.ts'

export type ElectionForm = OpenHolding &
  Readonly<{
    event: Event
    reader: Reader
    action: string
    formToken: Html
    rejected: Rejected | undefined
    done: string | undefined
  }>

const doneMessages = new Map([
  ['elected', 'Your election was saved.'],
  ['withdrawn', 'Your election was withdrawn.'],
])

/** The election of one holding: how much of it gets which option. */
export function electionForm(form: ElectionForm): Html {
  const { event, holding, tag: version, action, formToken, rejected } = form
  const done = doneMessages.get(form.done ?? '')
  const rows = (event.Options ?? []).map((option, row) => optionRow(form, option, row))
  const isElected = (holding.Options ?? []).length > 0
  const hidden = html`${formToken}${hiddenField('AccountKey', holding.AccountKey)}${hiddenField('tag', version)}`
  return html`<section class="card flow elect" id="elect"><div class="row between"><h2>${isElected ? 'Your election' : 'Elect'}</h2>${electionTag(holding.ElectionStatus, needsDecision(event, form.reader.now))}</div>
${!rejected && doneNotice(done)}
${rejected?.isChanged && changedNotice(event, holding)}
${alertOf(rejected?.errors)}
${holdingLine(holding)}
<p class="small">${restText(form)} ${standingLink(form)}</p>
<form class="flow" method="post" action="${action}">${hidden}
<div class="elect-rows">${rows}</div>
<div class="row"><button class="button">${isElected ? 'Save changes' : 'Elect'}</button></div></form>
${isElected && withdrawal(form, hidden)}</section>`
}

const alertId = 'elect-error'

/** Above the fields, because the browser shows the top of the form. */
function alertOf({ fields, others }: FormErrors = noErrors): Html | undefined {
  const marked = Object.keys(fields).length > 0 ? ['Nothing was saved. Correct the marked fields.'] : []
  const alert = errorNotice(others.length > 0 ? others : marked)
  return alert && html`<div id="${alertId}">${alert}</div>`
}

function holdingLine({ AccountId, Amount, ElectedAmount }: Holding): Html {
  const rest = Amount - ElectedAmount
  return html`<p>Account <span class="num">${AccountId}</span> holds <strong>${figure(Amount)}</strong>: ${figure(ElectedAmount)} elected, <strong>${figure(rest)} not elected</strong>.</p>`
}

/** What happens to the rest, and when. */
function restText({ event, instruction, reader }: ElectionForm): Html | string {
  const option = restOption(event, instruction)
  const last = lastDeadlineOf(event)
  if (!option) return 'No option is marked as the default: what you do not elect stays unchanged.'
  if (last === undefined)
    return html`The default is option <strong>${optionName(option)}</strong>. No deadline is set, so it is not applied yet.`
  const why = instruction ? 'by the standing instruction of this account' : 'the default'
  return html`You can change this until the deadline. What is not elected by ${momentIn(last, reader.zone)} gets option <strong>${optionName(option)}</strong>, ${why}.`
}

/** Only events that take standing instructions have a status of them. */
function standingLink({ event, holding, instruction }: ElectionForm): Html | undefined {
  if (holding.StandingInstructionStatus === undefined) return undefined
  const query = new URLSearchParams({ account: holding.AccountKey, instrument: `${event.Uic} ${event.AssetType}` })
  return html`<a href="${standingPath}?${query.toString()}">${instruction ? 'Change the standing instruction' : 'Add a standing instruction'}</a>`
}

function changedNotice(event: Event, { Options = [] }: Holding): Html {
  const nameOf = (id: string) => optionName(event.Options?.find(({ OptionId }) => OptionId === id) ?? { OptionId: id })
  const present = Options.map(
    ({ OptionId, ElectedAmount, ElectedBy }) =>
      `${figure(ElectedAmount)} for ${nameOf(OptionId)}${ElectedBy === undefined ? '' : ` by ${ElectedBy}`}`,
  )
  return notice(
    'warn',
    html`<p><strong>The election was changed in the meantime. Nothing of yours was saved.</strong></p>
<p>It is now: ${present.length === 0 ? 'nothing elected' : present.join(', ')}. Your input is below; submit it again to replace the election.</p>`,
  )
}

function optionRow(form: ElectionForm, option: EventOption, row: number): Html {
  const { event, holding, reader, rejected } = form
  const elected = holding.Options?.find(({ OptionId }) => OptionId === option.OptionId)
  const isOpen = isElectableNow(option, reader.now)
  if (!isOpen && !elected) return closedRow(option, reader)
  const present = { Amount: String(elected?.ElectedAmount ?? ''), Remarks: elected?.Remarks ?? '' }
  const typed: Pick<ElectionRow, 'Amount' | 'Remarks'> =
    rejected?.rows.find(({ OptionId, isKept }) => OptionId === option.OptionId && !isKept) ?? present
  const name = optionName(option)
  const id = hiddenField(`OptionId-${row}`, option.OptionId)
  if (!isOpen)
    return html`<div class="elect-row">${optionHead(option, event, reader)}<p class="small">${figure(elected?.ElectedAmount ?? 0)} elected. It can no longer be changed.</p>
${id}${hiddenField(`Kept-${row}`, '1')}${hiddenField(`Amount-${row}`, present.Amount)}${hiddenField(`Remarks-${row}`, present.Remarks)}</div>`
  const errors = rejected?.errors.fields ?? {}
  const isInTotal = rejected?.errors.isTotalWrong && Number(typed.Amount) !== 0
  const spoken = html`<span class="unseen"> for ${name}</span>`
  return html`<div class="elect-row">${id}${optionHead(option, event, reader)}
${inputField(`Amount-${row}`, html`Amount${spoken}`, typed.Amount, { type: 'number', errors: errors[`Amount-${row}`], errorIn: isInTotal && alertId, hint: boundsText(option), attributes: html` step="any"` })}
${inputField(`Remarks-${row}`, html`Remarks${spoken}`, typed.Remarks, { errors: errors[`Remarks-${row}`], attributes: html` maxlength="2000"` })}
${effectOutput(form, option, typed.Amount, errors[`Amount-${row}`] !== undefined)}</div>`
}

/** What the amount leads to, or all that is held if none is typed. The script keeps it current. */
function effectOutput({ event, holding }: ElectionForm, option: EventOption, typed: string, isWrong: boolean): Html {
  const amount = Number(typed) || holding.Amount
  const each = effectOf(option, event, 1).movements
  const { movements, unknown, isAtMost, isNothing } = effectOf(option, event, amount)
  const bound = isAtMost ? ', at most' : ''
  const scaled = each.map(({ kind, value, unit, note = '' }) => ({ kind, value, unit, note }))
  const output =
    movements.length > 0 &&
    html`<output class="effect small" data-effect="${JSON.stringify(scaled)}" data-held="${holding.Amount}" data-bound="${bound}" data-limits="${JSON.stringify(limitsOf(option))}">${!isWrong && `For ${figure(amount)}${bound}: ${movements.map(movementText).join(', ')}`}</output>`
  return html`${output}${isNothing && html`<p class="small effect">${nothingText}</p>`}${unknown.length > 0 && html`<p class="small quiet effect">${unknownText(unknown)}</p>`}`
}

function optionHead(option: EventOption, event: Event, { zone }: Reader): Html {
  const { receive, pay } = termsOf(option, event)
  const end = optionEnd(option)
  const isSooner = end !== undefined && end !== lastDeadlineOf(event)
  const terms = [...receive, ...pay.map((text) => `you pay ${text}`)].join(', ')
  return html`<div><p><strong>${optionName(option)}</strong> ${option.IsDefault && tag('Default', 'accent')}</p>
<p class="small quiet">${terms || option.OptionType?.Description}${isSooner && html`<br>until ${momentIn(end, zone)}`}</p></div>`
}

const closedRow = (option: EventOption, { zone }: Reader): Html => {
  const { OptionStatus, ElectionPeriod } = option
  const end = optionEnd(option)
  const start = ElectionPeriod?.Start?.Date
  const why =
    OptionStatus === 'Cancelled' || OptionStatus === 'Inactive'
      ? OptionStatus
      : html`${end === undefined ? html`opens ${start}` : html`can be elected ${start !== undefined && html`from ${start} `}until ${momentIn(end, zone)}`}`
  return html`<div class="elect-row"><p><strong>${optionName(option)}</strong> <span class="small quiet">not open: ${why}</span></p></div>`
}

const limitsOf = (option: EventOption) => ({
  min: option.MinExercisableQuantity,
  max: option.MaxExercisableQuantity,
  multiple: option.MinExercisableMultipleQuantity,
})

/** `At least 10, in multiples of 5.` */
function boundsText(option: EventOption) {
  const { min, max, multiple } = limitsOf(option)
  const bounds = [
    min !== undefined && `at least ${figure(min)}`,
    max !== undefined && `at most ${figure(max)}`,
    multiple !== undefined && multiple > 0 && `in multiples of ${figure(multiple)}`,
  ].filter((text) => text !== false)
  const text = bounds.join(', ')
  return text === '' ? undefined : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

/** Elections whose deadline has passed stay. */
function withdrawal({ event, holding, action, reader }: ElectionForm, hidden: Html): Html {
  const kept = (holding.Options ?? []).filter(({ OptionId }) => {
    const option = event.Options?.find((each) => each.OptionId === OptionId)
    return option && !isElectableNow(option, reader.now)
  })
  const fields = kept.map(
    ({ OptionId, ElectedAmount, Remarks = '' }, row) =>
      html`${hiddenField(`OptionId-${row}`, OptionId)}${hiddenField(`Kept-${row}`, '1')}${hiddenField(`Amount-${row}`, String(ElectedAmount))}${hiddenField(`Remarks-${row}`, Remarks)}`,
  )
  const button = html`<form method="post" action="${action}">${hidden}${fields}${hiddenField('withdraw', '1')}<button class="button danger">Yes, withdraw</button></form>`
  return confirmation('Withdraw the election', 'You can elect again until the deadline.', button)
}
