import { demoApp } from '../../support/demo.ts'
import { validBodies } from '../../support/openapi/operations.ts'
import type { Random } from '../random.ts'
import { existingValue, placeholder, type User } from './names.ts'
import { resolve, type Schema, type Target } from './targets.ts'

/** A request before it is written. Text may contain placeholders. */
export type Draft = {
  readonly target: Target
  readonly user: User
  method: string
  path: string
  /** Names and values; an encoded one is written unchanged. */
  query: { name: string; value: string; isEncoded?: boolean }[]
  headers: [string, string][]
  body: Buffer | undefined
  /** The JSON or the form that the body was made of. */
  json?: unknown
  form?: [string, string][]
}

export type Document = Readonly<Record<string, unknown>>

const formType = 'application/x-www-form-urlencoded'
/** Any value will do: the service compares it with its cookie. */
const formToken = '0123456789abcdef0123456789abcdef'

/** A request that the document allows. */
export class Drafts {
  readonly #document: Document

  constructor(document: Document) {
    this.#document = document
  }

  make(target: Target, user: User, random: Random): Draft {
    const draft: Draft = { target, user, method: target.method, path: '', query: [], headers: [], body: undefined }
    draft.path = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = target.parameters.find((each) => each.in === 'path' && each.name === name)
      return encodeURIComponent(this.#text(name, parameter?.schema ?? {}, random, user))
    })
    for (const { name, schema, required, in: place } of target.parameters) {
      if (place === 'path' || !(required || random.chance(place === 'query' ? 0.2 : 0.1))) continue
      const value = this.#text(name, schema, random, user)
      if (place === 'query') draft.query.push({ name, value })
      else draft.headers.push([name, random.pick(['*', '"abc"', 'W/"abc"'])])
    }
    this.#addCredentials(draft, random)
    if (target.body) this.#addBody(draft, target.body, random)
    return draft
  }

  #addCredentials({ target, user, headers }: Draft, random: Random): void {
    if (target.isPage || target.id === 'authorize') {
      if (random.chance(0.85)) headers.push(['Cookie', `${placeholder(`cookie.${user}`)}; refdesk_form=${formToken}`])
      return
    }
    const isOAuth = ['grantTokens', 'revokeToken', 'introspectToken'].includes(target.id)
    const basic = `Basic ${Buffer.from(`${demoApp.AppKey}:${demoApp.Secret}`).toString('base64')}`
    headers.push(['Authorization', isOAuth ? basic : `Bearer ${placeholder(`token.${user}`)}`])
  }

  #addBody(draft: Draft, { type, schema }: { type: string; schema: Schema }, random: Random): void {
    draft.headers.push(['Content-Type', type])
    if (type === formType) setForm(draft, this.#form(draft, schema, random))
    else if (type === 'application/json') {
      const known = validBodies[draft.target.id]
      setJson(draft, known && random.chance(0.5) ? known : this.value(schema, random, draft.user, '', 0))
    }
  }

  #form({ target, user }: Draft, schema: Schema, random: Random): [string, string][] {
    const { properties = {}, required = [] } = resolve(this.#document, schema) as Schema
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(0.5))
    const pairs = chosen.map(([name, each]): [string, string] => [name, this.#text(name, each, random, user)])
    // The app authenticates in the header.
    const kept = pairs.filter(([name]) => target.isPage || !['client_id', 'client_secret'].includes(name))
    return target.isPage ? [...kept, ['form_token', formToken]] : kept
  }

  #text(name: string, schema: Schema, random: Random, user: User): string {
    const value = existingValue(name, random, user) ?? this.value(schema, random, user, name, 0)
    return Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)
  }

  /** A value that a schema allows. */
  value(given: Schema, random: Random, user: User, name: string, depth: number): unknown {
    const schema = resolve(this.#document, given) as Schema
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return this.value(random.pick(choices), random, user, name, depth)
    if (schema.enum) return random.pick(schema.enum)
    if (schema.const !== undefined) return schema.const
    if (schema.properties) return this.#object(schema, random, user, depth)
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
    if (type === 'integer' || type === 'number') return numberIn(schema, random)
    if (type === 'boolean') return random.chance(0.5)
    if (type === 'array') {
      const { items = {}, minItems = 0, maxItems = 3 } = schema
      const length = random.between(minItems, Math.min(maxItems, minItems + 3))
      return Array.from({ length }, () => this.value(items, random, user, name, depth + 1))
    }
    return type === 'object' ? {} : (existingValue(name, random, user) ?? textIn(schema, random))
  }

  #object({ properties = {}, required = [] }: Schema, random: Random, user: User, depth: number): object {
    const share = depth < 3 ? 0.4 : 0
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(share))
    return Object.fromEntries(chosen.map(([name, each]) => [name, this.value(each, random, user, name, depth + 1)]))
  }
}

export function setJson(draft: Draft, json: unknown): void {
  draft.json = json
  draft.body = Buffer.from(JSON.stringify(json))
}

export function setForm(draft: Draft, form: [string, string][]): void {
  draft.form = form
  const pairs = form.map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  draft.body = Buffer.from(pairs.join('&'))
}

/** Lone surrogates cannot be encoded. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

function numberIn({ minimum = 0, maximum = 1000, type }: Schema, random: Random): number {
  const whole = random.between(minimum, Math.min(maximum, minimum + 1000))
  return type === 'integer' || random.chance(0.5) ? whole : whole + 0.25
}

function textIn({ format, pattern, examples, maxLength = 20 }: Schema, random: Random): string {
  if (format === 'date') return random.pick(['2026-11-16', '2026-12-31', '2027-01-15'])
  if (format === 'date-time') return random.pick(['2026-11-16T12:00:00Z', '2026-11-16T13:30:00.5+01:00'])
  if (format?.startsWith('uri')) return 'https://app.example/callback'
  if (pattern?.includes('[AQgw]==')) return random.entityKey()
  if (examples && examples.length > 0) return String(random.pick(examples))
  return random.pick(['a', 'Some text', 'ÆØÅ', '日本', 'x-1']).slice(0, maxLength)
}
