import type { FastifyReply } from 'fastify'
import type { Event } from '../../../events/api/schema.ts'
import { html } from '../../../http/html/html.ts'
import type { PageContext } from '../../shared/context.ts'
import { capital } from '../../shared/format.ts'
import { historySection, type Label } from '../../shared/history/history.ts'
import type { PathPart } from '../../shared/history/rules/wording.ts'
import * as data from '../event-data.ts'
import { optionName } from '../labels.ts'
import { hrefWith, scopeOnly } from '../list/filters.ts'
import { dateNames } from './dates.ts'
import { eventTabs } from './event-page.ts'
import { labelOf } from './facts.ts'
import { eventCall, eventHead, pathOf, renderUnknownEvent } from './show-event.ts'

const ofOthers = 'The history of an event that only sub-clients hold is shown to them and to operators.'

export async function showEventHistory(ctx: PageContext): Promise<FastifyReply> {
  const filters = data.filtersOf(ctx)
  const event = await ctx.api.find<Event>(...eventCall(ctx, filters))
  if (!event) return renderUnknownEvent(ctx, filters)
  const isOwn = !filters.has('ClientKey') && !filters.has('IncludeSubAccounts')
  const path = `${pathOf(ctx)}/history`
  const versions = await historySection(ctx, {
    kind: 'event',
    id: event.EventId,
    labelOf: (parts) => memberLabel(event, parts),
    href: (skip) => hrefWith(path, scopeOnly(filters), { $skip: skip === undefined ? undefined : String(skip) }),
    hasStory: true,
    ifUnknown: isOwn ? undefined : ofOthers,
    lesser: ['UpdatedDateTime'],
  })
  return ctx.render({
    ...eventHead(ctx, event, filters),
    body: html`${eventTabs(pathOf(ctx), filters, 'History')}${versions}`,
  })
}

/** The member that carries the value of a date, a price or a code needs no name of its own. */
const isValue = (name: string): boolean => ['Date', 'Value', 'Code'].includes(name)

/** `Ex date`, or `Option 1 Cash: response deadline` for what belongs to an option. */
function memberLabel({ Options = [] }: Event, parts: readonly PathPart[]): Label {
  const [first, ...rest] = parts
  const id = first?.name === 'Options' ? first.key : undefined
  const known = Options.find(({ OptionId }) => OptionId === id)
  const option = id === undefined ? undefined : `Option ${known ? optionName(known) : id}`
  if (option !== undefined && rest.length === 0) return { label: option }
  const members = option === undefined ? parts : rest
  const named = members.filter(({ name }, index) => index === 0 || !isValue(name))
  const [top = '', ...inner] = named.map(({ name, key }) => {
    const label = dateNames[name] ?? labelOf(name)
    return key === undefined ? label : `${label} ${key}`
  })
  return { group: option, label: [capital(top), ...inner.map((name) => name.toLowerCase())].join(', ') }
}
