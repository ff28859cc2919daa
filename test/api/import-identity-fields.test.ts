import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountFields,
  accountGroupFields,
  clientFields,
  userFields,
  withDefaults,
} from '../../src/access/api/fields.ts'
import { demoKey } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { readOk } from '../support/reference/rest.ts'
import { databaseForFile, exportText, importTexts, lines } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile()
const copy = await databaseForFile()
const { connection } = service.database
const { access_token: token } = await obtainTokens(service.url)
const read = (path: string) => readOk<Record<string, unknown>>(getRest(service.baseUrl, `/port/v1/${path}`, token))
const load = (...records: object[]) => importTexts(connection, { 'f.ndjson': lines(...records) })

/** A value for every field, and none of them the default. */
const given = {
  user: { Culture: 'da-DK', Language: 'da', MarketDataViaOpenApiTermsAccepted: false, TimeZoneId: 4 },
  client: {
    AccountValueProtectionLimit: 2500.5,
    AllowedNettingProfiles: ['FifoRealTime', 'AverageRealTime'],
    AllowedTradingSessions: 'All',
    CollateralMonitoringMode: 'CollateralCreditValue',
    ContractOptionsTradingProfile: 'Basic',
    ContractType: 'JointAccount',
    ForceOpenDefaultValue: true,
    IsMarginTradingAllowed: false,
    IsVariationMarginEligible: true,
    LegalAssetTypesAreIndicative: true,
    MarginCalculationMethod: 'Span',
    MarginMonitoringMode: 'Margin',
    MutualFundsCashAmountOrderCurrency: 'AccountCurrency',
    PositionNettingMethod: 'Average',
    PositionNettingMode: 'Intraday',
    PositionNettingProfile: 'AverageRealTime',
    ReduceExposureOnly: true,
    SecurityLendingEnabled: 'OptIn',
    SupportsAccountValueProtectionLimit: true,
  },
  group: {
    AccountValueProtectionLimit: 10,
    CollateralMonitoringMode: 'CollateralCreditValue',
    MarginCalculationMethod: 'Span',
    MarginLendingEnabled: 'Yes',
    MarginMonitoringMode: 'Margin',
    PortfolioBasedMarginEnabled: true,
    SupportsAccountValueProtectionLimit: true,
  },
  account: {
    AccountSubType: 'PEA',
    AccountType: 'Collateral',
    AccountValueProtectionLimit: 0.1,
    Active: false,
    AutoTradingInvestmentId: 17,
    BenchmarkInstrument: { BenchmarkInstrumentAssetType: 'StockIndex', BenchmarkInstrumentUic: 42 },
    CanUseCashPositionsAsMarginCollateral: true,
    CfdBorrowingCostsActive: true,
    CreationDate: '2020-02-29T13:00:00+01:00',
    DirectMarketAccess: true,
    DirectMarketExchangesIds: ['NYSE', 'LSE'],
    FractionalOrderEnabled: true,
    IndividualMargining: true,
    IsCurrencyConversionAtSettlementTime: true,
    IsMarginTradingAllowed: false,
    IsShareable: true,
    IsTrialAccount: true,
    ManagementType: 'Advisory',
    MarginCalculationMethod: 'Span',
    MarginLendingEnabled: 'Yes',
    PortfolioBasedMarginEnabled: true,
    Sharing: ['ReadOnly'],
    SupportsAccountValueProtectionLimit: true,
    UseCashPositionsAsMarginCollateral: true,
  },
}
const tables = { user: userFields, client: clientFields, group: accountGroupFields, account: accountFields }

const ClientKey = demoKey('client bo')
const [UserKey, AccountKey, AccountGroupKey] = ['user bo', 'account 9300101', 'group bo Savings'].map(demoKey)
const group = { AccountGroupKey, Name: 'Savings' }
const names = { ClientKey, ClientId: '10002', Name: 'Bo Berg', OwnerClientKey: demoKey('client ada') }
const plain = {
  client: { kind: 'client', ...names, AccountGroups: [group] },
  account: { kind: 'account', AccountKey, AccountId: '9300101', ClientKey, AccountGroupKey, Currency: 'DKK' },
  user: { kind: 'user', UserKey, Name: 'bo', ClientKey, Password: 'refdesk-demo' },
}
const records = [
  { ...plain.client, AccountGroups: [{ ...group, ...given.group }], ...given.client },
  { ...plain.account, ...given.account },
  { ...plain.user, ...given.user },
]
const keyed = (kind: string, key = '') => read(`${kind}/${encodeURIComponent(key)}`)

test('the values of this test cover every field, with others than the defaults', () => {
  for (const kind of ['user', 'client', 'group', 'account'] as const) {
    assert.deepEqual(Object.keys(given[kind]), Object.keys(tables[kind]), kind)
    const defaults = withDefaults(tables[kind], {})
    for (const [name, value] of Object.entries(defaults))
      assert.notDeepEqual((given[kind] as Record<string, unknown>)[name], value, `${kind} ${name}`)
  }
})

test('imported fields are shown, exported and imported again without a difference', async () => {
  assert.deepEqual(await load(...records).then(({ errors }) => errors), [])

  assert.partialDeepStrictEqual(await keyed('users', UserKey), given.user)
  assert.partialDeepStrictEqual(await keyed('clients', ClientKey), given.client)
  assert.partialDeepStrictEqual(await keyed('accountgroups', AccountGroupKey), given.group)
  const shown = { ...given.account, CreationDate: '2020-02-29T12:00:00.000000Z' }
  assert.partialDeepStrictEqual(await keyed('accounts', AccountKey), shown)

  const again = await load(...records)
  assert.deepEqual(again.counts, { client: { unchanged: 1 }, account: { unchanged: 1 }, user: { unchanged: 1 } })
  const kinds = ['client', 'account', 'user', 'accessRight']
  const first = await exportText(connection, kinds)
  for (const value of [given.client, given.account, given.user, given.group])
    assert.ok(first.includes(JSON.stringify(value).slice(1, 60)), JSON.stringify(value))
  assert.deepEqual((await importTexts(copy.connection, { 'all.ndjson': first })).errors, [])
  assert.ok((await exportText(copy.connection, kinds)) === first)
})

test('a record without the fields returns them to their defaults', async () => {
  const { counts } = await load(plain.client, plain.account, plain.user)

  assert.deepEqual(counts, { client: { changed: 1 }, account: { changed: 1 }, user: { changed: 1 } })
  const user = await eventually(async () => keyed('users', UserKey))
  assert.partialDeepStrictEqual(user, withDefaults(userFields, {}))
  const account = await keyed('accounts', AccountKey)
  assert.partialDeepStrictEqual(account, withDefaults(accountFields, {}))
  for (const name of ['CreationDate', 'BenchmarkInstrument']) assert.ok(!(name in account), name)
  assert.partialDeepStrictEqual(await keyed('clients', ClientKey), withDefaults(clientFields, {}))
})

test('a field with a wrong value is an error that names it, and nothing is applied', async () => {
  const before = await exportText(connection, ['account'])
  for (const [wrong, field] of [
    [{ Active: 'yes' }, 'Active'],
    [{ CreationDate: 'yesterday' }, 'CreationDate'],
    [{ ManagementType: 'not a word' }, 'ManagementType'],
    [{ BenchmarkInstrument: { BenchmarkInstrumentUic: 1 } }, 'BenchmarkInstrument'],
    [{ IsTrialAcount: true }, 'IsTrialAcount'],
  ] as const) {
    const { errors } = await load({ ...plain.account, ...wrong })
    assert.equal(errors.length, 1, field)
    assert.ok(errors.join().includes(field), errors.join())
  }
  assert.ok((await exportText(connection, ['account'])) === before)
})
