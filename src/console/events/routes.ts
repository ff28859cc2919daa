import type { FastifyReply } from 'fastify'
import type { Event } from '../../events/api/schema.ts'
import { ApiRefusal } from '../shared/api.ts'
import type { Visit } from '../shared/context.ts'
import { type Pages, sayWhy } from '../shared/router.ts'
import { storyBody, storyTags, storyTitle } from './detail/event-page.ts'
import { awaitingFor, choicesFor, eventsPath, type Feed, filtersOf, orRefused, sendFile } from './event-data.ts'
import { answerBody } from './list/decisions.ts'
import { answerPath, eventListBody, listPath, mostExported } from './list/event-list.ts'
import { type Asked, hrefWith, parametersOf, scopeOnly } from './list/filters.ts'
import { monthPath } from './list/month-page.ts'
import { subscribePath } from './list/subscribe.ts'
import { showMonth } from './month-routes.ts'
import { makeCalendar, showSubscriptions, withdrawCalendar } from './subscribe-routes.ts'

const standardTop = '25'

/** Corporate actions: what happens to what is held, as a list, a month and a story. */
export function eventPages(pages: Pages): void {
  pages.get(listPath, showList)
  pages.get(`${listPath}.ics`, (visit) => exportList(visit, 'text/calendar', 'events.ics'))
  pages.get(`${listPath}.csv`, (visit) => exportList(visit, 'text/csv', 'events.csv'))
  pages.get(answerPath, showAnswers)
  pages.get(monthPath, showMonth)
  pages.get(subscribePath, (visit) => showSubscriptions(visit, filtersOf(visit)))
  pages.post(subscribePath, makeCalendar)
  pages.post(`${subscribePath}/withdraw`, withdrawCalendar)
  pages.get(`${listPath}/:EventId`, showStory)
  pages.get(`${listPath}/:EventId/event.ics`, (visit) => exportOne(visit, 'text/calendar', 'event.ics'))
  pages.get(`${listPath}/:EventId/event.csv`, (visit) => exportOne(visit, 'text/csv', 'event.csv'))
}

async function showList(visit: Visit): Promise<FastifyReply> {
  const asked = filtersOf(visit)
  const [top, place] = [visit.asked('$top'), visit.asked('$skiptoken')]
  const [choices, found, awaiting] = await Promise.all([
    choicesFor(visit, asked),
    orRefused(
      visit.api.get<Feed<Event>>(eventsPath, { ...parametersOf(asked), $top: top ?? standardTop, $skiptoken: place }),
    ),
    place === undefined ? awaitingFor(visit, asked) : undefined,
  ])
  const isRefused = found instanceof ApiRefusal
  const feed = isRefused ? { Data: [] } : found
  return visit.show(
    {
      title: 'Corporate actions',
      place: 'events',
      body: eventListBody({
        form: { action: listPath, asked, choices, top, hasOrder: true },
        events: feed.Data,
        count: feed.__count ?? feed.Data.length,
        next: placeIn(feed.__next),
        isFirstPage: place === undefined,
        awaiting: awaiting instanceof ApiRefusal ? undefined : awaiting,
        refused: isRefused ? found.sentences : [],
        reader: { now: visit.now, zone: visit.zone },
      }),
    },
    { status: isRefused ? found.status : 200 },
  )
}

async function showAnswers(visit: Visit): Promise<FastifyReply> {
  const asked = scopeOnly(filtersOf(visit))
  const [choices, found] = await Promise.all([choicesFor(visit, asked), awaitingFor(visit, asked)])
  const isRefused = found instanceof ApiRefusal
  return visit.show(
    {
      title: 'What awaits an answer',
      place: 'events',
      body: answerBody({
        asked,
        choices,
        awaiting: isRefused ? undefined : found,
        refused: isRefused ? found.sentences : [],
        reader: { now: visit.now, zone: visit.zone },
      }),
    },
    { status: isRefused ? found.status : 200 },
  )
}

const placeIn = (next: string | undefined): string | undefined =>
  next === undefined ? undefined : (URL.parse(next)?.searchParams.get('$skiptoken') ?? undefined)

async function exportList(visit: Visit, type: string, file: string): Promise<FastifyReply> {
  const parameters = { ...parametersOf(filtersOf(visit)), $top: mostExported }
  return sendFile(visit, await visit.api.text(eventsPath, parameters, type), type, file)
}

/** One event is read in any state: what a list or an old address leads to is not hidden because it is over. */
const anyState = ['Approved', 'Cancelled', 'Complete', 'Confirmed', 'Preliminary', 'Withdrawn']

function oneEvent(visit: Visit, asked: Asked): [path: string, parameters: Record<string, string | string[]>] {
  const { AccountGroupKey: _, ...scope } = parametersOf(scopeOnly(asked))
  return [`${eventsPath}/${encodeURIComponent(visit.param('EventId'))}`, { ...scope, EventStates: anyState }]
}

async function showStory(visit: Visit): Promise<FastifyReply> {
  const asked = filtersOf(visit)
  const event = await visit.api.find<Event>(...oneEvent(visit, asked))
  if (!event) return noEvent(visit, asked)
  const story = { event, asked, reader: { now: visit.now, zone: visit.zone } }
  return visit.show({
    title: storyTitle(event),
    place: 'events',
    crumbs: [['Corporate actions', hrefWith(listPath, scopeOnly(asked))]],
    aside: storyTags(story),
    body: storyBody(story),
  })
}

function noEvent(visit: Visit, asked: Asked): FastifyReply {
  const isWide = asked.has('IncludeSubAccounts')
  const whose = isWide ? 'these accounts and those of clients below' : 'these accounts'
  const here = visit.request.url.split('?')[0] ?? listPath
  return sayWhy(visit, {
    status: 404,
    title: 'There is no such event for you',
    sentence: `No event with the id ${visit.param('EventId')} concerns what ${whose} hold.`,
    href: isWide ? listPath : hrefWith(here, scopeOnly(asked), { IncludeSubAccounts: 'true' }),
    action: isWide ? 'To the list' : 'Look among clients below too',
  })
}

async function exportOne(visit: Visit, type: string, file: string): Promise<FastifyReply> {
  const [path, parameters] = oneEvent(visit, filtersOf(visit))
  return sendFile(visit, await visit.api.text(path, parameters, type), type, file)
}
