/** What is needed of node:http. Not an import, which would read all of its exports: its `WebSocket` loads fetch and all that
 *  belongs to it, 3 MB in every thread. */
export const { createServer, STATUS_CODES: reasonPhrases } = process.getBuiltinModule('node:http')
