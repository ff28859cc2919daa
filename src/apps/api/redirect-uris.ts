import type { FastifyReply } from 'fastify'
import type { Flow } from '../../core/app.ts'
import { invalid, notFound, Problem } from '../../core/problem.ts'
import { operation } from '../../http/operation.ts'
import { feed, pageOf } from '../../http/output/feed.ts'
import { type AppCall, limitReached } from '../app-service.ts'
import { sameRedirectUri } from '../rules/redirect-match.ts'
import { checkRedirectUri } from '../rules/redirect-uri.ts'
import type { StoredApp, StoredRedirectUri } from '../store/apps.ts'
import * as store from '../store/manage.ts'
import * as schema from './schema.ts'
import { redirectView } from './view.ts'

const path = '/developer/apps/:AppKey/redirecturis'
const allUris = { path, params: schema.AppParams } as const
const oneUri = { ...allUris, path: `${path}/:RedirectUriId`, params: schema.RedirectUriParams } as const

export const listRedirectUris = operation({
  method: 'GET',
  ...allUris,
  operationId: 'listRedirectUris',
  summary: 'List redirect URIs',
  description: 'Returns the redirect URIs of an app. Its sign-ins may return to these addresses only.',
  query: schema.PageQuery,
  responses: { 200: schema.RedirectUriFeed },
  errors: ['NoResultFound'],
})

export async function handleListRedirectUris({ service, request }: AppCall<typeof listRedirectUris>) {
  const { AppKey } = request.params
  const { redirectUris } = await service.read(request, AppKey)
  const page = pageOf(request, service.urlOf(path, AppKey), redirectUris)
  return feed({ ...page, data: page.data.map(redirectView), maxRows: schema.appsPage.maxTop })
}

export const createRedirectUri = operation({
  method: 'POST',
  ...allUris,
  operationId: 'createRedirectUri',
  permission: 'manageApps',
  summary: 'Create a redirect URI',
  description:
    'Adds a redirect URI to an app. If the app already has it, its label and description are updated and FoundAndUpdated is ' +
    'true. Also works while the app is inactive, so that it can be reactivated.',
  body: schema.NewRedirectUri,
  responses: { 201: schema.PutRedirectUri },
  errors: ['NoResultFound', 'LimitReached'],
  documented: { ifMatch: true, headers: ['Location', 'X-Redirect-Uri-Hint'] },
})

export async function handleCreateRedirectUri({ service, request, reply }: AppCall<typeof createRedirectUri>) {
  const { Uri: uri, Description, RedirectUriLabel } = request.body
  const { AppKey } = request.params
  const { saved, isKnown, hints } = await service.change(request, AppKey, async (trx, app) => {
    const hints = requireRedirectUri(uri, app.flow, 'Uri')
    const known = app.redirectUris.find((one) => sameRedirectUri(one.uri, uri))
    if (!known && app.redirectUris.length >= schema.maxRedirectUris)
      throw limitReached('redirect URIs per app', schema.maxRedirectUris)
    const fields = {
      uri: known?.uri ?? uri,
      label: RedirectUriLabel ?? known?.label ?? null,
      description: Description ?? known?.description ?? null,
    }
    const saved = known ? { id: known.id, ...fields } : await store.insertRedirectUri(trx, app.appKey, fields)
    if (known) await store.updateRedirectUri(trx, app.appKey, saved)
    const isSame = known && known.label === saved.label && known.description === saved.description
    return {
      result: { saved, isKnown: known !== undefined, hints },
      detail: isSame ? undefined : { redirectUri: saved.id, uri: saved.uri, added: !known },
    }
  })
  return addHint(reply, hints)
    .code(201)
    .header('location', `${service.urlOf(path, AppKey)}/${saved.id}`)
    .send({ Data: redirectView(saved), FoundAndUpdated: isKnown })
}

export const getRedirectUri = operation({
  method: 'GET',
  ...oneUri,
  operationId: 'getRedirectUri',
  summary: 'Get a redirect URI',
  description: 'Returns one redirect URI of an app. Paging parameters are ignored.',
  query: schema.IgnoredPageQuery,
  responses: { 200: schema.AppRedirect },
  errors: ['NoResultFound', 'PreconditionFailed'],
  documented: { ifMatch: true },
})

export async function handleGetRedirectUri({ service, request }: AppCall<typeof getRedirectUri>) {
  const { AppKey, RedirectUriId } = request.params
  return redirectView(requireUri(await service.readMatching(request, AppKey), RedirectUriId))
}

export const updateRedirectUri = operation({
  method: 'PATCH',
  ...oneUri,
  operationId: 'updateRedirectUri',
  permission: 'manageApps',
  summary: 'Update a redirect URI',
  description:
    'Changes the members that are sent. If the address changes, pending sign-ins that would return to the old one fail.',
  body: schema.RedirectUriPatch,
  errors: ['NoResultFound', 'DuplicateRedirectUri'],
  documented: { ifMatch: true, headers: ['X-Redirect-Uri-Hint'] },
})

export async function handleUpdateRedirectUri({ service, request, reply }: AppCall<typeof updateRedirectUri>) {
  const { AppKey, RedirectUriId } = request.params
  const { Uri, Description, RedirectUriLabel } = request.body
  const hints = await service.change(request, AppKey, async (trx, app) => {
    const before = requireUri(app, RedirectUriId)
    const hints = Uri === undefined ? [] : requireRedirectUri(Uri, app.flow, 'Uri')
    const uri = Uri ?? before.uri
    const isTaken = app.redirectUris.some((other) => other.id !== before.id && sameRedirectUri(other.uri, uri))
    if (Uri !== undefined && isTaken)
      throw new Problem('DuplicateRedirectUri', 'The app already has this redirect URI.')
    const label = RedirectUriLabel ?? before.label
    const description = Description ?? before.description
    await store.updateRedirectUri(trx, app.appKey, { id: before.id, uri, label, description })
    const isSame = uri === before.uri && label === before.label && description === before.description
    const detail = { redirectUri: before.id, uri, ...(uri !== before.uri && { before: before.uri }) }
    return { result: hints, detail: isSame ? undefined : detail }
  })
  return addHint(reply, hints).code(204).send()
}

export const deleteRedirectUri = operation({
  method: 'DELETE',
  ...oneUri,
  operationId: 'deleteRedirectUri',
  permission: 'manageApps',
  summary: 'Delete a redirect URI',
  description: 'Sign-ins can no longer return to the address. Existing sessions continue.',
  errors: ['NoResultFound', 'PreconditionFailed'],
  documented: { ifMatch: true },
})

export async function handleDeleteRedirectUri({ service, request, reply }: AppCall<typeof deleteRedirectUri>) {
  const { AppKey, RedirectUriId } = request.params
  await service.change(request, AppKey, async (trx, app) => {
    const { id, uri } = requireUri(app, RedirectUriId)
    await store.deleteRedirectUri(trx, app.appKey, id)
    return { result: undefined, detail: { redirectUri: id, uri, removed: true } }
  })
  return reply.code(204).send()
}

function requireUri({ redirectUris }: StoredApp, id: number): StoredRedirectUri {
  const found = redirectUris.find((one) => one.id === id)
  if (!found) throw notFound(`Redirect URI ${id}`)
  return found
}

/** Rejects an address that cannot be a redirect URI, with every reason. Returns the warnings of an accepted one. */
export function requireRedirectUri(uri: string, flow: Flow, field: string): readonly string[] {
  const checked = checkRedirectUri(uri, flow)
  if ('errors' in checked) throw invalid({ [field]: [...checked.errors] })
  return checked.warnings
}

/** The response body has no room for hints, so they go into a header (§8.3). */
export function addHint(reply: FastifyReply, hints: readonly string[]): FastifyReply {
  return hints.length > 0 ? reply.header('x-redirect-uri-hint', hints.join(' ')) : reply
}
