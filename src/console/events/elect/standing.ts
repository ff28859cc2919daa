import type { FastifyReply } from 'fastify'
import type { Event } from '../../../events/api/schema.ts'
import type { CreatedInstruction, Instruction } from '../../../events/elections/schema.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { assetTypeName } from '../../instruments/pages/names.ts'
import { catchApiError } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { doneNotice, emptyState, errorNotice, hiddenText, table } from '../../shared/elements.ts'
import { type Choice, postLink, selectField } from '../../shared/fields.ts'
import { day } from '../../shared/format.ts'
import { eventsPath, type Feed } from '../event-data.ts'
import { instrumentName } from '../labels.ts'
import { eventViews } from '../list/views.ts'
import { instructionsPath as apiPath, standingPath } from './election.ts'

const optionTypes: readonly Choice[] = [
  ['CASH', 'Cash (CASH)'],
  ['SECU', 'Securities (SECU)'],
  ['CASE', 'Cash and securities (CASE)'],
]
const doneMessages = new Map([
  ['given', 'The standing instruction was saved.'],
  ['ended', 'The standing instruction has ended. What it was applied to does not change.'],
])
const explanation =
  'A standing instruction chooses the option that an account gets of every dividend option and reinvestment plan of an instrument if nothing was elected by the deadline. An election always takes precedence.'

type Entry = Readonly<Record<'account' | 'instrument' | 'option', string | undefined>>
type Account = Readonly<{ AccountId: string; AccountKey: string }>

const entryIn = (valueOf: (name: string) => string | null | undefined): Entry => ({
  account: valueOf('account') ?? undefined,
  instrument: valueOf('instrument') ?? undefined,
  option: valueOf('option') ?? undefined,
})

export async function showStanding(
  ctx: PageContext,
  submitted: Readonly<{ entry?: Entry; errors?: readonly string[] }> = {},
): Promise<FastifyReply> {
  const { entry = entryIn((name) => ctx.query(name)), errors = [] } = submitted
  const query = { EventTypes: ['DRIP', 'DVOP'], IncludeLapsedEvents: true, $top: 1_000 }
  const [instructions, accounts, events] = await Promise.all([
    ctx.api.get<Feed<Instruction>>(apiPath),
    ctx.api.get<Feed<Account>>('/port/v1/accounts/me', { $top: 1_000 }),
    ctx.api.get<Feed<Event>>(eventsPath, query),
  ])
  const list = instructions.Data
  const done = errors.length === 0 && doneMessages.get(ctx.query('done') ?? '')
  const body = html`${doneNotice(done)}
<section class="flow"><h2 class="unseen">In force</h2>
${list.length === 0 ? emptyState('No standing instructions.', explanation) : html`<p class="small quiet">${explanation}</p>${instructionTable(ctx, list)}`}</section>
${ctx.deps.acceptsElections && newInstruction(ctx, { entry, errors, accounts: accounts.Data, instruments: instrumentsOf(events.Data) })}`
  return ctx.render({
    title: 'Standing instructions',
    status: errors.length > 0 ? 400 : 200,
    aside: eventViews('standing', new Map()),
    body,
  })
}

function instructionTable(ctx: PageContext, list: readonly Instruction[]): Html {
  const nameOf = ({ DisplayAndFormat: names, Uic }: Instruction) => names?.Description ?? names?.Symbol ?? `Uic ${Uic}`
  const optionName = (code: string) => optionTypes.find(([each]) => each === code)?.[1] ?? code
  const end = (row: Instruction) =>
    postLink(`${standingPath}/end`, ctx.formToken, 'End', `the instruction for ${nameOf(row)}`, [
      'instruction',
      row.StandingInstructionId,
    ])
  return table<Instruction>(
    'Standing instructions',
    [
      [
        'Instrument',
        (row) =>
          html`<a href="/console/instruments/${row.Uic}/${row.AssetType}"><bdi>${nameOf(row)}</bdi></a> <span class="small quiet">${assetTypeName(row.AssetType)}</span>`,
        'name',
      ],
      ['Account', ({ AccountId }) => html`<span class="num">${AccountId}</span>`],
      ['Option', ({ OptionType }) => optionName(OptionType)],
      ['Since', ({ CreatedDate }) => day(CreatedDate)],
      ctx.deps.acceptsElections && [hiddenText('End'), end, 'figure'],
    ],
    list,
  )
}

/** Instruments with events that standing instructions are for. */
function instrumentsOf(events: readonly Event[]): Choice[] {
  const names = new Map(events.map((event) => [`${event.Uic} ${event.AssetType}`, instrumentName(event)]))
  return [...names].toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
}

type NewInstruction = Readonly<{
  entry: Entry
  errors: readonly string[]
  accounts: readonly Account[]
  instruments: readonly Choice[]
}>

function newInstruction(ctx: PageContext, { entry, errors, accounts, instruments }: NewInstruction): Html {
  const given = accounts.map(({ AccountKey, AccountId }) => [AccountKey, AccountId] as const)
  if (instruments.length === 0)
    return html`<p class="quiet">None of your accounts has held an instrument with a dividend option or a reinvestment plan.</p>`
  return html`<section class="card flow"><h2>Add a standing instruction</h2>${errorNotice(errors)}
<form class="filters" method="post" action="${standingPath}">${ctx.formToken}
${selectField('account', 'Account', given, entry.account)}
${selectField('instrument', 'Instrument', instruments, entry.instrument)}
${selectField('option', 'Option', optionTypes, entry.option)}
<div><button class="button">Save</button></div></form>
<p class="hint">It replaces the one that the account has for this instrument.</p></section>`
}

export async function giveInstruction(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const entry = entryIn((name) => form.get(name))
  const [uic = '', AssetType = ''] = (entry.instrument ?? '').split(' ')
  const instruction = { AccountKey: entry.account ?? '', Uic: Number(uic), AssetType, OptionType: entry.option ?? '' }
  const body = { StandingInstructions: [instruction] }
  try {
    const { Data } = await ctx.api.send<Feed<CreatedInstruction>>('POST', apiPath, body)
    const [{ ErrorMessage } = {}] = Data
    if (ErrorMessage !== undefined) return await showStanding(ctx, { entry, errors: [ErrorMessage] })
  } catch (error) {
    return showStanding(ctx, { entry, errors: catchApiError(400)(error).messages })
  }
  return ctx.redirect(`${standingPath}?done=given`)
}

/** Ending one that has already ended is the same as ending it. */
export async function endInstruction(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const { ClientKey } = await ctx.api.get<{ ClientKey: string }>('/port/v1/clients/me')
  const query = new URLSearchParams({ ClientKey, StandingInstructionIds: form.get('instruction') ?? '' })
  await ctx.api.send('DELETE', `${apiPath}?${query}`).catch(catchApiError(404))
  return ctx.redirect(`${standingPath}?done=ended`)
}
