import { writerOf } from '../../access/caller.ts'
import { operatorOf } from '../../access/operator.ts'
import { Problem, rateLimitExceeded } from '../../core/problem.ts'
import { addOperation } from '../../http/operation.ts'
import type { Server } from '../../http/typed-server.ts'
import { type ChangesDependencies, changeRoutes } from '../changes/api/changes.ts'
import * as imports from './imports.ts'
import { type RunDependencies, runRoutes } from './runs.ts'
import { readSentFiles } from './sent-files.ts'

/** The change feed (§9.6), and imports by operators with the runs that they lead to (§11.11). */
export function dataRoutes(api: Server, deps: RunDependencies & ChangesDependencies): void {
  changeRoutes(api, deps)
  importRoutes(api, deps)
  runRoutes(api, deps)
}

function importRoutes(api: Server, deps: imports.ImportDependencies): void {
  addOperation(api, imports.listImports, (request, reply) => imports.handleListImports(deps, request, reply))
  addOperation(api, imports.getImport, (request, reply) => imports.handleGetImport(deps, request, reply))
  addOperation(api, imports.checkImport, (request, reply) => imports.handleRun(deps, 'check', request, reply))
  addOperation(api, imports.applyImport, (request, reply) => imports.handleRun(deps, 'apply', request, reply))
  addOperation(api, imports.deleteImport, (request, reply) => imports.handleDeleteImport(deps, request, reply))
  api.register(async (scope: Server) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('multipart/form-data', readSentFiles)
    scope.addContentTypeParser('*', async () => {
      throw new Problem('InvalidMediaTypeHeader', 'Send the files as Content-Type: multipart/form-data.')
    })
    // Before a large body is read.
    scope.addHook('onRequest', async (request, reply) => {
      writerOf(request)
      await operatorOf(deps, request)
      // Its close, which would end the count, is past.
      if (reply.raw.destroyed) throw new Problem('InvalidRequest', 'The connection was closed.')
      if (!deps.runs.uploads.take(request, reply)) throw rateLimitExceeded(5, 'Other uploads are in progress.')
    })
    addOperation(scope, imports.createImport, (request, reply) => imports.handleCreateImport(deps, request, reply))
  })
}
