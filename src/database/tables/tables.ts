import type { ColumnType, Generated } from 'kysely'
import type { AppStatus, AuthorizationLevel, Flow } from '../../core/app.ts'
import type { Document, Instant, MaybeInstant } from './columns.ts'
import type { ConsentTable } from './consent-table.ts'
import type { EventTables } from './event-tables.ts'

type Identity = ColumnType<number, never, never>

/** A document that is empty by default. */
type Fields = ColumnType<Record<string, unknown>, string | undefined, string>

export interface Tables extends EventTables {
  service: {
    only_row: Generated<boolean>
    environment: string
    public_url: string | null
    key_check: Buffer
    demo_loaded_at: MaybeInstant
  }
  imported_data: { kind: string; records: number; last_at: Generated<Instant> }
  imported_app: { app_key: string }
  import_upload: {
    import_id: string
    user_key: string
    uploaded_at: Instant
    expires_at: Instant
    files: ColumnType<readonly { name: string; bytes: number }[], string, never>
    state: 'Uploaded' | 'Checking' | 'Checked' | 'Applying' | 'Applied'
    run_id: string | null
    beat_at: MaybeInstant
    progress: ColumnType<{ phase: string; records: number; percent?: number } | null, string | null, string | null>
    outcome: Buffer | null
    message: string | null
    undoes: number | null
  }
  import_upload_part: { import_id: string; file: number; part: number; sealed: Buffer }
  client: { client_key: string; client_id: string; name: string; owner_client_key: string | null; fields: Fields }
  account_group: { account_group_key: string; client_key: string; name: string; fields: Fields }
  account: {
    account_key: string
    account_id: string
    client_key: string
    account_group_key: string | null
    currency: string
    fields: Fields
  }
  service_user: {
    user_key: string
    name: string
    client_key: string
    password_hash: string | null
    disabled: Generated<boolean>
    is_operator: Generated<boolean>
    fields: Fields
  }
  access_right: {
    access_right_id: Identity
    client_key: string
    account_key: string | null
    user_key: string | null
    asset_types: string[] | null
    exchange_ids: string[] | null
    level: 'View' | 'Trade'
  }
  change: {
    change_id: Identity
    transaction_id: Generated<string>
    topic: string
    key: string
    made_at: Generated<Instant>
  }
  rate_count: { key: string; window_start: number; count: number }
  app: {
    app_key: string
    client_key: string | null
    name: string
    description: string
    flow: Flow
    is_active: Generated<boolean>
    status: Generated<AppStatus>
    online_level: Generated<AuthorizationLevel>
    offline_level: Generated<AuthorizationLevel>
    created_by: string | null
    created_at: Instant
    grant_epoch: Generated<number>
  }
  redirect_uri: {
    redirect_uri_id: Identity
    app_key: string
    uri: string
    label: string | null
    description: string | null
  }
  app_secret: {
    secret_id: Identity
    app_key: string
    secret_sha256: Buffer
    secret_sealed: Buffer | null
    valid_from: Instant
    valid_until: Instant
    last_used_at: MaybeInstant
  }
  signing_key: {
    kid: string
    public_jwk: ColumnType<Record<string, string>, string, never>
    private_sealed: Buffer
    created_at: Instant
    active_from: MaybeInstant
  }
  sign_in: {
    sign_in_id: string
    cookie_hash: Buffer
    user_key: string
    created_at: Instant
    expires_at: Instant
    ended_at: MaybeInstant
    address: string
    user_agent: string
  }
  consent: ConsentTable
  session: {
    session_id: string
    user_key: string
    app_key: string
    sign_in_id: string | null
    redirect_uri: string | null
    code_challenge: string | null
    code_challenge_method: string | null
    resource: string | null
    created_at: Instant
    expires_at: Instant
    ended_at: MaybeInstant
    end_reason: string | null
    trade_level: string | null | undefined
    read_only: Generated<boolean>
    address: string
    user_agent: string
    start_order: ColumnType<number | null, never, never>
  }
  authorization_code: {
    code_hash: Buffer
    app_key: string
    user_key: string
    sign_in_id: string
    redirect_uri: string
    code_challenge: string | null
    code_challenge_method: string | null
    resource: string | null
    issued_at: Instant
    expires_at: Instant
    spent_at: MaybeInstant
    session_id: string | null
    grant_epoch: Generated<number>
  }
  refresh_token: {
    token_hash: Buffer
    session_id: string
    issued_at: Instant
    expires_at: Instant
    spent_at: MaybeInstant
    spent_with: string | null
  }
  refresh_answer: { token_hash: Buffer; answer: Buffer; made_at: Instant }
  failed_attempt: {
    failed_attempt_id: Identity
    kind: 'password' | 'secret'
    name_hash: Buffer
    address: string
    made_at: Instant
  }
  audit_inbox: { id: Identity; body: string }
  removed_session: { session_id: string; removed_at: Generated<Instant> }
  reference_data: { only_row: Generated<boolean>; revision: number; identity: Generated<string> }
  trading_calendar: { calendar_id: string; document: Document; revision: number }
  exchange: { exchange_id: string; calendar_id: string | null; document: Document; revision: number }
  instrument: {
    uic: number
    asset_types: string[]
    exchange_ids: string[]
    symbol: string
    description: string
    isin: string | null
    identifiers: string[] | null
    continuous_uic: number | null
    calendar_id: string | null
    document: Document
    revision: number
  }
  option_root: {
    option_root_id: number
    exchange_id: string
    uics: number[]
    calendar_id: string | null
    document: Document
    revision: number
  }
  reference_history: { revision: number; identity: string }
  reference_deletion: { kind: 'calendar' | 'exchange' | 'instrument' | 'optionRoot'; key: string; revision: number }
  history: { only_row: Generated<boolean>; identity: Generated<string>; pruned_seq: number }
  history_run: {
    run: Identity
    at: Generated<Instant>
    after_seq: number
    source: string
    reference_revision: number | null
    event_revision: number | null
    last_election: number
    undoes: number | null
    counts: ColumnType<Record<string, unknown>[] | null, string | null, string | null>
  }
  record_version: {
    seq: Identity
    run: number
    kind: string
    id: string
    part: string
    change: 'added' | 'changed' | 'removed'
    previous: ColumnType<Record<string, unknown> | null, string | null, never>
  }
  scenario: {
    name: string
    title: string
    shows: string
    view: string
    look_at: string
    loaded_at: Instant
    record_count: number
    records: ColumnType<Record<string, unknown>[], string, string>
  }
  sim_clock: { only_row: Generated<boolean>; offset_microseconds: number; frozen_at: MaybeInstant }
  snapshot: {
    snapshot_id: Identity
    name: string
    saved_at: Instant
    service_time: Instant
    is_frozen: boolean
    migration: number
    bytes: Generated<number>
    demo_loaded_at: MaybeInstant
    reference_identity: string
    event_identity: string
  }
  app_fault: {
    app_key: string
    kind: string
    percent: number
    delay_seconds: number | null
    service_group: string | null
    ends_at: Instant
  }
}
