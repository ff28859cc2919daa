import type { CodeText } from './code-text.ts'

/** What a payment is made of: the rate type codes of ISO 15022 and 20022, the parts of Australian dividends too. */
export const payoutTexts: Readonly<Record<string, CodeText>> = {
  CAPO: { Name: 'Capital Portion', Description: 'Capital that is paid back.' },
  CDFI: {
    Name: 'Conduit Foreign Income',
    Description: 'Income from abroad that passes through an Australian company untaxed there.',
  },
  CGDI: { Name: 'Discounted Capital Gain', Description: 'A gain of which Australian tax leaves out a part.' },
  DIVI: { Name: 'Dividend', Description: 'Profit that is paid out.' },
  EQUL: { Name: 'Equalisation', Description: 'Income that was bought with the units and comes back as capital.' },
  FLFR: {
    Name: 'Fully Franked',
    Description: 'The part of an Australian dividend on which the company has paid the tax.',
  },
  FORT: { Name: 'Foreign Tax Credit', Description: 'Tax paid abroad that can be credited.' },
  INCO: { Name: 'Income Portion', Description: 'Income that is paid out.' },
  INTR: { Name: 'Interest', Description: 'Interest that is paid out.' },
  LTCG: { Name: 'Long-Term Capital Gain', Description: 'A gain on what was held for long.' },
  REES: { Name: 'Real Estate Income', Description: 'Income from real estate.' },
  SOIC: { Name: 'Sundry or Other Income', Description: 'Income of another kind.' },
  STCG: { Name: 'Short-Term Capital Gain', Description: 'A gain on what was held for a short time.' },
  TXBL: { Name: 'Taxable Portion', Description: 'The part that is taxed.' },
  TXDF: { Name: 'Tax Deferred', Description: 'The part that is taxed later.' },
  TXFR: { Name: 'Tax Free', Description: 'The part that is not taxed.' },
  UNFR: { Name: 'Unfranked', Description: 'The part of an Australian dividend on which the company has paid no tax.' },
}
