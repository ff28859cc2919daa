import { type Html, html } from '../../http/html/html.ts'
import type { PageContext } from '../shared/context.ts'
import { readApp } from './app-data.ts'
import { secretSection } from './pages/secrets.ts'

/** All secrets of an app, below one that was just created. A failure to read them must not hide the new one, which may be
 *  shown only once. */
export async function secretsBelow(ctx: PageContext, appKey: string): Promise<Html> {
  const loaded = await readApp(ctx, appKey).catch(() => undefined)
  // The new one is valid from now on, which is later than the request.
  return loaded ? secretSection({ ...loaded, now: ctx.deps.clock.now(), zone: ctx.zone }) : html``
}
