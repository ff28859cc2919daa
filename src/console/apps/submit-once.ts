import { sha256 } from '../../core/crypto/keys.ts'
import { addCookie, readCookie } from '../../http/html/cookies.ts'
import { html } from '../../http/html/html.ts'
import type { PageContext } from '../shared/context.ts'
import type { Link } from '../shared/elements.ts'
import type { PostHandler } from '../shared/router.ts'

const doneCookie = 'refdesk_done'
const rememberedSeconds = 3600

const whereSecretsAre = {
  listed: 'You can see the secret again on the app’s page.',
  once: 'A secret is shown in full only once. If you did not store it, add another one on the app’s page.',
} as const

/** Identifies a submission. Forms differ by the version or the random value that they carry. */
const fingerprint = ({ request }: PageContext, form: URLSearchParams): string =>
  sha256(`${request.url}\n${form}`).toString('hex')

export function rememberSubmit(ctx: PageContext, form: URLSearchParams): void {
  addCookie(ctx.deps.publicUrl, ctx.reply, doneCookie, fingerprint(ctx, form), rememberedSeconds)
}

/** For forms whose response shows a secret and is not a redirect: a reload submits the form again, but it runs once. */
export function submitOnce(handler: PostHandler, back: (ctx: PageContext) => Link): PostHandler {
  return (ctx, form) => {
    if (readCookie(ctx.deps.publicUrl, ctx.request, doneCookie) !== fingerprint(ctx, form)) return handler(ctx, form)
    const [action, href] = back(ctx)
    return ctx.render({
      title: 'Already done',
      body: html`<div class="card state"><p>This form was already submitted and was not repeated. ${whereSecretsAre[ctx.deps.secretsMode]}</p>
<p><a class="button" href="${href}">${action}</a></p></div>`,
    })
  }
}
