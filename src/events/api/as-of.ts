import type { Caller } from '../../core/caller.ts'
import { requireMoment } from '../../database/history/moments.ts'
import type { EventCatalogue } from '../catalogue/catalogue.ts'
import type { EventDependencies } from './list.ts'

export type PresentEvents = EventDependencies & Readonly<{ catalogue: Pick<EventCatalogue, 'at'> }>

/** What a request is answered from: with AsOf, the events, positions and elections of that moment (§9.7). They are read from the
 *  primary server, because a replica may not have reached the moment. */
export async function eventsAt(
  deps: PresentEvents,
  { ClientKey }: Pick<Caller, 'ClientKey'>,
  asOf: string | undefined,
): Promise<EventDependencies> {
  if (asOf === undefined) return deps
  const { replicated, catalogue, ...others } = deps
  const db = replicated?.primary ?? deps.db
  const moment = await requireMoment(db, asOf, 'events')
  return { ...others, db, catalogue: await catalogue.at(moment, ClientKey), asOf: moment }
}
