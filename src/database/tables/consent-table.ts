import type { Generated } from 'kysely'
import type { Instant } from './columns.ts'

export type ConsentTable = {
  user_key: string
  app_key: string
  given_at: Instant
  loopback_origin: string | null
  permissions: Generated<string[]>
}
