/** One running service is one environment (§1.3). */
export type Environment = 'sim' | 'live'

export const basePathOf = (environment: Environment): string => (environment === 'sim' ? '/sim/openapi' : '/openapi')
