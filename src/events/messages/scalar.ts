import { MalformedValue, quoted } from './errors.ts'
import { elementsOf, leavesOf, type MessageNode, nodesAt, textOf } from './node.ts'

/** The elements of seev.031, of any version, that hold a value in one of several forms. */
const choices: ReadonlySet<string> = new Set(
  [
    'Cd Nb Prtry Dt DtTm DtCd DtCdAndTm NotSpcfdDt Prd PrdCd StartDt EndDt',
    'Amt Rate IndxPts NotSpcfdRate AmtAndRateSts RateTpAndAmtAndRateSts RateTpAndRate RateTpAndRateSts RateSts',
    'AmtPric PctgPric NotSpcfdPric AmtPricPerFinInstrmQty AmtPricPerAmt',
    'Unit FaceAmt AmtsdVal DgtlTknUnit Qty QtyToQty AmtToAmt AmtToQty QtyToAmt Qty1 Qty2',
  ]
    .join(' ')
    .split(' '),
)

/** What a choice must contain. Without it, the value of the element would be lost silently. */
const requiredParts: Readonly<Record<string, readonly string[]>> = {
  AmtAndRateSts: ['Amt'],
  RateTpAndAmtAndRateSts: ['RateTp', 'Amt'],
  AmtPric: ['AmtPricTp', 'PricVal'],
  PctgPric: ['PctgPricTp', 'PricVal'],
  QtyToQty: ['Qty1', 'Qty2'],
}

const isChoice = (node: MessageNode): boolean =>
  node.value === undefined && elementsOf(node).some(({ name }) => choices.has(name))

/** The text at the first of the paths that exists. The path `?` is the node itself, unless it has one of the choices;
 *  after another path, `?` likewise means that the element may have choices inside. */
export function scalarAt(node: MessageNode, expected: string, ...paths: readonly string[]): MessageNode | undefined {
  for (const path of paths) {
    const at = nodesAt(node, path.replace('?', ''))
    const found = path.endsWith('?') ? at.filter((one) => !isChoice(one)) : at
    const scalar = onlyOf(found)
    for (const one of found) {
      const [inner] = elementsOf(one)
      if (inner && path === '?') throw new MalformedValue(one, `must contain a valid ${expected}`)
      if (inner) throw new MalformedValue(one, `must be a valid ${expected}, but contains the element ${inner.name}`)
    }
    if (scalar) return scalar
  }
  return undefined
}

const contentOf = (node: MessageNode): string =>
  JSON.stringify([...leavesOf(node)].map((leaf) => [leaf.name, textOf(leaf)]))

/** The first of repeated nodes, which must be equal. */
export function onlyOf(nodes: readonly MessageNode[]): MessageNode | undefined {
  const [first] = nodes
  const other = first && nodes.find((node) => contentOf(node) !== contentOf(first))
  if (first && other) throw new MalformedValue(other, contradiction(first))
  return first
}

export const contradiction = (first: MessageNode): string => {
  const text = textOf(first)
  return `contradicts ${text === '' ? 'the value' : quoted(text)} in line ${first.line}`
}

/** An element without a value that a field can hold must have a well-formed one in another form of the standard. */
export function checkChoice(node: MessageNode, expected: string): void {
  for (const child of node.children) {
    const missing = requiredParts[child.name]?.find((part) => child.named(part).length === 0)
    if (missing) throw new MalformedValue(child, `must contain ${missing}`)
  }
  if (textOf(node) !== '') return
  const hasValue = node.children.some(
    (child) => choices.has(child.name) && Iterator.from(leavesOf(child)).some((leaf) => textOf(leaf) !== ''),
  )
  if (!hasValue) throw new MalformedValue(node, `must contain a valid ${expected}`)
}
