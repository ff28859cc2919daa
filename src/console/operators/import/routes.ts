import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { readMultipartForm } from '../../../http/input/multipart-form.ts'
import { readSpooled } from '../../../http/input/spooled-body.ts'
import { limits } from '../../../http/limits/buckets.ts'
import type { Server } from '../../../http/typed-server.ts'
import { ApiError, catchApiError } from '../../shared/api.ts'
import type { ConsoleDependencies, Exchange } from '../../shared/dependencies.ts'
import { handlePageError } from '../../shared/messages.ts'
import { PageRouter } from '../../shared/router.ts'
import { currentSession } from '../../shared/session.ts'
import { importPath } from '../paths.ts'
import { apiPath } from './data.ts'
import { tooLarge } from './form.ts'
import { discard, sendFiles, showImports, startRun } from './page.ts'
import { showRun, undoRun } from './run.ts'
import { showImport } from './show-import.ts'

/** A form has a few fields besides its files. */
const bodyLimit = limits.uploadBytes + limits.bodyBytes

/** The page Import (§11.11). Its files are kept as bytes, unlike those of other forms. */
export function importRoutes(server: Server, deps: ConsoleDependencies): void {
  server.register(async (scope: Server) => {
    scope.removeContentTypeParser('multipart/form-data')
    scope.addContentTypeParser('multipart/form-data', readFiles)
    scope.setErrorHandler((error, request, reply) => {
      const isTooLarge = (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      return handlePageError(isTooLarge ? new ApiError(413, tooLarge) : error, { deps, request, reply })
    })
    const router = new PageRouter(scope, deps)
    router.get(importPath, (ctx) => showImports(ctx))
    router.post(importPath, sendFiles, { bodyLimit, guard: admitUpload })
    router.get(`${importPath}/runs/:Run`, (ctx) => showRun(ctx))
    router.post(`${importPath}/runs/:Run/undo`, undoRun)
    router.get(`${importPath}/:ImportId`, (ctx) => showImport(ctx))
    router.post(`${importPath}/:ImportId/check`, startRun('check'))
    router.post(`${importPath}/:ImportId/apply`, startRun('apply'))
    router.post(`${importPath}/:ImportId/delete`, discard)
  })
}

async function readFiles(request: FastifyRequest, payload: Readable): Promise<FormData> {
  const form = await readMultipartForm(await readSpooled(request, payload), request.headers['content-type'] ?? '')
  if (!form) throw new ApiError(400, 'The form is malformed, or has too many files.')
  return form
}

/** The API decides whether the session is alive and its user an operator. The operation checks it again. */
async function admitUpload(exchange: Exchange): Promise<void> {
  const { deps, request, reply } = exchange
  const session = await currentSession(exchange)
  const api = deps.apiFor(request, session?.accessToken ?? '')
  await api.get(apiPath).catch((error) => {
    catchApiError(401, 403)(error)
    throw new ApiError(403, 'Only operators may import. If you are one, sign in again.')
  })
  if (reply.raw.destroyed) throw new ApiError(400, 'The connection was closed.')
  if (!deps.uploads.take(request, reply)) throw new ApiError(429, 'Other uploads are in progress.', {}, 5)
}
