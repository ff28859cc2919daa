/** The records that the campaign imports: its own clients, users and app, and a set that changes as a whole. */

const keyOf = (text: string): string =>
  Buffer.from(text.padEnd(16, '.').slice(0, 16)).toString('base64').replaceAll('+', '-').replaceAll('/', '|')

export const clientCount = 3
export const usersPerClient = 6
export const password = 'a password of the campaign'
export const app = {
  appKey: 'ca39a19a00000000000000000000c0de',
  secret: 'ca39a19a5ec2e700000000000000c0de',
  redirectUri: 'http://localhost:5099/callback',
}

export const userName = (client: number, user: number): string => `campaign-${client}-${user}`
const clientKey = (client: number): string => keyOf(`client ${client}`)
export const accountKey = (client: number): string => keyOf(`account ${client}`)

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Clients with an account each, their users, and the app that the users sign in to. */
export function firstRecords(): string {
  const clients = Array.from({ length: clientCount }, (_, client) => [
    { kind: 'client', ClientKey: clientKey(client), ClientId: `5000${client}`, Name: `Campaign ${client}` },
    {
      kind: 'account',
      AccountKey: accountKey(client),
      AccountId: `5000${client}-1`,
      ClientKey: clientKey(client),
      Currency: 'EUR',
    },
    { kind: 'accessRight', ClientKey: clientKey(client), Level: 'Trade' },
    ...Array.from({ length: usersPerClient }, (_, user) => ({
      kind: 'user',
      UserKey: keyOf(`user ${client} ${user}`),
      Name: userName(client, user),
      ClientKey: clientKey(client),
      Password: password,
    })),
  ])
  return lines([
    ...clients.flat(),
    {
      kind: 'app',
      AppKey: app.appKey,
      Name: 'Campaign',
      Description: 'The app of the campaign',
      Flow: 'Code',
      ClientKey: clientKey(0),
      Levels: { Online: 'Trade', Offline: 'Trade' },
      RedirectUris: [{ Uri: app.redirectUri }],
      Secrets: [{ Secret: app.secret, ValidFrom: '2020-01-01T00:00:00Z', ValidUntil: '2090-01-01T00:00:00Z' }],
    },
  ])
}

const firstUic = 7_000_000
const shares = 200
/** These are there in even generations only, so that deletions are part of a change. */
const evenShares = 20
const eventId = 'CAMPAIGN-1'

/** Events that holders elect options of. Their deadline is later than any time that the campaign travels to. */
export const electableEvents = ['CAMPAIGN-2', 'CAMPAIGN-3']
export const heldAmount = 1_000

/** The amounts of an election follow from its id, so that half of one is noticed. */
export function electedAmounts(id: string): { OptionId: string; Amount: number }[] {
  let hash = 0
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 100_003
  const first = 1 + (hash % (heldAmount - 1))
  return [
    { OptionId: '1', Amount: first },
    { OptionId: '2', Amount: heldAmount - first },
  ]
}

export const sharesIn = (generation: number): number => (generation % 2 === 0 ? shares : shares - evenShares)
export const markOf = (generation: number): string => `generation ${generation}.`

/** Instruments, an event and positions that all name the generation. */
export function generationRecords(generation: number): string {
  const mark = markOf(generation)
  const exchange = {
    kind: 'exchange',
    ExchangeId: 'CAMPAIGN',
    Name: 'Campaign',
    CountryCode: 'DE',
    Currency: 'EUR',
    Mic: 'XCAM',
    TimeZone: 'Europe/Berlin',
    Hours: [{ Days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], Start: '09:00', End: '17:30' }],
  }
  const instruments = Array.from({ length: shares }, (_, index) => {
    const Uic = firstUic + index
    if (index >= sharesIn(generation)) return { kind: 'instrument', Uic, delete: true }
    const Description = `Campaign share ${index} ${mark}`
    const rest = { Symbol: `CAM${index}:xcam`, ExchangeId: 'CAMPAIGN', CurrencyCode: 'EUR' }
    return { kind: 'instrument', Uic, Description, ...rest, As: [{ AssetType: 'Stock' }] }
  })
  const event = {
    kind: 'event',
    EventId: eventId,
    Uic: firstUic,
    AssetType: 'Stock',
    CorporateActionType: 'Mandatory',
    EventType: { Code: 'DVCA' },
    EventState: 'Approved',
    Ex: { Date: '@+5' },
    Record: { Date: '@+6' },
    Narrative: `A dividend, ${mark}`,
    Options: [{ OptionId: '1', OptionType: { Code: 'CASH' }, Payment: { Date: '@+20' } }],
  }
  const positions = Array.from({ length: clientCount }, (_, client) => {
    const position = { kind: 'position', AccountKey: accountKey(client), AssetType: 'Stock' }
    return [
      { ...position, Uic: firstUic, Amount: generation + 1 },
      { ...position, Uic: firstUic + 1, Amount: heldAmount },
    ]
  })
  const offers = electableEvents.map((id) => offer(id, mark))
  return lines([exchange, ...instruments, event, ...offers, ...positions.flat()])
}

/** A tender offer. Importing it again must keep what was elected. */
function offer(EventId: string, mark: string) {
  const Deadline = { Date: '@+200' }
  return {
    ...{ kind: 'event', EventId, Uic: firstUic + 1, AssetType: 'Stock' },
    ...{ CorporateActionType: 'Voluntary', EventType: { Code: 'TEND' }, EventState: 'Approved' },
    Narrative: `An offer, ${mark}`,
    Options: [
      { OptionId: '1', OptionType: { Code: 'CASH' }, Deadline },
      { OptionId: '2', OptionType: { Code: 'SECU' }, Deadline },
      { OptionId: '3', OptionType: { Code: 'NOAC' }, IsDefault: true, Deadline },
    ],
  }
}

/** Every generation that anything of the set belongs to, and how many instruments there are. */
export const generationsSql = `
  select (select array_agg(distinct generation) from (
      select substring(description from 'generation (\\d+)')::int from instrument where uic between ${firstUic} and ${firstUic + shares}
      union select substring(document ->> 'Narrative' from 'generation (\\d+)')::int from event
        where event_id = any('{${[eventId, ...electableEvents].join(',')}}')
      union select amount::numeric::int - 1 from position where uic = ${firstUic}) as g (generation)) as generations,
    (select count(*)::int from instrument where uic between ${firstUic} and ${firstUic + shares}) as instruments`
