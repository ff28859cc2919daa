import { Random } from '../random.ts'
import { hostileJson, hostileText } from '../requests/hostile.ts'
import { type Format, samples } from './samples.ts'

/** A file of a run. */
export type FuzzFile = Readonly<{ index: number; name: string; what: string; bytes: Buffer }>

type Mutation = (text: string, random: Random) => string | Buffer

const cut = (text: string, at: number, length: number, insert = ''): string =>
  text.slice(0, at) + insert + text.slice(at + length)

const general: Readonly<Record<string, Mutation>> = {
  'another byte': (text, random) => {
    const bytes = Buffer.from(text)
    bytes[random.below(bytes.length)] = random.below(256)
    return bytes
  },
  'random bytes inserted': (text, random) => {
    const bytes = Buffer.from(text)
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), random.bytes(random.between(1, 8)), bytes.subarray(at)])
  },
  truncated: (text, random) => text.slice(0, random.below(text.length)),
  'a piece removed': (text, random) => cut(text, random.below(text.length), random.between(1, 40)),
  'a piece twice': (text, random) => {
    const at = random.below(text.length)
    return cut(text, at, 0, text.slice(at, at + random.between(1, 200)))
  },
  'a line twice': (text, random) => onLines(text, (lines, at) => lines.splice(at, 0, lines[at] ?? ''), random),
  'lines in another order': (text, random) =>
    onLines(text, (lines, at) => lines.push(...lines.splice(at, 1), ...lines.splice(0, 1)), random),
  'a line removed': (text, random) => onLines(text, (lines, at) => lines.splice(at, 1), random),
  'hostile text': (text, random) => cut(text, random.below(text.length), random.below(10), hostileText(random)),
  'a word replaced': (text, random) => replaceWord(text, random, hostileText(random)),
  'a number replaced': (text, random) =>
    replaceMatch(
      text,
      /-?\d+(\.\d+)?/g,
      random,
      random.pick(['-1', '0', '1e308', '9'.repeat(30), '0.1', '99999999999', '1e-400', 'NaN', '007']),
    ),
  'a day replaced': (text, random) =>
    replaceMatch(
      text,
      /\d{4}-?\d{2}-?\d{2}/g,
      random,
      random.pick(['2026-02-30', '0000-01-01', '9999-12-31', '@+1', '@NYSE+99999b', '@+99999999', '20261301', '']),
    ),
  CRLF: (text) => text.replaceAll('\n', '\r\n'),
  CR: (text) => text.replaceAll('\n', '\r'),
  'a byte order mark': (text) => `\ufeff${text}`,
  'UTF-16': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  latin1: (text) => Buffer.from(`${text} é`, 'latin1'),
  empty: (_text, random) => random.pick(['', '\n', '   ', '\ufeff', '\r\n\r\n', '\0']),
  'another format': (_text, random) => random.pick(Object.values(samples).flat()),
}

const ofFormat: Readonly<Record<Format, Readonly<Record<string, Mutation>>>> = {
  ndjson: {
    'a member replaced': (text, random) => onRecord(text, random, (name) => [name, hostileJson(random)]),
    'a member removed': (text, random) => onRecord(text, random, () => []),
    'a member added': (text, random) => onRecord(text, random, () => [hostileText(random), hostileJson(random)]),
    'a deletion': (text, random) => onRecord(text, random, () => ['delete', random.pick([true, false, 1, 'true'])]),
    'another kind': (text, random) => onRecord(text, random, () => ['kind', random.pick(kinds)]),
    'deep nesting': (text, random) => `${text}\n{"kind":"event","EventId":${'['.repeat(random.pick([100, 20_000]))}\n`,
    'a name twice': (text, random) => replaceMatch(text, /"(\w+)":/g, random, '"Uic":1,"Uic":'),
    terms: (text) => `{"kind":"terms","Name":"a","Terms":["a"]}\n{"kind":"terms","Name":"b","Terms":["c"]}\n${text}`,
  },
  csv: {
    'a cell replaced': (text, random) => replaceMatch(text, /[^,\n"]+/g, random, hostileText(random)),
    'a quote': (text, random) => cut(text, random.below(text.length), 0, '"'),
    'a column twice': (text) => text.replace('Symbol,', 'Symbol,Symbol,'),
    'more cells': (text, random) =>
      onLines(text, (lines, at) => (lines[at] += ','.repeat(random.between(1, 2000))), random),
  },
  xml: {
    'a document type': (text, random) =>
      random.pick(['<!DOCTYPE a [<!ENTITY b "c">]>', '<!DOCTYPE a SYSTEM "file:///etc/passwd">', bomb]) + text,
    'an entity': (text, random) =>
      cut(text, random.below(text.length), 0, random.pick(['&b;', '&#0;', '&#x110000;', '&amp;', '&', '&#xD800;'])),
    'an attribute twice': (text) => text.replace('Ccy="EUR"', 'Ccy="EUR" Ccy="USD"'),
    'many attributes': (text) =>
      text.replace('<CreDt', `<CreDt ${Array.from({ length: 500 }, (_, at) => `a${at}="b"`).join(' ')}`),
    'another element': (text, random) =>
      replaceMatch(text, /<\/?[\w:]+/g, random, random.pick(['<a', '</a', '<', '<!--', '<![CDATA[', '<?a', '<d:Cd'])),
    'deep elements': (text, random) => cut(text, text.lastIndexOf('</'), 0, '<a>'.repeat(random.pick([50, 5_000]))),
    'another namespace': (text) => text.replace('seev.031.001', 'seev.039.001'),
    'text of an element': (text, random) =>
      replaceMatch(text, />[^<>\n]+</g, random, `>${hostileText(random).replaceAll(/[<&]/g, '')}<`),
    'an encoding': (text, random) =>
      text.replace('encoding="UTF-8"', `encoding="${random.pick(['ISO-8859-1', 'x', 'UTF-16', ''])}"`),
  },
  fin: {
    'another tag': (text, random) =>
      replaceMatch(text, /:\d\d[A-Z]?:/g, random, random.pick([':16R:', ':16S:', ':99Z:', ':', '::', ':98C:', '-}'])),
    'another qualifier': (text, random) =>
      replaceMatch(text, /::[A-Z]{4}/g, random, random.pick(['::XXXX', '::', '::PREP', '::CAEV', '::É'])),
    'a value replaced': (text, random) => replaceMatch(text, /\/\/.*/g, random, `//${hostileText(random)}`),
    'a block replaced': (text, random) =>
      replaceMatch(text, /\{\d:/g, random, random.pick(['{', '{9:', '}', '{4:{4:', '{1:F01'])),
  },
}

const kinds = ['user', 'terms', 'event', 'x', null, '__proto__', 'toString']

const bomb = `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 8 }, (_, at) => `<!ENTITY ${'bcdefghi'[at]} "${`&${'abcdefgh'[at]};`.repeat(10)}">`).join('')}]>`

/** File `index` of a seed: a sample with one to three mutations. */
export function makeFile(seed: number, index: number): FuzzFile {
  const random = new Random(seed, index)
  const format = random.weighted([
    { weight: 5, format: 'ndjson' as const },
    { weight: 2, format: 'csv' as const },
    { weight: 3, format: 'xml' as const },
    { weight: 3, format: 'fin' as const },
  ]).format
  const mutations = { ...general, ...ofFormat[format] }
  const names: string[] = []
  let text: string | Buffer = random.pick(samples[format])
  for (let more = random.pick([1, 1, 1, 2, 3]); more > 0 && typeof text === 'string' && text !== ''; more--) {
    const own = random.chance(0.5) ? ofFormat[format] : mutations
    const name = random.pick(Object.keys(own))
    names.push(name)
    text = own[name]?.(text, random) ?? text
  }
  return { index, name: `file-${index}.${format}`, what: names.join(', '), bytes: Buffer.from(text) }
}

function onLines(text: string, change: (lines: string[], at: number) => void, random: Random): string {
  const lines = text.split('\n')
  change(lines, random.below(lines.length))
  return lines.join('\n')
}

function replaceMatch(text: string, pattern: RegExp, random: Random, by: string): string {
  const found = [...text.matchAll(pattern)]
  const one = found.length > 0 ? random.pick(found) : undefined
  return one ? cut(text, one.index, one[0].length, by) : text
}

const replaceWord = (text: string, random: Random, by: string): string =>
  replaceMatch(text, /[A-Za-z]{2,}/g, random, by)

/** Replaces a member, at any depth, of one record that is still JSON; with no name and value, removes it. */
function onRecord(text: string, random: Random, change: (name: string) => [string?, unknown?]): string {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  try {
    const record = JSON.parse(lines[at] ?? '') as Record<string, unknown>
    let holder = record
    for (;;) {
      const name = random.pick(Object.keys(holder))
      const inner = holder[name]
      if (typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0 && random.chance(0.7)) {
        holder = inner as Record<string, unknown>
        continue
      }
      const [newName, value] = change(name)
      if (newName === undefined) delete holder[name]
      else holder[newName] = value
      break
    }
    lines[at] = JSON.stringify(record)
  } catch {
    lines[at] = '{}'
  }
  return lines.join('\n')
}
