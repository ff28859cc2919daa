import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMessages } from '../../../../test/support/events/messages.ts'

/** The first security movement of an MT564 with these fields in it, and what stayed unmapped of them. */
function movementOf(eventType: string, ...fields: string[]) {
  const text = `{4:\n:16R:GENL\n:20C::CORP//R\n:23G:NEWM\n:22F::CAEV//${eventType}\n:22F::CAMV//VOLU\n:16S:GENL
:16R:USECU\n:35B:ISIN US0378331005\n:16S:USECU\n:16R:CAOPTN\n:13A::CAON//001\n:22F::CAOP//SECU\n:16R:SECMOVE
:22H::CRDB//CRED\n${fields.join('\n')}\n:16S:SECMOVE\n:16S:CAOPTN\n-}`
  const { messages, errors } = readMessages(Buffer.from(text), 'mt564')
  assert.deepEqual(errors, [])
  const [message] = messages
  const unmapped = message?.unmapped.filter(({ Path }) => Path.includes('PRPP')).map(({ Value }) => Value)
  return { movement: message?.event.Options?.[0]?.SecurityMovements?.[0], unmapped }
}

const price = ':90B::PRPP//ACTU/AUD42,41'
const received = { SecurityMovementType: 'Credit' }

test('the price of new securities is a reinvestment price if a dividend is reinvested', () => {
  for (const type of ['DRIP', 'DVOP'])
    assert.deepEqual(movementOf(type, price), {
      movement: { ...received, Currency: 'AUD', ReinvestmentPrice: 42.41 },
      unmapped: [],
    })
  assert.deepEqual(movementOf('RHTS', price), { movement: received, unmapped: ['ACTU/AUD42,41'] })
})

test('a price in percent or in another currency than the movement stays unmapped', () => {
  assert.deepEqual(movementOf('DRIP', ':90A::PRPP//PRCT/98,5'), { movement: received, unmapped: ['PRCT/98,5'] })
  assert.deepEqual(movementOf('DRIP', ':11A::OPTN//USD', price), {
    movement: { ...received, Currency: 'USD' },
    unmapped: ['ACTU/AUD42,41'],
  })
})

test('reads the price of a reinvestment in seev.031', () => {
  const text = `<Document><CorpActnNtfctn><CorpActnGnlInf><CorpActnEvtId>R</CorpActnEvtId><EvtTp><Cd>DRIP</Cd></EvtTp>
<MndtryVlntryEvtTp><Cd>VOLU</Cd></MndtryVlntryEvtTp><UndrlygScty><FinInstrmId><ISIN>US0378331005</ISIN></FinInstrmId></UndrlygScty>
</CorpActnGnlInf><CorpActnOptnDtls><OptnNb>001</OptnNb><SctiesMvmntDtls><CdtDbtInd>CRDT</CdtDbtInd><PricDtls><GncCshPricPdPerPdct>
<AmtPric><AmtPricTp>ACTU</AmtPricTp><PricVal Ccy="AUD">42.41</PricVal></AmtPric></GncCshPricPdPerPdct></PricDtls></SctiesMvmntDtls>
</CorpActnOptnDtls></CorpActnNtfctn></Document>`
  const { messages, errors } = readMessages(Buffer.from(text), 'seev031')
  assert.deepEqual(errors, [])
  assert.deepEqual(messages[0]?.event.Options?.[0]?.SecurityMovements, [
    { ...received, Currency: 'AUD', ReinvestmentPrice: 42.41 },
  ])
})
