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

/** What a list of events looks like in another form than JSON. */
type Rendering = Readonly<{
  headers: Readonly<Record<string, string>>
  portions(events: Iterable<Event>, name: string): Iterable<string>
}>

export type Renderings = Readonly<Record<Exclude<Format, 'json'>, Rendering>>

/** `host` is that of PUBLIC_URL: the entries' ids carry it. */
type Known = Readonly<{ host: string; version: string; clock: Clock }>

export function eventRenderings({ host, version, clock }: Known): Renderings {
  return {
    ics: {
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="events.ics"',
      },
      portions: (events, name) => {
        const entries = calendarEntries(events, { host, now: clock.now() })
        return inPortions(renderCalendar({ name, entries, version }))
      },
    },
    csv: {
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'inline; filename="events.csv"',
      },
      portions: (events) => [renderCsv([...events], clock.now())],
    },
  }
}

/** Other requests are answered between the portions: a calendar may have very many entries. */
export async function sendRendering(
  request: FastifyRequest,
  reply: FastifyReply,
  rendering: Rendering,
  events: Iterable<Event>,
  name = calendarName,
): Promise<Buffer | FastifyReply> {
  const hash = createHash('sha256')
  const body: Buffer[] = []
  for (const portion of rendering.portions(events, name)) {
    const bytes = Buffer.from(portion)
    hash.update(bytes)
    body.push(bytes)
    await setImmediate()
  }
  reply.headers(rendering.headers)
  return sendWithEtag(request, reply, etagOf([hash.digest('hex')]), () => Buffer.concat(body))
}

const mostPieces = 100

function* inPortions(pieces: Iterable<string>): Generator<string> {
  let portion: string[] = []
  for (const piece of pieces) {
    portion.push(piece)
    if (portion.length < mostPieces) continue
    yield portion.join('')
    portion = []
  }
  yield portion.join('')
}
