import type { FastifyReply } from 'fastify'
import type { Event } from '../../../events/api/schema.ts'
import { catchApiError } from '../../shared/api.ts'
import type { PageContext } from '../../shared/context.ts'
import { noErrors } from '../../shared/fields.ts'
import { eventCall, eventHref, showEvent } from '../detail/show-event.ts'
import { filtersOf } from '../event-data.ts'
import {
  type ElectionErrors,
  type ElectionRow,
  electionsPath,
  fieldErrors,
  isElected,
  readOpenHolding,
  requestedOf,
  rowsIn,
} from './election.ts'

/** Elects for one account. Submitted twice, the form changes nothing the second time: the tag no longer matches, and the
 *  holding is as requested. */
export async function submitElection(ctx: PageContext, form: URLSearchParams): Promise<FastifyReply> {
  const rows = rowsIn(form)
  const requested = requestedOf(rows)
  if ('fields' in requested) return showRejected(ctx, rows, requested, 400)
  const { options: Options, from } = requested
  const body = { EventId: ctx.param('EventId'), AccountKey: form.get('AccountKey') ?? '', Options }
  try {
    await ctx.api.send('PUT', electionsPath, body, { 'if-match': form.get('tag') ?? '' })
  } catch (error) {
    const { status, modelState, message } = catchApiError(400, 409, 412)(error)
    if (status !== 412) return showRejected(ctx, rows, fieldErrors(modelState, from, message), status)
    const present = await presentHolding(ctx)
    if (!present || !isElected(present, Options)) return showRejected(ctx, rows, noErrors, 409)
  }
  // A redirect without a fragment would keep that of the form.
  return ctx.redirect(`${eventHref(ctx, { done: form.has('withdraw') ? 'withdrawn' : 'elected' })}#content`)
}

async function presentHolding(ctx: PageContext) {
  const event = await ctx.api.find<Event>(...eventCall(ctx, filtersOf(ctx)))
  return event && (await readOpenHolding(ctx, event))?.holding
}

/** The page with what was typed. `noErrors` means that another election was made in the meantime. */
function showRejected(ctx: PageContext, rows: readonly ElectionRow[], errors: ElectionErrors, status: number) {
  return showEvent(ctx, { rejected: { rows, errors, isChanged: errors === noErrors }, status })
}
