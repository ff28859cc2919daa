type Known<Made> = Readonly<{ inputs: readonly unknown[]; made: Made }>

/** Remembers what was made last of each object, for as long as the object is in use. The object must never change: the API
 *  client gives out the same one for the same body (`getShared`). */
export class Remembered<Made> {
  readonly #known = new WeakMap<object, Known<Made>>()

  /** `inputs` are all that the result depends on besides the object, compared as they are. */
  get(source: object, inputs: readonly unknown[], make: () => Made): Made {
    const last = this.#known.get(source)
    if (last && inputs.every((input, index) => input === last.inputs[index])) return last.made
    const made = make()
    this.#known.set(source, { inputs, made })
    return made
  }
}
