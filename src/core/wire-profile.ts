/** The two wire profiles (§3). Each difference is one member here, read in one place. */
export const wireProfiles = {
  off: {
    tokenStatus: 200,
    tokenExtras: {},
    acceptsTokenQueryAndMultipart: false,
    requiresRedirectUriOnExchange: true,
    invalidGrantStatus: 400,
    daySuffix: 'T00:00:00Z',
    acceptsWeakPkce: false,
    pkceRefreshNeedsClientId: true,
    sendsIssuer: true,
    restUnauthorizedBody: true,
    sendsObsoleteFields: false,
    isEmptyDetailsListFound: true,
    defaultOptionSpaceSegment: 'None',
    datedFutureError: 'InvalidContinuousFuturesUic',
    limitsTradableAs: false,
    limitsMembers: false,
  },
  vendor: {
    tokenStatus: 201,
    tokenExtras: { base_uri: null },
    acceptsTokenQueryAndMultipart: true,
    requiresRedirectUriOnExchange: false,
    invalidGrantStatus: 401,
    daySuffix: '',
    acceptsWeakPkce: true,
    pkceRefreshNeedsClientId: false,
    sendsIssuer: false,
    restUnauthorizedBody: false,
    sendsObsoleteFields: true,
    isEmptyDetailsListFound: false,
    defaultOptionSpaceSegment: 'DefaultDates',
    datedFutureError: 'NoResultFound',
    limitsTradableAs: true,
    limitsMembers: true,
  },
} as const

export type WireProfileName = keyof typeof wireProfiles
export type WireProfile = (typeof wireProfiles)[WireProfileName]
