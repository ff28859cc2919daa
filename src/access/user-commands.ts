import { appendAudit } from '../audit/append.ts'
import { randomEntityKey, randomHex } from '../core/crypto/keys.ts'
import { checkPasswordLength, hashPassword } from '../core/crypto/passwords.ts'
import type { Db } from '../database/open.ts'
import { beginRun } from '../database/staging/history.ts'
import { findUserByName, requireClientKey } from './store/identities.ts'
import { announceClients, putUsers } from './store/import.ts'

type Out = (line: string) => void

/** refdesk users add: adds a user to an existing client, with the given or a generated password. */
export async function addUser(
  db: Db,
  wanted: { name: string | undefined; clientId: string | undefined; isOperator?: boolean },
  readPassword: () => Promise<string | undefined>,
  say: Out,
  now: Temporal.Instant,
): Promise<0 | 1> {
  const { name, clientId, isOperator = false } = wanted
  if (!name || !clientId) throw new Error('Pass a name and a client: refdesk users add eve --client 10001')
  const clientKey = await requireClientKey(db, clientId)
  if (await findUserByName(db, name)) throw new Error(`User ${name} already exists.`)
  const given = await readPassword()
  if (given !== undefined) checkPasswordLength(given)
  const password = given ?? randomHex()
  const UserKey = randomEntityKey()
  const PasswordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    await beginRun(trx, 'refdesk users')
    const user = { UserKey, Name: name, ClientKey: clientKey, PasswordHash, Operator: isOperator }
    await announceClients(trx, await putUsers(trx, [user], now))
    await appendAudit(trx, { at: now.toString(), kind: 'UserAdded', user: UserKey, userName: name })
  })
  say(`User ${name} was added to client ${clientId} (UserKey ${UserKey}).`)
  if (given === undefined) say(`Password, shown only once: ${password}`)
  return 0
}
