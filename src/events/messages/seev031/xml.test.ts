import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed as changedFrom, readMessages, seev031Sample } from '../../../../test/support/events/messages.ts'

const read = (text: string) => readMessages(Buffer.from(text), 'seev031')
const changed = (from: string | RegExp, to: string) => changedFrom(seev031Sample, from, to)

test('reports malformed values with line and path', () => {
  const text = changed('<d:Dt>2026-03-13', '<d:Dt>2026-12-40')
    .replace('<d:Cd>CASH<', '<d:Cd>CASSH<')
    .replace('>9.75<', '>zweihundert<')
  assert.deepEqual(
    read(text).errors.map(({ line, reason }) => `${line} ${reason}`),
    [
      '28 CorpActnDtls/DtDtls/RcrdDt/Dt "2026-12-40" is not a valid day.',
      '80 CorpActnOptnDtls/CshMvmntDtls/PricDtls/GncCshPricPdPerPdct/AmtPric/PricVal "zweihundert" is not a valid number.',
      '86 CorpActnOptnDtls[2]/OptnTp/Cd "CASSH" is not a valid four-letter code.',
    ],
  )
})

test('reads UTF-16 with a byte order mark', () => {
  const bytes = Buffer.from(`\uFEFF${seev031Sample.replace('UTF-8', 'UTF-16')}`, 'utf16le')
  assert.equal(readMessages(bytes, 'seev031').messages.length, 1)
})

const other =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:seev.039.001.09"><CorpActnCxlAdvc>1</CorpActnCxlAdvc></Document>'
const rejected: [name: string, text: string, reason: string | RegExp][] = [
  ['another message', other, '1: The message is seev.039.001.09 (CorpActnCxlAdvc); only seev.031 is supported.'],
  ['any other XML', '<a><b/></a>', '1: No CorpActnNtfctn (seev.031) found; the root element is a.'],
  ['an MT', ':16R:GENL\n', '1: The file looks like MT564, not XML. Name it .fin, or use --format mt564.'],
  ['any other text', 'hello', '1: The file is not XML.'],
  ['an empty file', '', '1: The file is not XML.'],
  ['malformed XML', '<a>\n<b></a>', /^2: The XML is not well-formed: Unexpected close tag/],
  ['an attribute twice', `<a b="1" c='d="e"'\n b="2"/>`, '2: a has an attribute twice.'],
  ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]>\n<a>&b;</a>', /^1: DOCTYPE is not allowed/],
  ['a custom entity', '<a>&b;</a>', /^1: The XML is not well-formed: Invalid character entity/],
  [
    'another encoding',
    '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
    /^1: The encoding ISO-8859-1 is not supported/,
  ],
  ['deep nesting', '<a>'.repeat(51) + '</a>'.repeat(51), '1: Elements are nested more than 50 levels deep.'],
  ['a long name', `<${'a'.repeat(101)}/>`, '1: A name is longer than 100 characters.'],
  ['a long text', `<a>${'b'.repeat(100_001)}</a>`, '1: The text of a is longer than 100000 characters.'],
  ['many elements', `<a>${'<b/>'.repeat(500_000)}</a>`, '1: Has more than 500000 elements. Split the file.'],
  [
    'no reference',
    changed(/<d:(Offcl)?CorpActnEvtId>.*>/g, ''),
    '9: The reference of the corporate action is missing.',
  ],
  ['a reference that is not ASCII', changed('OFF2026A1', 'É'), /^16: The reference .* printable ASCII/],
  [
    'no security',
    changed(/<d:UndrlygScty>[\s\S]*<\/d:UndrlygScty>/, ''),
    '9: The security has no identifier: neither an ISIN nor another one.',
  ],
  [
    'an invalid ISIN',
    changed('XS1111111118', 'XS11'),
    '20: CorpActnGnlInf/UndrlygScty/FinInstrmId/ISIN "XS11" is not a valid ISIN.',
  ],
  [
    'an unknown event type',
    changed('RHTS', 'ZZZZ'),
    '17: CorpActnGnlInf/EvtTp/Cd "ZZZZ" is not an event type of the standard.',
  ],
  ['no event type', changed(/<d:EvtTp>.*/, ''), '9: The event type (CAEV) is missing.'],
  ['no participation', changed(/<d:MndtryVlntryEvtTp>.*/, ''), /^9: Whether the event is mandatory/],
  [
    'neither mandatory nor voluntary',
    changed('CHOS', 'ZZZZ'),
    '18: CorpActnGnlInf/MndtryVlntryEvtTp/Cd "ZZZZ" is not MAND, CHOS or VOLU.',
  ],
  ['an option without a number', changed('<d:OptnNb>001</d:OptnNb>', ''), '54: CorpActnOptnDtls has no option number.'],
  [
    'an invalid page number',
    changed('<d:NtfctnGnlInf>', '<d:Pgntn><d:PgNb>x</d:PgNb></d:Pgntn><d:NtfctnGnlInf>'),
    '10: Pgntn/PgNb must be a page number.',
  ],
  ['half a surrogate pair', changed('EXAMPLE PLC', '&#xD800;'), /^20: The XML is not well-formed/],
  [
    'a value that is too long',
    changed('EXAMPLE PLC', 'x'.repeat(20_001)),
    /^9: The value at CorpActnGnlInf\/Un.* is too long/,
  ],
  [
    'too many values',
    changed('<d:AcctDtls>', `<d:AcctDtls>${'<x>1</x>'.repeat(20_000)}`),
    /^2: Has more than 20000 values/,
  ],
  [
    'too many values to be kept',
    changed('<d:AcctDtls>', `<d:AcctDtls>${'<x>1</x>'.repeat(10_000)}`),
    /^9: Has 10020 values that no event field can hold; at most 10000 can be stored/,
  ],
]
for (const [name, text, reason] of rejected)
  test(`rejects ${name}`, () => {
    const { messages, errors } = read(text)
    const reasons = errors.map(({ line, reason }) => `${line}: ${reason}`)
    assert.deepEqual([messages.length, reasons.length], [0, 1])
    if (typeof reason === 'string') assert.equal(reasons[0], reason)
    else assert.match(reasons[0] ?? '', reason)
  })

test('rejects binary data and files that are too large', () => {
  const reason = (bytes: Buffer) => readMessages(bytes, 'seev031').errors.map((error) => error.reason)
  assert.deepEqual(reason(Buffer.from([0x3c, 0xff])), ['The file is not UTF-8 text.'])
  assert.deepEqual(reason(Buffer.from('<a>\0</a>')), ['Must not contain a null character (U+0000).'])
  assert.deepEqual(reason(Buffer.alloc(32 * 1024 * 1024 + 1, 32)), ['The file is larger than 32 MiB. Split it.'])
})
