import { type CodeTexts, codeTexts } from './code-text.ts'

/** Components of a payment: rate type codes of ISO 15022 and 20022, including those of Australian dividends. */
export const payoutTexts: CodeTexts = codeTexts({
  CAPO: ['Capital Portion', 'Return of capital.'],
  CDFI: ['Conduit Foreign Income', 'Foreign income that passes through an Australian company untaxed.'],
  CGDI: ['Discounted Capital Gain', 'A gain that is partly exempt from Australian tax.'],
  DIVI: ['Dividend', 'Distributed profit.'],
  EQUL: ['Equalisation', 'Accrued income included in the purchase price, returned as capital.'],
  FLFR: ['Fully Franked', 'The part of an Australian dividend on which the company has paid tax.'],
  FORT: ['Foreign Tax Credit', 'Creditable tax paid abroad.'],
  INCO: ['Income Portion', 'Distributed income.'],
  INTR: ['Interest', 'Distributed interest.'],
  LTCG: ['Long-Term Capital Gain', 'A gain on assets held for a long time.'],
  REES: ['Real Estate Income', 'Income from real estate.'],
  SOIC: ['Sundry or Other Income', 'Income of another kind.'],
  STCG: ['Short-Term Capital Gain', 'A gain on assets held for a short time.'],
  TXBL: ['Taxable Portion', 'The taxable part.'],
  TXDF: ['Tax Deferred', 'The part that is taxed later.'],
  TXFR: ['Tax Free', 'The tax-free part.'],
  UNFR: ['Unfranked', 'The part of an Australian dividend on which the company has paid no tax.'],
})
