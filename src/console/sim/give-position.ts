import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { type Html, html } from '../../http/html/html.ts'
import type { InstrumentDetails } from '../../instruments/api/schema.ts'
import type { PositionBody, PositionView } from '../../sim/api/position-schema.ts'
import { instrumentHref, nameOf } from '../instruments/pages/names.ts'
import { undefinedIf } from '../shared/api.ts'
import type { PageContext } from '../shared/context.ts'
import { errorNotice, notice } from '../shared/elements.ts'
import { type FormErrors, formErrorsFrom, inputField, noErrors } from '../shared/fields.ts'
import { pathOf } from './paths.ts'

const names = ['User', 'Symbol', 'Amount', 'Account', 'AssetType'] as const satisfies (keyof Static<
  typeof PositionBody
>)[]

/** What was typed, and what is wrong with it. */
export type Entry = Readonly<{ typed: Readonly<Partial<Record<(typeof names)[number], string>>>; errors: FormErrors }>

/** Sets the position. Fields that were left empty are not sent. */
export async function givePosition(
  ctx: PageContext,
  form: URLSearchParams,
  showRejected: (entry: Entry) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const typed = Object.fromEntries(names.map((name) => [name, (form.get(name) ?? '').trim()]))
  const filled = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''))
  const amount = Number(typed.Amount)
  if (filled.Amount !== undefined && !Number.isFinite(amount))
    return showRejected({ typed, errors: { fields: { Amount: ['Must be a number, such as 250.'] }, others: [] } })
  try {
    const body = { ...filled, ...(filled.Amount !== undefined && { Amount: amount }) }
    const { Uic, AssetType } = await ctx.api.send<Static<typeof PositionView>>('PUT', '/x/v1/positions', body)
    const done = amount === 0 ? 'removed' : 'given'
    return ctx.redirect(`${pathOf('scenarios')}?done=${done}&instrument=${Uic}/${AssetType}#give`)
  } catch (error) {
    return showRejected({ typed, errors: formErrorsFrom(error, names) })
  }
}

const doneMessages = new Map([
  ['given', 'The position was set'],
  ['removed', 'The position was removed'],
])

const unknownInstrument = undefinedIf(({ status }) => status === 400 || status === 404)

/** The message after a change, with a link to the instrument if this user may see it. */
export async function givenNotice(ctx: PageContext): Promise<Html | undefined> {
  const message = ctx.isSafe ? doneMessages.get(ctx.query('done') ?? '') : undefined
  if (message === undefined) return undefined
  const [, uic, assetType] = /^(\d{1,9})\/(\w{1,60})$/.exec(ctx.query('instrument') ?? '') ?? []
  const path = `/ref/v1/instruments/details/${uic}/${assetType}`
  const found = uic && assetType ? await ctx.api.get<InstrumentDetails>(path).catch(unknownInstrument) : undefined
  const link =
    found && html` and <a href="${instrumentHref(found.Uic, found.AssetType)}"><bdi>${nameOf(found)}</bdi></a>`
  return notice('good', html`${message}. See <a href="/console/events">corporate actions</a>${link}`)
}

export function giveCard({ typed, errors }: Entry, formToken: Html, done: Html | undefined): Html {
  const field = (name: (typeof names)[number], label: string, hint?: string, attributes?: Html) =>
    inputField(name, label, typed[name], {
      errors: errors.fields[name],
      hint,
      attributes: html` autocomplete="off" autocapitalize="none" spellcheck="false"${attributes}`,
    })
  return html`<section class="card flow" id="give"><h2>Set a position</h2>
<p>Sets what an account holds of an instrument, on past days too. It replaces what the account had of it; 0 removes it.</p>
${done}
${errorNotice(errors.others)}
<form method="post" action="${pathOf('scenarios')}/give#give" class="flow">${formToken}
<div class="filters give">${field('User', 'User', 'The sign-in name.', html` required maxlength="100"`)}
${field('Symbol', 'Symbol', 'As in search results, such as AAPL:xnas.', html` required maxlength="60"`)}
${field('Amount', 'Amount', 'Negative if sold short.', html` required inputmode="decimal" maxlength="30"`)}
${field('AssetType', 'Asset type (optional)', 'If the symbol has several, such as Stock.', html` maxlength="60"`)}
${field('Account', 'Account (optional)', 'By default the first that may trade it.', html` maxlength="100"`)}</div>
<div><button class="button">Set position</button></div></form></section>`
}

export const newEntry = (User: string | undefined): Entry => ({ typed: User ? { User } : {}, errors: noErrors })
