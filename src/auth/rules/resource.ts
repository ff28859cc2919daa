import type { Form } from './client-authentication.ts'

/** What tokens can be for (RFC 8707): the REST API, or the tools for agents. */
export type Resources = Readonly<{ rest: string; agents: string }>

/** The resource of a grant: null for the REST API, which is the default. */
export type Resource = string | null

export const resourcesOf = (publicUrl: string, basePath: string): Resources => ({
  rest: `${publicUrl}${basePath}`,
  agents: `${publicUrl}/mcp`,
})

/** The resource that a request names; undefined if there is no such resource. */
export function readResource(given: string | undefined, { rest, agents }: Resources): Resource | undefined {
  if (given === undefined) return null
  const address = URL.canParse(given) ? new URL(given).href.replace(/\/$/, '') : given
  if (address === agents) return agents
  return address === rest ? null : undefined
}

/** The form of /token with `resource` as it is stored; the REST API as empty text. Undefined if there is no such resource. */
export function withResource(form: Form, resources: Resources): Form | undefined {
  if (form.resource === undefined) return form
  const resource = readResource(form.resource, resources)
  return resource === undefined ? undefined : { ...form, resource: resource ?? '' }
}

/** Whether a request of `withResource` names the resource of the grant, or none. */
export const fitsResource = ({ resource }: Form, granted: Resource): boolean =>
  resource === undefined || resource === (granted ?? '')
