import { codeTexts } from './code-text.ts'

/** The codes of event and option indicators (22F and their ISO 20022 equivalents). Codes that are missing here are kept
 *  without a name. */
export const indicatorTexts = {
  AdditionalBusinessProcess: codeTexts({
    ACLA: ['Automatic Market Claim', 'Pending trades give rise to claims automatically.'],
    ATXF: ['Subject to Transformation', 'Pending trades are cancelled and replaced by trades in the proceeds.'],
    CLAI: ['Claim or Compensation', 'The event settles a claim from a pending trade.'],
    CNTR: ['Cancel Underlying Trades', 'Pending trades are cancelled.'],
    CONS: ['Consent Included', 'Consent is requested as part of another event.'],
    FPRE: ['Full Prefunding', 'Assets to redeem the whole issue are held in trust.'],
    INCP: ['Incentive Premium', 'A premium is paid to holders who vote under the terms of the meeting.'],
    NAMC: ['No Automatic Market Claims or Transformations', 'Pending trades are not claimed or transformed.'],
    NPLE: ['No Split Election', 'Only one option can be elected per holding.'],
    PPRE: ['Partial Prefunding', 'Assets to redeem a part, drawn by lot, are held in trust.'],
    PPUT: ['Partial Mandatory Put', 'Some of the bonds, drawn by lot, are put back and remarketed.'],
    REAC: ['Required Action', 'Payment requires an action by the holder.'],
    SCHM: ['Scheme of Arrangement', 'The event is part of a larger reorganisation of the company.'],
    TAXR: ['Tax Refund', 'The event refunds tax.'],
  }),
  BidRange: codeTexts({
    DIVI: ['Divisible', 'All bid prices, including the lowest and the highest, are divisible by the interval.'],
    INCR: ['Incremental', 'Bid prices increase by the interval, starting from the lowest.'],
    MULT: ['In Multiples', 'Bid prices between the lowest and the highest are multiples of the interval.'],
  }),
  CertificationBreakdown: codeTexts({
    ACCI: ['Accredited Investor', 'The holder certifies to be an accredited investor under US Regulation D.'],
    DIOR: ['Intermediary Documentation Required', 'Documents are due by a separate deadline.'],
    DOMI: ['Country of Domicile', 'The holder certifies its country of domicile.'],
    DRDR: ['Depositary Receipt Declaration', 'The holder of depositary receipts submits the required declaration.'],
    FRAC: ['Fraction Breakdown', 'The rounding of fractions can be specified per owner.'],
    FULL: ['Full Beneficial Owner Breakdown', 'The beneficial owners must be disclosed.'],
    NCOM: ['Non-Company Related', 'The holder certifies that it is not related to the company.'],
    NDOM: ['Country of Non-Domicile', 'The holder certifies that it is not domiciled in the named country.'],
    PABD: ['Participant Breakdown', 'The depository discloses its participants to the issuer.'],
    PAPW: ['Beneficial Owner Paperwork', 'The owner must complete forms.'],
    QIBB: ['Qualified Institutional Buyer', 'The holder certifies to be a QIB under US Rule 144A.'],
    TRBD: ['Tax Rate Breakdown', 'The holder specifies which amounts are subject to which tax rate.'],
  }),
  Change: codeTexts({
    BERE: ['Bearer to Registered', 'From bearer to registered form.'],
    CERT: ['Certificates', 'All instruments become certificates.'],
    DECI: ['Decimalisation', 'From whole units to decimal quantities.'],
    DEPH: ['Dematerialised to Physical', 'From book entry to paper.'],
    GPPH: ['Global Permanent to Physical', 'From a permanent global certificate to paper.'],
    GTGP: ['Global Temporary to Global Permanent', 'From a temporary to a permanent global certificate.'],
    GTPH: ['Global Temporary to Physical', 'From a temporary global certificate to paper.'],
    NAME: ['Name', 'The company has a new name.'],
    PHDE: ['Physical to Dematerialised', 'From paper to book entry.'],
    REBE: ['Registered to Bearer', 'From registered to bearer form.'],
    TERM: ['Terms', 'The terms of the security change.'],
    WWCO: ['With or without Coupon', 'The security is now held with its coupon, or without it.'],
  }),
  Consent: codeTexts({
    CTRM: ['Change in Terms', 'Consent to new terms and conditions.'],
    DUPY: ['Due and Payable', 'Consent to a change of the due date of the debt.'],
  }),
  Dividend: codeTexts({
    CAPG: ['Capital Gain', 'Paid from realised gains.'],
    CLDI: ['Closing Dividend', 'The last dividend of a fund or company that closes.'],
    FINL: ['Final', 'The remaining dividend of a financial year, after interim payments.'],
    INTE: ['Interim', 'Paid before the annual results are known.'],
    REGR: ['Regular', 'Paid at regular intervals, such as quarterly.'],
    REIN: ['Reinvestment', 'Cash that is reinvested.'],
    SINT: ['Special Interim', 'A special dividend before the annual results are known.'],
    SPEC: ['Special', 'A dividend in addition to the regular one.'],
    SPRE: ['Special with Reinvestment', 'A special dividend that is partly reinvested.'],
  }),
  Offer: codeTexts({
    ACPR: ['Acceptance Priority', 'Securities are accepted in an order set by the offer.'],
    DISS: ["Dissenter's Rights", 'Holders may object to the event.'],
    ERUN: ['Restricted and Unrestricted Exchange', 'Restricted securities become unrestricted, or the reverse.'],
    FCFS: ['First Come, First Served', 'Securities are accepted in the order in which they are tendered.'],
    FINL: ['Final Offer', 'The last offer; it will not be raised.'],
    MINI: ['Mini Tender', 'An offer for a small share of the company, with little regulation.'],
    NDIS: ["No Dissenter's Rights", 'Holders may not object to the event.'],
    PART: ['Partial Offer', 'An offer for a part of the shares.'],
    RCHD: ['Restricted to Certain Holders', 'The offer is restricted to some of the holders.'],
    SQUE: ['Squeeze-Out', 'The owner of nearly all shares acquires the rest.'],
  }),
  RenounceableStatusofEntitlement: codeTexts({
    NREN: ['Non-Renounceable', 'The entitlement cannot be sold or transferred.'],
    RENO: ['Renounceable', 'The entitlement can be sold or transferred.'],
  }),
  Sequence: codeTexts({
    FINL: ['Final Event', 'The last of several consecutive events.'],
    INTE: ['Interim Event', 'One of several consecutive events, not the last.'],
  }),
}

export type Indicator = keyof typeof indicatorTexts
export const indicators = Object.keys(indicatorTexts) as readonly Indicator[]
