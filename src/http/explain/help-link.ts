import type { FastifyReply, FastifyRequest } from 'fastify'

/** The longest request that can be explained. */
export const maxExplained = 2_048

/** Adds a link to the explanation of an answer that found nothing (§11.9). */
export type AddHelp = (request: Pick<FastifyRequest, 'url'>, reply: FastifyReply) => void

declare module 'fastify' {
  interface FastifyInstance {
    /** Only in sim. */
    addHelp?: AddHelp
  }
  interface FastifyContextConfig {
    /** Whether the operation can be explained. */
    isExplained?: boolean
  }
}

export const explainPath = '/x/v1/explain'

/** Other links of the response stay. */
export const helpLink =
  (baseUrl: string): AddHelp =>
  ({ url }, reply) => {
    if (url.length > maxExplained) return
    const link = `<${baseUrl}${explainPath}?Request=${encodeURIComponent(url.toWellFormed())}>; rel="help"`
    const others = reply.getHeader('link')
    reply.header('link', others === undefined ? link : `${others}, ${link}`)
  }
