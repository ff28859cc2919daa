import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { etagOf, sendWithEtag } from '../../http/output/caching.ts'
import { renderCalendar } from '../calendar/ics.ts'
import { calendarEntries } from '../rules/calendar-entries.ts'
import type { Format } from '../rules/formats.ts'
import { renderCsv } from './csv.ts'
import type { Event } from './schema.ts'

export const calendarName = 'Corporate actions'

type Rendering = Readonly<{
  headers: Readonly<Record<string, string>>
  texts(events: Iterable<Event>, name: string): Iterable<string>
}>

export type Renderings = Readonly<Record<Exclude<Format, 'json'>, Rendering>>

const headersOf = (mediaType: string, file: string) => ({
  'content-type': mediaType,
  'content-disposition': `inline; filename="${file}"`,
})

/** Events as iCalendar and CSV. `host`, of PUBLIC_URL, is part of the ids of calendar entries. */
export function eventRenderings(deps: Readonly<{ host: string; version: string; clock: Clock }>): Renderings {
  const { host, version, clock } = deps
  return {
    ics: {
      headers: headersOf('text/calendar; charset=utf-8', 'events.ics'),
      texts: (events, name) =>
        renderCalendar({ name, entries: calendarEntries(events, { host, now: clock.now() }), version }),
    },
    csv: {
      headers: headersOf('text/csv; charset=utf-8; header=present', 'events.csv'),
      texts: (events) => [renderCsv([...events], clock.now())],
    },
  }
}

/** Other requests are served after every so many texts: a calendar may have very many entries. */
const chunkSize = 100

export async function sendRendering(
  request: FastifyRequest,
  reply: FastifyReply,
  rendering: Rendering,
  events: Iterable<Event>,
  name = calendarName,
): Promise<Buffer | FastifyReply> {
  const hash = createHash('sha256')
  const body: Buffer[] = []
  for (const text of rendering.texts(events, name)) {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    if (body.push(bytes) % chunkSize === 0) await setImmediate()
  }
  reply.headers(rendering.headers)
  return sendWithEtag(request, reply, etagOf([hash.digest('hex')]), () => Buffer.concat(body))
}
