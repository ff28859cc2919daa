import pg from 'pg'
import { systemClock } from '../../src/core/clock.ts'
import { copyRows, copyText } from '../../src/database/staging/copy.ts'
import { eventKind } from '../../src/events/import/kinds.ts'
import { storedNames } from '../../src/events/import/stages.ts'
import type { BenchDatabase } from '../support/refdesk.ts'
import { exchangeRecord } from '../universe/markets.ts'
import { eventIdMark, eventRecord, eventsOfInstrument, instrumentVariants, uicMark } from './records.ts'

/** The clients whose lists are requested are the first ones; each holds this many instruments. */
const measuredClients = 32
const measuredPositions = 20

/** Keys in the format of the API, derived from a text. */
const keyOf = (text: string) => `replace(replace(encode(decode(md5(${text}), 'hex'), 'base64'), '+', '-'), '/', '|')`
const clientKeyOf = (number: string) => keyOf(`'client ' || ${number}`)
const accountKeyOf = (client: string, number: string) => keyOf(`'account ' || ${client} || '/' || ${number}`)
const userKeyOf = (number: string) => keyOf(`'user ' || ${number}`)

/** Writes events and as many clients, with ten positions each on average, directly into the tables. Returns the users of
 *  the measured clients. */
export async function fillEvents(database: BenchDatabase, size: number): Promise<string[]> {
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    await client.query('begin')
    await insertClients(client, size)
    await insertEvents(client, size / eventsOfInstrument)
    await insertPositions(client, size, size / eventsOfInstrument)
    await client.query('commit')
    await client.query('vacuum analyze')
    await client.query('checkpoint')
    const { rows } = await client.query(`select user_key from service_user where name like 'bench%'`)
    return rows.map(({ user_key }) => user_key)
  } finally {
    await client.end()
  }
}

/** Clients have two accounts, every tenth an owner; measured clients have an owner and a user. */
async function insertClients(client: pg.Client, clients: number): Promise<void> {
  await client.query(`insert into client (client_key, client_id, name, owner_client_key)
    select ${clientKeyOf('n')}, 'B' || n, 'Client number ' || n,
      case when n <= ${measuredClients} or n % 10 = 0 then ${clientKeyOf(`(${clients} - n % 7)`)} end
    from generate_series(1, ${clients}) n`)
  await client.query(`insert into account (account_key, account_id, client_key, currency)
    select ${accountKeyOf('n', 'a')}, 'B' || n || '-' || a, ${clientKeyOf('n')}, 'EUR'
    from generate_series(1, ${clients}) n, generate_series(1, 2) a`)
  await client.query(`insert into service_user (user_key, name, client_key)
    select ${userKeyOf('n')}, 'bench' || n, ${clientKeyOf('n')} from generate_series(1, ${measuredClients}) n`)
}

/** The events of a few hundred imported records, repeated under other ids. */
async function insertEvents(client: pg.Client, instruments: number): Promise<void> {
  const exchange = exchangeRecord({ id: 'XBEN', country: 'DE', currency: 'EUR', zone: 'Europe/Berlin', mic: true })
  await client.query('update reference_data set revision = 1')
  await client.query('insert into exchange values ($1, $2, 1)', [exchange.ExchangeId, exchange])
  await client.query(`insert into instrument (uic, asset_types, exchange_ids, symbol, description, isin, revision, document)
    select u, '{Stock}', '{XBEN}', 'S' || u || ':xben', 'Company number ' || u, 'XB' || lpad(u::text, 10, '0'), 1,
      json_build_object('Uic', u, 'Isin', 'XB' || lpad(u::text, 10, '0'), 'Symbol', 'S' || u || ':xben', 'Description',
        'Company number ' || u, 'CurrencyCode', 'EUR', 'ExchangeId', 'XBEN', 'Format', '{"Decimals":2}'::json,
        'As', '[{"AssetType":"Stock"}]'::json)
    from generate_series(1, ${instruments}) u`)
  const { stage } = eventKind
  const columns = Object.entries(stage.columns).map(([name, type]) => `${name} ${type}`)
  await client.query(`create temp table ${stage.table}
    (line integer, deletion boolean, ${columns.join(', ')}) on commit drop`)
  await copyRows(client, stage, Buffer.from(templates()))
  const own = [...storedNames, 'updated_at'].filter((name) => !['event_id', 'uic', 'document'].includes(name))
  await client.query(`insert into event (event_id, uic, document, ${own.join(', ')})
    select 'CA-' || u || '-' || place, u, replace(replace(document::text, '${eventIdMark}', 'CA-' || u || '-' || place),
      '${uicMark}', u::text)::json, ${own.join(', ')}
    from generate_series(1, ${instruments}) u, generate_series(0, ${eventsOfInstrument - 1}) place, ${stage.table}
    where line = ((u - 1) % ${instrumentVariants}) * ${eventsOfInstrument} + place
    -- Events arrive in any order: the events of one instrument are not kept side by side.
    order by place, md5(u::text)`)
}

function templates(): string {
  const today = systemClock.now().toZonedDateTimeISO('UTC').toPlainDate()
  const lines = Array.from({ length: instrumentVariants * eventsOfInstrument }, (_, line) => {
    const record = eventRecord(Math.floor(line / eventsOfInstrument), line % eventsOfInstrument, today)
    return [line, false, ...eventKind.row(record)].map(copyText).join('\t')
  })
  return `${lines.join('\n')}\n`
}

/** Measured clients hold instruments of all variants in turn, so that their lists have the same length. */
async function insertPositions(client: pg.Client, clients: number, instruments: number): Promise<void> {
  const blocks = instruments / instrumentVariants
  await client.query(`insert into position (account_key, uic, asset_type, held_from, amount)
    select ${accountKeyOf('n', '(1 + k % 2)')},
      case when n <= ${measuredClients}
        then 1 + (n * 20 + k) % ${instrumentVariants} + ${instrumentVariants} * ((k * 13 + n) % ${blocks})
        else 1 + (n * 7919 + k * 101) % ${instruments} end,
      'Stock', case when k % 3 = 0 then current_date - 400 else '-infinity' end, 10 + (n + k) % 990
    from generate_series(1, ${clients}) n,
      generate_series(0, (case when n <= ${measuredClients} then ${measuredPositions} else 1 + n * 7 % 19 end) - 1) k`)
  await client.query(`insert into event_holding (event_id, account_key, ordinal, elected_amount, document)
    select event_id, account_key, row_number() over (partition by event_id order by account_key), p.amount,
      json_build_object('Options', json_build_array(json_build_object('OptionId', '1', 'ElectedAmount', p.amount,
        'ElectedBy', 'bench', 'ElectionType', 'Manual', 'Instruction', json_build_object('Status', 'Accepted'))))
    from position p join event e using (uic, asset_type)
    where e.is_electable and e.state in ('Preliminary', 'Confirmed') and p.amount % 10 = 0`)
}
