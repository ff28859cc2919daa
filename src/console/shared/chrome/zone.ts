import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { readCookie } from '../../../http/html/cookies.ts'

/** `chosen` is the zone that the user chose in the header. Without one the pages follow the browser, whose zone a script
 *  stores in the same cookie. */
export type ZoneSetting = Readonly<{ zone: string | undefined; chosen: string | undefined }>

const zoneCookie = 'refdesk_zone'
const chosenMark = 'set:'
const yearSeconds = 31_536_000
/** Names of the time zone database are shorter. */
const maxCharacters = 64

const known = new LRUCache<string, boolean>({ max: 200, memoMethod: isZoneName })

/** Accepts zone names only. Temporal would accept offsets too. */
export function isZone(name: string): boolean {
  if (name === '' || name.length > maxCharacters) return false
  return known.memo(name)
}

function isZoneName(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false
  try {
    new Temporal.ZonedDateTime(0n, name)
    return true
  } catch {
    return false
  }
}

export function readZone(request: FastifyRequest): ZoneSetting {
  const cookie = readCookie('', request, zoneCookie) ?? ''
  const isChosen = cookie.startsWith(chosenMark)
  const name = isChosen ? cookie.slice(chosenMark.length) : cookie
  const zone = isZone(name) ? name : undefined
  return { zone, chosen: isChosen ? zone : undefined }
}

/** Remembers the chosen zone for a year; without one, the zone of the browser counts again. Scripts may read the cookie. */
export function writeZone(reply: FastifyReply, chosen: string | undefined): void {
  const value = chosen === undefined ? '' : `${chosenMark}${chosen}`
  const maxAge = chosen === undefined ? 0 : yearSeconds
  reply.header('set-cookie', `${zoneCookie}=${value}; Max-Age=${maxAge}; Path=/; SameSite=Lax`)
}

/** Where the larger exchanges are. */
export const offeredZones: readonly string[] = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Copenhagen',
  'Europe/Zurich',
  'Asia/Tokyo',
  'Asia/Hong_Kong',
  'Asia/Singapore',
  'Australia/Sydney',
]
