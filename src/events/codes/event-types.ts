import type { CodeText } from './code-text.ts'

/** The CAEV codes of ISO 15022 and 20022, in the order of contract §7; the words are our own. */
export const eventTypes = {
  ACTV: { Name: 'Active Trading Status', Description: 'Trading in the security starts, or starts again after a halt.' },
  ATTI: {
    Name: 'Attachment',
    Description: 'Separate securities, such as a bond and its warrants, are joined into one unit.',
  },
  BIDS: {
    Name: 'Repurchase Offer',
    Description: 'The issuer offers to buy back its own securities from their holders.',
  },
  BMET: { Name: 'Bondholder Meeting', Description: 'The holders of a bond meet to discuss and vote.' },
  BONU: {
    Name: 'Bonus Issue',
    Description: 'New securities are handed out free of charge, in proportion to what is held.',
  },
  BPUT: {
    Name: 'Put Redemption',
    Description: 'The holder may have the bond repaid early, under the terms of the issue.',
  },
  BRUP: { Name: 'Bankruptcy', Description: 'The issuer cannot pay its creditors; the securities may lose all value.' },
  CAPD: {
    Name: 'Capital Distribution',
    Description: 'Cash is paid from the capital account while the par value stays as it is.',
  },
  CAPG: {
    Name: 'Capital Gains Distribution',
    Description: 'A fund hands on the gains it made by selling what it held.',
  },
  CAPI: {
    Name: 'Capitalisation',
    Description: 'Unpaid interest is added to the principal of a debt, as a rule by raising its pool factor.',
  },
  CERT: {
    Name: 'Non-US TEFRAD Certification',
    Description: 'Owners certify that they are not US persons, to turn temporary notes into permanent ones.',
  },
  CHAN: {
    Name: 'Change',
    Description: 'Something about the security or its issuer changes, such as its name, form or terms.',
  },
  CLSA: {
    Name: 'Class Action or Proposed Settlement',
    Description: 'Holders may join a law suit or a settlement that makes good their loss.',
  },
  CMET: { Name: 'Court Meeting', Description: 'A meeting of the holders that a court has ordered.' },
  CONS: {
    Name: 'Consent',
    Description: 'Holders are asked to agree to a proposal without a meeting, such as new terms of a bond.',
  },
  CONV: {
    Name: 'Conversion',
    Description: 'Securities are turned into others, mostly bonds into shares, at a price or ratio set beforehand.',
  },
  COOP: {
    Name: 'Company Option',
    Description: 'Options granted by the company can be exercised for its shares at a price set beforehand.',
  },
  CREV: { Name: 'Credit Event', Description: 'An issuer behind a credit derivative fails to meet its obligations.' },
  DECR: {
    Name: 'Decrease in Value',
    Description: 'The par value of each share is cut, with or without a payment to the holders.',
  },
  DETI: { Name: 'Detachment', Description: 'A unit is taken apart into the securities it is made of.' },
  DFLT: { Name: 'Bond Default', Description: 'The issuer breaks its obligations under a bond and has not mended it.' },
  DLST: { Name: 'Delisting', Description: 'The security leaves the official list of an exchange.' },
  DRAW: { Name: 'Drawing', Description: 'Some of the bonds, chosen by lot, are repaid before maturity.' },
  DRCA: {
    Name: 'Cash Distribution from Sale of Non-Eligible Securities',
    Description: 'Cash from the sale of securities that could not be handed on, as in depositary receipt programmes.',
  },
  DRIP: {
    Name: 'Dividend Reinvestment',
    Description: 'A dividend in cash that the holder can have invested in shares bought in the market.',
  },
  DSCL: { Name: 'Disclosure', Description: 'The issuer asks who holds its securities, where and how many.' },
  DTCH: {
    Name: 'Dutch Auction',
    Description: 'Holders name the price, within a range, at which they would sell; the lowest are bought.',
  },
  DVCA: { Name: 'Cash Dividend', Description: 'The company pays a dividend in cash.' },
  DVOP: {
    Name: 'Dividend Option',
    Description: 'A dividend of which the holder chooses the form: cash or newly issued shares.',
  },
  DVSC: {
    Name: 'Scrip Dividend',
    Description: 'A dividend or interest paid in certificates that can later be turned into shares or cash.',
  },
  DVSE: { Name: 'Stock Dividend', Description: 'A dividend paid in shares of the company itself.' },
  EXOF: { Name: 'Exchange', Description: 'Securities are exchanged for other securities, cash or both.' },
  EXRI: {
    Name: 'Call on Intermediate Securities',
    Description: 'Rights or other intermediate securities that were handed out before can be exercised.',
  },
  EXTM: { Name: 'Maturity Extension', Description: 'The maturity of a security is put off, as its terms allow.' },
  EXWA: {
    Name: 'Warrant Exercise',
    Description: 'Warrants can be exercised to buy or sell what underlies them at a price set beforehand.',
  },
  INCR: {
    Name: 'Increase in Value',
    Description: 'The par value of each security is raised; their number stays the same.',
  },
  INFO: { Name: 'Information', Description: 'News from the issuer without any effect on cash or securities.' },
  INTR: { Name: 'Interest Payment', Description: 'Interest is paid in cash to the holders of a debt.' },
  LIQU: {
    Name: 'Liquidation Payment',
    Description: 'A company that is wound up pays out what is left after its debts.',
  },
  MCAL: { Name: 'Full Call', Description: 'The issuer repays the whole issue before maturity.' },
  MEET: { Name: 'Annual General Meeting', Description: 'The yearly meeting of the shareholders.' },
  MRGR: {
    Name: 'Merger',
    Description: 'Companies combine; securities of one are exchanged for securities of another, cash or both.',
  },
  NOOF: {
    Name: 'Non-Official Offer',
    Description: 'A third party offers to buy, often below the market, without supervision by an authority.',
  },
  ODLT: {
    Name: 'Odd Lot Sale or Purchase',
    Description: 'Holders of less than a round lot can sell it or fill it up.',
  },
  OMET: {
    Name: 'Ordinary General Meeting',
    Description: 'A regular meeting of the shareholders other than the yearly one.',
  },
  OTHR: { Name: 'Other Event', Description: 'An event that no other code describes.' },
  PARI: {
    Name: 'Pari-Passu',
    Description: 'Securities that differed, in dividend or vote, become the same and are merged.',
  },
  PCAL: {
    Name: 'Partial Redemption without Pool Factor Reduction',
    Description: 'A part is repaid before maturity by taking away some of the face amount held.',
  },
  PDEF: {
    Name: 'Prefunding',
    Description: 'The issuer sets money aside to repay a part of the issue earlier than agreed.',
  },
  PINK: { Name: 'Pay in Kind', Description: 'Interest is paid in more of the security, or in any form but cash.' },
  PLAC: {
    Name: 'Place of Incorporation',
    Description: 'The company moves its legal seat to another state or country.',
  },
  PPMT: { Name: 'Instalment Call', Description: 'The next part of the price of partly paid shares is due.' },
  PRED: {
    Name: 'Partial Redemption with Pool Factor Reduction',
    Description: 'A part is repaid before maturity by lowering the pool factor; the number held stays.',
  },
  PRIO: { Name: 'Priority Issue', Description: 'A public offer in which the present shareholders come first.' },
  RCLA: {
    Name: 'Reclassification',
    Description: 'A past distribution is divided anew into kinds of income, for US tax.',
  },
  REDM: { Name: 'Final Maturity', Description: 'The whole issue is repaid at its maturity.' },
  REDO: { Name: 'Redenomination', Description: 'The currency or the nominal of the security is restated.' },
  REMK: {
    Name: 'Remarketing Agreement',
    Description: 'Securities are sold anew at a rate that issuer and holders agree on.',
  },
  RHDI: {
    Name: 'Intermediate Securities Distribution',
    Description: 'Rights are handed out that allow the holder to take part in a later event.',
  },
  RHTS: {
    Name: 'Rights Issue',
    Description: 'Holders receive rights to buy new securities, as a rule below the market price.',
  },
  SHPR: {
    Name: 'Share Premium Dividend',
    Description: 'Cash is paid from the share premium reserve, often with another tax than a dividend.',
  },
  SMAL: { Name: 'Smallest Negotiable Unit', Description: 'The smallest amount that can be traded changes.' },
  SOFF: {
    Name: 'Spin-Off',
    Description: 'Shares of another company, as a rule a former part of this one, are handed out.',
  },
  SPLF: { Name: 'Stock Split', Description: 'Each share becomes several, each worth accordingly less.' },
  SPLR: { Name: 'Reverse Stock Split', Description: 'Several shares become one, worth accordingly more.' },
  SUSP: { Name: 'Trading Suspension', Description: 'Trading in the security is halted.' },
  TEND: { Name: 'Tender Offer', Description: 'A third party offers to buy or exchange the securities of the holders.' },
  TNDP: {
    Name: 'Tax on Non-Distributed Proceeds',
    Description: 'Tax is due on income that was not paid out but counts as received.',
  },
  TREC: { Name: 'Tax Reclaim', Description: 'Tax that was withheld can be claimed back.' },
  WRTH: { Name: 'Worthless', Description: 'Securities without any value are removed from the accounts.' },
  WTRC: {
    Name: 'Withholding Tax Relief Certification',
    Description: 'Holders certify their tax status to pay less withholding tax, or none.',
  },
  XMET: {
    Name: 'Extraordinary General Meeting',
    Description: 'A meeting of the shareholders called for a special matter.',
  },
  ACCU: { Name: 'Accumulation', Description: 'A fund keeps its income, which yet counts as paid out for tax.' },
} as const satisfies Readonly<Record<string, CodeText>>
