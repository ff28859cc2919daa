import type { Random } from '../random.ts'

/** Shows in a page only if the page does not escape it. */
export const scriptMark = '<script>fuzz()</script>'

/** Shows as a header of its own only if the service writes line ends into headers. */
export const headerMark = 'X-Fuzz-Injected'

const fixed: readonly string[] = [
  ...['', ' ', '\0', 'a\0b', '\t', '\n', `a\r\n${headerMark}: 1`, '\u2028', '\ufeff', '\u202eabc', '\ufffd', '\u0007'],
  ...['-1', '0', '-0', '1.5', '1e3', '1e309', '0x10', '007', '+1', '1_000', '٣', 'NaN', 'Infinity', '1,000'],
  ...['2147483647', '2147483648', '-2147483649', '9007199254740993', '9223372036854775808', '99999999999999999999'],
  ...['true', 'TRUE', 'yes', 'null', 'undefined', '[object Object]', '{}', '[]', '[1]', '"', "'", '\\', '`'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__[x]', 'a[b]', 'a.b', '$top', '$where'],
  ...[
    "' OR 1=1 --",
    "'; drop table app; --",
    '$1',
    '$(id)',
    '%s%n',
    '%',
    '%%',
    '%2',
    '%zz',
    '%00',
    '$'.concat('{7*7}'),
    '{{7*7}}',
  ],
  ...['../../../etc/passwd', '..%2f..%2f', '/', '//', '.', '..', '*', '?', '#', '&', '=', ';', ':', '@', '|', '-'],
  ...[scriptMark, `">${scriptMark}`, "'><img src=x onerror=fuzz()>", 'javascript:fuzz()', '&lt;b&gt;', '<![CDATA[x]]>'],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '-271821-04-20', '+275760-09-13', '1969-12-31', '2026-11-17T25:00:00Z'],
  ...['2026-11-17T12:00:00+99:99', '2026-11-17T12:00:00.1234567890Z', '2026-W47', '@+1', 'tomorrow', '1763380800'],
  ...[
    'http://[::1',
    'https://user:pass@app.example/',
    'http://localhost:99999/',
    'https://app.example/#a',
    'file:///etc',
  ],
  ...[
    'Stock',
    'stock',
    'STOCK',
    'Stock,Stock',
    'Stock,',
    ',Stock',
    ',,,,',
    'Stok',
    'İstanbul',
    'ß',
    'ﬁ',
    '日本語',
    '😀',
    'é',
  ],
  ...['\ud800', 'a\udc00b', 'AAAAAAAAAAAAAAAAAAAAAA==', 'AAAAAAAAAAAAAAAAAAAAAB==', 'me', 'Bearer', 'Basic Og=='],
]

/** A text that no one should send. */
export function hostileText(random: Random): string {
  const kind = random.below(20)
  if (kind === 0) return 'A'.repeat(random.pick([65, 101, 301, 1_001, 1_001, 5_000, 5_000, 40_000]))
  if (kind === 1) return '9'.repeat(random.pick([16, 20, 310, 400]))
  if (kind === 2) return 'a,'.repeat(random.pick([20, 1_001, 3_000]))
  if (kind === 3) return `e${'\u0301'.repeat(random.pick([10, 2_000]))}`
  if (kind === 4) return '('.repeat(random.pick([10, 3_000]))
  if (kind === 5) return ' '.repeat(random.pick([10, 5_000]))
  if (kind === 6)
    return Array.from({ length: random.between(1, 30) }, () => random.between(0, 0xffff))
      .map((code) => String.fromCharCode(code))
      .join('')
  if (kind === 7) return '😀'.repeat(random.pick([5, 1_025, 3_000]))
  return random.pick(fixed)
}

/** Text that is already percent-encoded, and not always correctly. */
export function hostileEncoded(random: Random): string {
  const raw = [
    '%',
    '%zz',
    '%00',
    '%ff',
    '%c0%af',
    '%ED%A0%80',
    '%F4%90%80%80',
    '%u0041',
    '+',
    '%20',
    '%2F',
    '%252e',
    '%0d%0a',
  ]
  return Array.from({ length: random.between(1, 3) }, () => random.pick(raw)).join('a')
}

/** A JSON value of a wrong type, size or depth. */
export function hostileJson(random: Random): unknown {
  const kind = random.below(14)
  if (kind === 0) return null
  if (kind === 1) return random.chance(0.5)
  if (kind === 2) return random.pick([0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, -1e-308, 1e21])
  if (kind === 3) return []
  if (kind === 4) return {}
  if (kind === 5) return Array.from({ length: random.pick([1, 51, 1_001, 5_000]) }, (_, at) => at)
  if (kind === 6) return { toString: 1, __proto__: 1, length: -1 }
  if (kind === 7) return nested(random.pick([10, 200, 2_000]), random.chance(0.5))
  return hostileText(random)
}

function nested(depth: number, inArrays: boolean): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = inArrays ? [value] : { a: value }
  return value
}
