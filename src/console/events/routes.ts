import type { PageRouter } from '../shared/router.ts'
import { showEventHistory } from './detail/history.ts'
import { eventCall, showEvent } from './detail/show-event.ts'
import { standingPath } from './elect/election.ts'
import { endInstruction, giveInstruction, showStanding } from './elect/standing.ts'
import { submitElection } from './elect/submit.ts'
import * as data from './event-data.ts'
import { showList } from './list/event-list.ts'
import { parametersOf } from './list/filters.ts'
import { monthPath, showMonth } from './list/month.ts'
import { createCalendar, revokeCalendar, showSubscriptions, subscribePath } from './list/subscribe.ts'
import { showTimeline, timelinePath } from './list/timeline.ts'
import { listPath } from './list/views.ts'

const exports = [
  ['ics', 'text/calendar'],
  ['csv', 'text/csv'],
] as const

export function eventRoutes(router: PageRouter): void {
  router.get(listPath, showList)
  router.get(monthPath, showMonth)
  router.get(timelinePath, showTimeline)
  router.get(subscribePath, (ctx) => showSubscriptions(ctx, data.filtersOf(ctx)))
  router.post(subscribePath, createCalendar)
  router.post(`${subscribePath}/withdraw`, revokeCalendar)
  router.get(standingPath, (ctx) => showStanding(ctx))
  router.post(standingPath, giveInstruction)
  router.post(`${standingPath}/end`, endInstruction)
  router.get(`${listPath}/:EventId`, (ctx) => showEvent(ctx))
  router.get(`${listPath}/:EventId/history`, showEventHistory)
  router.post(`${listPath}/:EventId/elect`, submitElection)
  for (const [extension, type] of exports) {
    router.get(`${listPath}.${extension}`, async (ctx) => {
      const query = { ...parametersOf(data.filtersOf(ctx)), $top: data.maxExported }
      return data.sendFile(ctx, await ctx.api.text(data.eventsPath, query, type), type, `events.${extension}`)
    })
    router.get(`${listPath}/:EventId/event.${extension}`, async (ctx) => {
      const text = await ctx.api.text(...eventCall(ctx, data.filtersOf(ctx)), type)
      return data.sendFile(ctx, text, type, `event.${extension}`)
    })
  }
}
