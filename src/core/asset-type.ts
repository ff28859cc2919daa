import type { Static } from 'typebox'
import { named, oneOf, words } from './schema.ts'

/** Every asset type (§6.7). */
export const assetTypes = words(
  'Bond Cash CBBCCategoryN CBBCCategoryR CertificateBarrierDiscount CertificateBarrierReverseConvertibles',
  'CertificateBonus CertificateCapitalProtectionWithCoupon CertificateCapitalProtectionWithKnockOut',
  'CertificateCappedBonus CertificateCappedCapitalProtected CertificateCappedOutperformance',
  'CertificateConstantLeverage CertificateDiscount CertificateExpress CertificateOtherCapitalProtection',
  'CertificateOtherConstantLeverage CertificateOtherParticipation CertificateOtherYieldEnhancement',
  'CertificateOutperformanceBonus CertificateReverseConvertibles CertificateTracker CertificateTwinWin',
  'CertificateUncappedCapitalProtection CertificateUncappedOutperformance CfdIndexOption CfdOnCompanyWarrant',
  'CfdOnEtc CfdOnEtf CfdOnEtn CfdOnFund CfdOnFutures CfdOnIndex CfdOnRights CfdOnStock CompanyWarrant',
  'ContractFutures Etc Etf Etn Fund FuturesOption FuturesStrategy FxBinaryOption FxCrypto FxForwards',
  'FxKnockInOption FxKnockOutOption FxNoTouchOption FxOneTouchOption FxSpot FxSwap FxVanillaOption',
  'GuaranteeNote InlineWarrant IpoOnStock MiniFuture MutualFund PortfolioNote Rights SrdOnEtf SrdOnStock Stock',
  'StockIndex StockIndexOption StockOption SubscriptionOnCertificate Warrant WarrantDoubleKnockOut',
  'WarrantKnockOut WarrantOpenEndKnockOut WarrantOtherLeverageWithKnockOut WarrantOtherLeverageWithoutKnockOut',
  'WarrantSpread',
)

export const AssetType = named('AssetType', oneOf(...assetTypes), 'The kinds of instrument.')
export type AssetType = Static<typeof AssetType>

/** The algorithmic strategies, and the asset types that they work with (§6.6). */
export const algoStrategyNames = ['Iceberg', 'Implementation Shortfall', 'TWAP', 'VWAP', 'With Volume'] as const
export type AlgoStrategyName = (typeof algoStrategyNames)[number]
export const algoAssetTypes: AssetType[] = ['CfdOnEtc', 'CfdOnEtf', 'CfdOnStock', 'Etc', 'Etf', 'Etn', 'Stock']
