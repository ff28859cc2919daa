import { codeTexts } from './code-text.ts'

/** The CAOP codes of ISO 15022 and 20022, including those of meetings (AMGT, MNGT, PROX, SPLI). */
export const optionTypes = codeTexts({
  ABST: ['Abstain', 'Be counted as present without voting for or against.'],
  AMGT: ['Against Management', 'Vote against the recommendation of the management.'],
  BOBD: ['Beneficial Owner Breakdown', 'Disclose the beneficial owners, for a tax reclaim.'],
  BSPL: ['Bonus Share Plan', 'Take shares from the share premium reserve instead of a dividend.'],
  BUYA: ['Buy Up', 'Buy more to round up the holding.'],
  CASE: ['Cash and Securities', 'Take a mix of cash and securities.'],
  CASH: ['Cash', 'Take cash.'],
  CEXC: ['Consent and Exchange', 'Agree to the new terms and exchange the securities.'],
  CONN: ['Consent Denied', 'Vote against the proposal.'],
  CONY: ['Consent Granted', 'Vote for the proposal.'],
  CTEN: ['Consent and Tender', 'Agree to the new terms and sell the securities for cash.'],
  EXER: ['Exercise', 'Exercise the rights or warrants.'],
  LAPS: ['Lapse', 'Let the entitlement expire.'],
  MNGT: ['With Management', 'Vote as the management recommends.'],
  MPUT: ['Retain', 'Keep the holding instead of redeeming or exchanging it.'],
  NOAC: ['No Action', 'Do not take part.'],
  NOQU: ['Non-Qualified Investor', 'State that the holder is not a qualified investor.'],
  OFFR: ['Proposed Rate', 'Propose the rate of the next interest period in a remarketing.'],
  OTHR: ['Other', 'A choice that no other code describes.'],
  OVER: ['Oversubscribe', 'Subscribe for more than the entitlement.'],
  PROX: ['Proxy Card', 'Vote by proxy card.'],
  PRUN: ['Unknown Proceeds', 'Take proceeds whose form, cash or securities, is not yet known.'],
  QINV: ['Qualified Investor', 'State that the holder is a qualified investor.'],
  SECU: ['Securities', 'Take securities.'],
  SLLE: ['Sell Entitlement', 'Sell the distributed rights.'],
  SPLI: ['Split Instruction', 'Vote differently with parts of the holding.'],
  TAXI: ['Tax Instruction', 'Specify how the proceeds are to be taxed.'],
})

export type OptionTypeCode = keyof typeof optionTypes
export const optionTypeCodes = Object.keys(optionTypes) as readonly OptionTypeCode[]
