import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { invalid, Problem } from '../../core/problem.ts'
import { describe } from '../../core/schema.ts'
import { sentQuery } from '../../http/input/query.ts'
import { feed, nextLink } from '../../http/output/feed.ts'
import type { Server } from '../../http/typed-server.ts'
import { type AppService, inactive, tooMany } from '../app-service.ts'
import { faultsOfTimes } from '../rules/secret-times.ts'
import { makeSecret } from '../secrets.ts'
import { deleteSecret } from '../store/changes.ts'
import * as store from '../store/manage.ts'
import * as schema from './schema.ts'
import { secretView } from './view.ts'

const path = '/developer/apps/:AppKey/secrets'
const tags = ['developer']

/** Operations 20 to 24. Several secrets may be valid at once, so that a rotation needs no downtime. */
export function secretRoutes(api: Server, service: AppService): void {
  const { secretKey, mode } = service.parts

  api.get(
    path,
    {
      schema: {
        operationId: 'listSecrets',
        summary: 'The secrets of an app',
        description:
          'That they were told is logged. With a read-only token, or where secrets are told once, without the secrets themselves.',
        documented: { ifMatch: true, errors: ['NoResultFound', 'PreconditionFailed'] },
        tags,
        params: schema.AppParams,
        querystring: schema.PageQuery,
        response: { 200: schema.SecretsAnswer },
      },
    },
    async (request, reply) => {
      const { AppKey } = request.params
      const app = await service.readMatching(request, AppKey)
      const { $top, $skip, $inlinecount } = request.query
      const page = app.secrets.slice($skip, $skip + $top)
      await service.logReveals(request, [{ ...app, secrets: page }])
      const viewOptions = service.viewOptions(request)
      const address = `${service.parts.baseUrl}${path.replace(':AppKey', AppKey)}`
      const more = $top > 0 && app.secrets.length > $skip + $top
      reply.header('cache-control', 'no-store')
      return feed({
        data: page.map((secret) => secretView(viewOptions, AppKey, secret)),
        count: $inlinecount === 'AllPages' ? app.secrets.length : undefined,
        next: more ? nextLink(address, sentQuery(request), { $skip: $skip + $top }) : undefined,
        maxRows: schema.appsPage.maxTop,
      })
    },
  )

  api.post(
    path,
    {
      schema: {
        operationId: 'createSecret',
        summary: 'Makes a secret, valid beside the others',
        description:
          'To rotate without a pause: make one, take it into use, remove the old one. Valid for at most two years; ValidFrom may lie ahead.',
        documented: {
          ifMatch: true,
          headers: ['Location'],
          errors: ['NoResultFound', 'AppInactive', 'NoSecretsOfFlow', 'LimitReached', 'PreconditionFailed'],
        },
        tags,
        params: schema.AppParams,
        body: schema.NewSecret,
        response: { 201: schema.AppSecret },
      },
    },
    async (request, reply) => {
      const { AppKey } = request.params
      const { ValidFrom, ValidUntil } = request.body
      const times = { validFrom: Temporal.Instant.from(ValidFrom), validUntil: Temporal.Instant.from(ValidUntil) }
      const made = await service.change(request, AppKey, async (trx, app, now) => {
        requireActive(app)
        if (app.flow !== 'Code') throw new Problem('NoSecretsOfFlow', `An app of the ${app.flow} flow has no secrets.`)
        requireTimes(times, now)
        if (app.secrets.length >= schema.maxSecrets) throw tooMany('secrets of one app', schema.maxSecrets)
        const secret = makeSecret(secretKey, app.appKey, mode)
        const kept = await store.insertSecret(trx, app.appKey, secret, times)
        const view = { ...secretView(service.viewOptions(request), app.appKey, kept), Secret: secret.plain }
        return {
          result: view,
          done: { secret: kept.id, added: true, validFrom: view.ValidFrom, validUntil: view.ValidUntil },
        }
      })
      const location = `${service.parts.baseUrl}${path.replace(':AppKey', AppKey)}/${made.SecretId}`
      return reply.code(201).headers({ location, 'cache-control': 'no-store' }).send(made)
    },
  )

  const one = `${path}/:SecretId`
  api.get(
    one,
    {
      schema: {
        operationId: 'getSecret',
        summary: 'One secret of an app',
        description: 'By its number, as the list of them has it. That it was told is logged.',
        documented: { ifMatch: true, errors: ['NoResultFound', 'UnavailableSecretId', 'PreconditionFailed'] },
        tags,
        params: schema.SecretParams,
        response: { 200: schema.AppSecret },
      },
    },
    async (request, reply) => {
      const { AppKey, SecretId } = request.params
      const app = await service.readMatching(request, AppKey)
      const secret = ownSecret(app, SecretId)
      await service.logReveals(request, [{ ...app, secrets: [secret] }])
      reply.header('cache-control', 'no-store')
      return secretView(service.viewOptions(request), AppKey, secret)
    },
  )

  api.patch(
    one,
    {
      schema: {
        operationId: 'updateSecret',
        summary: 'Changes when a secret is valid, or puts a new one in its place',
        description:
          'Regenerate is for a secret that got into the wrong hands: the old one is refused on every node within a second.',
        documented: {
          ifMatch: true,
          errors: ['NoResultFound', 'UnavailableSecretId', 'AppInactive', 'PreconditionFailed'],
        },
        tags,
        params: schema.SecretParams,
        body: schema.SecretPatch,
        response: {
          200: describe(schema.AppSecret, 'With Regenerate: the new secret.'),
          204: Type.Null({ description: 'Without: changed.' }),
        },
      },
    },
    async (request, reply) => {
      const { AppKey, SecretId } = request.params
      const { ValidFrom, ValidUntil, Regenerate } = request.body
      const made = await service.change(request, AppKey, async (trx, app, now) => {
        const before = ownSecret(app, SecretId)
        requireActive(app)
        const times = {
          validFrom: ValidFrom === undefined ? before.validFrom : Temporal.Instant.from(ValidFrom),
          validUntil: ValidUntil === undefined ? before.validUntil : Temporal.Instant.from(ValidUntil),
        }
        // A new value of a secret that has ended would open nothing.
        if (ValidFrom !== undefined || ValidUntil !== undefined || Regenerate) requireTimes(times, now)
        const secret = Regenerate ? makeSecret(secretKey, app.appKey, mode) : undefined
        await store.updateSecret(trx, app.appKey, before.id, times, secret)
        const kept = { ...before, ...times, sealed: secret?.sealed ?? before.sealed }
        const view = secretView(service.viewOptions(request), app.appKey, kept)
        const done = {
          secret: before.id,
          validFrom: view.ValidFrom,
          validUntil: view.ValidUntil,
          regenerated: !!secret,
        }
        const isSame = !secret && times.validFrom.equals(before.validFrom) && times.validUntil.equals(before.validUntil)
        return { result: secret && { ...view, Secret: secret.plain }, done: isSame ? undefined : done }
      })
      if (!made) return (reply as FastifyReply).code(204).send()
      return reply.code(200).header('cache-control', 'no-store').send(made)
    },
  )

  api.delete(
    one,
    {
      schema: {
        operationId: 'deleteSecret',
        summary: 'Removes a secret; with its last valid one an app loses its sessions',
        description: 'It is refused on every node within a second.',
        documented: {
          ifMatch: true,
          errors: ['NoResultFound', 'UnavailableSecretId', 'AppInactive', 'PreconditionFailed'],
        },
        tags,
        params: schema.SecretParams,
      },
    },
    async (request, reply) => {
      const { AppKey, SecretId } = request.params
      await service.change(request, AppKey, async (trx, app, now) => {
        const { id } = ownSecret(app, SecretId)
        requireActive(app)
        await deleteSecret(trx, app.appKey, id, now)
        return { result: undefined, done: { secret: id, removed: true } }
      })
      return reply.code(204).send()
    },
  )
}

function requireActive({ isActive }: store.OwnApp): void {
  if (!isActive) throw inactive()
}

/** An offset can lead beyond the last year that a date-time can be written in. */
const lastInstant = Temporal.Instant.from('9999-12-31T23:59:59.999999Z')

function requireTimes(times: Parameters<typeof faultsOfTimes>[0], now: Temporal.Instant): void {
  if (Temporal.Instant.compare(times.validUntil, lastInstant) > 0)
    throw invalid({ ValidUntil: ['Must be before the year 10000.'] })
  const faults = faultsOfTimes(times, now)
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

function ownSecret({ secrets }: store.OwnApp, id: number): store.OwnSecret {
  const found = secrets.find((one) => one.id === id)
  if (!found) throw new Problem('UnavailableSecretId', `Secret ${id} was not found, or you may not see it.`)
  return found
}
