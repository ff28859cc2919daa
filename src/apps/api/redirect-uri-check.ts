import { Type } from 'typebox'
import { AppFlow } from '../../core/app.ts'
import { describe } from '../../core/schema.ts'
import { operation } from '../../http/operation.ts'
import type { AppCall } from '../app-service.ts'
import { checkRedirectUri as check } from '../rules/redirect-uri.ts'
import { RedirectUriCheck } from './extension-schema.ts'

export const checkRedirectUri = operation({
  method: 'GET',
  path: '/x/v1/redirecturicheck',
  operationId: 'checkRedirectUri',
  summary: 'Check a redirect URI',
  description:
    'Returns whether an app may register the address, and why not, by the same rules as creating it (16). Changes nothing and ' +
    'needs no app.',
  query: Type.Object({
    // No maxLength: a URI that is too long gets an explanation like any other.
    Uri: Type.String({
      description: 'The address to check, percent-encoded as a query value.',
      examples: ['https://app.example.com/callback'],
    }),
    Flow: describe(AppFlow, 'The flow of the app that would register it.', { examples: ['PKCE'] }),
  }),
  responses: { 200: RedirectUriCheck },
})

export function handleCheckRedirectUri({ request }: AppCall<typeof checkRedirectUri>) {
  const { Uri, Flow } = request.query
  const checked = check(Uri, Flow)
  if ('errors' in checked) return { IsAccepted: false, Refusals: [...checked.errors], Warnings: [] }
  const { origin, unicodeOrigin, warnings } = checked
  return {
    IsAccepted: true,
    Refusals: [],
    Warnings: [...warnings],
    Origin: origin,
    ...(unicodeOrigin !== undefined && { Unicode: unicodeOrigin }),
  }
}
