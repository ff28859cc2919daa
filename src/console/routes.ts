import { noteOrigin } from '../http/in-process.ts'
import type { Server } from '../http/typed-server.ts'
import { appPages } from './app-pages.ts'
import { eventPages } from './event-pages.ts'
import { homePages } from './home-pages.ts'
import { instrumentPages } from './instrument-pages.ts'
import { answerPageError, Pages, sayMissing } from './pages.ts'
import type { ConsoleParts } from './parts.ts'
import { readerPages } from './reader-pages.ts'
import { schedulePages } from './schedule-pages.ts'
import { sessionPages } from './session-pages.ts'
import { signInPages } from './sign-in-pages.ts'
import { simPages } from './sim-pages.ts'
import { spacePages } from './space-pages.ts'

/** The console: pages for people, an ordinary client of our own API. */
export function consoleRoutes(server: Server, parts: ConsoleParts): void {
  server.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    scope.addHook('onRequest', (request, _reply, done) => {
      noteOrigin(request)
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
