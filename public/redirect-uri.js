// Checks a redirect URI while the user types. Without script there is a button.
const pauseMilliseconds = 300

for (const input of document.querySelectorAll('input[data-check]')) {
  const { check, result, flow } = input.dataset
  const output = document.getElementById(result)
  const form = input.form
  let latest = 0
  let timer

  const show = (nodes) => {
    output.replaceChildren(...nodes)
    input.ariaInvalid = output.querySelector('.bad') ? 'true' : null
  }
  const checkNow = async () => {
    const own = ++latest
    if (input.value === '') return show([])
    const query = new URLSearchParams({ Uri: input.value, Flow: flow ?? new FormData(form).get('Flow') ?? '' })
    try {
      // After a sign-out the check is redirected; submitting the form then explains it.
      const response = await fetch(`${check}?${query}`, { redirect: 'error', signal: AbortSignal.timeout(5000) })
      const text = await response.text()
      // Ignore responses to older input.
      if (own === latest) show(response.ok ? new DOMParser().parseFromString(text, 'text/html').body.childNodes : [])
    } catch {
      if (own === latest) show([])
    }
  }
  const checkSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(checkNow, pauseMilliseconds)
  }

  input.addEventListener('input', checkSoon)
  for (const choice of form.querySelectorAll('input[name="Flow"]')) choice.addEventListener('change', checkNow)
  for (const button of form.querySelectorAll('[data-check-button]')) button.hidden = true
}
