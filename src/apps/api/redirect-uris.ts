import type { FastifyReply } from 'fastify'
import { notFound, Problem } from '../../core/problem.ts'
import { sentQuery } from '../../http/input/query.ts'
import { feed, nextLink } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { type AppService, tooMany } from '../app-service.ts'
import { requireRedirectUri } from '../redirect-uris.ts'
import { sameRedirectUri } from '../rules/redirect-match.ts'
import * as store from '../store/manage.ts'
import * as schema from './schema.ts'
import { redirectView } from './view.ts'

const path = '/developer/apps/:AppKey/redirecturis'
const tags = ['developer']

/** Operations 15 to 19. Those of an inactive app can be changed too, so that it can be made active again. */
export function redirectUriRoutes(api: Server, service: AppService): void {
  api.get(
    path,
    {
      schema: {
        operationId: 'listRedirectUris',
        summary: 'The redirect URIs of an app',
        description: 'Sign-ins of the app may return to these addresses and to no other.',
        documented: { errors: ['NoResultFound'] },
        tags,
        params: schema.AppParams,
        querystring: schema.PageQuery,
        response: { 200: schema.RedirectUrisAnswer },
      },
    },
    async (request) => {
      const { AppKey } = request.params
      const { redirectUris } = await service.read(request, AppKey)
      const { $top, $skip, $inlinecount } = request.query
      const page = redirectUris.slice($skip, $skip + $top)
      const address = `${service.parts.baseUrl}${path.replace(':AppKey', AppKey)}`
      const more = $top > 0 && redirectUris.length > $skip + $top
      return feed({
        data: page.map(redirectView),
        count: $inlinecount === 'AllPages' ? redirectUris.length : undefined,
        next: more ? nextLink(address, sentQuery(request), { $skip: $skip + $top }) : undefined,
        maxRows: schema.appsPage.maxTop,
      })
    },
  )

  api.post(
    path,
    {
      schema: {
        operationId: 'createRedirectUri',
        summary: 'Adds a redirect URI to an app, or updates the one that it has',
        description:
          'An address that the app has already gets the new label and description; FoundAndUpdated says so. Possible while the app is ' +
          'inactive too, so that it can be made active again.',
        documented: {
          ifMatch: true,
          headers: ['Location', 'X-Redirect-Uri-Hint'],
          errors: ['NoResultFound', 'LimitReached'],
        },
        tags,
        params: schema.AppParams,
        body: schema.NewRedirectUri,
        response: { 201: schema.PutRedirectUri },
      },
    },
    async (request, reply) => {
      const { Uri: uri, Description, RedirectUriLabel } = request.body
      const { AppKey } = request.params
      const { put, isKnown, warnings } = await service.change(request, AppKey, async (trx, app) => {
        const warnings = requireRedirectUri(uri, app.flow, 'Uri')
        const known = app.redirectUris.find((one) => sameRedirectUri(one.uri, uri))
        if (!known && app.redirectUris.length >= schema.maxRedirectUris)
          throw tooMany('redirect URIs of one app', schema.maxRedirectUris)
        const fields = {
          uri: known?.uri ?? uri,
          label: RedirectUriLabel ?? known?.label ?? null,
          description: Description ?? known?.description ?? null,
        }
        const put = known ? { id: known.id, ...fields } : await store.insertRedirectUri(trx, app.appKey, fields)
        if (known) await store.updateRedirectUri(trx, app.appKey, put)
        const done = { redirectUri: put.id, uri: put.uri, added: !known }
        const isSame = known && known.label === put.label && known.description === put.description
        return { result: { put, isKnown: known !== undefined, warnings }, done: isSame ? undefined : done }
      })
      const location = `${service.parts.baseUrl}${path.replace(':AppKey', AppKey)}/${put.id}`
      return warn(reply, warnings)
        .code(201)
        .header('location', location)
        .send({ Data: redirectView(put), FoundAndUpdated: isKnown })
    },
  )

  const one = `${path}/:RedirectUriId`
  api.get(
    one,
    {
      schema: {
        operationId: 'getRedirectUri',
        summary: 'One redirect URI of an app; paging parameters have no effect',
        description: 'By its number, as the list of them has it.',
        documented: { ifMatch: true, errors: ['NoResultFound', 'PreconditionFailed'] },
        tags,
        params: schema.RedirectUriParams,
        response: { 200: schema.AppRedirect },
      },
    },
    async (request) => {
      const { AppKey, RedirectUriId } = request.params
      return redirectView(ownUri(await service.readMatching(request, AppKey), RedirectUriId))
    },
  )

  api.patch(
    one,
    {
      schema: {
        operationId: 'updateRedirectUri',
        summary: 'Changes a redirect URI',
        description:
          'Members that are not sent stay as they are. Sign-ins under way that were to return to the old address are refused.',
        documented: {
          ifMatch: true,
          headers: ['X-Redirect-Uri-Hint'],
          errors: ['NoResultFound', 'DuplicateRedirectUri'],
        },
        tags,
        params: schema.RedirectUriParams,
        body: schema.RedirectUriPatch,
      },
    },
    async (request, reply) => {
      const { AppKey, RedirectUriId } = request.params
      const { Uri, Description, RedirectUriLabel } = request.body
      const warnings = await service.change(request, AppKey, async (trx, app) => {
        const before = ownUri(app, RedirectUriId)
        const warnings = Uri === undefined ? [] : requireRedirectUri(Uri, app.flow, 'Uri')
        const uri = Uri ?? before.uri
        if (
          Uri !== undefined &&
          app.redirectUris.some((other) => other.id !== before.id && sameRedirectUri(other.uri, uri))
        )
          throw new Problem('DuplicateRedirectUri', 'The app has this redirect URI already.')
        const label = RedirectUriLabel ?? before.label
        const description = Description ?? before.description
        await store.updateRedirectUri(trx, app.appKey, { id: before.id, uri, label, description })
        const isSame = uri === before.uri && label === before.label && description === before.description
        const done = { redirectUri: before.id, uri, ...(uri !== before.uri && { before: before.uri }) }
        return { result: warnings, done: isSame ? undefined : done }
      })
      return warn(reply, warnings).code(204).send()
    },
  )

  api.delete(
    one,
    {
      schema: {
        operationId: 'deleteRedirectUri',
        summary: 'Removes a redirect URI: nobody is sent there any more',
        description: 'Sessions that began by way of it go on.',
        documented: { ifMatch: true, errors: ['NoResultFound', 'PreconditionFailed'] },
        tags,
        params: schema.RedirectUriParams,
      },
    },
    async (request, reply) => {
      const { AppKey, RedirectUriId } = request.params
      await service.change(request, AppKey, async (trx, app) => {
        const { id, uri } = ownUri(app, RedirectUriId)
        await store.deleteRedirectUri(trx, app.appKey, id)
        return { result: undefined, done: { redirectUri: id, uri, removed: true } }
      })
      return reply.code(204).send()
    },
  )
}

function ownUri({ redirectUris }: store.OwnApp, id: number): store.OwnRedirectUri {
  const found = redirectUris.find((one) => one.id === id)
  if (!found) throw notFound(`Redirect URI ${id}`)
  return found
}

/** The shape of the answer is given, so hints go beside it. */
export function warn(reply: FastifyReply, warnings: readonly string[]): FastifyReply {
  return warnings.length > 0 ? reply.header('x-redirect-uri-hint', warnings.join(' ')) : reply
}
