/** In-process calls and `fetch` resolve `.` and `..` like any URL, so a dot segment would reach another operation. */
export function hasDotSegments(path: string): boolean {
  const [, ...segments] = (path.split('?', 1)[0] ?? '').split('/')
  return segments.some((segment) => /^(\.|%2e){0,2}$/i.test(segment))
}
