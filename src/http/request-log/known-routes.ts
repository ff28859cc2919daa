import type { RouteOptions } from 'fastify'
import { errorSchemas } from '../openapi/errors.ts'
import type { Server } from '../typed-server.ts'
import type { Reason } from './facts.ts'
import { hideNames, hideTokens } from './rules/secrets.ts'
import { showTarget } from './rules/target.ts'
import type { Shown } from './rules/values.ts'

/** Names of the messages of agents (§11.12), which no schema of an operation has. */
const messageNames =
  'Body jsonrpc id method params name arguments result error message content type text structuredContent isError protocolVersion ' +
  'capabilities clientInfo serverInfo version tools'

/** The addresses of a server and the names in its schemas: what of a request may be shown. */
export class KnownRoutes implements Shown {
  readonly parameters = new Set<string>()
  readonly members = new Set(messageNames.split(' '))
  readonly #ofRoute = new Map<string, Set<string>>()
  readonly #secret = new Set<string>()
  readonly #words = new Set<string>()
  readonly #read = new Set<object>()

  constructor(server: Server) {
    this.#addMembers(errorSchemas)
    server.addHook('onRoute', (route) => this.#add(route))
  }

  /** Path and query without secrets. */
  show(target: string, route: string | undefined, app?: string): string {
    const { parameters, members } = this
    const ofRoute = this.#ofRoute.get(route ?? '') ?? new Set()
    const isSecret = route !== undefined && this.#secret.has(route)
    return showTarget(target, { route, ofRoute, isSecret, words: this.#words, parameters, members, app })
  }

  /** Why a request failed, with the names of the fields that are known. */
  showReason(reason: Reason): string {
    const errors = reason.fields?.map(([name, error]) => ` ${name}: ${error}`) ?? []
    return hideTokens(hideNames(`${reason.message}${errors.join('')}`, this.unknownFields(reason)))
  }

  unknownFields({ fields = [] }: Reason): string[] {
    return fields.flatMap(([name]) => (this.#isKnown(name) ? [] : [name]))
  }

  /** Whether all parts of a path such as `Legs[0].Name` are known. */
  #isKnown(path: string): boolean {
    const parts = path.split(/[.[\]]+/)
    return parts.every(
      (part) => /^\d*$/.test(part) || this.members.has(part) || this.parameters.has(part.toLowerCase()),
    )
  }

  #add({ url, schema, config }: RouteOptions): void {
    for (const word of url.toLowerCase().split('/')) if (/^[\w.-]+$/.test(word)) this.#words.add(word)
    if (config?.secretPath) this.#secret.add(url)
    const ofRoute = this.#ofRoute.getOrInsertComputed(url, () => new Set())
    for (const query of [schema?.querystring, schema?.documented?.query])
      for (const name of propertiesOf(query)) {
        ofRoute.add(name.toLowerCase())
        this.parameters.add(name.toLowerCase())
        // Tools for agents have the same parameters without `$`.
        this.members.add(name.replace('$', ''))
      }
    if (schema) this.#addMembers(schema)
  }

  /** Adds the properties of all schemas inside. */
  #addMembers(schema: object): void {
    if (this.#read.has(schema)) return
    this.#read.add(schema)
    for (const name of propertiesOf(schema)) this.members.add(name)
    for (const inner of Object.values(schema)) if (typeof inner === 'object' && inner !== null) this.#addMembers(inner)
  }
}

function propertiesOf(schema: unknown): string[] {
  const { properties } = (schema ?? {}) as { properties?: unknown }
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
