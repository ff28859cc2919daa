import { plural } from '../core/text.ts'
import { type Message, messagesIn, PageAssembler } from '../events/import/messages.ts'
import { printable } from './import/errors.ts'
import { maxMegabytes, readWhole, sentenceOf } from './sources/messages.ts'
import { isMessageSource, type Source } from './sources/sources.ts'

type Out = Readonly<{ say(line: string): void; complain(line: string): void }>

const maxMessages = 1_000
const maxRows = 500
const maxValue = 40
const maxField = 80

/** refdesk import --explain FILE...: prints what became of every value of the messages. Needs no database. */
export async function explainMessages(sources: readonly Source[], out: Out): Promise<number> {
  const other = sources.find((source) => !isMessageSource(source))
  if (other)
    throw new Error(`${other.name} is not a file of messages. --explain reads .xml (seev.031) and .fin (MT564) files.`)
  const pages = new PageAssembler(true)
  const starts: { name: string; linesBefore: number }[] = []
  let [shown, errors, linesBefore] = [0, 0, 0]
  const fail = (name: string, line: number, sentence: string): void => {
    errors++
    out.complain(printable(`${name}:${line}: ${sentence}`))
  }
  for (const source of sources.filter(isMessageSource)) {
    starts.push({ name: source.name, linesBefore })
    const bytes = await readWhole(source, () => {})
    if (!bytes) {
      fail(
        source.name,
        1,
        `Is larger than ${maxMegabytes} MB, unpacked. Split it into several files of whole messages.`,
      )
      continue
    }
    for (const found of messagesIn(bytes, source.format, pages, linesBefore)) {
      if ('reason' in found) fail(source.name, found.line, sentenceOf(found))
      else if (++shown <= maxMessages) for (const line of explanationOf(source.name, found)) out.say(line)
    }
    linesBefore += bytes.toString('latin1').split('\n').length
  }
  for (const error of pages.errors()) {
    const file = starts.findLast((each) => each.linesBefore < error.line)
    fail(file?.name ?? '', error.line - (file?.linesBefore ?? 0), sentenceOf(error))
  }
  if (shown > maxMessages) out.say(`And ${plural(shown - maxMessages, 'more message')}: pass fewer files to see them.`)
  return errors > 0 ? 1 : 0
}

const formatNames = { seev031: 'seev.031', mt564: 'MT564' } as const

type Row = readonly [field: string, value: string, path: string]

/** Values in the order of the message: those that fields hold, then the others. */
export function explanationOf(name: string, message: Message): string[] {
  const { format, number, line, reference, identifiers, mapped = [], unmapped } = message
  const known = mapped.map(({ Field, Path, Value }): Row => [shorten(Field, maxField), shorten(Value, maxValue), Path])
  const rest = unmapped.map(({ Path, Value }): Row => ['', shorten(Value, maxValue), Path])
  return [
    printable(`${name}:${line}: message ${number}, ${formatNames[format]} ${reference}, ${identifiers.join(', ')}`),
    ...section(`Mapped to fields of the event (${known.length})`, known),
    ...section(`Kept in Source, because no field holds them in full (${rest.length})`, rest),
    '',
  ]
}

/** Rows in columns; the first is left out if it is empty in all. */
function section(title: string, all: readonly Row[]): string[] {
  if (all.length === 0) return []
  const rows = all.slice(0, maxRows)
  const widths = ([0, 1] as const).map((column) => Math.max(...rows.map((row) => row[column].length)))
  const lines = rows.map((row) =>
    row.flatMap((text, column) => (widths[column] === 0 ? [] : [text.padEnd(widths[column] ?? 0)])).join('  '),
  )
  const more = all.length > maxRows ? [`  and ${all.length - maxRows} more`] : []
  return ['', title, ...lines.map((line) => printable(`  ${line}`)), ...more]
}

/** On one line. */
function shorten(text: string, length: number): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > length ? `${line.slice(0, length - 1).toWellFormed()}…` : line
}
