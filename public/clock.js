// Runs the clocks of the page, and stores the reader's time zone in a cookie.
const started = performance.now()
const running = [...document.querySelectorAll('time[data-clock="running"]')].map((element) => ({
  element,
  at: new Date(element.dateTime).getTime(),
}))
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (value) => String(value).padStart(2, '0')
const tick = () => {
  for (const { element, at } of running) {
    const now = new Date(at + performance.now() - started)
    const day = `${now.getUTCDate()} ${months[now.getUTCMonth()]} ${now.getUTCFullYear()}`
    element.textContent = `${day}, ${two(now.getUTCHours())}:${two(now.getUTCMinutes())} UTC`
  }
}
if (running.length > 0) setInterval(tick, 1000)

const value = Intl.DateTimeFormat().resolvedOptions().timeZone
const name = 'refdesk_zone'
if (value && window.cookieStore) {
  await cookieStore.set({ name, value, path: '/', sameSite: 'lax' })
  // A page that was rendered without the zone is reloaded once, unless the browser rejects the cookie.
  const needsZone = document.querySelector('[data-needs-zone]') !== null
  const isFirst = performance.getEntriesByType('navigation')[0]?.type !== 'reload'
  if (needsZone && isFirst && (await cookieStore.get(name))) location.reload()
}
