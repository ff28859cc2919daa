import { basePathOf, type Config } from '../config.ts'
import { pageHeaders } from '../http/layout.ts'
import type { Server } from '../http/typed-server.ts'
import { type HomeProps, homePage } from './home.ts'

/** The start page. */
export function homeRoutes(server: Server, config: Config, demo: HomeProps['demo']): void {
  const baseUrl = `${config.publicUrl}${basePathOf(config)}`
  const page = homePage({
    environment: config.environment,
    publicUrl: config.publicUrl,
    baseUrl,
    ...(demo && { demo }),
    firstCall: '/port/v1/users/me',
  })
  server.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply.headers(pageHeaders()).send(page.toString()),
  )
}
