import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FixedClock } from '../support/clock.ts'
import { holdGracePeriod, setSpentAgo } from '../support/database/spent-tokens.ts'
import { demoRedirectUri } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { serviceForFile, type TestService } from '../support/service/service.ts'
import { Browser, basic, getRest, postToken, refresh, signInForCode, type TokenBody } from '../support/sign-in.ts'

const rounds = 10
const atOnce = 50

const clock = new FixedClock('2026-03-02T09:00:00Z')
const one = await serviceForFile({ clock })
const two = await serviceForFile({ clock, besides: one })
const slow = await serviceForFile({ clock: new FixedClock('2026-03-02T09:00:00Z'), besides: one })
await holdGracePeriod(one.node.context.db)
// One sign-in for all: after the first, the existing consent returns a code immediately.
const browser = new Browser()

const newCode = () => signInForCode(one.url, undefined, { browser })
const redeem = (node: TestService, code: string) =>
  postToken(node.url, { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri })

/** The same request many times concurrently, alternating between the nodes. */
function simultaneously<T>(nodes: TestService[], request: (node: TestService) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: atOnce }, (_, index) => request(nodes[index % nodes.length] ?? one)))
}

const sessionOf = ({ access_token: token }: TokenBody): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid

async function countRefreshTokens(sessionId: string): Promise<number> {
  const rows = await one.node.context.db
    .selectFrom('refresh_token')
    .select('issued_at')
    .where('session_id', '=', sessionId)
    .execute()
  return rows.length
}

const statusOnNode = async (node: TestService, token: string): Promise<number> => {
  const answer = await getRest(node.baseUrl, '/port/v1/users/me', token)
  await answer.arrayBuffer()
  return answer.status
}

/** Rejected immediately by the node that ended it, and by the others once they are notified. */
async function assertDead(tokens: TokenBody): Promise<void> {
  for (const node of [one, two])
    await eventually(async () => ((await statusOnNode(node, tokens.access_token)) === 401 ? true : undefined))
  for (const node of [one, two]) {
    const { status, body } = await refresh(node.url, tokens.refresh_token)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  }
}

for (const [where, nodes] of [
  ['one node', [one]],
  ['two nodes', [one, two]],
] as const) {
  test(`of ${atOnce} concurrent exchanges of one code on ${where} one succeeds, and the replay ends the session`, async () => {
    for (let round = 0; round < rounds; round++) {
      const code = await newCode()
      const answers = await simultaneously([...nodes], (node) => redeem(node, code))
      const [won, ...more] = answers.filter(({ status }) => status === 200)
      assert.ok(won)
      assert.equal(more.length, 0)
      const lost = answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant')
      assert.equal(lost.length, atOnce - 1)
      await assertDead(won.body)
    }
  })

  test(`${atOnce} concurrent refreshes of one token on ${where} return one new pair; reuse after the grace period ends the session`, async () => {
    for (let round = 0; round < rounds; round++) {
      const { body: first } = await redeem(one, await newCode())
      const answers = await simultaneously([...nodes], (node) => refresh(node.url, first.refresh_token))
      const [{ body: pair } = assert.fail()] = answers
      for (const { status, body } of answers) assert.deepEqual([status, body], [200, pair])
      assert.notEqual(pair.refresh_token, first.refresh_token)
      assert.equal(await countRefreshTokens(sessionOf(first)), 2, 'the first token and its one successor')
      assert.equal(await statusOnNode(two, pair.access_token), 200)
      await setSpentAgo(one.node.context.db, 11)
      const reused = await refresh(one.url, first.refresh_token)
      assert.deepEqual([reused.status, reused.body.error], [400, 'invalid_grant'])
      assert.equal(
        await statusOnNode(one, first.access_token),
        401,
        'the node that detected the reuse rejects it immediately',
      )
      await assertDead(first)
      await assertDead(pair)
    }
  })
}

test('a node with a slow clock and one with a right clock give the same response to two refreshes of one token', async () => {
  clock.advance(30)
  for (const nodes of [
    [slow, one],
    [one, slow],
  ] as const) {
    const { body: first } = await redeem(one, await newCode())
    const [won, again] = [
      await refresh(nodes[0].url, first.refresh_token),
      await refresh(nodes[1].url, first.refresh_token),
    ]
    assert.equal(won.status, 200)
    assert.deepEqual(again.body, won.body)
    assert.equal((await refresh(one.url, won.body.refresh_token)).status, 200, 'the session goes on')
  }
})

test('a concurrent refresh and revocation of one session leave no valid token', async () => {
  for (let round = 0; round < rounds; round++) {
    const { body: first } = await redeem(one, await newCode())
    const [{ body: pair }, revoked] = await Promise.all([
      refresh(two.url, first.refresh_token),
      fetch(`${one.url}/revoke`, {
        method: 'POST',
        headers: { authorization: basic() },
        body: new URLSearchParams({ token: first.refresh_token }),
      }),
    ])
    assert.equal(revoked.status, 200)
    await assertDead(first)
    if (pair.access_token) await assertDead(pair)
  }
})
