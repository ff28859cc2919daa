import type { Flow } from '../core/app.ts'
import { invalid } from '../core/problem.ts'
import { checkRedirectUri } from './rules/redirect-uri.ts'

/** Rejects an address that cannot be a redirect URI, with every reason. Returns the warnings of an accepted one. */
export function requireRedirectUri(uri: string, flow: Flow, field: string): readonly string[] {
  const checked = checkRedirectUri(uri, flow)
  if ('errors' in checked) throw invalid({ [field]: [...checked.errors] })
  return checked.warnings
}
