import { domainToUnicode } from 'node:url'

/** The name of a host as people read it: xn--bcher-kva.example is bücher.example. What cannot be read stays as it is. */
export const readableHost = (host: string): string => domainToUnicode(host) || host
