import type { AccessRightRecord, AccountRecord, ClientRecord, UserRecord } from '../access/api/schema.ts'
import type { AppRecord } from '../apps/import/kinds.ts'
import { entityKey, sha256 } from '../core/crypto/keys.ts'

/** The same keys on every machine, so that examples and tests can name them. */
export const demoKey = (name: string): string => entityKey(sha256(`refdesk demo ${name}`).subarray(0, 16))

export const demoPassword = 'refdesk-demo'
export const demoRedirectUri = 'http://localhost:5000/callback'

const [ada, bo, dee, cy] = ['client ada', 'client bo', 'client dee', 'client cy'].map(demoKey) as [
  string,
  string,
  string,
  string,
]

/** Ada's client owns bo's and dee's; cy's stands alone and sees none of theirs (contract §10). */
export const demoClients: ClientRecord[] = [
  { ClientKey: ada, ClientId: '10001', Name: 'Ada Holding', AccountGroups: groups('ada', 'Family', 'Treasury') },
  { ClientKey: bo, ClientId: '10002', Name: 'Bo Berg', OwnerClientKey: ada, AccountGroups: groups('bo', 'Savings') },
  {
    ClientKey: dee,
    ClientId: '10003',
    Name: 'Dee Pension',
    OwnerClientKey: ada,
    AccountGroups: groups('dee', 'Pension'),
  },
  { ClientKey: cy, ClientId: '20001', Name: 'Cy Capital', AccountGroups: groups('cy', 'Trading') },
]

function groups(owner: string, ...names: string[]): { AccountGroupKey: string; Name: string }[] {
  return names.map((Name) => ({ AccountGroupKey: demoKey(`group ${owner} ${Name}`), Name }))
}

function account(AccountId: string, owner: string, ClientKey: string, group: string, Currency: string): AccountRecord {
  return {
    AccountKey: demoKey(`account ${AccountId}`),
    AccountId,
    ClientKey,
    AccountGroupKey: demoKey(`group ${owner} ${group}`),
    Currency,
  }
}

export const demoAccounts: AccountRecord[] = [
  account('9226397', 'ada', ada, 'Family', 'EUR'),
  account('9226398', 'ada', ada, 'Family', 'USD'),
  account('9226400', 'ada', ada, 'Treasury', 'GBP'),
  account('9300101', 'bo', bo, 'Savings', 'DKK'),
  account('9300201', 'dee', dee, 'Pension', 'EUR'),
  account('9400001', 'cy', cy, 'Trading', 'USD'),
  account('9400002', 'cy', cy, 'Trading', 'JPY'),
]

export const demoUsers: (UserRecord & { Password: string })[] = [
  { UserKey: demoKey('user ada'), Name: 'ada', ClientKey: ada, Password: demoPassword },
  { UserKey: demoKey('user bo'), Name: 'bo', ClientKey: bo, Password: demoPassword },
  { UserKey: demoKey('user cy'), Name: 'cy', ClientKey: cy, Password: demoPassword },
]

/** Ada may trade everything, but her treasury account only look; bo has stocks alone; cy no bonds and no crypto. */
export const demoRights: AccessRightRecord[] = [
  { ClientKey: ada, AccountKey: demoKey('account 9226397'), Level: 'Trade' },
  { ClientKey: ada, AccountKey: demoKey('account 9226398'), Level: 'Trade' },
  { ClientKey: ada, AccountKey: demoKey('account 9226400'), Level: 'View' },
  { ClientKey: bo, AssetTypes: ['Stock'], Level: 'Trade' },
  { ClientKey: dee, AssetTypes: ['Bond', 'Etf', 'MutualFund', 'Stock'], Level: 'Trade' },
  {
    ClientKey: cy,
    AssetTypes: [
      'Stock',
      'Etf',
      'StockIndex',
      'StockOption',
      'StockIndexOption',
      'ContractFutures',
      'FxSpot',
      'CfdOnStock',
    ],
    Level: 'Trade',
  },
]

export const demoApp = {
  AppKey: '0123456789abcdef0123456789abcdef',
  Secret: 'fedcba9876543210fedcba9876543210',
} as const

const owner = { ClientKey: ada, CreatedBy: demoKey('user ada'), IsTradingEnabled: true }

/** One app for each flow, so that every kind of client library has one to try. */
export const demoApps: AppRecord[] = [
  {
    ...owner,
    ...demoApp,
    Name: 'Pocket Charts',
    Description: 'The demo app: authorization code flow with a secret.',
    Flow: 'Code',
    RedirectUris: [demoRedirectUri],
  },
  {
    ...owner,
    AppKey: '123456789abcdef0123456789abcdef0',
    Name: 'Pocket Charts Mobile',
    Description: 'Demo of the PKCE flow: no secret, any port of the loopback address.',
    Flow: 'PKCE',
    RedirectUris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  },
  {
    ...owner,
    AppKey: '23456789abcdef0123456789abcdef01',
    Name: 'Pocket Charts Widget',
    Description: 'Demo of the implicit flow: the token comes in the fragment.',
    Flow: 'Implicit',
    RedirectUris: [demoRedirectUri],
  },
]

/** What people are told of it: the start message and the start page. */
export const demoFacts = {
  appKey: demoApp.AppKey,
  redirectUri: demoRedirectUri,
  users: demoUsers.map((user) => user.Name),
  password: demoPassword,
}
