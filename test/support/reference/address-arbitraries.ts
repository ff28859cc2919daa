import fc from 'fast-check'
import { demoAccounts, demoClients } from '../demo.ts'

const oneOf = fc.constantFrom
const accountKeys = [...demoAccounts.map(({ AccountKey }) => AccountKey), 'unknown']
const clientKeys = [...demoClients.map(({ ClientKey }) => ClientKey), 'unknown']
const instruments = ['1000/Stock', '1000/CfdOnStock', '1001/stock', '4000/FxSpot', '4000/FxForwards', '1/Stock']

/** Some of these parameters, in any order, spelled in any case and with or without escapes. */
function queryOf(parameters: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const fields = Object.entries(parameters).map(([name, values]) =>
    fc.oneof(
      { weight: 3, arbitrary: oneOf(undefined) },
      { weight: 1, arbitrary: values.map((value) => ({ name, value })) },
    ),
  )
  const some = fc.tuple(...fields).map((all) => all.filter((field) => field !== undefined))
  const inAnyOrder = some.chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))
  return fc
    .tuple(inAnyOrder, oneOf(...spellings))
    .map(([all, spell]) => (all.length === 0 ? '' : `?${all.map(spell).join('&')}`))
}

type Spelling = (field: { name: string; value: string }) => string
const spellings: Spelling[] = [
  ({ name, value }) => `${name}=${encodeURIComponent(value)}`,
  ({ name, value }) => `${name}=${encodeURIComponent(value)}`,
  ({ name, value }) => `${name.toLowerCase()}=${value.replaceAll('+', '%2B')}`,
  ({ name, value }) => `${name.toUpperCase().replace('Y', '%59')}=${encodeURIComponent(value)}`,
]

const cursors = ['1000.0', '2.5.1001.0.0', 'x'].map((text) => Buffer.from(text).toString('base64url'))
const page = {
  $skiptoken: oneOf(...cursors),
  $top: oneOf('1', '3', '5', '20', '-1'),
  $skip: oneOf('0', '2'),
  $inlinecount: oneOf('AllPages', 'none'),
}
const account = { AccountKey: oneOf(...accountKeys) }
const client = { ClientKey: oneOf(...clientKeys) }
const groups = { FieldGroups: oneOf('TradingSessions', 'OrderSetting', 'OrderSetting,TradingSessions') }
const types = { AssetTypes: oneOf('Stock', 'stock,Etf', 'FxSpot', 'CfdOnStock') }
const at = '/ref/v1/instruments'

const paths: fc.Arbitrary<string>[] = [
  queryOf({
    ...page,
    ...account,
    ...types,
    Keywords: oneOf('a', 'apple', 'eur', 'bank'),
    Uics: oneOf('1000,1001'),
  }).map((query) => `${at}${query}`),
  queryOf({ ...page, ...account, ...types, ...groups }).map((query) => `${at}/details${query}`),
  fc
    .tuple(oneOf(...instruments), queryOf({ ...account, ...client, ...groups }))
    .map(([instrument, query]) => `${at}/details/${instrument}${query}`),
  fc
    .tuple(
      oneOf('1', '2', '999999'),
      queryOf({
        ...client,
        ...account,
        OptionSpaceSegment: oneOf('None', 'DefaultDates', 'AllDates', 'SpecificDates'),
      }),
    )
    .map(([root, query]) => `${at}/contractoptionspaces/${root}${query}`),
  fc.tuple(oneOf('5000', '1000'), queryOf(account)).map(([uic, query]) => `${at}/futuresspaces/${uic}${query}`),
  oneOf(...instruments).map((instrument) => `${at}/tradingschedule/${instrument}`),
  queryOf({ $top: oneOf('1', '5') }).map((query) => `/ref/v1/exchanges${query}`),
  oneOf('NASDAQ', 'nasdaq', 'LSE_SETS', 'NONE').map((exchange) => `/ref/v1/exchanges/${exchange}`),
  queryOf({ ...account, ...client }).map((query) => `/ref/v1/currencypairs${query}`),
  oneOf('4000', '4001').map((uic) => `/ref/v1/standarddates/forwardtenor/${uic}`),
]

/** The address of an instrument operation below the base URL. */
export const instrumentAddress: fc.Arbitrary<string> = fc.oneof(...paths)
