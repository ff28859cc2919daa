import { basePathOf, type Environment } from '../core/environment.ts'
import { pageHeaders } from '../http/layout.ts'
import type { Server } from '../http/typed-server.ts'
import { type HomeProps, homePage } from './home.ts'

/** The start page. */
export function homeRoutes(
  server: Server,
  config: { environment: Environment; publicUrl: string },
  demo: HomeProps['demo'],
): void {
  const baseUrl = `${config.publicUrl}${basePathOf(config.environment)}`
  const page = homePage({
    environment: config.environment,
    publicUrl: config.publicUrl,
    baseUrl,
    ...(demo && { demo }),
  })
  server.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply.headers(pageHeaders()).send(page.toString()),
  )
}
