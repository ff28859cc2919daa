import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries } from './countries.ts'
import { cultures, languages } from './cultures.ts'
import { currencies } from './currencies.ts'
import { quarterHourOf, timeZones } from './time-zones.ts'

const differ = (values: unknown[]) => assert.equal(new Set(values).size, values.length)

test('lists all 249 countries of ISO 3166-1, with the numbers that Intl knows', () => {
  const all = countries()
  assert.equal(all.length, 249)
  for (const name of ['A3', 'CountryCode', 'DisplayName', 'Name', 'Numeric'] as const)
    differ(all.map((country) => country[name]))
  for (const { CountryCode, Numeric } of all)
    assert.deepEqual(Intl.getCanonicalLocales(`und-${String(Numeric).padStart(3, '0')}`), [`und-${CountryCode}`])
  assert.deepEqual(
    ['Åland Islands', 'Zimbabwe'].map((name) => all.findIndex(({ Name }) => Name === name)),
    [1, 248],
  )
})

test('every currency, culture and language is unique and has a name in Intl', () => {
  for (const { CurrencyCode, Name } of currencies()) assert.notEqual(Name, CurrencyCode)
  differ(currencies().map(({ CurrencyCode }) => CurrencyCode))
  for (const { CultureCode, Name } of cultures()) assert.match(Name, /^\p{Lu}.* \(.+\)$/u, CultureCode)
  differ(cultures().map(({ CultureCode }) => CultureCode))
  for (const row of languages()) assert.ok(row.LanguageName !== row.LanguageCode && row.NativeName !== row.LanguageCode)
  differ(languages().map(({ LanguageCode }) => LanguageCode))
})

test('a time zone has the offset and abbreviation of the given time, also across a change', async () => {
  const newYork = async (at: string) => {
    const row = (await timeZones([], Temporal.Instant.from(at))).find(({ TimeZoneId }) => TimeZoneId === '3')
    return [row?.TimeZoneAbbreviation, row?.TimeZoneOffset]
  }
  assert.deepEqual(await newYork('2027-03-14T06:59:59Z'), ['EST', '-05:00:00'])
  assert.deepEqual(await newYork('2027-03-14T07:00:00Z'), ['EDT', '-04:00:00'])
  const quarters = ['2027-03-14T06:59:59Z', '2027-03-14T07:00:00Z', '2027-03-14T07:14:59Z']
  const [before = 0, ...after] = quarters.map((at) => quarterHourOf(Temporal.Instant.from(at)))
  assert.deepEqual(after, [before + 1, before + 1])
})

test('lists every time zone once with its number, including other spellings in use', async () => {
  const winter = Temporal.Instant.from('2027-01-15T12:00:00Z')
  const all = await timeZones(['US/Alaska', 'Europe/Paris', 'Etc/UTC'], winter)
  differ(all.map(({ TimeZoneId }) => TimeZoneId))
  differ(all.map(({ ZoneName }) => ZoneName))
  const named = (zone: string) => all.find(({ ZoneName }) => ZoneName === zone)
  assert.deepEqual(named('Europe/Paris'), {
    ...{ DisplayName: 'Europe/Paris (CET, CEST)', TimeZoneId: '4', ZoneName: 'Europe/Paris' },
    ...{ TimeZoneAbbreviation: 'CET', TimeZoneOffset: '01:00:00' },
  })
  assert.equal(named('US/Alaska')?.DisplayName, 'US/Alaska')
  assert.equal(named('America/Port_of_Spain')?.DisplayName, 'America/Port of Spain')
  assert.equal(named('Asia/Calcutta'), undefined)
  assert.deepEqual((await timeZones([], winter)).length, all.length - 1)
  assert.deepEqual(
    all.map(({ TimeZoneId }) => Number(TimeZoneId)).toSorted((a, b) => a - b),
    all.map(({ TimeZoneId }) => Number(TimeZoneId)),
  )
})
