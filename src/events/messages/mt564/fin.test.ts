import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changed as changedFrom,
  inEnvelope,
  mt564Text,
  onlyMessage,
  readMessages,
} from '../../../../test/support/events/messages.ts'

const read = (text: string) => readMessages(Buffer.from(text), 'mt564')
const referencesOf = (text: string): string[] => read(text).messages.map(({ reference }) => reference)
const changed = (from: string | RegExp, to: string) => changedFrom(mt564Text, from, to)

test('reads messages with and without envelopes, separators and acknowledgements', () => {
  const second = mt564Text.replace('OFF2026A1', 'OFF2')
  const both = ['OFF2026A1', 'OFF2']
  assert.deepEqual(referencesOf(inEnvelope(mt564Text) + inEnvelope(second)), both)
  assert.deepEqual(referencesOf(`${inEnvelope(mt564Text)}\n$\n${inEnvelope(second)}`), both)
  assert.deepEqual(referencesOf(mt564Text + second), both)
  assert.deepEqual(referencesOf(`${mt564Text}-\n${second}-}\n`), both)
  assert.deepEqual(referencesOf(`${mt564Text}${inEnvelope(second)}`), both)
  assert.deepEqual(referencesOf((inEnvelope(mt564Text) + inEnvelope(second)).replaceAll('\n', '\r\n')), both)
  const acknowledged = onlyMessage(
    'mt564',
    `{1:F21CUSTXX21A0010000000000}{4:{177:2603010815}{451:0}}${inEnvelope(mt564Text)}`,
  )
  assert.ok(acknowledged.unmapped.some(({ Path, Value }) => Path === '{4}' && Value === '{177:2603010815}{451:0}'))
})

test('an unreadable message is reported with its position; the others are read', () => {
  const lines = mt564Text.split('\n').length
  const { messages, errors } = read(
    `${inEnvelope(mt564Text)}\n${inEnvelope(mt564Text, 'O565')}\n${inEnvelope(mt564Text)}`,
  )
  assert.deepEqual(
    messages.map(({ number }) => number),
    [1, 3],
  )
  assert.deepEqual(errors, [
    { line: lines + 2, message: 2, reason: 'The message is an MT565; only MT564 is supported.', code: 'OtherMessage' },
  ])
})

test('reports all malformed values with line and path, before missing ones', () => {
  const text = changed('XDTE//20260312', 'XDTE//20270231')
    .replace('//TEND', '//tend')
    .replace('GRSS//EUR0,4', 'GRSS//EUR0.4')
    .replace('ISIN XS2222222226', 'ISIN XS22')
  const { messages, errors } = read(text)
  assert.deepEqual(messages, [])
  assert.deepEqual(
    errors.map(({ line, message, reason }) => `${line} ${message} ${reason}`),
    ['6 1 GENL/22F:CAEV "tend" is not a valid four-letter code.'],
  )
  const later = read(text.replace('//tend', '//TEND')).errors
  assert.deepEqual(
    later.map(({ reason }) => reason),
    [
      'CADETL/98A:XDTE "20270231" is not a valid day.',
      'CAOPTN/SECMOVE/35B/ISIN "XS22" is not a valid ISIN.',
      'CAOPTN[2]/92F:GRSS "EUR0.4" is not a valid amount such as USD2,5.',
    ],
  )
})

test('narratives may be Latin-1; a message before a truncated one is read', () => {
  const { messages } = readMessages(Buffer.from(changed('BIDDER PLC', 'BÖRSE AG'), 'latin1'), 'mt564')
  assert.match(messages[0]?.event.Narrative ?? '', /BÖRSE AG$/)
  const { messages: whole, errors } = read(inEnvelope(mt564Text) + inEnvelope(mt564Text).slice(0, -100))
  assert.deepEqual([whole.length, errors.map(({ reason }) => reason)], [1, ['Block 4 is not closed.']])
})

const rejected: [name: string, text: string, reason: string][] = [
  ['XML', '<a/>', '1: The file is XML, not MT564. Name it .xml, or use --format seev031.'],
  ['an empty file', ' \n', '1: The file contains no message.'],
  ['any other text', '\nhello', '2: Expected a block {1:...} or a field :16R:...'],
  [
    'another type without an envelope',
    changed('CADETL', 'CACONF').replace(':16S:CADETL', ':16S:CACONF'),
    '20: The sequence CACONF belongs to an MT566; only MT564 is supported.',
  ],
  ['an envelope without a text', '{1:F01}{2:O564}', '1: The message text (block 4) is missing.'],
  [
    'an envelope without a known type',
    '{1:F01}{2:X}{4:\n:16R:GENL\n-}',
    '1: The message type is unknown; only MT564 is supported.',
  ],
  ['an unclosed block', '{1:F01{', '1: Block 1 is not closed.'],
  ['a truncated message', inEnvelope(mt564Text).slice(0, -100), '1: Block 4 is not closed.'],
  ['an unclosed text', '{4:\n:16R:GENL\n', '1: Block 4 is not closed.'],
  ['a text without a field', '{4:\nhello\n-}', '2: The text must begin with a field such as :16R:GENL.'],
  ['an unclosed sequence', changed(':16S:ADDINFO\n', ''), '87: Sequence ADDINFO is not closed.'],
  ['a sequence that is not open', changed(':16S:ADDINFO', ':16S:OTHER'), '91: Sequence OTHER is closed but not open.'],
  [
    'an invalid page number',
    changed(':16R:GENL', ':16R:GENL\n:28E:1/SOME'),
    '2: 28E must be a page number and LAST, MORE or ONLY.',
  ],
  [
    'an empty reference',
    changed(/:20C::COAF.*\n/, '').replace('OURS77', 'NONREF'),
    '1: The reference of the corporate action is missing.',
  ],
]
for (const [name, text, reason] of rejected)
  test(`rejects ${name}`, () => {
    const { messages, errors } = read(text)
    assert.deepEqual(
      errors.map((error) => `${error.line}: ${error.reason}`),
      [reason],
    )
    assert.deepEqual(messages, [])
  })

test('stops reading a file with too many errors', () => {
  const { errors } = read('{2:X}{4:\n:16R:GENL\n-}\n'.repeat(2_000))
  assert.equal(errors.length, 1_001)
  assert.match(errors.at(-1)?.reason ?? '', /^Too many errors/)
})
