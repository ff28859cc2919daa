import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** @hey-api/openapi-ts accepts any TypeScript version but needs one before 7, and npm gives it the project's. This hook
 *  replaces it by the version in this folder. */
const url = pathToFileURL(createRequire(import.meta.url).resolve('typescript')).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url, format: 'commonjs', shortCircuit: true } : next(specifier, context),
})
