export type AppState = {
  AppKey: string
  Name: string
  Description: string
  IsActive: boolean
  Secrets: { SecretId: number; Secret: string; ValidFrom: string; ValidUntil: string }[]
  RedirectUris: { RedirectUriId: number; Uri: string }[]
}

/** What is compared: members that a change of the campaign can reach, in a fixed order. */
export function stateOf(app: AppState): AppState {
  const { AppKey, Name, Description, IsActive } = app
  const Secrets = (app.Secrets ?? []).map(({ SecretId, Secret, ValidFrom, ValidUntil }) => ({
    SecretId,
    Secret,
    ValidFrom,
    ValidUntil,
  }))
  const RedirectUris = app.RedirectUris.map(({ RedirectUriId, Uri }) => ({ RedirectUriId, Uri }))
  return {
    AppKey,
    Name,
    Description,
    IsActive,
    Secrets: Secrets.toSorted((a, b) => a.SecretId - b.SecretId),
    RedirectUris: RedirectUris.toSorted((a, b) => a.RedirectUriId - b.RedirectUriId),
  }
}

export const isSame = (a: AppState, b: AppState): boolean => JSON.stringify(stateOf(a)) === JSON.stringify(stateOf(b))

/** Whether `after` is `before` with one new element of a list, whatever its id. */
export function hasOneMore(list: 'Secrets' | 'RedirectUris', before: AppState, after: AppState): boolean {
  const known = new Set(before[list].map((each) => JSON.stringify(each)))
  const kept = stateOf(after)[list].filter((each) => known.has(JSON.stringify(each)))
  return after[list].length === before[list].length + 1 && isSame(before, { ...after, [list]: kept } as AppState)
}

/** Whether `after` is `before` with another value of one secret. */
export function hasNewSecret(id: number, before: AppState, after: AppState): boolean {
  const blank = (app: AppState): AppState => ({
    ...app,
    Secrets: app.Secrets.map((each) => (each.SecretId === id ? { ...each, Secret: '' } : each)),
  })
  return isSame(blank(before), blank(after))
}

/** In words, for a finding: the members that differ. */
export function difference(expected: AppState, found: AppState): string {
  const names = Object.keys(stateOf(expected)) as (keyof AppState)[]
  const differing = names.filter(
    (name) => JSON.stringify(stateOf(expected)[name]) !== JSON.stringify(stateOf(found)[name]),
  )
  return differing
    .map((name) =>
      name === 'Secrets'
        ? 'Secrets differ'
        : `${name} is ${JSON.stringify(found[name])}, not ${JSON.stringify(expected[name])}`,
    )
    .join('; ')
}
