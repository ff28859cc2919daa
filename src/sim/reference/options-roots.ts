import type { Details, Hours, OptionRootRecord } from '../../instruments/import/schema.ts'
import type { Schedule } from './options-expiries.ts'
import type { FuturesOptionRule } from './options-futures-rules.ts'
import type { Reach, Steps } from './options-strikes.ts'

/** What an exchange says of an option class, and which part of it the demo lists. */
export type RootSpec = {
  id: number
  assetType: OptionRootRecord['AssetType']
  code: string
  exchangeId: string
  /** Symbol of the underlying; of futures options the continuous future's. */
  underlying: string
  /** Where the underlying's own name would not tell the root from its sisters. */
  name?: string
  expiries: Schedule | FuturesOptionRule
  style: NonNullable<Details['ExerciseStyle']>
  settlement: NonNullable<Details['SettlementStyle']>
  contractSize: number
  /** What one point of the premium is worth; as many as there are units, unless told. */
  pointValue?: number
  ticks: Pick<Details, 'TickSize' | 'TickSizeScheme'>
  /** The finest step between strikes. Never changed: strikes are counted in it in the contracts' Uics. */
  strikeUnit: number
  /** By the price of the share, unless told. */
  steps?: Steps
  reach: Reach
  /** When an expiring series stops to trade. */
  stops: { at: string; in: string }
  /** Settled by the opening prices of the expiry, so that trading ends the trading day before. */
  settledAtOpening?: true
  /** The root that lists this one with its sisters. */
  group?: number
  singleLegOnly?: true
  /** The outermost strikes of each series are closed to new positions, or altogether. */
  restrictedWings?: true
  /** Left from before a corporate action: nothing new is opened. */
  adjusted?: true
  hours?: Hours
}

export const newYork = 'America/New_York'
export const chicago = 'America/Chicago'
export const frankfurt = 'Europe/Berlin'

const workdays: Hours[number]['Days'] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']

/** Options on indices and on the funds that follow them trade a quarter of an hour longer than shares. */
export const wallStreetLongHours: Hours = [{ Days: workdays, Start: '09:30', End: '16:15' }]
export const eurexShareHours: Hours = [{ Days: workdays, Start: '09:00', End: '17:30' }]
export const eurexIndexHours: Hours = [{ Days: workdays, Start: '08:50', End: '17:30' }]
