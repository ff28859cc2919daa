import type { Indicator } from '../../codes/indicators.ts'
import type { EventOptionRecord, EventRecord } from '../../import/schema.ts'
import type { FieldMapping, Paths } from '../reader.ts'

/** Maps event fields to elements of seev.031 and fields of MT564. MT564 sequences: CADETL is the event, CAOPTN an option,
 *  SECMOVE and CASHMOVE its movements. Older messages have fields one level higher; both are read. */
export const eventMappings: readonly FieldMapping<EventRecord>[] = [
  ['UpdatedDateTime', 'moment', 'AppHdr/CreDt', 'GENL/98:PREP'],
  ['AnnouncedDate', 'day', 'CorpActnDtls/DtDtls/AnncmntDt', 'CADETL/98:ANOU'],
  ['Effective', 'date', 'CorpActnDtls/DtDtls/FctvDt', 'CADETL/98:EFFD'],
  ['Ex', 'date', 'CorpActnDtls/DtDtls/ExDvddDt', 'CADETL/98:XDTE'],
  ['Ex', 'date', '', 'CAOPTN/98:XDTE'],
  ['Record', 'date', 'CorpActnDtls/DtDtls/RcrdDt', 'CADETL/98:RDTE'],
  ['Record', 'date', '', 'CAOPTN/98:RDTE'],
  ['TradingSuspended', 'date', 'CorpActnDtls/DtDtls/TradgSspdDt', 'CADETL/98:TSDT'],
  ['ClaimPeriod', 'period', 'CorpActnDtls/PrdDtls/ClmPrd', 'CADETL/69:CLCP'],
  ['InterestPeriod', 'period', 'CorpActnDtls/PrdDtls/IntrstPrd', 'CADETL/69:INPE'],
  ['BidIntervalRate', 'interval', 'CorpActnDtls/RateAndAmtDtls/BidIntrvl', 'CADETL/92:BIDI'],
  ['FirstBidIncrementPrice', 'price', 'CorpActnDtls/PricDtls/FrstBidIncrmtPric', 'CADETL/90:FBIP'],
  ['LastBidIncrementPrice', 'price', 'CorpActnDtls/PricDtls/LastBidIncrmtPric', 'CADETL/90:LBIP'],
  ['MaxPrice', 'price', 'CorpActnDtls/PricDtls/MaxPric', 'CADETL/90:MAXP'],
  ['MinPrice', 'price', 'CorpActnDtls/PricDtls/MinPric', 'CADETL/90:MINP'],
  ['StrikePrice', 'price', '', 'CADETL/90:EXER'],
  ['MaxQuantitySought', 'quantity', 'CorpActnDtls/SctiesQty/MaxQty', 'CADETL/36:MQSO'],
  ['MinQuantitySought', 'quantity', 'CorpActnDtls/SctiesQty/MinQtySght', 'CADETL/36:QTSO'],
  ['NewBoardLotQuantity', 'quantity', 'CorpActnDtls/SctiesQty/NewBrdLotQty', 'CADETL/36:NBLT'],
  ['NewDenominationQuantity', 'quantity', 'CorpActnDtls/SctiesQty/NewDnmtnQty', 'CADETL/36:NEWD'],
  ['NumberofDaysAccrued', 'count', 'CorpActnDtls/IntrstAcrdNbOfDays', 'CADETL/99:DAAC'],
]

export const sharedMappings: readonly FieldMapping<EventOptionRecord>[] = [
  ['Payment', 'date', 'CorpActnDtls/DtDtls/PmtDt', 'CADETL/98:PAYD'],
  ['Deadline', 'deadline', '', 'CADETL/98:RDDT'],
  ['MarketDeadline', 'deadline', '', 'CADETL/98:MKDT'],
  ['IssuerDeadline', 'deadline', '', 'CADETL/98:EXPI'],
  ['ElectionPeriod', 'period', '', 'CADETL/69:PWAL'],
]

/** The response deadline is the custodian's own, the market's is later; when the offer itself ends is the issuer's. */
export const optionMappings: readonly FieldMapping<EventOptionRecord>[] = [
  ['Deadline', 'deadline', 'DtDtls/RspnDdln', '98:RDDT'],
  ['IssuerDeadline', 'deadline', 'DtDtls/XpryDt', '98:EXPI'],
  ['MarketDeadline', 'deadline', 'DtDtls/MktDdln', '98:MKDT'],
  ['Payment', 'date', 'CshMvmntDtls/DtDtls/PmtDt', 'CASHMOVE/98:PAYD'],
  ['Payment', 'date', 'SctiesMvmntDtls/DtDtls/PmtDt', 'SECMOVE/98:PAYD'],
  ['Payment', 'date', '', '98:PAYD'],
  ['ElectionPeriod', 'period', 'PrdDtls/ActnPrd', '69:PWAL'],
  ['TradingPeriod', 'period', 'SctiesMvmntDtls/TradgPrd', 'SECMOVE/69:TRDP'],
  ['TradingPeriod', 'period', '', '69:TRDP'],
  ['IsDefault', 'flag', 'DfltPrcgOrStgInstr/DfltOptnInd', '17:DFLT'],
  ['BidIntervalRate', 'interval', 'RateAndAmtDtls/BidIntrvl', '92:BIDI'],
  ['FirstBidIncrementPrice', 'price', 'PricDtls/FrstBidIncrmtPric', '90:FBIP'],
  ['LastBidIncrementPrice', 'price', 'PricDtls/LastBidIncrmtPric', '90:LBIP'],
  ['MaxPrice', 'price', 'PricDtls/MaxPric', '90:MAXP'],
  ['MinPrice', 'price', 'PricDtls/MinPric', '90:MINP'],
  ['MaxExercisableQuantity', 'quantity', 'SctiesQty/MaxQtyToInst', '36:MAEX'],
  ['MinExercisableQuantity', 'quantity', 'SctiesQty/MinQtyToInst', '36:MIEX'],
  ['MinExercisableMultipleQuantity', 'quantity', 'SctiesQty/MinMltplQtyToInst', '36:MILT'],
  ['NewBoardLotQuantity', 'quantity', 'SctiesQty/NewBrdLotQty', '36:NBLT'],
  ['NewDenominationQuantity', 'quantity', 'SctiesQty/NewDnmtnQty', '36:NEWD'],
]

/** The currency is that of the cash movements. Percentages stay unmapped: no field can mark a rate as one. */
export const optionAmounts: readonly (readonly ['GrossRate' | 'NetRate', ...Paths])[] = [
  ['GrossRate', 'RateAndAmtDtls/GrssDstrbtnRate', '92:GRSS'],
  ['NetRate', 'RateAndAmtDtls/NetDstrbtnRate', '92:NETT'],
]

export const payoutPaths: readonly Paths[] = [
  ['RateAndAmtDtls/GrssDstrbtnRate', '92:GRSS'],
  ['CshMvmntDtls/RateAndAmtDtls/GrssDstrbtnRate', 'CASHMOVE/92:GRSS'],
]

export type CashMovement = NonNullable<EventOptionRecord['CashMovements']>[number]
export type SecurityMovement = NonNullable<EventOptionRecord['SecurityMovements']>[number]

/** Amounts per share. Amounts due to the custodian's account (AmtDtls, 19B) stay unmapped. */
export const cashAmounts: readonly (readonly ['GrossDividend' | 'NetDividend', ...Paths])[] = [
  ['GrossDividend', 'RateAndAmtDtls/GrssDstrbtnRate', '92:GRSS'],
  ['NetDividend', 'RateAndAmtDtls/NetDstrbtnRate', '92:NETT'],
]
export const cashPrices: readonly (readonly ['OfferPrice' | 'SubscriptionPrice', ...Paths])[] = [
  ['OfferPrice', 'PricDtls/GncCshPricRcvdPerPdct', '90:OFFR'],
  ['SubscriptionPrice', 'PricDtls/GncCshPricPdPerPdct', '90:PRPP'],
]
export const cashMappings: readonly FieldMapping<CashMovement>[] = [
  ['InterestRate', 'rate', 'RateAndAmtDtls/GrssIntrstRateUsdForPmt', '92:INTP'],
  ['DeemedRate', 'rate', 'RateAndAmtDtls/DmdRate', '92:DEEM'],
]

export const securityMappings: readonly FieldMapping<SecurityMovement>[] = [
  ['AvailableForTrade', 'date', 'DtDtls/AvlblDt', '98:AVAL'],
  ['LastTrade', 'date', 'DtDtls/LastTradgDt', '98:LTRD'],
  ['PariPassu', 'date', 'DtDtls/PrpssDt', '98:PPDT'],
]
/** The price that is paid for a security: in other events than reinvestments a strike or exercise price. */
export const reinvestmentPrice: Paths = ['PricDtls/GncCshPricPdPerPdct', '90:PRPP']
type Quantities = 'NewQuantity' | 'OldQuantity' | 'ReceivedQuantity' | 'HeldQuantity'
/** Securities that replace those held, and additional securities. */
export const securityRatios: readonly (readonly [Quantities, Quantities, ...Paths])[] = [
  ['NewQuantity', 'OldQuantity', 'RateDtls/NewToOd', '92:NEWO'],
  ['ReceivedQuantity', 'HeldQuantity', 'RateDtls/AddtlQtyForExstgScties', '92:ADEX'],
]

export const eventIndicators: readonly (readonly [Indicator, ...Paths])[] = [
  ['AdditionalBusinessProcess', 'CorpActnDtls/AddtlBizPrcInd', 'CADETL/22:ADDB'],
  ['Change', 'CorpActnDtls/ChngTp', 'CADETL/22:CHAN'],
  ['Consent', 'CorpActnDtls/CnsntTp', 'CADETL/22:CONS'],
  ['Dividend', 'CorpActnDtls/DvddTp', 'CADETL/22:DIVI'],
  ['Offer', 'CorpActnDtls/OfferTp', 'CADETL/22:OFFE'],
  ['RenounceableStatusofEntitlement', 'CorpActnDtls/RnncblEntitlmntStsTp', 'CADETL/22:SELL'],
  ['RenounceableStatusofEntitlement', 'IntrmdtScty/RnncblEntitlmntStsTp', 'INTSEC/22:SELL'],
  ['Sequence', 'CorpActnDtls/EvtSeqTp', 'CADETL/22:CONV'],
]
export const optionIndicators: readonly (readonly [Indicator, ...Paths])[] = [
  ['BidRange', 'BidRgTp', ''],
  ['CertificationBreakdown', 'CertfctnBrkdwnTp', '22:CETI'],
  ['Offer', 'OfferTp', '22:OFFE'],
]

export const narratives: readonly (readonly [heading: string, element: string, qualifier: string])[] = [
  ['', 'AddtlTxt', 'ADTX'],
  ['', 'NrrtvVrsn', 'TXNR'],
  ['Conditions', 'InfConds', 'INCO'],
  ['To comply with', 'InfToCmplyWth', 'COMP'],
  ['Restrictions', 'SctyRstrctn', 'NSER'],
  ['Taxation', 'TaxtnConds', 'TAXE'],
  ['Offeror', 'Offerr', 'OFFO'],
  ['New name', 'NewCpnyNm', 'NAME'],
  ['Registration', 'RegnDtls', 'REGI'],
  ['Basket or index', 'BsktOrIndxInf', 'BAIN'],
  ['Certification', 'CertfctnBrkdwn', 'CETI'],
  ['Contact', 'PtyCtctNrrtv', 'PACO'],
  ['Web site', 'URLAdr', 'WEBB'],
  ['Disclaimer', 'Dsclmr', 'DISC'],
]
