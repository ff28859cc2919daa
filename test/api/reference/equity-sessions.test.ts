import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TradingSchedule } from '../../../src/instruments/api/schema.ts'
import { FixedClock } from '../../support/clock.ts'
import { findUic, readOk } from '../../support/reference/rest.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

/** The sessions of shares in UTC, on a normal day, a half day, and the days before and after a clock change. */
const table: Record<string, string> = {
  'AAPL:xnas Stock America/New_York': `
    2026-11-25 09:00-14:30 PreMarket, 14:30-21:00 AutomatedTrading, 21:00-01:00 PostMarket
    2026-11-26
    2026-11-27 09:00-14:30 PreMarket, 14:30-18:00 AutomatedTrading, 18:00-22:00 PostMarket
    2027-03-12 09:00-14:30 PreMarket, 14:30-21:00 AutomatedTrading, 21:00-01:00 PostMarket
    2027-03-15 08:00-13:30 PreMarket, 13:30-20:00 AutomatedTrading, 20:00-00:00 PostMarket`,
  'JPM:xnys CfdOnStock America/New_York': `
    2026-12-24 09:00-14:30 PreMarket, 14:30-18:00 AutomatedTrading, 18:00-22:00 PostMarket
    2026-12-25`,
  'VOD:xlon Stock Europe/London': `
    2026-11-25 05:05-07:50 PreTrading, 07:50-08:00 OpeningAuction, 08:00-16:30 AutomatedTrading, 16:30-16:35 CallAuctionTrading, 16:35-16:40 TradingAtLast, 16:40-17:15 PostTrading
    2026-12-24 05:05-07:50 PreTrading, 07:50-08:00 OpeningAuction, 08:00-12:30 AutomatedTrading, 12:30-12:35 CallAuctionTrading, 12:35-12:40 TradingAtLast, 12:40-13:15 PostTrading
    2027-10-29 04:05-06:50 PreTrading, 06:50-07:00 OpeningAuction, 07:00-15:30 AutomatedTrading, 15:30-15:35 CallAuctionTrading, 15:35-15:40 TradingAtLast, 15:40-16:15 PostTrading
    2027-11-01 05:05-07:50 PreTrading, 07:50-08:00 OpeningAuction, 08:00-16:30 AutomatedTrading, 16:30-16:35 CallAuctionTrading, 16:35-16:40 TradingAtLast, 16:40-17:15 PostTrading`,
  'SAP:xetr Stock Europe/Berlin': `
    2026-11-25 06:30-07:50 PreTrading, 07:50-08:00 OpeningAuction, 08:00-16:30 AutomatedTrading, 16:30-16:35 CallAuctionTrading, 16:35-16:45 TradingAtLast, 16:45-19:30 PostTrading
    2026-12-24
    2026-12-30 06:30-07:50 PreTrading, 07:50-08:00 OpeningAuction, 08:00-13:00 AutomatedTrading, 13:00-13:05 CallAuctionTrading, 13:05-13:15 TradingAtLast, 13:15-16:00 PostTrading
    2027-10-29 05:30-06:50 PreTrading, 06:50-07:00 OpeningAuction, 07:00-15:30 AutomatedTrading, 15:30-15:35 CallAuctionTrading, 15:35-15:45 TradingAtLast, 15:45-18:30 PostTrading
    2027-11-01 06:30-07:50 PreTrading, 07:50-08:00 OpeningAuction, 08:00-16:30 AutomatedTrading, 16:30-16:35 CallAuctionTrading, 16:35-16:45 TradingAtLast, 16:45-19:30 PostTrading`,
  'OR:xpar Stock Europe/Paris': `
    2026-11-25 06:15-08:00 OpeningAuction, 08:00-16:30 AutomatedTrading, 16:30-16:35 CallAuctionTrading, 16:35-16:40 TradingAtLast
    2026-12-24 06:15-08:00 OpeningAuction, 08:00-13:00 AutomatedTrading, 13:00-13:05 CallAuctionTrading, 13:05-13:10 TradingAtLast
    2027-10-29 05:15-07:00 OpeningAuction, 07:00-15:30 AutomatedTrading, 15:30-15:35 CallAuctionTrading, 15:35-15:40 TradingAtLast
    2027-11-01 06:15-08:00 OpeningAuction, 08:00-16:30 AutomatedTrading, 16:30-16:35 CallAuctionTrading, 16:35-16:40 TradingAtLast`,
  'NESN:xswx Stock Europe/Zurich': `
    2026-11-25 05:00-08:00 PreTrading, 08:00-16:20 AutomatedTrading, 16:20-16:30 CallAuctionTrading, 16:30-16:40 TradingAtLast, 16:40-21:00 PostTrading
    2027-10-29 04:00-07:00 PreTrading, 07:00-15:20 AutomatedTrading, 15:20-15:30 CallAuctionTrading, 15:30-15:40 TradingAtLast, 15:40-20:00 PostTrading`,
  'CSSMI:xswx Etf Europe/Zurich': `
    2026-11-25 05:00-08:00 PreTrading, 08:00-16:30 AutomatedTrading, 16:30-16:35 CallAuctionTrading`,
  'VOLV-B:xsto Stock Europe/Stockholm': `
    2026-11-25 07:00-08:00 OpeningAuction, 08:00-16:25 AutomatedTrading, 16:25-16:30 CallAuctionTrading
    2027-01-05 07:00-08:00 OpeningAuction, 08:00-11:55 AutomatedTrading, 11:55-12:00 CallAuctionTrading
    2027-10-29 06:00-07:00 OpeningAuction, 07:00-15:25 AutomatedTrading, 15:25-15:30 CallAuctionTrading
    2027-11-01 07:00-08:00 OpeningAuction, 08:00-16:25 AutomatedTrading, 16:25-16:30 CallAuctionTrading`,
  '7203:xtks Stock Asia/Tokyo': `
    2026-11-25 23:00-00:00 OpeningAuction, 00:00-02:30 AutomatedTrading, 02:30-03:30 Break, 03:30-06:25 AutomatedTrading, 06:25-06:30 CallAuctionTrading`,
  '00700:xhkg Stock Asia/Hong_Kong': `
    2026-11-25 01:00-01:30 OpeningAuction, 01:30-04:00 AutomatedTrading, 04:00-05:00 Break, 05:00-08:00 AutomatedTrading, 08:00-08:10 CallAuctionTrading
    2026-12-24 01:00-01:30 OpeningAuction, 01:30-04:00 AutomatedTrading, 04:00-04:10 CallAuctionTrading`,
  'RY:xtse Stock America/Toronto': `
    2026-12-24 12:00-14:30 PreTrading, 14:30-18:00 AutomatedTrading, 18:00-18:15 PostTrading, 18:15-19:00 TradingAtLast`,
  'BHP:xasx Stock Australia/Sydney': `
    2026-12-24 20:00-23:00 PreTrading, 23:00-03:10 AutomatedTrading, 03:10-03:20 CallAuctionTrading`,
  'UK100.I CfdOnIndex Europe/London': `
    2026-11-25 08:00-16:30 AutomatedTrading`,
}

const clock = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock })
const get = (path: string, token: string) => getRest(service.baseUrl, `/ref/v1/instruments${path}`, token)

type Day = Readonly<{ symbol: string; type: string; zone: string; date: string; sessions: string }>
const days: Day[] = Object.entries(table).flatMap(([share, lines]) => {
  const [symbol = '', type = '', zone = ''] = share.split(' ')
  const parsed = lines.trim().split('\n')
  return parsed.map((line) => {
    const [date = '', ...sessions] = line.trim().split(' ')
    return { symbol, type, zone, date, sessions: sessions.join(' ') }
  })
})

/** The sessions of a local day, without those that are Closed. */
function sessionsOn({ Sessions }: TradingSchedule, { date, zone }: Day): string {
  const isOn = (at: string) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate().toString() === date
  return Sessions.filter(({ StartTime, State }) => State !== 'Closed' && isOn(StartTime))
    .map(({ StartTime, EndTime, State }) => `${StartTime.slice(11, 16)}-${EndTime.slice(11, 16)} ${State}`)
    .join(', ')
}

const uics = new Map<string, number>()
const { access_token: first } = await obtainTokens(service.url)
for (const { symbol, type } of days)
  uics.set(symbol, uics.get(symbol) ?? (await findUic((path) => get(path, first), symbol, type)))

for (const [date, together] of [...Map.groupBy(days, (day) => day.date)].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  test(`shares have their auctions, breaks and extended hours on ${date} (operation 6)`, async () => {
    const dayBefore = Temporal.Instant.from(`${date}T00:00:00Z`).subtract({ hours: 24 })
    clock.advance(clock.now().until(dayBefore).total('seconds'))
    const { access_token: token } = await obtainTokens(service.url)
    for (const day of together) {
      const path = `/tradingschedule/${uics.get(day.symbol)}/${day.type}`
      const schedule = await readOk<TradingSchedule>(get(path, token))
      assert.equal(sessionsOn(schedule, day), day.sessions, day.symbol)
    }
  })
