/** The part of JSON Schema that our schemas use. A TypeBox schema has this shape if its hidden keys are ignored. */
export type Shape = Readonly<{
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Shape[]
  format?: string
  pattern?: string
  /** What the pattern expects, in words (`matching` in core/schema). */
  expected?: string
  isRequiredByDefault?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Shape
  minItems?: number
  maxItems?: number
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  additionalProperties?: unknown
  default?: unknown
  title?: string
  description?: string
  examples?: readonly unknown[]
}>

/** The names of an enum, whether declared as `enum`, a constant or a union of constants. */
export function enumNames(shape: Shape): readonly string[] | undefined {
  const names = shape.enum ?? shape.anyOf?.map((choice) => choice.const) ?? (shape.const ? [shape.const] : undefined)
  return names?.every((name) => typeof name === 'string') ? names : undefined
}
