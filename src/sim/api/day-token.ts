import { Type } from 'typebox'
import { writerOf } from '../../access/caller.ts'
import { wireTime } from '../../core/clock.ts'
import type { Server } from '../../http/typed-server.ts'
import type { SimParts } from './routes.ts'

const DayTokenView = Type.Object(
  {
    AccessToken: Type.String({ description: 'For the header Authorization.' }),
    TokenType: Type.String({ description: 'Bearer.' }),
    ExpiresIn: Type.Integer({ description: 'Seconds.' }),
    ExpiresAt: Type.String({ format: 'date-time', description: 'By the time at which the service lives.' }),
    AppKey: Type.String({ description: 'The app that the token is of: the demo app, or else the one that asked.' }),
  },
  {
    title: 'DayToken',
    examples: [
      {
        AccessToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJZT2pIcHYifQ.c2ln',
        TokenType: 'Bearer',
        ExpiresIn: 86_400,
        ExpiresAt: '2026-11-17T12:00:00.000000Z',
        AppKey: '0123456789abcdef0123456789abcdef',
      },
    ],
  },
)

/** A token to try the interface with for a day, without a sign-in in every script. */
export function dayTokenRoutes(api: Server, { issueDayToken }: SimParts): void {
  api.post(
    '/x/v1/daytoken',
    {
      schema: {
        operationId: 'makeDayToken',
        summary: 'A token of the caller that lives 24 hours',
        description: 'To try the interface without a sign-in in every script. Only in sim.',
        tags: ['x'],
        response: { 201: DayTokenView },
      },
    },
    async (request, reply) => {
      const { token, expiresIn, expiresAt, appKey } = await issueDayToken(writerOf(request), request)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({
          AccessToken: token,
          TokenType: 'Bearer',
          ExpiresIn: expiresIn,
          ExpiresAt: wireTime(expiresAt),
          AppKey: appKey,
        })
    },
  )
}
