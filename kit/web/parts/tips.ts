const REST = 350

/**
 * Returns the nearest element with a tooltip and its text; `data-tip-cut` counts only while the element's text is cut.
 */
function textOf(target: EventTarget | null): [HTMLElement, string] | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-tip],[data-tip-cut]') : null
  if (!element) return undefined
  const text = element.dataset.tip ?? (element.scrollWidth > element.clientWidth ? element.dataset.tipCut : undefined)
  return text ? [element, text] : undefined
}

/**
 * Installs one tooltip for the whole document. It shows on hover and focus of elements with `data-tip`, or with
 * `data-tip-cut` while their text is cut, so that hundreds of rows need no component each.
 */
function install() {
  const tip = document.createElement('div')
  tip.className = 'kit-tip'
  tip.setAttribute('role', 'tooltip')
  tip.hidden = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let speaker: HTMLElement | undefined
  const hide = () => {
    clearTimeout(timer)
    tip.hidden = true
    speaker = undefined
  }
  const show = (element: HTMLElement, text: string) => {
    const box = element.getBoundingClientRect()
    if (!element.isConnected || !box.width) return
    tip.textContent = text
    tip.hidden = false
    if (!tip.isConnected) document.body.append(tip)
    const above = box.bottom + tip.offsetHeight + 8 > innerHeight
    tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`
    tip.style.top = `${above ? box.top - tip.offsetHeight - 6 : box.bottom + 6}px`
  }
  const come = (event: Event) => {
    const found = textOf(event.target)
    if (found?.[0] === speaker) return
    hide()
    if (!found) return
    speaker = found[0]
    const isFocus = event.type === 'focusin'
    if (isFocus && !speaker.matches(':focus-visible')) return
    timer = setTimeout(() => show(...found), isFocus ? 0 : REST)
  }
  const passive = { capture: true, passive: true }
  for (const name of ['pointerover', 'focusin']) document.addEventListener(name, come, passive)
  for (const name of ['focusout', 'pointerdown', 'keydown', 'scroll']) document.addEventListener(name, hide, passive)
}

if (typeof document !== 'undefined') install()
