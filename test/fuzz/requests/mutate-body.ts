import type { Random } from '../random.ts'
import { type Draft, encoded, setForm, setJson } from './draft.ts'
import { hostileJson, hostileText } from './hostile.ts'

/** Changes a body, or gives one to a request that has none. */
export function mutateBody(draft: Draft, random: Random): void {
  const kind = random.below(10)
  if (kind <= 1) rewriteBody(draft, random)
  else if (draft.form) changeForm(draft, draft.form, random)
  else if (draft.json !== undefined) changeJson(draft, draft.json, random)
  else {
    setJson(draft, hostileJson(random))
    draft.headers.push([
      'Content-Type',
      random.pick(['application/json', 'text/plain', 'application/json; charset=utf-16']),
    ])
  }
}

/** Text that JSON.stringify would never write. */
const oddJson: readonly string[] = [
  ...['', ' ', '{', '{"a":', '[1,]', "{'a':1}", 'NaN', '{"a":NaN}', '{"a":1e999}', '{"a":1}{"b":2}', '\ufeff{}', '\0'],
  ...[
    '{"Name":"a","Name":"b"}',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '"text"',
    '12',
    'null',
  ],
  ...['{"a":"\\ud800"}', '{"a":"\\u0000"}', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, '['.repeat(60_000)],
]

function rewriteBody(draft: Draft, random: Random): void {
  const body = draft.body ?? Buffer.from('{}')
  const kind = random.below(7)
  if (kind <= 1) draft.body = Buffer.from(random.pick(oddJson))
  else if (kind === 2) draft.body = body.subarray(0, random.below(body.length + 1))
  else if (kind === 3) draft.body = Buffer.concat([body, random.bytes(random.between(1, 20))])
  else if (kind === 4) draft.body = Buffer.alloc(random.pick([65_535, 65_537, 200_000]), 'a')
  else if (kind === 5) draft.body = Buffer.concat([Buffer.from('\ufeff'), body])
  else draft.body = random.bytes(random.between(1, 400))
  delete draft.json
  delete draft.form
}

type Holder = Record<string, unknown>

/** One member, at any depth, is replaced, removed, added or moved into an array. */
function changeJson(draft: Draft, json: unknown, random: Random): void {
  const copy: unknown = JSON.parse(JSON.stringify(json))
  let holder = copy as Holder
  if (typeof copy !== 'object' || copy === null || random.chance(0.05)) return void setJson(draft, hostileJson(random))
  for (;;) {
    const names = Object.keys(holder)
    const name = names.length > 0 ? random.pick(names) : 'Name'
    const inner = holder[name]
    if (typeof inner === 'object' && inner !== null && random.chance(0.6)) {
      holder = inner as Holder
      continue
    }
    const kind = random.below(7)
    if (kind === 0) delete holder[name]
    else if (kind === 1) holder[random.pick([name.toLowerCase(), `${name}s`, 'constructor'])] = inner
    else if (kind === 2) holder[name] = [inner, inner]
    else if (kind === 3) holder[name] = hostileText(random)
    else holder[name] = hostileJson(random)
    return void setJson(draft, copy)
  }
}

/** One field of a form is changed, repeated, removed or added. */
function changeForm(draft: Draft, form: readonly [string, string][], random: Random): void {
  const copy = form.map(([name, value]): [string, string] => [name, value])
  const at = random.below(copy.length + 1)
  const name = copy[at]?.[0] ?? 'scope'
  const kind = random.below(6)
  if (kind === 0) copy.splice(at, 1)
  else if (kind === 1) copy.push([name, hostileText(random)])
  else if (kind === 2) copy.push([hostileText(random), hostileText(random)])
  else copy[at] = [name, hostileText(random)]
  setForm(draft, copy)
  if (kind === 5) draft.body = Buffer.from(`${draft.body}&${encoded(name)}&=${encoded(name)}&&%zz=%`)
}
