import { callback, oneHour, unknownKey } from '../apps.ts'
import { demoKey } from '../demo.ts'
import type { TestService } from '../service/service.ts'

type Documented = {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[]
  requestBody?: { content: object }
  responses: object
  security?: object[]
}
export type Operation = Documented & { method: string; address: string }

/** The operations of a service's API document, with their addresses. */
export async function readOperations({ url, baseUrl }: TestService): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Documented> & { servers?: [{ url: string }] }>
  }
  return Object.entries(paths).flatMap(([path, { servers, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      address: `${servers ? url : baseUrl}${path}`,
    })),
  )
}

const unknownEntity = 'AAAAAAAAAAAAAAAAAAAAAA=='

/** Identifiers of nothing, in the required form. */
export const unknownNames: Record<string, string> = {
  AppKey: unknownKey,
  AssetType: 'Stock',
  Kind: 'user',
  Uic: '999999999',
  OptionRootId: '999999999',
  ContinuousFuturesUic: '999999999',
  RedirectUriId: unknownKey,
  ImportId: unknownKey,
  Run: '999999999',
  SecretId: '999999999',
  ...Object.fromEntries(['User', 'Client', 'Account', 'AccountGroup'].map((kind) => [`${kind}Key`, unknownEntity])),
}

/** An account of ada in the demo, and an event that it can elect. */
const holder = demoKey('account 9226397')
const rightsIssue = { EventId: 'CA7109655-1811' }

/** Valid bodies. */
export const validBodies: Record<string, object> = {
  createApp: { Name: 'An app', Description: 'Of a test.', Flow: 'Code' },
  updateApp: { Name: 'Another' },
  createRedirectUri: { Uri: callback },
  updateRedirectUri: { Description: 'Another' },
  createSecret: oneHour,
  updateSecret: { Regenerate: true },
  replaceCapabilities: { TradeLevel: 'OrdersOnly' },
  changeCapabilities: { TradeLevel: 'OrdersOnly' },
  makeCalendar: { Name: 'Mine' },
  changeClock: { AdvanceSeconds: 60 },
  putFault: { Kind: 'Slow' },
  resetData: { Confirm: 'reset' },
  setPosition: { User: 'ada', Symbol: 'AAPL:xnas', AssetType: 'Stock', Amount: 250 },
  loadScenarioText: { Text: '{}' },
  electOptions: { ...rightsIssue, AccountKey: holder, Options: [{ OptionId: '003', Amount: 1 }] },
  electInBulk: {
    ...rightsIssue,
    Accounts: [{ AccountKey: holder }],
    Options: [{ OptionId: '003', AmountPct: 1 }],
  },
  createStandingInstructions: {
    StandingInstructions: [{ AccountKey: holder, AssetType: 'Stock', OptionType: 'SECU', Uic: 1501 }],
  },
}

/** The media type that an operation takes. */
export function requestTypeOf({ requestBody }: Operation): string {
  const [type = 'application/json'] = Object.keys(requestBody?.content ?? {})
  return type.startsWith('multipart/') ? `${type}; boundary=x` : type
}

/** The examples of required parameters, which exist in the demo data. */
export function examplesOf({ parameters = [] }: Operation, place: 'path' | 'query'): Record<string, string> {
  const needed = parameters.filter((each) => each.in === place && each.required && each.example !== undefined)
  return Object.fromEntries(needed.map(({ name, example }) => [name, String(example)]))
}
