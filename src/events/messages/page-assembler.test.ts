import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlyMessage, readMessages } from '../../../test/support/events/messages.ts'
import { messagesIn } from '../import/messages.ts'
import { MessageNode } from './node.ts'
import { PageAssembler } from './page-assembler.ts'

const mtPage = (page: string, ...options: string[]): string => `:16R:GENL
:28E:${page}
:20C::CORP//PAGED1
:23G:NEWM
:22F::CAEV//DVCA
:22F::CAMV//MAND
:25D::PROC//COMP
:16S:GENL
:16R:USECU
:35B:ISIN XS1111111118
:16S:USECU
${options.map((option) => `:16R:CAOPTN\n:13A::CAON//${option}\n:98A::PAYD//20260401\n:16S:CAOPTN\n`).join('')}`
const xmlPage = (page: number, isLast: boolean, option: string): string => `<Document><CorpActnNtfctn>
<Pgntn><PgNb>${page}</PgNb><LastPgInd>${isLast}</LastPgInd></Pgntn>
<CorpActnGnlInf><CorpActnEvtId>PAGED1</CorpActnEvtId><EvtTp><Cd>DVCA</Cd></EvtTp>
<MndtryVlntryEvtTp><Cd>MAND</Cd></MndtryVlntryEvtTp>
<UndrlygScty><FinInstrmId><ISIN>XS1111111118</ISIN></FinInstrmId></UndrlygScty></CorpActnGnlInf>
<CorpActnOptnDtls><OptnNb>${option}</OptnNb></CorpActnOptnDtls></CorpActnNtfctn></Document>`

test('combines the pages of a message in any order', () => {
  const message = onlyMessage(
    'mt564',
    mtPage('2/MORE', '002') + mtPage('1/MORE', '001') + mtPage('3/LAST', '003', '001'),
  )
  assert.deepEqual(
    message.event.Options?.map(({ OptionId }) => OptionId),
    ['001', '002', '003'],
  )
  assert.equal(message.event.EventState, 'Confirmed')
  assert.deepEqual(
    message.unmapped.map(({ Path, Value }) => `${Path}=${Value}`).filter((text) => text.includes('28E')),
    ['GENL/28E=1/MORE', 'Page[2]/GENL/28E=2/MORE', 'Page[3]/GENL/28E=3/LAST'],
  )
})

test('combines pages across files; the position is that of the page read last', () => {
  const pages = new PageAssembler()
  const readFile = (text: string, linesBefore: number) => [
    ...messagesIn(Buffer.from(text), 'seev031', pages, linesBefore),
  ]
  assert.deepEqual(readFile(`\n${xmlPage(2, true, '002')}`, 70), [])
  assert.deepEqual(pages.errors(), [{ line: 72, message: 1, reason: 'Missing pages of PAGED1: 1.' }])
  const [message] = readFile(xmlPage(1, false, '001'), 80)
  assert.ok(message && 'event' in message)
  const ids = message.event.Options?.map(({ OptionId }) => OptionId)
  assert.deepEqual([message.line, ids], [1, ['001', '002']])
  assert.deepEqual(pages.errors(), [])
})

test('reports a malformed value with the line in its own file', () => {
  const pages = new PageAssembler()
  const wrong = mtPage('1/MORE', '001').replace('20260401', '20260431')
  assert.deepEqual([...messagesIn(Buffer.from(wrong), 'mt564', pages, 70)], [])
  assert.deepEqual(
    [...messagesIn(Buffer.from(mtPage('2/LAST', '002').replace('20260401', 'soon')), 'mt564', pages, 100)],
    [
      { line: 14 + 70 - 100, message: 1, reason: 'CAOPTN/98A:PAYD "20260431" is not a valid day.' },
      { line: 14, message: 1, reason: 'Page[2]/CAOPTN/98A:PAYD "soon" is not a valid day such as 20261231.' },
    ],
  )
})

test('reports missing and duplicate pages', () => {
  const reasons = (text: string) =>
    readMessages(Buffer.from(text), 'mt564').errors.map(({ line, message, reason }) => [line, message, reason])
  assert.deepEqual(reasons(mtPage('2/MORE', '001') + mtPage('5/LAST', '002')), [
    [1, 1, 'Missing pages of PAGED1: 1, 3, 4.'],
  ])
  assert.deepEqual(reasons(mtPage('2/LAST', '001')), [[1, 1, 'Missing pages of PAGED1: 1.']])
  assert.deepEqual(reasons(mtPage('99999/MORE')), [
    [1, 1, 'Missing pages of PAGED1: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99988 more, the last.'],
  ])
  assert.deepEqual(reasons(mtPage('1/MORE') + mtPage('1/MORE')), [
    [12, 2, 'Page 1 of PAGED1 occurs more than once.'],
    [1, 1, 'Missing pages of PAGED1: the last.'],
  ])
  assert.deepEqual(reasons(mtPage('1/MORE').replace(':20C::CORP//PAGED1\n', '')), [
    [1, 1, 'The page has no reference of its event.'],
  ])
})

test('limits the values of incomplete messages, each and in total', () => {
  const many = new MessageNode('MANY', 'MANY', 1)
  for (let count = 0; count < 15_000; count++) many.add('22:ZZZZ', 1, 'ABCD')
  const pages = new PageAssembler()
  const add = (reference: string, page: number) => {
    const root = new MessageNode('', '', 1)
    root.add('GENL', 1).add('20:CORP', 1, reference)
    root.adopt(many)
    pages.add({ format: 'mt564', line: 1, root, page, isLast: false }, { number: 1, linesBefore: 0 })
  }
  add('R0', 1)
  assert.throws(() => add('R0', 2), { message: 'Has more than 20000 values.' })
  for (let count = 1; count < 33; count++) add(`R${count}`, 1)
  assert.throws(() => add('R33', 1), { message: 'Too many pages of incomplete messages.' })
})
