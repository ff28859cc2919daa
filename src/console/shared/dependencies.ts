import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { basePathOf, type Environment } from '../../core/environment.ts'
import { sourceOf } from '../../http/in-process.ts'
import type { UploadSlots } from '../../http/limits/upload-slots.ts'
import { type ApiCall, type ApiClient, apiClient } from './api.ts'

/** The demo users and the demo app, if the demo data is loaded. */
export type DemoInfo = Readonly<
  Record<'appKey' | 'secret' | 'redirectUri' | 'password', string> & { users: readonly string[] }
>

/** How far the service clock is from real time (sim only). */
export type Travel = Readonly<{ frozen: boolean; offsetSeconds: number }>

export type ConsoleDependencies = Readonly<{
  environment: Environment
  publicUrl: string
  /** {base_url} as an absolute URL. */
  baseUrl: string
  appKey: string
  callback: string
  sealKey: Buffer
  clock: Clock
  call: ApiCall
  travel: () => Travel | undefined
  /** How many apps of a client have an injected fault (sim only). */
  activeFaults: (clientKey: string) => number
  /** Whether a secret can be shown again after its creation (SECRETS). */
  secretsMode: 'listed' | 'once'
  /** Whether holders can elect (ELECTIONS). */
  acceptsElections: boolean
  /** Whether there is a request log (REQUEST_LOG). */
  hasRequestLog: boolean
  uploads: UploadSlots
  /** Whether GET requests to this path, which begins with that of {base_url}, can be explained. */
  isExplained(path: string): boolean
  demo?: DemoInfo | undefined
  apiFor(request: FastifyRequest, token: string): ApiClient
}>

export type Exchange = Readonly<{ deps: ConsoleDependencies; request: FastifyRequest; reply: FastifyReply }>

export function consoleDependencies(given: Omit<ConsoleDependencies, 'baseUrl' | 'apiFor'>): ConsoleDependencies {
  const basePath = basePathOf(given.environment)
  const baseUrl = `${given.publicUrl}${basePath}`
  const base = new URL(baseUrl)
  return {
    ...given,
    baseUrl,
    apiFor: (request, token) => apiClient(given.call, base, token, sourceOf(request)),
  }
}
