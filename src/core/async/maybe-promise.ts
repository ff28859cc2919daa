/** A value, or a promise of it if it is not known yet. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Uses a known value at once, and another one when its promise is fulfilled. */
export function whenKnown<Value, Result>(
  value: MaybePromise<Value>,
  use: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(use) : use(value)
}

export function allKnown<Value>(values: MaybePromise<Value>[]): MaybePromise<Value[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as Value[])
}
