/** The members of events and their options, in words. */

const bids = {
  BidIntervalRate: 'In auctions: the step between bids.',
  FirstBidIncrementPrice: 'In auctions: the first step above the lowest bid.',
  LastBidIncrementPrice: 'In auctions: the last step below the highest bid.',
  MaxPrice: 'The highest price.',
  MinPrice: 'The lowest price.',
}

const boards = {
  NewBoardLotQuantity: 'What a board lot is afterwards.',
  NewDenominationQuantity: 'What the denomination is afterwards.',
}

export const eventTexts = {
  ...bids,
  ...boards,
  DisplayAndFormat: 'The instrument, by its names.',
  EventStatus: 'Where it stands today.',
  Electable: 'Whether holders can choose.',
  InformationToComply: 'That not every holder may take part: the narrative says who.',
  AnnouncedDate: 'The day on which it was announced.',
  Effective: 'When it takes effect.',
  Ex: 'From when on the security is traded without the right to it.',
  Record: 'Whoever holds the security at the end of this day is entitled.',
  TradingSuspended: 'From when on trading is suspended.',
  ClaimPeriod: 'When claims can be made.',
  InterestPeriod: 'The time that interest is paid for.',
  StrikePrice: 'The price at which a right can be exercised.',
  MaxQuantitySought: 'The most that is asked for.',
  MinQuantitySought: 'The least that is asked for.',
  NumberofDaysAccrued: 'For how many days interest has accrued.',
  EventIndicators: 'Notes on the event, as codes.',
}

export const optionTexts = {
  ...bids,
  ...boards,
  OptionId: 'Its number within the event.',
  Deadline: 'Until when to elect here.',
  IssuerDeadline: 'Until when the issuer takes elections.',
  MarketDeadline: 'Until when the market takes elections.',
  Payment: 'When it is paid.',
  ElectionPeriod: 'When it can be elected.',
  TradingPeriod: 'When the rights to it are traded.',
  IsDefault: 'Whether it is taken for whoever does not elect.',
  IsGross: 'Whether it is told before tax.',
  IsTaxable: 'Whether tax is due.',
  CashRequired: 'Whether it costs cash.',
  OptionStatus: 'Where it is no longer to be had.',
  GrossRate: 'For each unit, before tax.',
  NetRate: 'For each unit, after tax.',
  MaxExercisableQuantity: 'The most that can be elected.',
  MinExercisableQuantity: 'The least that can be elected.',
  MinExercisableMultipleQuantity: 'The step in which the amount grows.',
  OptionIndicators: 'Notes on the option, as codes.',
  CashMovements: 'The cash that comes in or goes out.',
  PayoutBreakdown: 'What the payment is made of.',
  SecurityMovements: 'The securities that come in or go out.',
}

export const cashTexts = {
  CashMovementType: 'Whether the cash comes in or goes out.',
  PriceType: 'Whether the figures are amounts or percentages.',
  Amount: 'The amount.',
  DeemedRate: 'What counts as paid although it is not.',
  GrossDividend: 'For each unit, before tax.',
  InterestRate: 'The interest.',
  NetDividend: 'For each unit, after tax.',
  OfferPrice: 'What is offered for each unit.',
  Quantity: 'For how many units.',
  SubscriptionPrice: 'What a new unit costs.',
}

export const securityTexts = {
  SecurityMovementType: 'Whether the securities come in or go out.',
  DisplayAndFormat: 'The security, by its names.',
  Uic: 'The number of the security, where it is an instrument here.',
  HeldQuantity: 'How many must be held for ReceivedQuantity.',
  ReceivedQuantity: 'How many are received for HeldQuantity.',
  NewQuantity: 'How many there are afterwards for OldQuantity.',
  OldQuantity: 'How many there were for NewQuantity.',
  AvailableForTrade: 'From when on they can be traded.',
  LastTrade: 'Until when they can be traded.',
}
