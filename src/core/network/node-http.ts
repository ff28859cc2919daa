/** Not imported: that would evaluate every export of node:http, and its `WebSocket` loads fetch, 3 MB in every thread. */
export const { createServer, STATUS_CODES: reasonPhrases } = process.getBuiltinModule('node:http')
