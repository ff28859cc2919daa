import type { Config } from '../../../config.ts'
import { isLoopbackHost } from '../../../core/network/loopback.ts'
import { type Finding, ok, orOk, warning } from './finding.ts'

const check = 'settings'

export type Typo = Readonly<{ given: string; meant: string }>

export const typoFindings = (typos: readonly Typo[]): Finding[] =>
  typos.map(({ given, meant }) =>
    warning(check, `${given} is not a setting and has no effect.`, `Rename it if you mean ${meant}.`),
  )

/** What is allowed and works, but is probably not meant. Settings that are not allowed prevent the start. */
export function settingsFindings(config: Config, typos: readonly Typo[]): readonly Finding[] {
  const found = typoFindings(typos)
  if (config.demo && !isLoopbackHost(config.host))
    found.push(
      warning(
        check,
        `The demo's passwords are public, and the service listens on ${config.host}.`,
        'Set HOST=localhost, or DEMO=off and load your own users.',
      ),
    )
  if (config.environment === 'live') found.push(...liveFindings(config))
  return orOk(found, check, `${config.environment}, ${config.host}:${config.port}, ${workersOf(config)}`)
}

const workersOf = ({ workers }: Config): string => (workers === 1 ? 'one worker' : `${workers} workers`)

const shortestMetricsToken = 16

function liveFindings({ rateLimits, trustProxy, metricsToken, logLevel, databaseUrl }: Config): Finding[] {
  const found: Finding[] = []
  if (rateLimits !== 'on')
    found.push(warning(check, `RATE_LIMITS is ${rateLimits} in live.`, 'Set RATE_LIMITS=on, or leave it out.'))
  if (trustProxy.length === 0)
    found.push(
      warning(
        check,
        'Behind a proxy every caller has the address of the proxy, and they share its limits.',
        'Set TRUST_PROXY to the addresses of your proxy, which terminates TLS.',
      ),
    )
  if (metricsToken !== undefined && metricsToken.length < shortestMetricsToken)
    found.push(
      warning(
        check,
        `METRICS_TOKEN has fewer than ${shortestMetricsToken} characters.`,
        'Generate one with: openssl rand -hex 16',
      ),
    )
  if (logLevel === 'silent')
    found.push(
      warning(
        check,
        'LOG_LEVEL is silent: no error and no head of the audit log is kept.',
        'Set LOG_LEVEL=info, or leave it out.',
      ),
    )
  if (databaseUrl === undefined)
    found.push(
      warning(
        check,
        'Live uses the bundled PostgreSQL, which has no replica and no backup.',
        'Set DATABASE_URL to your own PostgreSQL.',
      ),
    )
  return found
}

/** Takes the address of this node and the one that the node that started last has stored. */
export function publicUrlFinding(own: string, stored: string): Finding {
  if (own === stored) return ok('public URL', own)
  return warning(
    'public URL',
    `It is ${own} here, but the node that started last has ${stored}.`,
    'Set the same PUBLIC_URL on every node: tokens and links contain it.',
  )
}
