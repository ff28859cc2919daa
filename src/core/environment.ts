/** One running service is one environment (§1.3). */
export type Environment = 'sim' | 'live'

/** The path of {base_url}. */
export const basePathOf = (environment: Environment): string => (environment === 'sim' ? '/sim/openapi' : '/openapi')
