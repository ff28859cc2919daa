import { wireTime } from '../core/clock.ts'
import { aligned, minute, printable } from '../core/text.ts'
import type { Db } from '../database/open.ts'
import { readAllAccounts, readAllClients, readAllUsers } from './store/all-identities.ts'
import { requireClientKey } from './store/identities.ts'

type Say = (line: string) => void
type Options = Readonly<{ client?: string; json?: boolean }>

/** How the rows of a list are shown: the cells of a table, or a JSON object. */
type Columns<Row> = Readonly<Record<string, (row: Row) => string>>
type Listing<Row> = Readonly<{ none: string; columns: Columns<Row>; json(row: Row): object }>

/** A table, or with `--json` one JSON object per line. Columns of a long table are aligned page by page. */
async function show<Row>(pages: AsyncIterable<Row[]>, listing: Listing<Row>, isJson: boolean, say: Say): Promise<0> {
  const { none, columns, json } = listing
  const cellsOf = Object.values(columns)
  let count = 0
  for await (const rows of pages) {
    count += rows.length
    const table = () => aligned([Object.keys(columns), ...rows.map((row) => cellsOf.map((cell) => cell(row)))])
    for (const line of isJson ? rows.map((row) => JSON.stringify(json(row))) : table()) say(line)
  }
  if (count === 0 && !isJson) say(none)
  return 0
}

const clientKeyOf = async (db: Db, { client }: Options): Promise<string | undefined> =>
  client === undefined ? undefined : requireClientKey(db, client)

/** refdesk users list */
export async function listUsers(db: Db, options: Options, say: Say): Promise<0> {
  return show(readAllUsers(db, await clientKeyOf(db, options)), users, options.json === true, say)
}

/** refdesk clients list */
export function listClients(db: Db, options: Options, say: Say): Promise<0> {
  return show(readAllClients(db), clients, options.json === true, say)
}

/** refdesk accounts list */
export async function listAccounts(db: Db, options: Options, say: Say): Promise<0> {
  return show(readAllAccounts(db, await clientKeyOf(db, options)), accounts, options.json === true, say)
}

type RowOf<Read extends (...args: never[]) => AsyncIterable<unknown[]>> =
  ReturnType<Read> extends AsyncIterable<(infer Row)[]> ? Row : never

const yes = (value: boolean): string => (value ? 'yes' : 'no')

const users: Listing<RowOf<typeof readAllUsers>> = {
  none: 'There are no users.',
  columns: {
    Name: ({ name }) => printable(name),
    UserKey: ({ userKey }) => userKey,
    Client: ({ clientId }) => printable(clientId),
    Disabled: ({ disabled }) => yes(disabled),
    Operator: ({ isOperator }) => yes(isOperator),
    'Last login': ({ lastLogin }) => (lastLogin === null ? 'never' : minute(lastLogin)),
  },
  json: ({ name, userKey, clientId, disabled, isOperator, lastLogin }) => ({
    Name: name,
    UserKey: userKey,
    ClientId: clientId,
    Disabled: disabled,
    Operator: isOperator,
    LastLoginTime: lastLogin && wireTime(lastLogin),
  }),
}

const clients: Listing<RowOf<typeof readAllClients>> = {
  none: 'There are no clients.',
  columns: {
    ClientId: ({ clientId }) => printable(clientId),
    ClientKey: ({ clientKey }) => clientKey,
    Name: ({ name }) => printable(name),
    Owner: ({ ownerId }) => printable(ownerId ?? '-'),
    Accounts: ({ accounts }) => String(accounts),
    Users: ({ users }) => String(users),
    Rights: ({ rights }) => String(rights),
  },
  json: ({ clientId, clientKey, name, ownerId, accounts, users, rights }) => ({
    ClientId: clientId,
    ClientKey: clientKey,
    Name: name,
    OwnerClientId: ownerId,
    Accounts: accounts,
    Users: users,
    Rights: rights,
  }),
}

const accounts: Listing<RowOf<typeof readAllAccounts>> = {
  none: 'There are no accounts.',
  columns: {
    AccountId: ({ accountId }) => printable(accountId),
    AccountKey: ({ accountKey }) => accountKey,
    Client: ({ clientId }) => printable(clientId),
    Group: ({ accountGroupName }) => printable(accountGroupName ?? '-'),
    Currency: ({ currency }) => currency,
  },
  json: ({ accountId, accountKey, clientId, accountGroupName, currency }) => ({
    AccountId: accountId,
    AccountKey: accountKey,
    ClientId: clientId,
    AccountGroupName: accountGroupName,
    Currency: currency,
  }),
}
