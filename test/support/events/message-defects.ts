import type { MessageFormat } from '../../../src/events/import/messages.ts'
import { changed, mt564Text, seev031Sample } from './messages.ts'
import { fields, type Row } from './mt564-defects.ts'

/** A sample with one defect, and the error that it must give: line and reason. */
export type Defect = Readonly<{ name: string; format: MessageFormat; text: string; line: number; reason: string }>

const option = 'CorpActnOptnDtls[2]'
const cash = `${option}/CshMvmntDtls/RateAndAmtDtls`
const gross = '<d:Amt Ccy="EUR">0.4</d:Amt>'
const net = '<d:Amt Ccy="EUR">0.34</d:Amt>'
const exDay = '<d:ExDvddDt><d:Dt>2026-03-12</d:Dt></d:ExDvddDt>'
const namespace = 'urn:iso:std:iso:20022:tech:xsd'

const elements: readonly Row[] = [
  [
    'two options with one number',
    'OptnNb>002<',
    'OptnNb>001<',
    85,
    `${option}/OptnNb "001" is also the number of the option in line 54.`,
  ],
  [
    'a word as the number of an option',
    'OptnNb>002<',
    'OptnNb>TRUE<',
    85,
    `${option}/OptnNb "TRUE" is not a valid option number such as 001.`,
  ],
  [
    'an element in the number of an option',
    'OptnNb>002<',
    'OptnNb><d:b>002</d:b><',
    85,
    `${option}/OptnNb must contain a valid option number such as 001.`,
  ],
  [
    'an empty amount',
    gross,
    '<d:Amt Ccy="EUR"></d:Amt>',
    88,
    `${option}/RateAndAmtDtls/GrssDstrbtnRate/Amt "" is not a valid number.`,
  ],
  ['a blank amount', net, '<d:Amt Ccy="EUR"> </d:Amt>', 96, `${cash}/NetDstrbtnRate/Amt "" is not a valid number.`],
  [
    'an amount without a currency',
    gross,
    '<d:Amt>0.4</d:Amt>',
    88,
    `${option}/RateAndAmtDtls/GrssDstrbtnRate/Amt "0.4" is not a valid amount with its currency (Ccy).`,
  ],
  [
    'an element in place of an amount',
    gross,
    '<d:Amt><d:b/></d:Amt>',
    88,
    `${option}/RateAndAmtDtls/GrssDstrbtnRate/Amt must be a valid amount, but contains the element b.`,
  ],
  [
    'an element in an amount',
    gross,
    '<d:Amt Ccy="EUR">0.<d:b/>4</d:Amt>',
    88,
    `${option}/RateAndAmtDtls/GrssDstrbtnRate/Amt "0.4" must be a valid amount, but contains the element b.`,
  ],
  [
    'only an unknown element in a rate',
    gross,
    '<d:b>0.4</d:b>',
    88,
    `${option}/RateAndAmtDtls/GrssDstrbtnRate must contain a valid amount.`,
  ],
  [
    'an amount of another namespace',
    gross,
    '<o:Amt xmlns:o="urn:own" Ccy="EUR">0.4</o:Amt>',
    88,
    `${option}/RateAndAmtDtls/GrssDstrbtnRate must contain a valid amount.`,
  ],
  [
    'an amount with a status only',
    gross,
    '<d:AmtAndRateSts><d:RateSts><d:Cd>INDI</d:Cd></d:RateSts></d:AmtAndRateSts>',
    88,
    `${option}/RateAndAmtDtls/GrssDstrbtnRate/AmtAndRateSts must contain Amt.`,
  ],
  [
    'two amounts in one currency',
    gross,
    `${gross}</d:GrssDstrbtnRate><d:GrssDstrbtnRate><d:Amt Ccy="EUR">0.5</d:Amt>`,
    88,
    `${option}/RateAndAmtDtls/GrssDstrbtnRate[2] contradicts an earlier amount in the same currency.`,
  ],
  [
    'a negative amount',
    net,
    '<d:Amt Ccy="EUR">-0.34</d:Amt>',
    96,
    `${cash}/NetDstrbtnRate/Amt "-0.34" must not be negative.`,
  ],
  [
    'a negative rate',
    gross,
    '<d:Rate>-4</d:Rate>',
    88,
    `${option}/RateAndAmtDtls/GrssDstrbtnRate/Rate "-4" must not be negative.`,
  ],
  [
    'a negative rate that no field holds',
    '<d:Rate>15</d:Rate>',
    '<d:Rate>-15</d:Rate>',
    95,
    `${cash}/WhldgTaxRate/Rate "-15" must not be negative.`,
  ],
  [
    'an empty rate that no field holds',
    '<d:Rate>15</d:Rate>',
    '<d:Rate/>',
    95,
    `${cash}/WhldgTaxRate/Rate "" is not a valid number.`,
  ],
  [
    'a negative quantity',
    '<d:Unit>500000<',
    '<d:Unit>-1<',
    46,
    'CorpActnDtls/SctiesQty/MaxQty/Unit "-1" must not be negative.',
  ],
  [
    'a price without a value',
    '<d:PricVal>95.5</d:PricVal>',
    '',
    42,
    'CorpActnDtls/PricDtls/MinPric/PctgPric must contain PricVal.',
  ],
  [
    'a nested date',
    exDay,
    '<d:ExDvddDt><d:Dt><d:Dt><d:Dt>2026-03-12</d:Dt></d:Dt></d:Dt></d:ExDvddDt>',
    29,
    'CorpActnDtls/DtDtls/ExDvddDt/Dt/Dt must be a valid day, but contains the element Dt.',
  ],
  [
    'an element in place of a date',
    exDay,
    '<d:ExDvddDt><d:Dt><d:b>2026-03-12</d:b></d:Dt></d:ExDvddDt>',
    29,
    'CorpActnDtls/DtDtls/ExDvddDt/Dt must be a valid day, but contains the element b.',
  ],
  [
    'an empty date',
    exDay,
    '<d:ExDvddDt><d:Dt/></d:ExDvddDt>',
    29,
    'CorpActnDtls/DtDtls/ExDvddDt/Dt "" is not a valid day.',
  ],
  [
    'two different dates',
    exDay,
    `${exDay}<d:ExDvddDt><d:Dt>2026-03-11</d:Dt></d:ExDvddDt>`,
    29,
    'CorpActnDtls/DtDtls/ExDvddDt[2] contradicts the value in line 29.',
  ],
  [
    'two different dates in one element',
    exDay,
    exDay.replace('</d:Dt>', '</d:Dt><d:Dt>2026-03-11</d:Dt>'),
    29,
    'CorpActnDtls/DtDtls/ExDvddDt/Dt[2] "2026-03-11" contradicts "2026-03-12" in line 29.',
  ],
  [
    'an empty period',
    '<d:ClmPrd><d:PrdCd>ONGO</d:PrdCd></d:ClmPrd>',
    '<d:ClmPrd><d:Prd/></d:ClmPrd>',
    36,
    'CorpActnDtls/PrdDtls/ClmPrd must contain StartDt or EndDt.',
  ],
  [
    'an element in a flag',
    '<d:RstrctnInd>true<',
    '<d:RstrctnInd><d:b>true</d:b><',
    49,
    'CorpActnDtls/RstrctnInd must contain a valid flag (true or false).',
  ],
  [
    'two different codes',
    '<d:OptnTp><d:Cd>CASH</d:Cd>',
    '<d:OptnTp><d:Cd>CASH</d:Cd><d:Cd>SECU</d:Cd>',
    86,
    `${option}/OptnTp/Cd[2] "SECU" contradicts "CASH" in line 86.`,
  ],
  [
    'an empty ISIN',
    '<d:ISIN>XS1111111118<',
    '<d:ISIN><',
    20,
    'CorpActnGnlInf/UndrlygScty/FinInstrmId/ISIN "" is not a valid ISIN.',
  ],
  ['an empty reference', '>OFF2026A1<', '><', 16, 'CorpActnGnlInf/OffclCorpActnEvtId "" is not a valid reference.'],
  [
    'the namespace of another message',
    `${namespace}:seev.031.001.14`,
    `${namespace}:pacs.008.001.08`,
    8,
    `Document has the namespace ${namespace}:pacs.008.001.08, which is not that of a seev.031 message.`,
  ],
  [
    'a message of another namespace',
    '<d:CorpActnNtfctn>',
    '<d:CorpActnNtfctn xmlns:d="urn:own">',
    9,
    'Document/CorpActnNtfctn has the namespace urn:own, which is not that of a seev.031 message.',
  ],
  [
    'a flag that is not true or false as the last page',
    '<d:NtfctnGnlInf>',
    '<d:Pgntn><d:PgNb>1</d:PgNb><d:LastPgInd>TRUE</d:LastPgInd></d:Pgntn><d:NtfctnGnlInf>',
    10,
    'Pgntn/LastPgInd must be true or false.',
  ],
]

const defectsIn = (format: MessageFormat, sample: string, rows: readonly Row[]): Defect[] =>
  rows.map(([name, from, to, line, reason]) => ({ name, format, text: changed(sample, from, to), line, reason }))

/** Each was once read without an error, or without its position. */
export const defects: readonly Defect[] = [
  ...defectsIn('seev031', seev031Sample, elements),
  ...defectsIn('mt564', mt564Text, fields),
]
