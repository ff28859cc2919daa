// Runs the clock of the page, and keeps its time zone: that of the browser, or the one that the user chose.
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const clock = document.querySelector('time[data-clock]')
const select = document.querySelector('.zone select')
const own = Intl.DateTimeFormat().resolvedOptions().timeZone
const started = performance.now()
const shownAt = new Date(clock?.dateTime).getTime()

function formatIn(timeZone) {
  const digits = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    ...digits,
  })
  return (at) => {
    const { day, month, year, hour, minute, second } = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, value]),
    )
    return `${Number(day)} ${months[month - 1]} ${year}, ${hour}:${minute}:${second}`
  }
}

function run(timeZone) {
  const format = formatIn(timeZone)
  const isRunning = clock.dataset.clock === 'running'
  const tick = () => {
    clock.textContent = format(shownAt + (isRunning ? performance.now() - started : 0))
  }
  tick()
  if (isRunning) setInterval(tick, 1000)
}

select?.addEventListener('change', () => select.form.requestSubmit())

const isAutomatic = select?.hasAttribute('data-zone-automatic') ?? false
if (clock) run(isAutomatic && own ? own : clock.dataset.zone)
if (isAutomatic && own) {
  select.options[0].textContent = `${own.slice(own.lastIndexOf('/') + 1).replaceAll('_', ' ')} (browser)`
  const name = 'refdesk_zone'
  if (window.cookieStore) {
    await cookieStore.set({ name, value: own, path: '/', sameSite: 'lax' })
    // A page that was rendered without the zone is reloaded once, unless the browser rejects the cookie.
    const needsZone = document.querySelector('[data-needs-zone]') !== null
    const isFirst = performance.getEntriesByType('navigation')[0]?.type !== 'reload'
    if (needsZone && isFirst && (await cookieStore.get(name))) location.reload()
  }
}
