import type { Flow } from '../core/app.ts'
import { invalid } from '../core/problem.ts'
import { checkRedirectUri } from './rules/redirect-uri.ts'

/** Refuses an address that cannot be a redirect URI, with every sentence that says why; gives back what is likely a
 *  mistake in one that can. */
export function requireRedirectUri(uri: string, flow: Flow, field: string): readonly string[] {
  const judged = checkRedirectUri(uri, flow)
  if ('refused' in judged) throw invalid({ [field]: [...judged.refused] })
  return judged.warnings
}
