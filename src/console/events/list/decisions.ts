import type { FastifyReply } from 'fastify'
import type { Event } from '../../../events/api/schema.ts'
import { defaultOption } from '../../../events/rules/status/deadlines.ts'
import type { Decisions, Due } from '../../../events/rules/status/status.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { PageContext } from '../../shared/context.ts'
import { emptyState, errorNotice, table } from '../../shared/elements.ts'
import { day, figure } from '../../shared/format.ts'
import { choicesFor, filtersOf, readDecisions } from '../event-data.ts'
import { howToElect, optionName, statusTag } from '../labels.ts'
import { deadlineCell, deadlineHead, decisionsPath, eventCell, eventViews, listPath } from './event-list.ts'
import { type Filters, filterChips, hrefWith, scopeOnly } from './filters.ts'

export async function showDecisions(ctx: PageContext): Promise<FastifyReply> {
  const { status, ...list } = await readList(ctx)
  return ctx.render({ title: 'Needs your decision', status, body: decisionsBody(list) })
}

async function readList(ctx: PageContext) {
  const filters = scopeOnly(filtersOf(ctx))
  const [choices, found] = await Promise.all([choicesFor(ctx, filters), readDecisions(ctx, filters)])
  const { body: decisions, status, errors } = found
  return {
    filters,
    choices,
    decisions,
    status,
    errors,
    reader: ctx.reader,
    acceptsElections: ctx.deps.acceptsElections,
  }
}

type DecisionList = Omit<Awaited<ReturnType<typeof readList>>, 'status'>

const maxShown = 200

export function decisionsBody(list: DecisionList): Html {
  const { filters, choices, decisions, errors } = list
  return html`${eventViews('decisions', filters)}
${errorNotice(errors)}
${filterChips(decisionsPath, { filters, choices })}
${decisions && (decisions.due.length === 0 ? noDecisions(filters) : dueTable(decisions, list))}`
}

function dueTable(decisions: Decisions, { filters, reader, acceptsElections }: DecisionList): Html {
  const { due } = decisions
  return html`<section class="flow" aria-label="Events">
<p><strong>${figure(due.length)}</strong> pending ${due.length === 1 ? 'decision' : 'decisions'}, earliest deadline first. ${limits(decisions)}</p>
<p class="small quiet">${howToElect(acceptsElections)}</p>
<div class="event-table">${table<Due>(
    'Pending decisions',
    [
      ['Event', ({ event }) => eventCell(event, filters), 'name'],
      [deadlineHead(reader.zone), ({ event }) => deadlineCell(event, reader), 'figure'],
      ['If you do nothing', ({ event }) => defaultCell(event)],
      ['Status', ({ event }) => statusTag(event, reader)],
    ],
    due.slice(0, maxShown),
  )}</div></section>`
}

function limits({ due, until, isComplete }: Decisions): string {
  return [
    until !== undefined && `Deadlines after ${day(until)} are not included: there are too many events.`,
    !isComplete && 'The list is incomplete: there are too many events. Select an account to see all of its events.',
    due.length > maxShown && `Showing the first ${maxShown}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function defaultCell(event: Event): Html | string {
  const option = defaultOption(event)
  return option ? optionName(option) : html`<span class="quiet">No option is marked as the default</span>`
}

function noDecisions(filters: Filters): Html {
  const hint = 'Events without your election appear here, with their deadline.'
  return emptyState('No pending decisions.', hint, ['All corporate actions', hrefWith(listPath, filters)])
}
