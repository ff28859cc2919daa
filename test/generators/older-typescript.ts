import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** @hey-api/openapi-ts says that it takes any TypeScript and uses what only those before 7 have, so npm lays it beside the
 *  project's own; here it is given the one of this folder. */
const url = pathToFileURL(createRequire(import.meta.url).resolve('typescript')).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url, format: 'commonjs', shortCircuit: true } : next(specifier, context),
})
