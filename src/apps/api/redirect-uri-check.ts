import { Type } from 'typebox'
import { AppFlow } from '../../core/app.ts'
import { describe } from '../../core/schema.ts'
import type { Server } from '../../http/typed-server.ts'
import { checkRedirectUri } from '../rules/redirect-uri.ts'

/** Any text: what cannot be a redirect URI, be it too long, is what is asked about. */
const Query = Type.Object({
  Uri: Type.String({
    description: 'The address to judge, percent-encoded as a value of a query.',
    examples: ['https://app.example.com/callback'],
  }),
  Flow: describe(AppFlow, 'The flow of the app that would have it.', { examples: ['PKCE'] }),
})

const sentences = (description: string) => Type.Array(Type.String(), { description })

const Judgement = Type.Object(
  {
    IsAccepted: Type.Boolean({ description: 'Whether an app of this flow may have it.' }),
    Refusals: sentences('Why it cannot be one; none when it is accepted.'),
    Warnings: sentences('What is legal but likely a mistake.'),
    Origin: Type.Optional(
      Type.String({ description: 'Where a browser would be sent: the origin, or a scheme of its own with its colon.' }),
    ),
    Unicode: Type.Optional(
      Type.String({ description: 'The origin as people read it, where its host is an international name (xn--).' }),
    ),
  },
  {
    title: 'RedirectUriJudgement',
    examples: [{ IsAccepted: true, Refusals: [], Warnings: [], Origin: 'https://app.example.com' }],
  },
)

/** The judgement of operations 11, 16 and 18 without changing anything, so that a form can explain it as one types. */
export function redirectUriCheckRoutes(api: Server): void {
  api.get(
    '/x/v1/redirecturicheck',
    {
      schema: {
        operationId: 'checkRedirectUri',
        summary: 'Whether an address can be a redirect URI of an app, and why not',
        description:
          'By the very rule that refuses it when it is added (16). Nothing is changed, and no app is needed.',
        tags: ['x'],
        querystring: Query,
        response: { 200: Judgement },
      },
    },
    async (request) => {
      const judged = checkRedirectUri(request.query.Uri, request.query.Flow)
      if ('refused' in judged) return { IsAccepted: false, Refusals: [...judged.refused], Warnings: [] }
      const { origin, readAs, warnings } = judged
      return {
        IsAccepted: true,
        Refusals: [],
        Warnings: [...warnings],
        Origin: origin,
        ...(readAs !== undefined && { Unicode: readAs }),
      }
    },
  )
}
