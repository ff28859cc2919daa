import type { Server } from '../http/typed-server.ts'
import { appRoutes } from './apps/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { exchangeRoutes } from './exchanges/routes.ts'
import { explainRoutes } from './explain/page.ts'
import { homeRoutes } from './home/home.ts'
import { instrumentRoutes } from './instruments/routes.ts'
import { importRoutes } from './operators/import/routes.ts'
import { operatorRoutes } from './operators/routes.ts'
import { paletteRoutes } from './palette/routes.ts'
import { docsRoutes } from './reader/docs/routes.ts'
import { readerRoutes } from './reader/routes.ts'
import { requestRoutes } from './requests/routes.ts'
import { sessionRoutes } from './sessions/sessions.ts'
import { signInRoutes } from './sessions/sign-in.ts'
import type { ConsoleDependencies } from './shared/dependencies.ts'
import { handlePageError, renderNotFound } from './shared/messages.ts'
import { PageRouter } from './shared/router.ts'
import { readUpload } from './shared/upload.ts'
import { simRoutes } from './sim/routes.ts'

export function consoleRoutes(server: Server, deps: ConsoleDependencies): void {
  server.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    scope.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, readUpload)
    scope.setErrorHandler((error, request, reply) => handlePageError(error, { deps, request, reply }))
    const router = new PageRouter(scope, deps)
    signInRoutes(scope, router, deps)
    sessionRoutes(router)
    appRoutes(router)
    instrumentRoutes(router)
    exchangeRoutes(router)
    eventRoutes(router)
    explainRoutes(router)
    operatorRoutes(router)
    importRoutes(scope, deps)
    paletteRoutes(router)
    readerRoutes(scope, router)
    docsRoutes(router)
    if (deps.hasRequestLog) requestRoutes(router)
    if (deps.environment === 'sim') simRoutes(router)
    homeRoutes(router)
    router.getPublic('/console/*', renderNotFound)
  })
}
