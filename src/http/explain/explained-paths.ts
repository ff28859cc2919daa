import type { Server } from '../typed-server.ts'
import { matchPath } from './rules/target.ts'

/** Whether GET requests to a path can be explained. Called before the routes are added. */
export function explainedPaths(server: Server): (path: string) => boolean {
  const patterns: string[] = []
  server.addHook('onRoute', ({ url, config }) => {
    if (config?.isExplained) patterns.push(url)
  })
  /** A path without parameters wins, such as that of the filter values among events. */
  const isOther = (path: string) => server.hasRoute({ method: 'GET', url: path.toLowerCase() })
  return (path) =>
    patterns.some((pattern) => matchPath(pattern, path) !== undefined && !(pattern.includes(':') && isOther(path)))
}
