import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type Anchor,
  anchorFinding,
  anchorSeal,
  ChainCheck,
  type ChainEnd,
  chainStart,
  encodeFields,
  type Hmac,
  headText,
  type Link,
  maxFindings,
  nextLink,
  parseHead,
} from './chain.ts'

const hmac: Hmac = (message) => createHmac('sha256', 'a key').update(message).digest()

function chainOf(bodies: readonly string[], start: ChainEnd = chainStart): Link[] {
  const links: Link[] = []
  for (const body of bodies) links.push(nextLink(hmac, links.at(-1) ?? start, body))
  return links
}

function check(links: readonly Link[], head?: ChainEnd, start: ChainEnd = chainStart): ChainCheck {
  const result = new ChainCheck(hmac, start, head)
  for (const link of links) result.add(link)
  result.finish()
  return result
}

/** The entry with that number; a test that asks for one that is not there is wrong itself. */
function entry(links: readonly Link[], seq: number): Link {
  const link = links.find((candidate) => candidate.seq === seq)
  assert.ok(link)
  return link
}

const five = chainOf(['a', 'b', 'c', 'd', 'e'])

describe('a chain', () => {
  it('is intact as created, and reports its end', () => {
    const { findings, problems, entries, end } = check(five)
    assert.deepEqual({ findings, problems, entries }, { findings: [], problems: 0, entries: 5 })
    assert.equal(headText(end), headText(entry(five, 5)))
  })

  it('reveals a changed text', () => {
    assert.deepEqual(check(five.with(2, { ...entry(five, 3), body: 'C' })).findings, ['Entry 3 was changed or moved.'])
  })

  it('reveals a changed mac, and the next entry, which no longer matches it', () => {
    assert.deepEqual(check(five.with(2, { ...entry(five, 3), mac: new Uint8Array(32) })).findings, [
      'Entry 3 was changed or moved.',
      'Entry 4 was changed or moved.',
    ])
  })

  it('reveals missing entries: one, several, the first', () => {
    assert.deepEqual(check(five.toSpliced(1, 1)).findings, ['Entry 2 is missing.'])
    assert.deepEqual(check(five.toSpliced(1, 3)).findings, ['Entries 2 to 4 are missing.'])
    assert.deepEqual(check(five.slice(1)).findings, ['Entry 1 is missing.'])
  })

  it('reveals an entry that is repeated or too late, and continues after it', () => {
    assert.deepEqual(check(five.toSpliced(3, 0, entry(five, 2))).findings, [
      'Entry 2 is out of order: it follows entry 3.',
    ])
  })

  it('reveals links made with another key', () => {
    const forger: Hmac = (message) => createHmac('sha256', 'another key').update(message).digest()
    assert.equal(check([...five, nextLink(forger, entry(five, 5), 'f')]).problems, 1)
  })

  it('reveals any two entries that swapped their texts', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 9 }), fc.nat(), fc.nat(), (bodies, a, b) => {
        const links = chainOf(bodies)
        const one = entry(links, 1 + (a % links.length))
        const other = entry(links, 1 + (b % links.length))
        fc.pre(one.seq !== other.seq)
        const swapped = links
          .with(one.seq - 1, { ...other, seq: one.seq })
          .with(other.seq - 1, { ...one, seq: other.seq })
        assert.ok(check(swapped).problems > 0)
      }),
    )
  })

  it('lists the first hundred findings and counts the rest', () => {
    const links = chainOf(Array.from({ length: maxFindings + 20 }, (_, index) => `${index}`))
    const result = check(links.map((link) => ({ ...link, body: 'x' })))
    assert.equal(result.findings.length, maxFindings)
    assert.equal(result.problems, maxFindings + 20)
  })
})

describe('a head that was kept elsewhere', () => {
  const third = entry(five, 3)

  it('matches a chain that has grown since', () => {
    assert.equal(check(five, third).problems, 0)
    assert.equal(check(five, entry(five, 5)).problems, 0)
    assert.equal(check(five, chainStart).problems, 0)
  })

  it('reveals a truncated chain', () => {
    assert.deepEqual(check(five.slice(0, 2), third).findings, [
      'The log is truncated: the given head is entry 3, the last entry is 2.',
    ])
  })

  it('reveals a chain that was truncated and continued', () => {
    const regrown = chainOf(['a', 'b', 'x', 'y', 'z'])
    assert.deepEqual(check(regrown, third).findings, [
      'Entry 3 differs from the given head: the log was truncated and continued.',
    ])
  })

  it('is reported when its entry was removed', () => {
    assert.deepEqual(check(five.toSpliced(2, 1), third).findings, [
      'Entry 3 is missing.',
      'Entry 3, the given head, is missing.',
    ])
  })

  it('is reported as archived if it is before the start, and compared if it is the start', () => {
    assert.deepEqual(check(five.slice(4), third, entry(five, 4)).findings, [
      'The head 3 is in the archived section, through 4: check the archive file with it.',
    ])
    assert.equal(check(five.slice(3), third, third).problems, 0)
    assert.equal(check(five.slice(3), { seq: 3, mac: new Uint8Array(32) }, third).problems, 1)
  })

  it('can be parsed from its text; nothing else is a head', () => {
    const head = parseHead(` ${headText(third)}\n`)
    assert.deepEqual(head && [head.seq, head.mac.toHex()], [3, third.mac.toHex()])
    for (const text of ['', '3', '3:ab', `x:${'0'.repeat(64)}`, `3:${'G'.repeat(64)}`]) {
      assert.equal(parseHead(text), undefined)
    }
  })
})

describe('the record of an archive', () => {
  const part = { firstSeq: 1, throughSeq: 5, mac: entry(five, 5).mac, fileName: 'one', archivedAt: '2026-03-01' }
  const anchor: Anchor = { ...part, seal: anchorSeal(hmac, part) }

  it('is valid as created', () => {
    assert.equal(anchorFinding(hmac, chainStart, anchor), undefined)
  })

  it('reveals a change of any member', () => {
    const changes: Partial<Anchor>[] = [
      { firstSeq: 2 },
      { throughSeq: 6 },
      { mac: new Uint8Array(32) },
      { fileName: 'two' },
      { archivedAt: '2026-04-01' },
      { seal: new Uint8Array(32) },
    ]
    for (const change of changes) {
      const forged = { ...anchor, ...change }
      assert.equal(
        anchorFinding(hmac, chainStart, forged),
        `The record of the archive through entry ${forged.throughSeq} was changed or forged.`,
      )
    }
  })

  it('reveals that the previous one is missing', () => {
    const later = { ...part, firstSeq: 6, throughSeq: 9 }
    const finding = anchorFinding(hmac, chainStart, { ...later, seal: anchorSeal(hmac, later) })
    assert.match(finding ?? '', /begins at entry 6; entry 1 was expected/)
  })
})

it('different lists of fields never encode to the same bytes', () => {
  const field = fc.oneof(fc.string(), fc.nat().map(String))
  fc.assert(
    fc.property(fc.array(field), fc.array(field), (some, others) => {
      const same = encodeFields(...some).toHex() === encodeFields(...others).toHex()
      assert.equal(same, JSON.stringify(some) === JSON.stringify(others))
    }),
  )
  assert.notEqual(encodeFields('ab', 'c').toHex(), encodeFields('a', 'bc').toHex())
})

it('encodes the length of a field in four bytes, then its bytes, so that sealed logs stay verifiable', () => {
  assert.equal(encodeFields('ä', 12, new Uint8Array([255]), '').toHex(), '00000002c3a400000002313200000001ff00000000')
  assert.equal(encodeFields('x'.repeat(65_536)).toHex().slice(0, 10), '0001000078')
})
