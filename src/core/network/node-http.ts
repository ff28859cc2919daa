/** The parts of node:http that the service uses. An import would evaluate every export: its `WebSocket` loads fetch, 3 MB in every
 *  thread. */
export const { createServer, STATUS_CODES: reasonPhrases } = process.getBuiltinModule('node:http')
