import { words } from '../../../core/schema.ts'

/** The members of rows with COMPAT=vendor (§3), by asset type: facts about the published client
 *  systematic-trader/saxobank-client (MIT, commit f2a141f), and members that the description names for an asset type.
 *  Rows of other asset types have every member. */

/** Members of every row of details. */
const everyDetails = words(
  'AffiliateInfoRequired AmountDecimals AssetType CurrencyCode DefaultAmount Description Format GroupId',
  'IncrementSize IsBarrierEqualsStrike IsOcoOrderSupported IsPEAEligible IsPEASMEEligible IsRedemptionByAmounts',
  'IsSwitchBySameCurrency IsTradable LotSizeType NonTradableReason Symbol TickSize TradingSessions TradingSignals',
  'TradingStatus Uic UnderlyingTypeCategory',
)
/** Members of everything that is traded like a share. */
const listed = words(
  'DefaultSlippage DefaultSlippageType Exchange IsComplex MinimumLotSize OrderDistances PriceCurrency',
  'PrimaryListing RelatedInstruments StandardAmounts SupportedOrderTypeSettings SupportedOrderTypes',
  'SupportedStrategies TickSizeScheme TradableAs TradableOn',
)
const details = (...names: string[]): ReadonlySet<string> => new Set([...everyDetails, ...words(...names)])
const listedDetails = (...names: string[]): ReadonlySet<string> => new Set([...details(...names), ...listed])

export const detailsMembers: Readonly<Record<string, ReadonlySet<string>>> = {
  Bond: details(
    'BondIndexRatio BondType BondsMarginValue BondsReferenceRate BondsTypes Coupon CouponCurrency CouponType',
    'DefaultSlippage DefaultSlippageType Exchange ExpiryDate IsBailIn IsComplex IssueDate LotSize MinimumLotSize',
    'MinimumTradeSize NbbStatus OrderSetting PriceToContractFactor RelatedInstruments RelatedOptionRoots',
    'RelatedOptionRootsEnhanced StandardAmounts SupportedOrderTypeSettings SupportedOrderTypes TradableAs',
    'TradableOn UnderlyingAssetType UnderlyingUic',
  ),
  CfdOnCompanyWarrant: listedDetails(
    'FractionalMinimumLotSize IsExtendedTradingHoursEnabled MinimumTradeSize PriceToContractFactor',
    'ShortTradeDisabled',
  ),
  CfdOnEtc: listedDetails(
    'FractionalMinimumLotSize IsExtendedTradingHoursEnabled MinimumTradeSize PriceToContractFactor',
    'ShortTradeDisabled',
  ),
  CfdOnEtf: listedDetails(
    'FractionalMinimumLotSize IsExtendedTradingHoursEnabled LotSize MinimumTradeSize PriceToContractFactor',
    'RelatedOptionRoots RelatedOptionRootsEnhanced ShortTradeDisabled',
  ),
  CfdOnEtn: listedDetails(
    'FractionalMinimumLotSize IsExtendedTradingHoursEnabled MinimumTradeSize PriceToContractFactor',
    'RelatedOptionRoots RelatedOptionRootsEnhanced ShortTradeDisabled',
  ),
  CfdOnFund: listedDetails(
    'FractionalMinimumLotSize IsExtendedTradingHoursEnabled MinimumTradeSize PriceToContractFactor',
    'ShortTradeDisabled',
  ),
  // The description names the exchange of the underlying (§6.2).
  CfdOnFutures: details(
    'DefaultSlippage DefaultSlippageType DisplayHint Exchange ExpiryDate ExpiryDateTime IsComplex LotSize',
    'MinimumLotSize MinimumOrderValue OrderDistances PriceCurrency PriceToContractFactor PrimaryListing',
    'RelatedInstruments RelatedOptionRoots RelatedOptionRootsEnhanced StandardAmounts SupportedOrderTypeSettings',
    'SupportedOrderTypes TradableAs TradableOn TradingUnitsPlural TradingUnitsSingular UnderlyingUic',
  ),
  // The description names the exchange of the underlying (§6.2).
  CfdOnIndex: details(
    'DefaultSlippage DefaultSlippageType Exchange IsComplex MinimumLotSize OrderDistances PriceToContractFactor',
    'RelatedInstruments RelatedOptionRoots RelatedOptionRootsEnhanced StandardAmounts SupportedOrderTypeSettings',
    'SupportedOrderTypes TradableAs TradableOn UnderlyingUic',
  ),
  CfdOnRights: listedDetails('ShortTradeDisabled'),
  CfdOnStock: listedDetails(
    'FractionalMinimumLotSize IsExtendedTradingHoursEnabled LotSize MinimumOrderValue MinimumTradeSize',
    'PriceToContractFactor RelatedOptionRoots RelatedOptionRootsEnhanced ShortTradeDisabled',
  ),
  CompanyWarrant: listedDetails(
    'FractionalMinimumLotSize IsBailIn IsExtendedTradingHoursEnabled LotSize MinimumTradeSize OrderSetting',
    'PriceToContractFactor SupportedOrderTriggerPriceTypes',
  ),
  ContractFutures: details(
    'ContractSize DefaultSlippage DefaultSlippageType DisplayHint Exchange ExpiryDate IsComplex IsPitTraded',
    'LotSizeText MinimumLotSize MinimumTradeSize NoticeDate OrderDistances PriceCurrency PriceToContractFactor',
    'PrimaryListing RelatedInstruments RelatedOptionRoots RelatedOptionRootsEnhanced StandardAmounts',
    'SupportedOrderTriggerPriceTypes SupportedOrderTypeSettings SupportedOrderTypes SupportedStrategies',
    'TradableAs TradableOn',
  ),
  Etc: listedDetails(
    'FractionalMinimumLotSize IsBailIn IsExtendedTradingHoursEnabled IsSystematicInternaliser MinimumTradeSize',
    'OrderSetting PriceToContractFactor RelatedOptionRoots RelatedOptionRootsEnhanced',
    'SupportedOrderTriggerPriceTypes',
  ),
  Etf: listedDetails(
    'CanParticipateIn FractionalMinimumLotSize IsBailIn IsExtendedTradingHoursEnabled IsSystematicInternaliser',
    'LotSize MinimumTradeSize OrderSetting PriceToContractFactor RelatedOptionRoots RelatedOptionRootsEnhanced',
    'SupportedOrderTriggerPriceTypes',
  ),
  Etn: listedDetails(
    'FractionalMinimumLotSize IsBailIn IsExtendedTradingHoursEnabled IsSystematicInternaliser MinimumTradeSize',
    'OrderSetting PriceToContractFactor RelatedOptionRoots RelatedOptionRootsEnhanced',
    'SupportedOrderTriggerPriceTypes',
  ),
  Fund: listedDetails(
    'CanParticipateIn FractionalMinimumLotSize IsBailIn IsExtendedTradingHoursEnabled IsSystematicInternaliser',
    'LotSize MinimumOrderValue MinimumTradeSize OrderSetting PriceToContractFactor RelatedOptionRoots',
    'RelatedOptionRootsEnhanced SupportedOrderTriggerPriceTypes',
  ),
  FuturesStrategy: details(
    'ContractSize DefaultSlippage DefaultSlippageType Exchange ExpiryDate IsComplex IsPitTraded Legs LotSizeText',
    'MinimumLotSize MinimumTradeSize NoticeDate OrderDistances PriceCurrency PriceToContractFactor PrimaryListing',
    'RelatedInstruments RelatedOptionRoots RelatedOptionRootsEnhanced StandardAmounts StrategyType',
    'SupportedOrderTypeSettings SupportedOrderTypes TradableAs TradableOn',
  ),
  FxForwards: details(
    'DefaultSlippage DefaultSlippageType DisplayHint Exchange FxForwardMaxForwardDate FxForwardMinForwardDate',
    'FxSpotDate IsComplex MinimumTradeSize OrderDistances StandardAmounts SupportedOrderTypeSettings',
    'SupportedOrderTypes TickSizeLimitOrder TickSizeStopOrder TradableAs TradableOn UnderlyingAssetType',
    'UnderlyingUic',
  ),
  FxNoTouchOption: details(
    'Exchange FxForwardMaxForwardDate FxForwardMinForwardDate IsComplex MinimumTradeSize',
    'OptionsChainSubscriptionAllowed StandardAmounts TradableAs UnderlyingAssetType UnderlyingUic',
  ),
  FxOneTouchOption: details(
    'Exchange FxForwardMaxForwardDate FxForwardMinForwardDate IsComplex MinimumTradeSize',
    'OptionsChainSubscriptionAllowed StandardAmounts TradableAs UnderlyingAssetType UnderlyingUic',
  ),
  FxSpot: details(
    'DefaultSlippage DefaultSlippageType DisplayHint Exchange FxForwardMaxForwardDate FxForwardMinForwardDate',
    'FxSpotDate IsComplex MinimumTradeSize OrderDistances StandardAmounts SupportedOrderTypeSettings',
    'SupportedOrderTypes TickSizeLimitOrder TickSizeStopOrder TradableAs TradableOn',
  ),
  FxSwap: details(
    'DefaultSlippage DefaultSlippageType DisplayHint Exchange FxForwardMaxForwardDate FxForwardMinForwardDate',
    'FxSpotDate IsComplex MinimumTradeSize OrderDistances StandardAmounts SupportedOrderTypeSettings',
    'SupportedOrderTypes TickSizeLimitOrder TickSizeStopOrder TradableAs TradableOn UnderlyingAssetType',
    'UnderlyingUic',
  ),
  FxVanillaOption: details(
    'CanParticipateInMultiLegOrder DisplayHint Exchange FxForwardMaxForwardDate FxForwardMinForwardDate IsComplex',
    'MinimumTradeSize OptionsChainSubscriptionAllowed StandardAmounts TradableAs TradableOn UnderlyingAssetType',
    'UnderlyingUic',
  ),
  MutualFund: details(
    'AdditionalMinimumTradeSize AdditionalMinimumTradeUnits CutOffTimeForSubscriptions DistributionPolicy',
    'DividendPeriodicity Exchange FractionalMinimumLotSize IsBailIn IsComplex IsEligibleForSwitch',
    'IsEligibleForTraspaso MfAssetType MinInvestmentAmountValidation MinimumTradeSize MinimumTradeSizeCurrency',
    'MinimumTradeUnits OrderDistances OrderSetting PriceCurrency Rating RedemptionDays RedemptionDaysType',
    'StandardAmounts SubscriptionByAmounts SubscriptionByShares SubscriptionDays SubscriptionDaysType',
    'SupportedOrderTypeSettings SupportedOrderTypes TradableAs TradableOn',
  ),
  Rights: listedDetails(
    'FractionalMinimumLotSize IsBailIn IsExtendedTradingHoursEnabled LotSize MinimumTradeSize OrderSetting',
    'PriceToContractFactor SupportedOrderTriggerPriceTypes',
  ),
  Stock: listedDetails(
    'FractionalMinimumLotSize IpoDetails IsBailIn IsExtendedTradingHoursEnabled IsSystematicInternaliser LotSize',
    'MinimumOrderValue MinimumTradeSize OrderSetting PriceToContractFactor RelatedOptionRoots',
    'RelatedOptionRootsEnhanced SupportedOrderTriggerPriceTypes',
  ),
  StockIndex: details(
    'Exchange MinimumLotSize PriceCurrency RelatedInstruments RelatedOptionRoots RelatedOptionRootsEnhanced',
    'SupportedOrderTriggerPriceTypes SupportedOrderTypeSettings SupportedOrderTypes TickSizeScheme',
  ),
}

const search = (...names: string[]): ReadonlySet<string> =>
  new Set(words('AssetType CurrencyCode Description GroupId Identifier SummaryType Symbol', ...names))

/** Members of search results. */
export const searchMembers: Readonly<Record<string, ReadonlySet<string>>> = {
  Bond: search('ExchangeId IssuerCountry TradableAs UnderlyingAssetType UnderlyingUic'),
  CfdIndexOption: search('CanParticipateInMultiLegOrder ExchangeId GroupOptionRootId'),
  CfdOnCompanyWarrant: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  CfdOnEtc: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  CfdOnEtf: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  CfdOnEtn: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  CfdOnFund: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  CfdOnFutures: search('DisplayHint PrimaryListing TradableAs UnderlyingUic'),
  CfdOnIndex: search('TradableAs UnderlyingUic'),
  CfdOnRights: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  CfdOnStock: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  CompanyWarrant: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  ContractFutures: search('DisplayHint ExchangeId PrimaryListing TradableAs'),
  Etc: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  Etf: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  Etn: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  Fund: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  FuturesOption: search('CanParticipateInMultiLegOrder ExchangeId GroupOptionRootId'),
  FuturesStrategy: search('ExchangeId PrimaryListing TradableAs'),
  FxForwards: search('DisplayHint ExchangeId TradableAs UnderlyingAssetType UnderlyingUic'),
  FxNoTouchOption: search('ExchangeId TradableAs UnderlyingAssetType UnderlyingUic'),
  FxOneTouchOption: search('ExchangeId TradableAs UnderlyingAssetType UnderlyingUic'),
  FxSpot: search('DisplayHint ExchangeId TradableAs'),
  FxSwap: search('DisplayHint ExchangeId TradableAs UnderlyingAssetType UnderlyingUic'),
  FxVanillaOption: search(
    'CanParticipateInMultiLegOrder DisplayHint ExchangeId TradableAs UnderlyingAssetType UnderlyingUic',
  ),
  MutualFund: search('ExchangeId IssuerCountry TradableAs'),
  Rights: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  Stock: search('ExchangeId IssuerCountry PrimaryListing TradableAs'),
  StockIndex: search('ExchangeId IssuerCountry TradableAs'),
  StockIndexOption: search('CanParticipateInMultiLegOrder ExchangeId GroupOptionRootId'),
  StockOption: search('CanParticipateInMultiLegOrder ExchangeId GroupOptionRootId'),
}

/** Members of an option space, with members that the description names and the client does not expect (§6.3). */
export const optionSpaceMembers: ReadonlySet<string> = new Set(
  words(
    'AmountDecimals AssetType CanParticipateInMultiLegOrder ContractSize CurrencyCode DefaultAmount DefaultExpiry',
    'DefaultOption Description Exchange ExerciseStyle Format GroupId GroupOptionRootId IncrementSize IsTradable',
    'LotSize LotSizeType MaximumStrikePrice MinimumStrikePrice OptionRootId OptionSpace OrderDistances',
    'PriceToContractFactor RelatedInstruments RelatedOptionRoots RelatedOptionRootsEnhanced SettlementStyle',
    'StandardAmounts SupportedOrderTypes SupportedStrategies Symbol TickSize TradableOn UnderlyingAssetType',
    'DisplayHint ExpiryDate IsComplex MinimumLotSize MinimumOrderValue NoticeDate PriceCurrency PrimaryListing',
  ),
)

/** Members of details that only the client expects. refdesk has no affiliates, signals, baskets or switches, internalises
 *  no trades, knows no barriers, and counts no bond as collateral. */
export const detailsValues: Readonly<Record<string, unknown>> = {
  AffiliateInfoRequired: false,
  BondsMarginValue: 0,
  IsBarrierEqualsStrike: false,
  IsSwitchBySameCurrency: false,
  IsSystematicInternaliser: false,
  TradingSignals: 'NotAllowed',
  UnderlyingTypeCategory: 'Instrument',
}
