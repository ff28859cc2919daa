import { flag } from './field.ts'

/** Properties that an instrument has or not. Every row has all of them (§6.2). */
export const features = {
  IsDmaEnabled: flag('Direct market access', 'Whether orders can go straight to the order book of the exchange.'),
  IsExtendedTradingHoursEnabled: flag(
    'Extended hours',
    'Whether it can be traded before and after the regular session.',
  ),
  IsPEAEligible: flag('PEA', "Whether it may be held in a French share savings plan (plan d'épargne en actions)."),
  IsPEASMEEligible: flag('PEA-PME', 'Whether it may be held in the French share savings plan for smaller companies.'),
  IsPitTraded: flag('Pit traded', 'Whether a future is also traded on the floor of its exchange.'),
  IsRedemptionByAmounts: flag(
    'Redeemed by amount',
    'Whether a fund is redeemed by an amount of money instead of a number of units.',
  ),
  OptionsChainSubscriptionAllowed: flag(
    'Chain subscription',
    'Whether prices of its option chain can be subscribed to, which refdesk does not offer.',
  ),
  ShortTradeDisabled: flag('No short selling', 'Whether it cannot be sold short.'),
} as const
