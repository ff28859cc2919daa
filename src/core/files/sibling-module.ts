/** The URL of a module in the same folder: TypeScript in the repository, JavaScript in the package. */
export const siblingModule = (meta: ImportMeta, name: string): URL =>
  new URL(`${name}.${meta.url.split('.').at(-1)}`, meta.url)
