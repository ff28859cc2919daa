/** Changes records until it is killed: in transactions of its own, or with imports. */
import pg from 'pg'
import { event, importTexts, instrument, lines, position } from '../support/service/import.ts'

const [connectionText = '{}', name = '', first = '0', account = ''] = process.argv.slice(2)
const connection = JSON.parse(connectionText) as pg.ClientConfig
const records = 50
const anyUic = () => Number(first) + Math.floor(Math.random() * records)

/** Several records in one transaction, which takes its time and is sometimes taken back. */
async function change(client: pg.Client, round: number): Promise<void> {
  await client.query('begin')
  for (let left = 1 + Math.floor(Math.random() * 4); left > 0; left--) {
    await client.query(
      `update instrument set document = regexp_replace(document::text, '"Description":"[^"]*"', $2)::json where uic = $1`,
      [anyUic(), `"Description":"${name} ${round} ${left}"`],
    )
    await client.query('select pg_sleep(random() * 0.004)')
  }
  await client.query(Math.random() < 0.1 ? 'rollback' : 'commit')
}

async function load(round: number): Promise<void> {
  const uic = anyUic()
  const some =
    round % 3 === 2
      ? [{ kind: 'event', EventId: `${name}-${uic}`, delete: true }]
      : [
          instrument(uic, { Description: `Import ${round}` }),
          event(`${name}-${uic}`, uic),
          position(account, uic, round),
        ]
  // Deleting what is not there is an error, which changes nothing.
  await importTexts(connection as never, { 'f.ndjson': lines(...some) })
}

const client = new pg.Client(connection)
await client.connect()
for (let round = 1; ; round++) await (account === '' ? change(client, round) : load(round))
