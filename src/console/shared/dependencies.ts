import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { basePathOf, type Environment } from '../../core/environment.ts'
import { sourceOf } from '../../http/in-process.ts'
import { Api, type ApiCall } from './api.ts'

/** What the console tells of the demo data, where there is some. */
export type DemoFacts = Readonly<{ appKey: string; redirectUri: string; users: string[]; password: string }>

/** How far the service's clock is from the real one, while it is (sim only). */
export type Travel = Readonly<{ frozen: boolean; offsetSeconds: number }>

/** What the console is given: addresses, a clock, a way to call our own API, and nothing that could do more than that. */
export type ConsoleParts = Readonly<{
  environment: Environment
  publicUrl: string
  /** {base_url}, absolute, as people copy it. */
  baseUrl: string
  appKey: string
  /** Where /authorize sends the browser back to. */
  callback: string
  sealKey: Buffer
  clock: Clock
  call: ApiCall
  travel: () => Travel | undefined
  /** Whether a secret can be seen again after it was made (SECRETS). */
  secretsMode: 'listed' | 'once'
  demo?: DemoFacts | undefined
  apiFor(request: FastifyRequest, token: string): Api
}>

export function consoleParts(given: Omit<ConsoleParts, 'baseUrl' | 'apiFor'>): ConsoleParts {
  const basePath = basePathOf(given.environment)
  return {
    ...given,
    baseUrl: `${given.publicUrl}${basePath}`,
    apiFor: (request, token) => new Api(given.call, basePath, token, sourceOf(request)),
  }
}
