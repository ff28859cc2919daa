import type { Generated } from 'kysely'
import type { Document, Instant, MaybeInstant } from './columns.ts'

/** Positions, corporate action events, elections and calendars. */
export interface EventTables {
  position: {
    account_key: string
    uic: number
    asset_type: string
    held_from: string
    held_until: string
    amount: string
  }
  event: {
    event_id: string
    uic: number
    asset_type: string
    corporate_action_type: string
    event_type: string
    event_type_name: string
    state: string
    status: string | null
    is_electable: boolean
    announced_on: string | null
    ex_on: string | null
    record_on: string | null
    key_date: string | null
    starts_on: string | null
    ends_on: string | null
    deadlines: string[]
    payments: string[]
    description: string | null
    isin: string | null
    symbol: string | null
    updated_at: Instant
    document: Document
    aside: Document | null
    revision: Generated<number>
  }
  event_data: { only_row: Generated<boolean>; revision: number; identity: Generated<string> }
  event_history: { revision: number; identity: string }
  event_deletion: { event_id: string; revision: number }
  event_holding: {
    event_id: string
    account_key: string
    ordinal: number
    elected_amount: string
    document: Document
    by_user: Generated<boolean>
  }
  election: {
    number: number
    event_id: string
    account_key: string
    elected_at: Instant
    user_key: string
    app_key: string
    document: Document
  }
  election_count: { only_row: Generated<boolean>; last: number }
  standing_instruction: {
    standing_instruction_id: string
    account_key: string
    uic: number
    asset_type: string
    option_type: string
    created_at: Instant
    ended_at: MaybeInstant
  }
  calendar: {
    calendar_id: string
    token_hash: Buffer
    user_key: string
    name: string
    filters: Document
    created_at: Instant
    last_read_at: MaybeInstant
  }
}
