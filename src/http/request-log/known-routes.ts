import type { RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { Server } from '../typed-server.ts'
import { showTarget } from './rules/target.ts'

const none: ReadonlySet<string> = new Set()

/** The addresses of a server and their documented parameters: what of an address may be shown. */
export class KnownRoutes {
  /** The names of the parameters of all routes, in lower case. */
  readonly parameters = new Set<string>()
  readonly #parameters = new Map<string, Set<string>>()
  readonly #secret = new Set<string>()
  readonly #words = new Set<string>()
  /** Routes without parameters that may be shown. */
  readonly #plain = new Set<string>()
  /** The path of a route is at its number; 0 is an unknown address. */
  readonly #paths = ['']
  readonly #numbers = new Map<string, number>()

  constructor(server: Server) {
    server.addHook('onRoute', (route) => this.#add(route))
  }

  /** Path and query without secrets. */
  show(target: string, route: string | undefined): string {
    if (target === route && this.#plain.has(route)) return target
    const parameters = this.#parameters.get(route ?? '') ?? none
    return showTarget(target, {
      route,
      parameters,
      all: this.parameters,
      isSecret: route !== undefined && this.#secret.has(route),
      words: this.#words,
    })
  }

  numberOf(route: string | undefined): number {
    return route === undefined ? 0 : (this.#numbers.get(route) ?? 0)
  }

  pathOf(number: number): string | undefined {
    return this.#paths[number] || undefined
  }

  #add({ url, schema, config }: RouteOptions): void {
    for (const word of url.toLowerCase().split('/')) if (/^[\w.-]+$/.test(word)) this.#words.add(word)
    if (config?.secretPath) this.#secret.add(url)
    else if (!/[:*]/.test(url)) this.#plain.add(url)
    this.#numbers.getOrInsertComputed(url, () => this.#paths.push(url) - 1)
    const names = this.#parameters.getOrInsertComputed(url, () => new Set())
    for (const shape of [schema?.querystring, schema?.documented?.query])
      for (const name of Object.keys((shape as TSchema & { properties?: object })?.properties ?? {}))
        for (const set of [names, this.parameters]) set.add(name.toLowerCase())
  }
}
