import type { Server } from '../../http/typed-server.ts'
import { Visit } from '../shared/context.ts'
import type { ConsoleParts } from '../shared/dependencies.ts'
import { sayWhy } from '../shared/router.ts'
import { finishSignIn, startSignIn } from './sign-in.ts'

// No HEAD: it would begin or end a sign-in like GET.
const hidden = { schema: { hide: true }, exposeHeadRoute: false } as const

/** Signing in to the console: to /authorize and back, as every app does. */
export function signInPages(scope: Server, parts: ConsoleParts): void {
  scope.get('/console/login', hidden, async (request, reply) => {
    const visit = new Visit(parts, request, reply, undefined)
    return startSignIn(parts, request, reply, { next: visit.asked('next') ?? '/' })
  })

  scope.get('/console/callback', hidden, async (request, reply) => {
    const visit = new Visit(parts, request, reply, undefined)
    const [code, state, error] = ['code', 'state', 'error'].map((name) => visit.asked(name))
    const end = await finishSignIn(parts, request, reply, { code, state, error })
    if (end.kind === 'signedIn') return visit.goTo(end.next)
    if (end.kind === 'denied') return visit.goTo('/')
    // Whoever opened us at 127.0.0.1 is here at localhost by now, signed in: a second round needs nobody.
    if (!end.isSecond) return startSignIn(parts, request, reply, { next: end.next, isSecond: true })
    return sayWhy(visit, {
      status: 400,
      title: 'The sign-in was not finished',
      sentence: `The service could not finish it, it took too long, or this browser keeps no cookies for ${new URL(parts.publicUrl).host}. Sign in again.`,
      href: `/console/login?${new URLSearchParams({ next: end.next })}`,
      action: 'Sign in again',
    })
  })
}
