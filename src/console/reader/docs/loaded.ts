import type { Library } from './library.ts'

let library: Promise<Library> | undefined

/** The documents, loaded when needed, with the parser. A file that could not be read may be there the next time. */
export function loadLibrary(): Promise<Library> {
  library ??= import('./library.ts')
    .then(({ readLibrary }) => readLibrary())
    .catch((error: unknown) => {
      library = undefined
      throw error
    })
  return library
}
