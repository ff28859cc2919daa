/** Why a scenario cannot be loaded or unloaded, one sentence for each error. Nothing was changed. */
export class ScenarioErrors extends Error {
  readonly sentences: readonly string[]

  constructor(sentences: readonly string[]) {
    super([...sentences, 'Nothing was changed.'].join('\n'))
    this.sentences = sentences
  }
}
