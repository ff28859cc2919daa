import { rememberSource } from '../http/in-process.ts'
import type { Server } from '../http/typed-server.ts'
import { appPages } from './apps/routes.ts'
import { eventPages } from './events/routes.ts'
import { homePages } from './home/routes.ts'
import { instrumentPages } from './instruments/routes.ts'
import { schedulePages } from './instruments/schedule-routes.ts'
import { spacePages } from './instruments/space-routes.ts'
import { readerPages } from './reader/routes.ts'
import { sessionPages } from './sessions/routes.ts'
import { signInPages } from './sessions/sign-in-routes.ts'
import type { ConsoleParts } from './shared/dependencies.ts'
import { answerPageError, Pages, sayMissing } from './shared/router.ts'
import { simPages } from './sim/routes.ts'

/** The console: pages for people, an ordinary client of our own API. */
export function consoleRoutes(server: Server, parts: ConsoleParts): void {
  server.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    scope.addHook('onRequest', (request, _reply, done) => {
      rememberSource(request)
      done()
    })
    scope.setErrorHandler((error, request, reply) => answerPageError(parts, error, request, reply))
    const pages = new Pages(scope, parts)
    signInPages(scope, parts)
    sessionPages(pages)
    appPages(pages)
    spacePages(pages)
    schedulePages(pages)
    instrumentPages(pages)
    eventPages(pages)
    readerPages(scope, pages)
    if (parts.environment === 'sim') simPages(pages)
    homePages(pages)
    pages.getOpen('/console/*', sayMissing)
  })
}
