import type { Server } from '../../http/typed-server.ts'
import { PageContext } from '../shared/context.ts'
import type { ConsoleDependencies } from '../shared/dependencies.ts'
import { renderMessage } from '../shared/messages.ts'
import { finishSignIn, startSignIn } from './sign-in.ts'

// No HEAD routes: they would start or finish a sign-in like GET.
const hidden = { schema: { hide: true }, exposeHeadRoute: false } as const

/** Signs in through /authorize, like any other app. */
export function signInRoutes(scope: Server, deps: ConsoleDependencies): void {
  scope.get('/console/login', hidden, async (request, reply) => {
    const ctx = new PageContext(deps, request, reply, undefined)
    return startSignIn(deps, request, reply, { next: ctx.query('next') ?? '/' })
  })

  scope.get('/console/callback', hidden, async (request, reply) => {
    const ctx = new PageContext(deps, request, reply, undefined)
    const [code, state, error] = ['code', 'state', 'error'].map((name) => ctx.query(name))
    const result = await finishSignIn(deps, request, reply, { code, state, error })
    if (result.kind === 'signedIn') return ctx.redirect(result.next)
    if (result.kind === 'denied') return ctx.redirect('/')
    // A user who opened 127.0.0.1 is on localhost now and already signed in: a second round needs no input.
    if (!result.isSecond) return startSignIn(deps, request, reply, { next: result.next, isSecond: true })
    return renderMessage(ctx, {
      status: 400,
      title: 'Sign-in not completed',
      text: `The sign-in failed or took too long, or this browser blocks cookies for ${new URL(deps.publicUrl).host}. Sign in again.`,
      href: `/console/login?${new URLSearchParams({ next: result.next })}`,
      action: 'Sign in again',
    })
  })
}
