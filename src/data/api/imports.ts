import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, writerOf } from '../../access/caller.ts'
import { type OperatorDependencies, operatorOf } from '../../access/operator.ts'
import type { Clock } from '../../core/clock.ts'
import { notFound, Problem } from '../../core/problem.ts'
import { limits } from '../../http/limits/buckets.ts'
import { operation, type RequestOf } from '../../http/operation.ts'
import { feed } from '../../http/output/feed.ts'
import { findUndone } from '../store/runs.ts'
import { beginRun, findUpload, listUploads, removeUpload, type Upload } from '../store/uploads.ts'
import { decideRun, rejectionsOf, type Wish } from '../uploads/rules/upload-state.ts'
import type { ImportRuns } from '../uploads/runs.ts'
import { ImportFeed, ImportParams, ImportView, importView } from './import-schema.ts'
import { keepFiles, maxFiles, type SentFile } from './sent-files.ts'

export type ImportDependencies = OperatorDependencies & Readonly<{ clock: Clock; runs: ImportRuns }>

const path = '/x/v1/imports'
const who = 'Only for operators; in live only with a token of the console.'
const megabytes = limits.uploadBytes / 1024 / 1024

const exampleBody = [
  '--+',
  'Content-Disposition: form-data; name="File"; filename="exchanges.ndjson"',
  '',
  '{"kind":"exchange","ExchangeId":"XMPL","Name":"Example Exchange","CountryCode":"DK","TimeZoneId":"Europe/Copenhagen"}',
  '--+--',
  '',
].join('\r\n')

export const createImport = operation({
  method: 'POST',
  path,
  operationId: 'createImport',
  permission: 'importData',
  summary: 'Send files to import, and check them',
  description: `Keeps files in the import format for an hour and begins to check them: nothing is changed. The name of a file says its
format, as for refdesk import. At most ${maxFiles} files and ${megabytes} MB; of each user the newest five imports are kept. ${who}`,
  responses: { 201: ImportView },
  errors: ['RequestNotAllowed', 'InvalidModelState'],
  documented: {
    textBody: { type: 'multipart/form-data', description: 'The files, each in a part `File`.', example: exampleBody },
  },
  config: { tooLargeAdvice: 'Import larger files with the command line: refdesk import FILE.' },
  bodyLimit: limits.uploadBytes,
})

export const listImports = operation({
  method: 'GET',
  path,
  operationId: 'listImports',
  summary: 'List imports',
  description: `Returns the imports of the caller from the last hour, newest first. ${who}`,
  responses: { 200: ImportFeed },
  errors: ['RequestNotAllowed'],
})

export const getImport = operation({
  method: 'GET',
  path: `${path}/:ImportId`,
  operationId: 'getImport',
  summary: 'Get an import',
  description: `Returns how far an import is, and what it would change or has changed. ${who}`,
  params: ImportParams,
  responses: { 200: ImportView },
  errors: ['RequestNotAllowed', 'NoResultFound'],
})

const runOf = <const W extends Wish>(wish: W, summary: string, description: string) =>
  operation({
    method: 'POST',
    path: `${path}/:ImportId/${wish}`,
    operationId: `${wish}Import`,
    permission: 'importData',
    summary,
    description: `${description} ${who}`,
    params: ImportParams,
    responses: { 202: ImportView },
    errors: ['RequestNotAllowed', 'NoResultFound', 'ImportNotReady', 'ImportRunning'],
  })

export const checkImport = runOf(
  'check',
  'Check an import again',
  'Begins to check the files against the data as it is now. Nothing is changed.',
)

export const applyImport = runOf(
  'apply',
  'Apply an import',
  'Begins to apply files that were checked: all of them or nothing. Repeating the request applies nothing twice.',
)

export const deleteImport = operation({
  method: 'DELETE',
  path: `${path}/:ImportId`,
  operationId: 'deleteImport',
  permission: 'importData',
  summary: 'Delete the files of an import',
  description: `Deletes the files. What was applied stays. ${who}`,
  params: ImportParams,
  errors: ['RequestNotAllowed', 'NoResultFound', 'ImportNotReady'],
})

export async function handleCreateImport(deps: ImportDependencies, request: FastifyRequest, reply: FastifyReply) {
  const { UserKey } = writerOf(request)
  const { db, runs } = deps
  const importId = await keepFiles({ db, key: runs.key }, UserKey, request.body as readonly SentFile[])
  const upload = await findOwn(deps, UserKey, importId)
  // If another import is running, the files wait to be checked.
  return reply.code(201).send(await viewOf(deps, (await start(deps, request, upload, 'check')) ?? upload))
}

export async function handleListImports(deps: ImportDependencies, request: FastifyRequest, reply: FastifyReply) {
  const { UserKey } = await operatorOf(deps, request)
  reply.header('cache-control', 'no-store')
  const views = await viewsOf(deps, await listUploads(deps.db, deps.runs.key, UserKey))
  return feed({ data: views.map(({ Records: _, ...view }) => view) })
}

export async function handleGetImport(
  deps: ImportDependencies,
  request: RequestOf<typeof getImport>,
  reply: FastifyReply,
) {
  const { UserKey } = await operatorOf(deps, request)
  reply.header('cache-control', 'no-store')
  return viewOf(deps, await findOwn(deps, UserKey, request.params.ImportId))
}

export async function handleRun(
  deps: ImportDependencies,
  wish: Wish,
  request: RequestOf<typeof checkImport>,
  reply: FastifyReply,
) {
  writerOf(request)
  const { UserKey } = await operatorOf(deps, request)
  const { ImportId } = request.params
  const upload = await findOwn(deps, UserKey, ImportId)
  const reached = isStarted(wish, upload) ? upload : await start(deps, request, upload, wish)
  // The run in progress may be the one that was asked for.
  const running = reached ?? (await findOwn(deps, UserKey, ImportId))
  if (!reached && !isStarted(wish, running))
    throw new Problem('ImportRunning', 'Another import is running. Try again when it has ended.')
  return reply.code(202).send(await viewOf(deps, running))
}

function isStarted(wish: Wish, { state, outcome, undoes }: Upload): boolean {
  const decided = decideRun(wish, { state, hasErrors: (outcome?.errors.length ?? 0) > 0, isUndo: undoes !== null })
  if (typeof decided === 'object') throw new Problem('ImportNotReady', decided.rejected)
  return decided === 'started'
}

export async function handleDeleteImport(
  deps: ImportDependencies,
  request: RequestOf<typeof deleteImport>,
  reply: FastifyReply,
) {
  writerOf(request)
  const { UserKey } = await operatorOf(deps, request)
  const upload = await findOwn(deps, UserKey, request.params.ImportId)
  const isRemoved = upload.state !== 'Applying' && (await removeUpload(deps.db, upload))
  if (!isRemoved) throw new Problem('ImportNotReady', rejectionsOf(upload.undoes !== null).applying)
  return reply.code(204).send()
}

async function viewsOf({ db }: ImportDependencies, uploads: readonly Upload[]): Promise<ImportView[]> {
  const runs = uploads.flatMap(({ outcome }) => outcome?.run ?? [])
  const undone = await findUndone(db, runs)
  return uploads.map((upload) => importView(upload, undone.get(upload.outcome?.run ?? 0)))
}

export async function viewOf(deps: ImportDependencies, upload: Upload): Promise<ImportView> {
  const [view = importView(upload)] = await viewsOf(deps, [upload])
  return view
}

export async function findOwn({ db, runs }: ImportDependencies, userKey: string, importId: string): Promise<Upload> {
  const upload = await findUpload(db, runs.key, userKey, importId)
  if (!upload) throw notFound('The import')
  return upload
}

/** Returns the upload as it is then; undefined if this node works on another one. A request that has begun a run at the same
 *  time counts for both. */
export async function start(deps: ImportDependencies, request: FastifyRequest, upload: Upload, wish: Wish) {
  const { db, clock, runs } = deps
  const { importId, files, undoes, userKey } = upload
  const actor = { ...actorOf(request), app: writerOf(request).appKey }
  let runId: string | undefined
  const isFree = await runs.start(async () => {
    runId = await beginRun(db, upload, wish === 'check' ? 'Checking' : 'Applying')
    const task = { files, undoes, isApplied: wish === 'apply', now: clock.now().toString(), actor }
    return runId === undefined ? undefined : { ...task, run: { importId, runId } }
  })
  if (!isFree) return undefined
  const reached = await findOwn(deps, userKey, importId)
  // What was begun instead may rule this one out.
  if (runId === undefined) isStarted(wish, reached)
  return reached
}
