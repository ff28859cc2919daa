import type { Indicator } from '../api/enums.ts'
import type { CodeText } from './code-text.ts'

/** The codes that an indicator of an event or option can have (22F and their ISO 20022 kin). Senders use more than
 *  these: a code that is not here is kept without a name. */
export const indicatorTexts: Readonly<Record<Indicator, Readonly<Record<string, CodeText>>>> = {
  AdditionalBusinessProcess: {
    ACLA: { Name: 'Automatic Market Claim', Description: 'Trades under way give rise to claims by themselves.' },
    ATXF: {
      Name: 'Subject to Transformation',
      Description: 'Trades under way are cancelled and replaced by trades in what comes out of the event.',
    },
    CLAI: { Name: 'Claim or Compensation', Description: 'The event settles a claim from a trade under way.' },
    CNTR: { Name: 'Cancel Underlying Trades', Description: 'Trades under way are cancelled.' },
    CONS: { Name: 'Consent Included', Description: 'Consent is asked for as a part of another event.' },
    FPRE: { Name: 'Full Prefunding', Description: 'Assets for the repayment of the whole issue are put in trust.' },
    INCP: { Name: 'Incentive Premium', Description: "A premium is paid to those who vote as the meeting's terms say." },
    NAMC: {
      Name: 'No Automatic Market Claims or Transformations',
      Description: 'Trades under way neither give rise to claims nor are transformed by themselves.',
    },
    NPLE: { Name: 'No Split Election', Description: 'One holding can choose one option only.' },
    PPRE: {
      Name: 'Partial Prefunding',
      Description: 'Assets for the repayment of a part, drawn by lot, are put in trust.',
    },
    PPUT: {
      Name: 'Partial Mandatory Put',
      Description: 'A part of the bonds, drawn by lot, is put back and remarketed.',
    },
    REAC: { Name: 'Required Action', Description: 'Nothing is paid until the holder has done what is asked.' },
    SCHM: {
      Name: 'Scheme of Arrangement',
      Description: 'The event is a part of a wider reorganisation of the company.',
    },
    TAXR: { Name: 'Tax Refund', Description: 'The event pays back tax.' },
  },
  BidRange: {
    DIVI: {
      Name: 'Divisible',
      Description: 'All prices that can be bid, the lowest and the highest too, are divisible by the interval.',
    },
    INCR: {
      Name: 'Incremental',
      Description: 'Each price is the one before plus the interval, counted from the lowest.',
    },
    MULT: {
      Name: 'In Multiples',
      Description: 'Between the lowest and the highest price, all prices are multiples of the interval.',
    },
  },
  CertificationBreakdown: {
    ACCI: {
      Name: 'Accredited Investor',
      Description: 'The holder certifies to be an accredited investor under US Regulation D.',
    },
    DIOR: {
      Name: 'Intermediary Documentation Required',
      Description: 'Documents are due on or before their own deadline.',
    },
    DOMI: { Name: 'Country of Domicile', Description: 'The holder certifies where it has its domicile.' },
    DRDR: {
      Name: 'Depositary Receipt Declaration',
      Description: 'The holder of depositary receipts makes the declaration asked for.',
    },
    FRAC: { Name: 'Fraction Breakdown', Description: 'How fractions are rounded can be said for each owner.' },
    FULL: { Name: 'Full Beneficial Owner Breakdown', Description: 'The owners behind the holding are to be named.' },
    NCOM: { Name: 'Non-Company Related', Description: 'The holder certifies that it has no relation to the company.' },
    NDOM: {
      Name: 'Country of Non-Domicile',
      Description: 'The holder certifies that it has no domicile in the country named.',
    },
    PABD: { Name: 'Participant Breakdown', Description: 'The depository names its participants to the issuer.' },
    PAPW: { Name: 'Beneficial Owner Paperwork', Description: 'The owner has forms to fill in.' },
    QIBB: {
      Name: 'Qualified Institutional Buyer',
      Description: 'The holder certifies to be a qualified institutional buyer under US Rule 144A.',
    },
    TRBD: { Name: 'Tax Rate Breakdown', Description: 'The holder tells which amounts fall under which tax rate.' },
  },
  Change: {
    BERE: { Name: 'Bearer to Registered', Description: 'From bearer to registered form.' },
    CERT: { Name: 'Certificates', Description: 'All instruments become certificates.' },
    DECI: { Name: 'Decimalisation', Description: 'From whole units to quantities with decimals.' },
    DEPH: { Name: 'Dematerialised to Physical', Description: 'From book entries to paper.' },
    GPPH: { Name: 'Global Permanent to Physical', Description: 'From a permanent global certificate to paper.' },
    GTGP: {
      Name: 'Global Temporary to Global Permanent',
      Description: 'From a temporary global certificate to a permanent one.',
    },
    GTPH: { Name: 'Global Temporary to Physical', Description: 'From a temporary global certificate to paper.' },
    NAME: { Name: 'Name', Description: 'The company has a new name.' },
    PHDE: { Name: 'Physical to Dematerialised', Description: 'From paper to book entries.' },
    REBE: { Name: 'Registered to Bearer', Description: 'From registered to bearer form.' },
    TERM: { Name: 'Terms', Description: 'The terms of the security change.' },
    WWCO: {
      Name: 'With or without Coupon',
      Description: 'The security is from now on held with its coupon, or without it.',
    },
  },
  Consent: {
    CTRM: { Name: 'Change in Terms', Description: 'Consent to new terms and conditions.' },
    DUPY: { Name: 'Due and Payable', Description: 'Consent to a change of when the debt falls due.' },
  },
  Dividend: {
    CAPG: { Name: 'Capital Gain', Description: 'Paid from gains on what was sold.' },
    CLDI: { Name: 'Closing Dividend', Description: 'The last dividend of a fund or company that closes.' },
    FINL: {
      Name: 'Final',
      Description: 'The rest of the dividend of a financial year, after what was paid in it already.',
    },
    INTE: { Name: 'Interim', Description: 'Paid before the result of the year is known.' },
    REGR: { Name: 'Regular', Description: 'Paid at regular intervals, such as every quarter.' },
    REIN: { Name: 'Reinvestment', Description: 'Cash that is invested again.' },
    SINT: { Name: 'Special Interim', Description: 'An extra dividend before the result of the year is known.' },
    SPEC: { Name: 'Special', Description: 'An extra dividend beside the regular one.' },
    SPRE: { Name: 'Special with Reinvestment', Description: 'An extra dividend of which a part is invested again.' },
  },
  Offer: {
    ACPR: { Name: 'Acceptance Priority', Description: 'Securities are accepted in an order that the offer sets.' },
    DISS: { Name: "Dissenter's Rights", Description: 'Holders may object to the event.' },
    ERUN: {
      Name: 'Restricted and Unrestricted Exchange',
      Description: 'Restricted securities become unrestricted ones, or the reverse.',
    },
    FCFS: {
      Name: 'First Come, First Served',
      Description: 'Securities are accepted in the order in which they are offered.',
    },
    FINL: { Name: 'Final Offer', Description: 'The last offer; it will not be raised.' },
    MINI: { Name: 'Mini Tender', Description: 'An offer for a small share of the company, under few rules.' },
    NDIS: { Name: "No Dissenter's Rights", Description: 'Holders may not object to this.' },
    PART: { Name: 'Partial Offer', Description: 'An offer for a part of the shares.' },
    RCHD: { Name: 'Restricted to Certain Holders', Description: 'Only some of the holders are offered it.' },
    SQUE: { Name: 'Squeeze-Out', Description: 'The owner of nearly all shares takes over the rest.' },
  },
  RenounceableStatusofEntitlement: {
    NREN: { Name: 'Non-Renounceable', Description: 'The entitlement cannot be sold or given away.' },
    RENO: { Name: 'Renounceable', Description: 'The entitlement can be sold or given away.' },
  },
  Sequence: {
    FINL: { Name: 'Final Event', Description: 'The last of several events that follow each other.' },
    INTE: { Name: 'Interim Event', Description: 'One of several events that follow each other, not the last.' },
  },
}
