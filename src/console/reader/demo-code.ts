import { sourceOf } from '../../http/in-process.ts'
import type { PageContext } from '../shared/context.ts'
import type { DemoInfo } from '../shared/dependencies.ts'

/** An authorization code of the demo app for the user of this browser, so that POST /token can be tried. It posts the
 *  consent form, with the sign-in and the form token of the browser. Undefined if that sign-in has ended. */
export async function demoCode(ctx: PageContext, demo: DemoInfo, form: URLSearchParams): Promise<string | undefined> {
  const { deps, request } = ctx
  const { remoteAddress, forwarded, userAgent, requestId } = sourceOf(request)
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: demo.appKey,
    redirect_uri: demo.redirectUri,
    state: 'api-reader',
  })
  const { headers } = await deps.call({
    method: 'POST',
    url: `/login?${asked}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-request-id': requestId,
      'user-agent': userAgent,
      cookie: request.headers.cookie ?? '',
      ...forwarded,
    },
    payload: new URLSearchParams({ form_token: form.get('form_token') ?? '' }).toString(),
    remoteAddress,
  })
  const location = String(headers.location ?? '')
  return URL.canParse(location) ? (new URL(location).searchParams.get('code') ?? undefined) : undefined
}
