import type { FastifyReply } from 'fastify'
import { sha256 } from '../../core/crypto/keys.ts'
import { cookieName, cookieValue } from '../../http/html/cookies.ts'
import { addCookie } from '../../http/html/form-token.ts'
import { html } from '../../http/html/html.ts'
import type { Visit } from '../shared/context.ts'

const doneCookie = 'refdesk_done'
const rememberedSeconds = 3600

type Take = (visit: Visit, form: URLSearchParams) => FastifyReply | Promise<FastifyReply>

const whereSecretsAre = {
  listed: 'A secret that was made can be seen again on the app’s page.',
  once: 'A secret is shown in full only once: if you did not keep it, add another on the app’s page.',
} as const

/** The same form to the same address. Two forms differ by the version or the random text that they carry. */
const markOf = ({ request }: Visit, form: URLSearchParams): string => sha256(`${request.url}\n${form}`).toString('hex')

/** Remembered by the browser that did it, so that nobody else is told that it was them. */
export function noteDone(visit: Visit, form: URLSearchParams): void {
  addCookie(visit.parts.publicUrl, visit.reply, doneCookie, markOf(visit, form), rememberedSeconds)
}

/** For a form that is answered by a secret, and not by a page to come back to: whoever loads that answer again sends
 *  the form again. Nothing is done twice, and they are told where to go on. */
export function takeOnce(take: Take, back: (visit: Visit) => { href: string; action: string }): Take {
  return (visit, form) => {
    const name = cookieName(doneCookie, visit.parts.publicUrl)
    if (cookieValue(visit.request.headers.cookie, name) !== markOf(visit, form)) return take(visit, form)
    const { href, action } = back(visit)
    return visit.show({
      title: 'This was done already',
      place: 'apps',
      body: html`<div class="card state"><p>It was not done a second time. ${whereSecretsAre[visit.parts.secretsMode]}</p>
<p><a class="button" href="${href}">${action}</a></p></div>`,
    })
  }
}
