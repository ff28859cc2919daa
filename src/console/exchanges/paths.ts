export const exchangesPath = '/console/exchanges'
export const exchangesCall = '/ref/v1/exchanges'

export const exchangeHref = (exchangeId: string): string => `${exchangesPath}/${encodeURIComponent(exchangeId)}`
