import assert from 'node:assert/strict'
import {
  type Message,
  type MessageError,
  type MessageFormat,
  messagesIn,
  PageAssembler,
} from '../../../src/events/import/messages.ts'

export type ReadMessages = Readonly<{ messages: readonly Message[]; errors: readonly MessageError[] }>

/** Reads a single file completely. */
export function readMessages(bytes: Uint8Array, format: MessageFormat): ReadMessages {
  const pages = new PageAssembler()
  const [messages, errors]: [Message[], MessageError[]] = [[], []]
  for (const one of messagesIn(bytes, format, pages))
    if ('reason' in one) errors.push(one)
    else messages.push(one)
  return { messages, errors: [...errors, ...pages.errors()] }
}

/** Reads a file with one message. */
export function onlyMessage(format: MessageFormat, text: string): Message {
  const { messages, errors } = readMessages(Buffer.from(text), format)
  assert.deepEqual(errors, [])
  assert.equal(messages.length, 1)
  return messages[0] as Message
}

/** A sample message with one change. */
export function changed(sample: string, from: string | RegExp, to: string): string {
  const text = sample.replace(from, to)
  assert.notEqual(text, sample)
  return text
}

/** Sample messages: a rights offer that uses most of the mapped fields, in both formats. */
export const seev031Sample = `<?xml version="1.0" encoding="UTF-8"?>
<e:BizMsgEnvlp xmlns:e="urn:example:envelope" version="7">
  <AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02">
    <Fr><FIId><FinInstnId><BICFI>CUSTXX21001</BICFI></FinInstnId></FIId></Fr>
    <BizMsgIdr>NOTE-0001</BizMsgIdr>
    <CreDt>2026-03-01T08:15:30.25+01:00</CreDt>
  </AppHdr>
  <d:Document xmlns:d="urn:iso:std:iso:20022:tech:xsd:seev.031.001.14">
    <d:CorpActnNtfctn>
      <d:NtfctnGnlInf>
        <d:NtfctnTp>NEWM</d:NtfctnTp>
        <d:PrcgSts><d:Cd><d:EvtCmpltnsSts>COMP</d:EvtCmpltnsSts><d:EvtConfSts>CONF</d:EvtConfSts></d:Cd></d:PrcgSts>
      </d:NtfctnGnlInf>
      <d:CorpActnGnlInf>
        <d:CorpActnEvtId>OURS77</d:CorpActnEvtId>
        <d:OffclCorpActnEvtId>OFF2026A1</d:OffclCorpActnEvtId>
        <d:EvtTp><d:Cd>RHTS</d:Cd></d:EvtTp>
        <d:MndtryVlntryEvtTp><d:Cd>CHOS</d:Cd></d:MndtryVlntryEvtTp>
        <d:UndrlygScty>
          <d:FinInstrmId><d:ISIN>XS1111111118</d:ISIN><d:Desc>EXAMPLE PLC</d:Desc></d:FinInstrmId>
        </d:UndrlygScty>
      </d:CorpActnGnlInf>
      <d:AcctDtls><d:AcctsListAndBalDtls><d:SfkpgAcct>SAFE-1</d:SfkpgAcct></d:AcctsListAndBalDtls></d:AcctDtls>
      <d:CorpActnDtls>
        <d:DtDtls>
          <d:AnncmntDt><d:Dt><d:DtTm>2026-02-27T16:30:00</d:DtTm></d:Dt></d:AnncmntDt>
          <d:FctvDt><d:DtCd><d:Cd>ONGO</d:Cd></d:DtCd></d:FctvDt>
          <d:RcrdDt><d:Dt>2026-03-13</d:Dt></d:RcrdDt>
          <d:ExDvddDt><d:Dt>2026-03-12</d:Dt></d:ExDvddDt>
          <d:TradgSspdDt><d:DtCd><d:Cd>UKWN</d:Cd></d:DtCd></d:TradgSspdDt>
          <d:PmtDt><d:Dt>2026-04-20</d:Dt></d:PmtDt>
        </d:DtDtls>
        <d:PrdDtls>
          <d:IntrstPrd><d:Prd><d:StartDt><d:Dt><d:Dt>2026-01-01</d:Dt></d:Dt></d:StartDt><d:EndDt>
            <d:NotSpcfdDt>UKWN</d:NotSpcfdDt></d:EndDt></d:Prd></d:IntrstPrd>
          <d:ClmPrd><d:PrdCd>ONGO</d:PrdCd></d:ClmPrd>
        </d:PrdDtls>
        <d:RateAndAmtDtls><d:BidIntrvl><d:Amt Ccy="EUR">0.05</d:Amt></d:BidIntrvl></d:RateAndAmtDtls>
        <d:PricDtls>
          <d:MaxPric><d:AmtPric><d:AmtPricTp>ACTU</d:AmtPricTp>
            <d:PricVal Ccy="EUR">12.5</d:PricVal></d:AmtPric></d:MaxPric>
          <d:MinPric><d:PctgPric><d:PctgPricTp>PRCT</d:PctgPricTp><d:PricVal>95.5</d:PricVal></d:PctgPric></d:MinPric>
          <d:FrstBidIncrmtPric><d:AmtPric><d:AmtPricTp>DISC</d:AmtPricTp>
            <d:PricVal Ccy="EUR">1</d:PricVal></d:AmtPric></d:FrstBidIncrmtPric>
        </d:PricDtls>
        <d:SctiesQty><d:MaxQty><d:Unit>500000</d:Unit></d:MaxQty>
          <d:MinQtySght><d:FaceAmt>1000</d:FaceAmt></d:MinQtySght></d:SctiesQty>
        <d:IntrstAcrdNbOfDays>31</d:IntrstAcrdNbOfDays>
        <d:RstrctnInd>true</d:RstrctnInd>
        <d:OfferTp><d:Cd>PART</d:Cd></d:OfferTp><d:OfferTp><d:Cd>DISS</d:Cd></d:OfferTp>
        <d:EvtStag><d:Cd>APPD</d:Cd></d:EvtStag>
        <d:AddtlBizPrcInd><d:Prtry><d:Id>OWN1</d:Id><d:Issr>CUST</d:Issr></d:Prtry></d:AddtlBizPrcInd>
      </d:CorpActnDtls>
      <d:CorpActnOptnDtls>
        <d:OptnNb>001</d:OptnNb>
        <d:OptnTp><d:Cd>EXER</d:Cd></d:OptnTp>
        <d:OptnAvlbtySts><d:Cd>INTV</d:Cd></d:OptnAvlbtySts>
        <d:CcyOptn>EUR</d:CcyOptn>
        <d:DfltPrcgOrStgInstr><d:DfltOptnInd>false</d:DfltOptnInd></d:DfltPrcgOrStgInstr>
        <d:DtDtls>
          <d:MktDdln><d:Dt><d:Dt>2026-04-09</d:Dt></d:Dt></d:MktDdln>
          <d:RspnDdln><d:Dt><d:DtTm>2026-04-08T17:00:00-05:00</d:DtTm></d:Dt></d:RspnDdln>
          <d:XpryDt><d:Dt><d:DtTm>2026-04-10T12:00:00</d:DtTm></d:Dt></d:XpryDt>
        </d:DtDtls>
        <d:PrdDtls><d:ActnPrd><d:Prd><d:StartDt><d:Dt><d:Dt>2026-03-16</d:Dt></d:Dt></d:StartDt><d:EndDt>
          <d:Dt><d:Dt>2026-04-08</d:Dt></d:Dt></d:EndDt></d:Prd></d:ActnPrd></d:PrdDtls>
        <d:SctiesQty><d:MinQtyToInst><d:Unit>1</d:Unit></d:MinQtyToInst></d:SctiesQty>
        <d:SctiesMvmntDtls>
          <d:SctyDtls><d:FinInstrmId><d:ISIN>XS2222222226</d:ISIN>
            <d:Desc>EXAMPLE NEW</d:Desc></d:FinInstrmId></d:SctyDtls>
          <d:CdtDbtInd>CRDT</d:CdtDbtInd>
          <d:EntitldQty><d:Qty><d:Unit>4000</d:Unit></d:Qty></d:EntitldQty>
          <d:DtDtls><d:PmtDt><d:Dt>2026-04-21</d:Dt></d:PmtDt><d:AvlblDt><d:Dt>2026-04-22</d:Dt></d:AvlblDt></d:DtDtls>
          <d:RateDtls><d:NewToOd><d:QtyToQty><d:Qty1>1</d:Qty1><d:Qty2>4</d:Qty2></d:QtyToQty></d:NewToOd></d:RateDtls>
        </d:SctiesMvmntDtls>
        <d:CshMvmntDtls>
          <d:CdtDbtInd>DBIT</d:CdtDbtInd>
          <d:DtDtls><d:PmtDt><d:Dt>2026-04-20</d:Dt></d:PmtDt></d:DtDtls>
          <d:PricDtls><d:GncCshPricPdPerPdct><d:AmtPric><d:AmtPricTp>ACTU</d:AmtPricTp>
            <d:PricVal Ccy="EUR">9.75</d:PricVal></d:AmtPric></d:GncCshPricPdPerPdct></d:PricDtls>
        </d:CshMvmntDtls>
        <d:AddtlInf><d:AddtlTxt><d:Lang>en</d:Lang><d:AddtlInf>Pay in time.</d:AddtlInf></d:AddtlTxt></d:AddtlInf>
      </d:CorpActnOptnDtls>
      <d:CorpActnOptnDtls>
        <d:OptnNb>002</d:OptnNb>
        <d:OptnTp><d:Cd>CASH</d:Cd></d:OptnTp>
        <d:DfltPrcgOrStgInstr><d:DfltOptnInd>true</d:DfltOptnInd></d:DfltPrcgOrStgInstr>
        <d:RateAndAmtDtls><d:GrssDstrbtnRate><d:Amt Ccy="EUR">0.4</d:Amt></d:GrssDstrbtnRate></d:RateAndAmtDtls>
        <d:CshMvmntDtls>
          <d:CdtDbtInd>CRDT</d:CdtDbtInd>
          <d:IssrOfferrTaxbltyInd><d:Cd>TXBL</d:Cd></d:IssrOfferrTaxbltyInd>
          <d:RateAndAmtDtls>
            <d:GrssDstrbtnRate><d:RateTpAndAmtAndRateSts><d:RateTp><d:Cd>INCO</d:Cd></d:RateTp>
              <d:Amt Ccy="EUR">0.3</d:Amt></d:RateTpAndAmtAndRateSts></d:GrssDstrbtnRate>
            <d:WhldgTaxRate><d:Rate>15</d:Rate></d:WhldgTaxRate>
            <d:NetDstrbtnRate><d:Amt Ccy="EUR">0.34</d:Amt></d:NetDstrbtnRate>
          </d:RateAndAmtDtls>
        </d:CshMvmntDtls>
      </d:CorpActnOptnDtls>
      <d:AddtlInf>
        <d:AddtlTxt><d:AddtlInf>First line.
Second line.</d:AddtlInf></d:AddtlTxt>
        <d:TaxtnConds><d:AddtlInf>Tax may be due.</d:AddtlInf></d:TaxtnConds>
      </d:AddtlInf>
    </d:CorpActnNtfctn>
  </d:Document>
</e:BizMsgEnvlp>
`

/** The text of an MT564, without envelope. */
export const mt564Text = `:16R:GENL
:20C::CORP//OURS77
:20C::COAF//OFF2026A1
:20C::SEME//NOTE-0002
:23G:NEWM
:22F::CAEV//TEND
:22F::CAMV//VOLU
:98C::PREP//20260301081530
:25D::PROC//PREC
:16S:GENL
:16R:USECU
:35B:ISIN XS1111111118
/GB/1234567
EXAMPLE PLC
:16R:ACCTINFO
:97A::SAFE//SAFE-1
:93B::ELIG//UNIT/7000,
:16S:ACCTINFO
:16S:USECU
:16R:CADETL
:98A::ANOU//20260227
:98B::EFFD//ONGO
:98A::XDTE//20260312
:98A::RDTE//20260313
:98B::TSDT//UKWN
:69C::INPE//20260101/UKWN
:69J::CLCP//ONGO
:99A::DAAC//031
:92F::BIDI//EUR0,05
:90B::MAXP//ACTU/EUR12,5
:90A::MINP//PRCT/95,5
:90B::FBIP//DISC/EUR1,
:36B::MQSO//UNIT/500000,
:36B::QTSO//FAMT/1000,
:17B::COMP//Y
:22F::OFFE//PART
:22F::OFFE//DISS
:22F::ADDB/CUST/OWN1
:70E::OFFO//BIDDER PLC
:16S:CADETL
:16R:CAOPTN
:13A::CAON//001
:22F::CAOP//SECU
:22F::OSTA//INTV
:22F::CETI//FULL
:17B::DFLT//N
:98E::RDDT//20260408170000,25/N0500
:98E::MKDT//20260409090000/0200
:98C::EXPI//20260410120000
:69A::PWAL//20260316/20260408
:36B::MIEX//UNIT/1,
:16R:SECMOVE
:22H::CRDB//CRED
:35B:ISIN XS2222222226
EXAMPLE NEW
:36B::ENTL//UNIT/4000,
:92D::ADEX//1,/4,
:98A::PAYD//20260421
:98A::AVAL//20260422
:69A::TRDP//20260316/20260402
:16S:SECMOVE
:16R:CASHMOVE
:22H::CRDB//DEBT
:98A::PAYD//20260421
:90B::PRPP//ACTU/EUR9,75
:16S:CASHMOVE
:16S:CAOPTN
:16R:CAOPTN
:13A::CAON//002
:22F::CAOP//CASH
:17B::DFLT//Y
:98B::RDDT//UKWN
:92F::GRSS//EUR0,4
:16R:CASHMOVE
:22H::CRDB//CRED
:98A::PAYD//20260420
:22F::TXAP//TXBL
:19B::ENTL//EUR2800,
:92J::GRSS//INCO/EUR0,3
:92J::GRSS//CAPO/EUR0,1/INDI
:92F::NETT//EUR0,34
:92A::TAXR//15,
:92A::INTP//2,5
:90B::OFFR//ACTU/EUR11,
:16S:CASHMOVE
:16S:CAOPTN
:16R:ADDINFO
:70E::ADTX//First line.
Second line.
:70E::TAXE//Tax may be due.
:16S:ADDINFO
`

/** An MT564 with envelope. */
export const inEnvelope = (text: string, type = 'O564'): string =>
  [
    `{1:F01CUSTXX21A0010000000000}{2:${type}0815260301BANKXX21A00100000000002603010815N}`,
    `{3:{108:MUR1}}{4:\n${text}-}{5:{CHK:123456789ABC}}`,
  ].join('')
